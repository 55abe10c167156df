"""Goal seek: a number or a row is wished for, and gradient descent turns the ticked matrices until it is there."""

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLineEdit, QPushButton

from explorer.attention.goal import TOLERANCE, Goal, Progress, Wish
from explorer.attention.places import check, shape_of
from explorer.attention.remarks import Remark
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.numbers import NumberError, compact_number, exact, parse_number
from explorer.scene import MATRICES, Scene
from explorer.ui.boxes import TickBox, is_history_key
from explorer.ui.flow import FlowRow
from explorer.ui.lab.pieces import Choice, Heading, Words, buttons, muted
from explorer.ui.lab.plot import Curve, Plot
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.lab.worker import Worker
from explorer.ui.options import gesture
from explorer.ui.problems import problem_text
from explorer.ui.remarks import remark_text
from explorer.ui.texts import cell_text, head_text, place_title

SLICE = 0.03  # seconds of search between two looks at the window
USUAL = ("w_q", "w_k")
NUMBER, ROW = "number", "row"


class GoalSeek(Tool):
    """Keeps {"cell": [stage, head or null, row, column], from 1, "row": bool, "target": […], "matrices": […]}."""

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
        self.page.addWidget(buttons(self.take))
        self.wide = Choice(
            ((NUMBER, self.tr("this number")), (ROW, self.tr("the whole row"))),
            lambda key: self._keep(row=key == ROW, target=None),
            self.tr("The goal"),
        )
        self.page.addWidget(self.wide)
        self._target_title = Heading(self.tr("shall become"))
        self.page.addWidget(self._target_title)
        self.target = _Targets(self._set_target)
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
    def cell(self) -> Cell | None:
        """The number that is wished for: the one that is kept, else the chosen one."""
        kept = kept_cell(self.kept)
        chosen = self.bench.selection.cell
        for cell in (kept, chosen):
            if cell is not None and cell.place in STAGE and _exists(self.scene, cell):
                return cell
        return None

    @property
    def goal(self) -> Goal | None:
        """What is to be reached; None where there is no cell or no number yet."""
        cell, targets = self.cell, self._targets()
        if cell is None or not targets:
            return None
        if not self._is_row():
            return Goal((Wish(cell, targets[0]),), self._matrices())
        return Goal.row(cell.place, cell.head, cell.row, targets, self._matrices())

    def _entry(self) -> Mapping[str, Any]:
        return self.kept if isinstance(self.kept, Mapping) else {}

    def _is_row(self) -> bool:
        return self._entry().get("row") is True

    def _matrices(self) -> tuple[str, ...]:
        names = self._entry().get("matrices")
        wanted = names if isinstance(names, list) else self._usual()
        return tuple(name for name in MATRICES if name in wanted and getattr(self.scene, name) is not None)

    def _usual(self) -> tuple[str, ...]:
        cell = self.cell
        after = cell is not None and cell.place in ("v", "head_outputs", "concat", "output")
        return (*USUAL, "w_v", "w_o") if after else USUAL

    def _targets(self) -> list[float]:
        kept = self._entry().get("target")
        cell = self.cell
        if not isinstance(kept, list) or cell is None:
            return []
        wanted = _row_length(self.scene, cell) if self._is_row() else 1
        good = len(kept) == wanted and all(type(v) in (int, float) for v in kept)
        return [float(v) for v in kept] if good else []

    def _ticked(self) -> list[str]:
        return [name for name, tick in self.ticks.items() if tick.isChecked() and not tick.isHidden()]

    def _keep(self, **changes: Any) -> None:
        new = {**self._entry(), **changes}
        if "cell" not in changes and (cell := self.cell) is not None:
            new["cell"] = [
                cell.place,
                None if cell.head is None else cell.head + 1,
                cell.row + 1,
                cell.col + 1,
            ]
        new = {key: value for key, value in new.items() if value not in (None, False)}
        if new != dict(self._entry()):
            self.keep(new, self.tr("Set the goal"), "goal")

    def _take(self) -> None:
        cell = self.bench.selection.cell
        if cell is not None:
            place = [cell.place, None if cell.head is None else cell.head + 1, cell.row + 1, cell.col + 1]
            self._keep(cell=place, target=None, matrices=None)

    def _commit(self) -> bool:
        """Take the wanted numbers as they are typed; False, and a sentence, where they cannot be."""
        refused = self.target.commit()
        if refused:
            self.status.say(refused)
        return not refused

    def _set_target(self, targets: list[float]) -> str:
        """Take what was typed; why not, where it cannot be."""
        cell = self.cell
        if cell is None:
            return self.tr("Choose a number in the panels first.")
        wanted = _row_length(self.scene, cell) if self._is_row() else 1
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
        scene, cell, chosen = self.scene, self.cell, self.bench.selection.cell
        stage = chosen is not None and chosen.place in STAGE
        self.take.setEnabled(stage and chosen != cell and not self.running)
        self.take.setVisible(cell is not None and kept_cell(self.kept) is not None)
        self.wide.setVisible(cell is not None)
        self.wide.show_key(ROW if self._is_row() else NUMBER)
        for name, tick in self.ticks.items():
            there = getattr(scene, name) is not None
            if there and name not in self._offered:
                self._offered.add(name)
                self._row.add(tick)
            tick.setVisible(there)
            with QSignalBlocker(tick):
                tick.setChecked(name in self._matrices())
        self.target.show_numbers(self._targets())
        self.start.setEnabled(self.running or self.goal is not None)
        self.start.setText(self.tr("Stop") if self.running else self.tr("Start"))
        if cell is None:
            self.what.setText(self.tr("Choose a number in the panels: a weight, or one of the output."))
            return
        trace = self.bench.engine.trace
        current = trace is not None and trace.scene is scene
        if self._is_row():
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
        goal = self.goal if self._commit() else None
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


class _Targets(QLineEdit):
    """One number or several, between blanks; counts on Enter and when the focus is lost."""

    def __init__(self, apply: Any) -> None:
        super().__init__()
        self._apply = apply
        self._shown = ""
        self.refused = ""

    def show_numbers(self, numbers: list[float]) -> None:
        """Show these without applying them; a text that was refused stays to be mended."""
        shown = "  ".join(exact(number) for number in numbers)
        if not self.hasFocus() or self.text() == self._shown or not self.refused:
            self.setText(shown)
        self._shown = shown

    def commit(self) -> str:
        """Apply what was typed; why not, where it cannot be."""
        self.refused = ""
        if self.text().strip() in ("", self._shown):
            return ""
        try:
            numbers = [parse_number(part) for part in self.text().replace(";", " ").split()]
            self.refused = self._apply(numbers)
        except NumberError as error:
            self.refused = problem_text(f"{error}.")
        return self.refused

    def event(self, event: Any) -> bool:
        if is_history_key(event) and self.text() == self._shown:
            event.ignore()
            return False
        return super().event(event)


def kept_cell(entry: Any) -> Cell | None:
    """The cell that a session keeps; None where it keeps none that can be one."""
    place = entry.get("cell") if isinstance(entry, Mapping) else None
    if not isinstance(place, list) or len(place) != 4 or not isinstance(place[0], str):
        return None
    head, row, col = place[1:]
    if type(row) is not int or type(col) is not int or not (head is None or type(head) is int):
        return None
    return Cell(place[0], None if head is None else head - 1, row - 1, col - 1)


def _exists(scene: Scene, cell: Cell) -> bool:
    try:
        check(scene, cell)
    except ValueError:
        return False
    return True


def _row_length(scene: Scene, cell: Cell) -> int:
    return shape_of(scene, cell.place)[1]


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
