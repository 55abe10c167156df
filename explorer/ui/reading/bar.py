"""The controls above what is read: which view, which numbers, sorted how, what is left out, which heads."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox, StepBox
from explorer.ui.flow import FlowRow
from explorer.ui.lab.pieces import Choice
from explorer.ui.reading.facts import sort_texts
from explorer.ui.reading.settings import OVERVIEW, WORDS, Settings
from explorer.ui.texts import head_text

MOST_HEADS = 64  # buttons; more heads are chosen in the overview alone


class Bar(QWidget):
    """Tells of what a person asks for; shows what it is told."""

    view_asked = Signal(str)  # OVERVIEW or WORDS
    panels_asked = Signal()
    changed = Signal(str, object)  # field of Settings, value
    heads_asked = Signal(object)  # tuple of heads, from 0

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reading_bar")
        self._chosen: tuple[int, ...] = ()
        self.back = QToolButton(text=self.tr("← Panels"))
        self.back.setObjectName("reading_back")
        self.back.setToolTip(self.tr("Back to all stages (Esc)"))
        self.back.clicked.connect(self.panels_asked)
        self.view = Choice(
            ((OVERVIEW, self.tr("All heads")), (WORDS, self.tr("Words"))),
            self.view_asked.emit,
            self.tr("View"),
        )
        self.what = Choice(
            (("weights", self.tr("weights")), ("sent", self.tr("what is sent"))),
            lambda key: self.changed.emit("sent", key == "sent"),
            self.tr("Show"),
        )
        self.what.buttons["sent"].setToolTip(
            self.tr(
                "‖α·v·W^O‖, the length of what each key really sends: a large weight on a short value moves little"
            )
        )
        self.sort = ChoiceBox()
        self.sort.setObjectName("heads_sort")
        self.sort.setAccessibleName(self.tr("Sort the heads"))
        self.sort.fill(sort_texts())
        self.sort.activated.connect(lambda _index: self.changed.emit("sort", self.sort.currentData()))
        self.threshold = StepBox()
        self.threshold.setObjectName("heads_threshold")
        self.threshold.setRange(0, 100)
        self.threshold.setSuffix(" %")
        self.threshold.valueChanged.connect(lambda value: self.changed.emit("threshold", value / 100))
        self.top = StepBox()
        self.top.setObjectName("heads_top")
        self.top.setSpecialValueText(self.tr("all"))
        self.top.valueChanged.connect(lambda value: self.changed.emit("top", value))
        row = FlowRow()
        for widget in (
            self.back,
            self.view,
            self.what,
            _labelled(
                self.tr("at least"),
                self.threshold,
                self.tr("Leave out what is below this share of the largest possible"),
            ),
            _labelled(
                self.tr("keys per query"),
                self.top,
                self.tr("Leave out all but so many of the largest of each query"),
            ),
            _labelled(self.tr("sorted by"), self.sort),  # last: where it is hidden, it leaves no hole
        ):
            row.add(widget)
        self._sorted = self.sort.parentWidget()
        self.chips = FlowRow()
        self.buttons: list[QToolButton] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 4)
        layout.setSpacing(6)
        layout.addWidget(row)
        layout.addWidget(self.chips)
        theme.watcher().changed.connect(self._colour)

    def show_state(self, view: str, settings: Settings, heads: int, keys: int) -> None:
        """Show these settings for a layer of so many heads and keys."""
        self.view.show_key(view)
        self.what.show_key("sent" if settings.sent else "weights")
        self.sort.show_kind(settings.sort)
        with QSignalBlocker(self.threshold), QSignalBlocker(self.top):
            self.threshold.setValue(round(100 * settings.filters.threshold))
            self.top.setRange(0, keys)
            top = settings.filters.top_of(keys) if view == WORDS else settings.filters.top
            self.top.setValue(min(top or 0, keys))
        assert self._sorted is not None
        self._sorted.setVisible(view == OVERVIEW)
        self._show_chips(heads, settings.heads_of(heads), view == WORDS and 1 < heads <= MOST_HEADS)

    # ---- heads ----

    def _show_chips(self, count: int, chosen: tuple[int, ...], visible: bool) -> None:
        self._chosen = chosen
        self.chips.setVisible(visible)
        if visible and len(self.buttons) != count + 1:
            self._make_chips(count)
        if visible:
            for head, button in enumerate(self.buttons[1:]):
                button.setChecked(head in chosen)
            self.buttons[0].setChecked(len(chosen) == count)

    def _make_chips(self, count: int) -> None:
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        chips = FlowRow()
        every = QToolButton(text=self.tr("all heads"))
        every.setObjectName("reading_all_heads")
        every.setCheckable(True)
        every.clicked.connect(
            lambda: self._ask(tuple(range(count)) if len(self._chosen) < count else self._chosen[:1])
        )
        self.buttons = [every]
        for head in range(count):
            button = QToolButton(text=str(head + 1))
            button.setObjectName(f"reading_head_{head + 1}")
            button.setCheckable(True)
            button.setAccessibleName(head_text(head + 1))
            button.setToolTip(
                self.tr("Click: add {head} or leave it out. Double-click: this one alone").format(
                    head=head_text(head + 1)
                )
            )
            button.clicked.connect(partial(self._toggle, head))
            button.installEventFilter(self)
            self.buttons.append(button)
        for button in self.buttons:
            chips.add(button)
        layout.replaceWidget(self.chips, chips)
        self.chips.deleteLater()
        self.chips = chips
        self._colour()

    def _toggle(self, head: int) -> None:
        left = set(self._chosen) ^ {head}
        self._ask(tuple(sorted(left)) or self._chosen)

    def _ask(self, heads: tuple[int, ...]) -> None:
        self.heads_asked.emit(heads)
        for head, button in enumerate(self.buttons[1:]):  # a refused one comes back
            button.setChecked(head in self._chosen)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonDblClick
            and watched in self.buttons
        ):
            self.heads_asked.emit((self.buttons.index(watched) - 1,))
            return True
        return super().eventFilter(watched, event)

    def _colour(self) -> None:
        colours = theme.current()
        for head, button in enumerate(self.buttons[1:]):
            name = colours.head_colour(head).name()
            button.setStyleSheet(
                f"QToolButton {{ color: {name}; padding: 2px 7px; font-weight: bold; }}"
                f" QToolButton:checked {{ background: {name}; border-color: {name}; color: {colours.surface.name()}; }}"
            )
        if self.buttons:
            self.buttons[0].setStyleSheet("QToolButton { padding: 2px 8px; }")


def _labelled(text: str, box: QWidget, tip: str = "") -> QWidget:
    pair = QWidget()
    layout = QHBoxLayout(pair)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(5)
    label = QLabel(text)
    label.setBuddy(box)
    layout.addWidget(label)
    layout.addWidget(box)
    if not box.accessibleName():
        box.setAccessibleName(text)
    for each in (label, box):
        each.setToolTip(tip)
    return pair
