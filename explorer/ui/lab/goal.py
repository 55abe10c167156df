"""Goal seek: a number or a row is wished for, and gradient descent turns the ticked matrices until it is there."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton

from explorer.attention.goal import TOLERANCE, Goal, Progress
from explorer.attention.remarks import Remark
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.numbers import compact_number
from explorer.scene import MATRICES, Scene
from explorer.ui.boxes import TickBox
from explorer.ui.flow import FlowRow
from explorer.ui.lab.goal_entry import GoalEntry, entry_of, kept_cell
from explorer.ui.lab.goal_targets import Targets
from explorer.ui.lab.pieces import Choice, Heading, Words, buttons, muted
from explorer.ui.lab.plot import Curve, Plot
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.lab.worker import Worker
from explorer.ui.options import gesture
from explorer.ui.problems import problem_text
from explorer.ui.remarks import remark_text
from explorer.ui.texts import cell_text, head_text, place_title

SLICE = 0.03  # seconds of search between two looks at the window
NUMBER, ROW = "number", "row"


class GoalSeek(Tool):
    """Keeps what goal_entry.py says."""

    name = "goal"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("GoalSeek", "Goal seek")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "GoalSeek", "Which matrices would make this number what I want it to be?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._worker = Worker(self)
        self._search: Iterator[Progress] | None = None
        self._last: Progress | None = None
        self._merge, self._own = "", False
        self._steps: list[int] = []
        self._misses: list[float] = []
        self.what = Words()
        self.what.setObjectName("goal_cell")
        self.page.addWidget(self.what)
        self.take = QPushButton(self.tr("Take the chosen number"))
        self.take.setObjectName("goal_take")
        self.take.clicked.connect(self._take)
        self._take_row = buttons(self.take)
        self.page.addWidget(self._take_row)
        self.wide = Choice(
            ((NUMBER, self.tr("this number")), (ROW, self.tr("the whole row"))),
            lambda key: self._keep(row=key == ROW, target=None),
            self.tr("The goal"),
        )
        self.page.addWidget(self.wide)
        self.page.addWidget(Heading(self.tr("shall become")))
        self.target = Targets(self._set_target)
        self.target.editingFinished.connect(self._commit)
        self.target.textEdited.connect(lambda text: self.start.setEnabled(bool(text.strip())))
        self.target.setObjectName("goal_target")
        self.target.setAccessibleName(self.tr("Wanted number, or numbers of the row"))
        self.page.addWidget(self.target)
        self.page.addWidget(Heading(self.tr("by changing")))
        self._row = FlowRow()
        self.ticks: dict[str, TickBox] = {}
        self._offered: set[str] = set()
        for name in MATRICES:
            tick = TickBox(name[0].upper() + name[1:] if name[0] in "wx" else name, self._row)
            tick.hide()
            tick.setObjectName(f"goal_{name}")
            tick.setAccessibleName(place_title(name))
            tick.toggled.connect(lambda _on: self._keep(matrices=self._ticked()))
            self.ticks[name] = tick
        self.page.addWidget(self._row)
        self.start = QPushButton(self.tr("Start"))
        self.start.setObjectName("goal_start")
        self.start.clicked.connect(self._start_or_stop)
        self.page.addWidget(buttons(self.start))
        self.status = Words()
        self.status.setObjectName("goal_status")
        self.status.hide()
        self.page.addWidget(self.status)
        self.plot = Plot(self.tr("Distance from the goal over the steps"))
        self.page.addWidget(self.plot)
        self.page.addWidget(
            muted(self.tr("Gradient descent, live; one undo step. What is not ticked does not change."))
        )
        self.page.addStretch(1)
        self.plot.hide()
        bench.selection.changed.connect(lambda _cell: self._show_goal())

    # ---- the goal ----

    @property
    def running(self) -> bool:
        """True while it searches."""
        return self._search is not None

    @property
    def entry(self) -> GoalEntry:
        """The goal, as it is kept; until then about the chosen number."""
        return GoalEntry(self.scene, self.kept, self.chosen)

    @property
    def cell(self) -> Cell | None:
        """The number that is wished for."""
        return self.entry.cell

    def _ticked(self) -> list[str]:
        return [name for name, tick in self.ticks.items() if tick.isChecked() and not tick.isHidden()]

    def _keep(self, **changes: Any) -> None:
        entry = self.entry
        if (new := entry.changed(**changes)) != dict(entry.entry):
            self.keep(new, self.tr("Set the goal"), "goal")

    def _take(self) -> None:
        cell = self.chosen
        if cell is not None:
            self._keep(cell=entry_of(cell), target=None, matrices=None)

    def _commit(self) -> bool:
        """Take the wanted numbers as they are typed; False, and a sentence, where they cannot be."""
        refused = self.target.commit()
        if refused:
            self.status.say(refused)
        return not refused

    def _set_target(self, targets: list[float]) -> str:
        """Take what was typed; why not, where it cannot be."""
        wanted = self.entry.length
        if self.cell is None:
            return self.tr("Choose a number in the panels first.")
        if len(targets) != wanted:
            one = self.tr("One number is wanted here.")
            return one if wanted == 1 else self.tr("{count} numbers are wanted here.").format(count=wanted)
        self._keep(target=targets)
        return ""

    # ---- what is seen ----

    def show_scene(self, scene: Scene) -> None:
        if self.running and not self._own:
            self._end(self.tr("Stopped: the scene was changed meanwhile."))
        self._show_goal()

    def show_trace(self, trace: Trace) -> None:
        self._show_goal()

    def _show_goal(self) -> None:
        scene, entry, chosen = self.scene, self.entry, self.chosen
        cell = entry.cell
        stage = chosen is not None and chosen.place in STAGE
        self.take.setEnabled(stage and chosen != cell and not self.running)
        self._take_row.setVisible(cell is not None and kept_cell(self.kept) is not None)
        self.wide.setVisible(cell is not None)
        self.wide.show_key(ROW if entry.is_row else NUMBER)
        for name, tick in self.ticks.items():
            there = getattr(scene, name) is not None
            if there and name not in self._offered:
                self._offered.add(name)
                self._row.add(tick)
            tick.setVisible(there)
            with QSignalBlocker(tick):
                tick.setChecked(name in entry.matrices)
        self.target.show_numbers(entry.targets)
        self.start.setEnabled(self.running or entry.goal is not None or self.target.is_typed)
        self.start.setText(self.tr("Stop") if self.running else self.tr("Start"))
        if cell is None:
            self.what.setText(self.tr("Choose a number in the panels: a weight, or one of the output."))
            return
        trace = self.bench.engine.trace
        current = trace is not None and trace.scene is scene
        if entry.is_row:
            where = self.tr("row {row}").format(row=cell.row + 1)
            head = "" if cell.head is None or scene.heads == 1 else head_text(cell.head + 1)
            text = " · ".join(filter(None, (place_title(cell.place), head, where)))
            values = trace.matrix(cell.place, cell.head)[cell.row] if current else ()
        else:
            text = cell_text(scene, cell)
            values = trace.matrix(cell.place, cell.head)[cell.row, cell.col : cell.col + 1] if current else ()
        now = "  ".join(compact_number(float(v)) for v in values)
        self.what.setText(f"{text} = {now}" if now else text)

    # ---- the search ----

    def _start_or_stop(self) -> None:
        if self.running:
            self._stop()
            return
        goal = self.entry.goal if self._commit() else None
        if goal is None:
            return
        self._merge = gesture()
        self._last, self._steps, self._misses = None, [], []
        try:
            self._search = _seek(self.scene, goal)
        except ValueError as error:
            self.status.say(problem_text(str(error)))
            return
        self.status.say(self.tr("Searching…"))
        self._show_goal()
        self._go_on()

    def _go_on(self) -> None:
        search = self._search
        assert search is not None
        self._worker.run(lambda: _slice(search), self._receive)

    def _receive(self, outcome: Any) -> None:
        if isinstance(outcome, Exception):
            self._end(problem_text(str(outcome)))
            return
        for progress in outcome:
            if self._steps and self._steps[-1] == progress.step:  # the last one again, with fewer decimals
                self._steps.pop()
                self._misses.pop()
            self._steps.append(progress.step)
            self._misses.append(progress.miss)
        if outcome:
            self._last = outcome[-1]
            self._show_progress(outcome[-1])
        if self._last is not None and self._last.ending is not None:
            self._end(remark_text(self._last.ending))
        elif self.running:
            self._go_on()

    def _show_progress(self, progress: Progress) -> None:
        text = self.tr("Step {step}: still {miss} to go.")
        self.status.say(text.format(step=progress.step, miss=compact_number(progress.miss)))
        floor = TOLERANCE / 100  # a distance of 0 has no place on a scale of powers
        misses = [max(miss, floor) for miss in self._misses]
        if len(misses) > 1:
            line = Curve(
                self.tr("near enough"), [0, max(self._steps[-1], 1)], [TOLERANCE, TOLERANCE], 2, dashed=True
            )
            curves = [Curve(self.tr("distance from the goal"), self._steps, misses), line]
            self.plot.show()
            self.plot.show_curves(curves, self.tr("step"), log=(False, True))
        if progress.step:
            self._own = True
            try:
                self.bench.document.edit(progress.scene, self.tr("Goal seek"), self._merge)
            finally:
                self._own = False

    def _stop(self) -> None:
        last = self._last
        if last is None:
            self._end("")
            return
        values = {"steps": str(last.step), "miss": compact_number(last.miss)}
        self._end(remark_text(Remark("stopped", values)))

    def _end(self, sentence: str) -> None:
        self._worker.stop()
        self._search = None
        self.bench.document.end_merge()
        self.status.say(sentence)
        self._show_goal()

    def leave(self) -> None:
        if self.running:
            self._stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()


def _seek(scene: Scene, goal: Goal) -> Iterator[Progress]:
    goal.check(scene)
    from explorer.attention.descent import seek  # brings torch

    return seek(scene, goal)


def _slice(search: Iterator[Progress]) -> list[Progress]:
    """The next steps, as many as there is time for, at least one; none where it has ended."""
    found: list[Progress] = []
    until = monotonic() + SLICE
    for progress in search:
        found.append(progress)
        if monotonic() >= until:
            break
    return found
