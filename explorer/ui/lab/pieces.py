"""What the pages of the tools are made of: headings, a choice of a few, sentences, a list of bars."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QSizePolicy, QToolButton, QWidget

from explorer.ui import theme
from explorer.ui.flow import FlowRow
from explorer.ui.options import Note


class Heading(QLabel):
    """The name of a part of a page."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        font = theme.ui_font()
        font.setBold(True)
        self.setFont(font)


class Words(QLabel):
    """Plain sentences that may be copied."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def say(self, text: str) -> None:
        """Say this; with nothing to say it takes no room."""
        self.setText(text)
        self.setVisible(bool(text))


def muted(text: str = "") -> Note:
    """Sentences in the muted colour, as wide as the page."""
    note = Note(text)
    note.setWordWrap(True)
    note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return note


def buttons(*widgets: QWidget) -> QWidget:
    """Side by side, on as many lines as the page needs."""
    line = FlowRow()
    for widget in widgets:
        line.add(widget)
    return line


class Choice(FlowRow):
    """One of a few, side by side; `chosen(key)` is called when a person chooses another."""

    def __init__(
        self,
        items: Sequence[tuple[str, str]],
        chosen: Callable[[str], None],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._group = group = QButtonGroup(self)
        for key, text in items:
            button = QToolButton(text=text)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setAccessibleDescription(name)
            button.clicked.connect(lambda _on=False, key=key: chosen(key))
            group.addButton(button)
            self.add(button)
            self.buttons[key] = button

    @property
    def key(self) -> str:
        """The one that is chosen."""
        return next((key for key, button in self.buttons.items() if button.isChecked()), "")

    @property
    def gap(self) -> int:
        return 4

    def show_key(self, key: str | None) -> None:
        """Show a choice without making it; None: none of them holds."""
        self._group.setExclusive(key is not None)
        for each, button in self.buttons.items():
            if key is None or each == key:
                button.setChecked(each == key)
        self._group.setExclusive(True)
        reached = next(iter(self.buttons)) if key is None else key
        for each, button in self.buttons.items():  # Tab comes to the chosen one, arrows go on from there
            button.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if each == reached else Qt.FocusPolicy.ClickFocus
            )


@dataclass(frozen=True)
class Bar:
    """One line of `Bars`: the share of the whole length, a text at its end; `marked` stands out."""

    label: str
    share: float
    text: str
    marked: bool = False


def share(change: float, size: float) -> float:
    """How much of a stage's largest number a change is; at most 1, and 0 where there is no change."""
    return min(change / size, 1.0) if size else float(change > 0)


class Bars(QWidget):
    """Labels, bars and numbers, one line each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[Bar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self.updateGeometry)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What it shows."""
        return self._bars

    def show_bars(self, bars: Iterable[Bar]) -> None:
        """Show these."""
        self._bars = tuple(bars)
        self.setAccessibleDescription("; ".join(f"{bar.label}: {bar.text}" for bar in self._bars))
        self.setVisible(bool(self._bars))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, len(self._bars) * self._line())

    def _line(self) -> int:
        return self.fontMetrics().height() + 7

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, line, metrics = theme.current(), self._line(), self.fontMetrics()
        left = max((metrics.horizontalAdvance(bar.label) for bar in self._bars), default=0) + 10
        right = max((metrics.horizontalAdvance(bar.text) for bar in self._bars), default=0) + 8
        room = max(10, self.width() - left - right)
        thick = max(5, line // 3)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.font())
            for number, bar in enumerate(self._bars):
                top = number * line
                painter.setPen(colours.text if bar.marked else colours.muted)
                font = self.font()
                font.setBold(bar.marked)
                painter.setFont(font)
                painter.drawText(QRect(0, top, left, line), Qt.AlignmentFlag.AlignVCenter, bar.label)
                painter.setFont(self.font())
                track = QRectF(left, top + (line - thick) / 2, room, thick)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(
                    colours.background if colours.background != colours.surface else colours.line
                )
                painter.drawRoundedRect(track, 2, 2)
                if bar.share > 0:
                    track.setWidth(max(2.0, room * min(bar.share, 1.0)))
                    painter.setBrush(colours.accent)
                    painter.drawRoundedRect(track, 2, 2)
                painter.setPen(colours.text)
                painter.drawText(
                    QRect(self.width() - right, top, right, line),
                    Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                    bar.text,
                )
