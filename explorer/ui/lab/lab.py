"""The lab's dock: a list of tools by the question that each answers, and the page of the one that is open."""

from collections.abc import Callable

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.ui import theme
from explorer.ui.lab.code import Code
from explorer.ui.lab.compare import Compare
from explorer.ui.lab.cost import Cost
from explorer.ui.lab.goal import GoalSeek
from explorer.ui.lab.gradients import GradientsTool
from explorer.ui.lab.grouped import Grouped
from explorer.ui.lab.masks import Masks
from explorer.ui.lab.parts import Parts
from explorer.ui.lab.pieces import muted
from explorer.ui.lab.positions import Positions
from explorer.ui.lab.reorder import Reorder
from explorer.ui.lab.slips import Slips
from explorer.ui.lab.tool import Bench, Follower, Tool
from explorer.ui.language import sentences

TOOLS: tuple[type[Tool], ...] = (
    Compare,
    Slips,
    Masks,
    Positions,
    Reorder,
    Parts,
    Grouped,
    GradientsTool,
    GoalSeek,
    Cost,
    Code,
)


# A line of text more than a button, so that twelve of them are a list.
ENTRY_SHEET = """
QPushButton {
    border: 1px solid transparent; text-align: left; padding: 3px 6px; font-weight: bold; color: palette(link);
}
QPushButton:hover { border-color: palette(mid); }
QPushButton:focus { border-color: palette(highlight); }
"""


class Lab(QWidget):
    """Shows the list, or one tool with a way back to it. Tools are made when they are first opened.

    `dress` gives a widget that stands in `wearers` from now on its style sheet.
    """

    def __init__(self, bench: Bench, dress: Callable[[QWidget], None]) -> None:
        super().__init__()
        self.setObjectName("lab")
        self._bench, self._dress = bench, dress
        self._tools: dict[str, Tool] = {}
        self._followers: dict[str, Follower] = {}
        self._back = QToolButton(text=self.tr("← All tools"))
        self._back.setObjectName("lab_back")
        self._back.clicked.connect(self.show_list)
        self._title, self._question = QLabel(), QLabel()
        self._question.setWordWrap(True)
        self._stack = QStackedWidget()
        self._list = _ToolList(self)
        self._stack.addWidget(_scrolled(self._list, self.tr("All tools")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(6)
        layout.addWidget(self._back, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._title)
        layout.addWidget(self._question)
        layout.addWidget(self._stack, 1)
        theme.watcher().changed.connect(self._restyle)
        self._open = ""
        bench.document.changed.connect(lambda _old, _new: self._say_question())
        self._restyle()
        self.show_list()

    @property
    def wearers(self) -> list[QWidget]:
        """What is dressed by itself: of all at once Qt would take long."""
        return [self._back, self._title, *map(self._stack.widget, range(self._stack.count()))]

    @property
    def tool(self) -> Tool | None:
        """The one that is open."""
        return self._tools.get(self._open)

    def make_tool(self, name: str) -> None:
        """Have a tool ready to be opened; raises KeyError for one that is not in TOOLS."""
        if name not in self._tools:
            tool = {tool.name: tool for tool in TOOLS}[name](self._bench)
            tool.asked_to_close.connect(self.show_list)
            self._tools[name] = tool
            self._followers[name] = Follower(tool)
            page = _scrolled(tool, tool.title())
            self._dress(page)
            self._stack.addWidget(page)

    def open_tool(self, name: str) -> Tool:
        """Open a tool by name; raises KeyError for one that is not in TOOLS."""
        self._leave()
        self.make_tool(name)
        tool = self._tools[name]
        self._open = name
        QSettings().setValue("lab/tool", name)
        self._title.setText(tool.title())
        self._stack.setCurrentIndex(1 + list(self._tools).index(name))
        self._say_question()
        for widget in (self._back, self._title, self._question):
            widget.show()
        self._followers[name].refresh()
        return tool

    def show_list(self) -> None:
        """Back to all tools."""
        self._leave()
        self._open = ""
        for widget in (self._back, self._title, self._question):
            widget.hide()
        self._stack.setCurrentIndex(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._open:
            self._followers[self._open].refresh()

    def _say_question(self) -> None:
        if (tool := self.tool) is not None:
            fits = tool.fits(self._bench.document.scene)
            too_large = "" if fits else self.tr("It needs all numbers at once; this scene has too many.")
            self._question.setText(sentences(tool.question(), too_large))
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if fits else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            page = self._stack.currentWidget()
            assert isinstance(page, QScrollArea)
            page.setVerticalScrollBarPolicy(policy)  # nothing of the tool is there to be scrolled

    def _leave(self) -> None:
        if (tool := self.tool) is not None:
            tool.leave()

    def _restyle(self) -> None:
        colours = theme.current()
        title = theme.ui_font(1.2)
        title.setBold(True)
        self._title.setFont(title)
        self._question.setStyleSheet(f"color: {colours.muted.name()};")


class _ToolList(QWidget):
    """One button per tool: its title, and below it the question it answers."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for tool in TOOLS:
            button = QPushButton(tool.title())
            button.setObjectName(f"open_{tool.name}")
            button.setStyleSheet(ENTRY_SHEET)
            button.setAccessibleDescription(tool.question())
            button.clicked.connect(lambda _checked=False, name=tool.name: lab.open_tool(name))
            note = muted(tool.question())
            note.setContentsMargins(7, 0, 4, 8)
            layout.addWidget(button)
            layout.addWidget(note)
        layout.addStretch(1)


def _scrolled(content: QWidget, name: str) -> QScrollArea:
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area
