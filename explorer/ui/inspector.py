"""The inspector: the arithmetic behind the chosen number, where it comes from and what it reaches."""

from collections.abc import Callable
from functools import cached_property, partial
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from explorer.attention.cost import is_large
from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.ui import theme
from explorer.ui.inspector_foot import Foot
from explorer.ui.inspector_style import sheet
from explorer.ui.preferences import preferences
from explorer.ui.selection import Selection
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.attention.explain import Explanation
    from explorer.ui.inspector_cards import Cards

REFRESH_MS = 30  # edits closer than this are shown together, and never before the panels
LATEST_MS = 120  # a drag without a pause is shown at least so often
SHARE = 4  # a long row takes long to explain: of the time, at most one part in so many goes into it
STALE_MS = 120  # a computation shorter than this is not worth a word


class Inspector(QWidget):
    """Follows the Selection and the Engine. What it shows is always of one trace, that of the newest answer."""

    walked = Signal(object)  # Cell that was walked to from here: bring it into view

    def __init__(self, document: Document, engine: Engine, selection: Selection) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName(self.tr("Inspector"))
        self._document, self._engine, self._selection = document, engine, selection
        self._explanation: Explanation | None = None
        self._coming: Explanation | None = None  # what is shown as soon as all of it is there
        self._covered: frozenset[Cell] = frozenset()
        self._failed = False
        self._took = self._waits_since = 0.0  # seconds
        self._build()
        self._refresh = QTimer(self, singleShot=True)
        self._refresh.timeout.connect(lambda: self.refresh(in_turns=True))
        self._stale = QTimer(self, singleShot=True, interval=STALE_MS)
        self._stale.timeout.connect(self._show_state)
        selection.changed.connect(lambda _cell: self._refresh.start(0))
        engine.finished.connect(self._on_finished)
        engine.failed.connect(self._on_failed)
        document.changed.connect(lambda *_scenes: self._stale.start())
        preferences().changed.connect(self._on_preference)
        theme.watcher().changed.connect(self._on_theme)
        self._dress()

    def _build(self) -> None:
        self._empty = _Empty()
        self._waiting = QLabel(wordWrap=True)
        self._waiting.setObjectName("note")
        content = QWidget()
        content.setObjectName("inspector_content")
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(10, 8, 10, 10)
        self._column.setSpacing(10)
        self._column.addWidget(self._empty, 1)
        self._column.addWidget(self._waiting)
        self._column.addStretch(0)
        self.scroll = QScrollArea()
        self.scroll.setObjectName("inspector_scroll")
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(content)
        self.foot = Foot(self, self._document, lambda: self._explanation)
        self._back = QAction(self.tr("Back along the trail"), self)
        self._back.setObjectName("back")
        self._back.setShortcut(QKeySequence("Alt+Left"))  # in the whole window
        self._back.triggered.connect(lambda: self._walk(self._selection.trail[-1]))
        self.addAction(self._back)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroll, 1)
        outer.addWidget(self.foot)

    @cached_property
    def cards(self) -> "Cards":
        """Made with the first number that is chosen, or when there is time."""
        from explorer.ui.inspector_cards import Cards

        cards = Cards()
        cards.number.chosen.connect(self._walk)
        cards.number.arithmetic.changed.connect(self._show_steps)
        cards.number.follow_theme()
        cards.row.key_chosen.connect(self._on_key)
        for card in (cards.number, cards.row, cards.steps):
            self._column.insertWidget(self._column.count() - 1, card)
        return cards

    # ---- following ----

    def _on_finished(self, _generation: int, _trace: Trace) -> None:
        self._failed = False
        if not self._refresh.isActive():
            self._waits_since = perf_counter()
        wait = max(REFRESH_MS, SHARE * self._took * 1000)
        left = max(LATEST_MS, wait) - (perf_counter() - self._waits_since) * 1000
        self._refresh.start(max(0, round(min(wait, left))))

    def _on_failed(self, _generation: int, _sentence: str) -> None:
        self._failed = True
        self._show_state()

    def _on_preference(self, name: str) -> None:
        if name == "decimals":
            self.refresh()

    def _on_theme(self) -> None:
        turns().add(self, self._dress)

    def _dress(self) -> None:
        self.setStyleSheet(sheet(theme.current()))
        if "cards" in self.__dict__:
            self.cards.number.follow_theme()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh(in_turns=True)

    # ---- showing ----

    @property
    def explanation(self) -> "Explanation | None":
        """What is shown; None where no number is chosen, its trace is not there yet, or it is covered."""
        return self._explanation

    def set_covered(self, cells: frozenset[Cell]) -> None:
        """These are to be guessed: nothing here may give them away."""
        self._covered = cells
        self.refresh(in_turns=True)

    def refresh(self, in_turns: bool = False) -> None:
        """Show the chosen number as it is in the newest trace.

        `in_turns`: another number of a large scene a part per turn of the event loop, then all is painted at once.
        """
        self._refresh.stop()
        if self.isVisible():  # else showEvent catches up
            start = perf_counter()
            self._show(in_turns)
            self._took = perf_counter() - start

    def _show(self, in_turns: bool) -> None:
        cell, trace = self._selection.cell, self._engine.trace
        found = None if cell is None else self.cards.explained(cell, trace)
        given_away = found is not None and self.cards.gives_away(found, self._covered)
        self._coming = None if given_away else found
        another = found is None or self._explanation is None or self._explanation.cell != found.cell
        in_turns = in_turns and self._coming is not None and trace is not None and is_large(trace.scene)
        if in_turns and another:
            turns().hold(self.scroll.viewport())  # before anything is seen to go
        self._empty.setVisible(cell is None)
        self._waiting.setVisible(cell is not None and self._coming is None)
        self._back.setEnabled(bool(self._selection.trail))
        if self._coming is None or found is None or trace is None:
            self._explanation = None
            self.foot.allow(False)
            if "cards" in self.__dict__:
                self.cards.hide()
            covered = self.tr("Covered: guess it first. Click it, or press Enter on it.")
            self._waiting.setText(covered if given_away else self.tr("Computing …"))
            return
        *cards, links, reach = self._steps(trace, found, another)
        if in_turns and another:
            for step in cards:
                turns().add(self, partial(self._go_on, found, step))
        else:
            for step in cards:
                step()
        for step in (links, reach):
            if in_turns:
                turns().add(self, partial(self._go_on, found, step))
            else:
                step()

    def _go_on(self, found: "Explanation", step: Callable[[], None]) -> None:
        if self._coming is found:  # nothing else was chosen meanwhile
            step()

    def _steps(self, trace: Trace, found: "Explanation", another: bool) -> list[Callable[[], None]]:
        """Each shows a part of it; the last two what changes with the scene's structure alone."""
        cards, trail = self.cards, self._selection.trail

        def show_number() -> None:
            cards.number.setVisible(True)
            cards.number.show_number(trace.scene, found, trail, another)
            self._show_state()

        def show_steps() -> None:
            cards.steps.show_steps(found, cards.number.arithmetic.view, soon=another)

        def show_row() -> None:
            cards.row.show_row_of(trace, found.cell)
            self._explanation = found
            self.foot.allow(True)
            if another:
                self.scroll.verticalScrollBar().setValue(0)

        return [show_number, show_steps, show_row, cards.number.show_links, cards.number.show_reach]

    def _show_state(self) -> None:
        """Say so where the numbers are not those of the newest scene."""
        state = ""
        if self._failed:
            state = self.tr("of the scene before")
        elif self._engine.busy:
            state = self.tr("computing …")
        if "cards" in self.__dict__:
            self.cards.number.show_state(state)

    def _show_steps(self) -> None:
        if self._explanation is not None:
            self.cards.steps.show_steps(self._explanation, self.cards.number.arithmetic.view, soon=True)

    # ---- walking ----

    def _walk(self, cell: Cell) -> None:
        self._selection.walk(cell)
        self.walked.emit(cell)

    def _on_key(self, key: int) -> None:
        """A bar was chosen: the weight of that key. Along the row one does not walk."""
        cell = self._selection.cell
        assert cell is not None
        weight = Cell("weights", cell.head, cell.row, key)
        if cell.place == "weights":
            self._selection.select(weight)
            self.walked.emit(weight)
        else:
            self._walk(weight)


class _Empty(QWidget):
    """What to do, where no number is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspector_empty")
        title = QLabel(self.tr("Click a number to see where it comes from."), wordWrap=True)
        title.setObjectName("empty_title")
        rows = (
            (self.tr("Tab"), self.tr("from panel to panel")),
            ("← ↑ ↓ →", self.tr("from number to number")),
            (self.tr("Alt+←"), self.tr("back along the trail")),
        )
        lines = "".join(f"<tr><td><b>{key}</b>&nbsp;&nbsp;</td><td>{what}</td></tr>" for key, what in rows)
        keys = QLabel(f"<table cellspacing='0' cellpadding='3'>{lines}</table>", wordWrap=True)
        keys.setObjectName("empty_keys")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(12)
        layout.addStretch(2)
        layout.addWidget(title)
        layout.addWidget(keys)
        layout.addStretch(3)
