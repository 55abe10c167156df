"""What a lesson's step does to the window: what is framed, covered, brought into view, and whose clicks it takes."""

from collections import defaultdict

from PySide6.QtCore import QModelIndex, QObject, QTimer, Signal

from explorer.attention.trace import STAGE, Cell
from explorer.document import Document
from explorer.engine import Engine
from explorer.lessons.cells import Cells, shape_of
from explorer.lessons.lesson import CellQuestion, NumberQuestion
from explorer.lessons.player import Progress
from explorer.scene import MATRICES
from explorer.ui.covers import Covers, panel_name
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.inputs import PROJECTIONS, Inputs
from explorer.ui.lesson_play import LessonPlay
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences
from explorer.ui.selection import Selection

Regions = tuple[tuple[range, range], ...]


class LessonEffects(QObject):
    """Follows the LessonPlay. The chosen cell, the covers and the head that one had before come back at the end."""

    asked_here = Signal()  # the covered number that was clicked is the one that the question asks for
    inputs_needed = Signal()  # the step speaks of a matrix

    def __init__(
        self,
        play: LessonPlay,
        document: Document,
        engine: Engine,
        pipeline: Pipeline,
        inputs: Inputs,
        covers: Covers,
        selection: Selection,
    ) -> None:
        super().__init__(play)
        self._play, self._document, self._engine = play, document, engine
        self._pipeline, self._inputs, self._covers, self._selection = pipeline, inputs, covers, selection
        self._before: tuple[frozenset[Cell], int | None, Cell | None] = frozenset(), None, None
        self._covered: frozenset[Cell] = frozenset()
        self._was_played = False
        self._focus_later = QTimer(
            self, singleShot=True, interval=0
        )  # once docks and panels have their places
        self._focus_later.timeout.connect(self._focus)
        play.opening.connect(self._remember)
        play.stepped.connect(self._enter)
        play.changed.connect(self._update)
        play.closed.connect(lambda _scene: self._leave())
        pipeline.cell_pressed.connect(self.takes)
        inputs.for_each_grid(self._follow)

    def _follow(self, grid: MatrixGrid) -> None:
        grid.clicked.connect(lambda index: self._on_grid(grid.name, index))

    def takes(self, cell: Cell) -> bool:
        """A number was clicked: whether it is an answer, so that nothing else is to be asked about it."""
        progress = self._play.progress
        if progress is None or not progress.is_open:
            return False
        question = progress.question
        if isinstance(question, CellQuestion):
            self._play.answer(cell)
            return True
        if isinstance(question, NumberQuestion) and cell in self._covers.cells:
            asked = question.expected
            if asked.cells is not None and asked.function is None and asked.cells.single == cell:
                self.asked_here.emit()
                return True
        return False

    # ---- steps ----

    def _remember(self) -> None:
        self._before = self._covers.cells, self._pipeline.only, self._selection.cell
        self._covers.reveal()

    def _enter(self) -> None:
        progress = self._play.progress
        assert progress is not None
        self._selection.select(None)
        self._show_panels(progress)
        covered = self._cells_of(progress.covered, progress)
        self._covers.reveal(self._covered - covered)
        self._covers.cover(covered)
        self._covered = covered
        self._was_played = self._play.is_played
        trace = self._engine.trace
        if (
            trace is not None and not self._engine.busy
        ):  # another step of the same scene may have another slip
            self._pipeline.show_trace(self._play.shown(trace))
        self._point()
        self._focus_later.start()

    def _update(self) -> None:
        progress = self._play.progress
        if progress is None:
            return
        if not progress.is_open:
            self._covers.reveal(self._covered)
            self._covered = frozenset()
        elif (
            self._was_played and not self._play.is_played
        ):  # covers go with the cells of a matrix that shrinks
            self._covers.cover(self._covered)
        self._was_played = self._play.is_played
        self._point()

    def _leave(self) -> None:
        self._focus_later.stop()
        self._covers.reveal(self._covered)
        self._covered = frozenset()
        self._pipeline.set_pointed({})
        for section in self._inputs.sections.values():
            section.grid.set_pointed(())
        if not self._document.is_aside:
            covers, only, cell = self._before
            self._covers.cover(covers)
            self._pipeline.show_head(only)
            self._selection.select(cell)
        self._before = frozenset(), None, None

    # ---- what is seen ----

    def _show_panels(self, progress: Progress) -> None:
        """Nothing that the step needs is left out of the picture."""
        wanted = [cells.place for cells in _spoken_of(progress) if cells.place in STAGE]
        preferences().hidden_panels = preferences().hidden_panels - set(wanted)
        if self._pipeline.only is not None:
            self._pipeline.show_head(None)

    def _focus(self) -> None:
        """Scroll to what the step is about, and bring the matrices that it speaks of to the front."""
        progress = self._play.progress
        if progress is None:
            return
        places = _spoken_of(progress)
        matrix = next((cells.place for cells in places if cells.place in PROJECTIONS), None)
        if matrix is not None:
            self._inputs.show_matrix(matrix)
        focus = progress.step.focus
        if focus is not None and focus.place in MATRICES and _panel_of(focus) not in self._pipeline.panels:
            self.inputs_needed.emit()
            self._inputs.show_matrix(focus.place)
        panel = next((name for cells in places if (name := _panel_of(cells)) in self._pipeline.panels), None)
        if panel is not None:
            self._pipeline.bring_into_view(panel)

    def _point(self) -> None:
        """Frame the cells that the step highlights, and the answer once it is given away."""
        progress = self._play.progress
        assert progress is not None
        highlighted = list(progress.step.highlight)
        if isinstance(progress.question, CellQuestion) and progress.index in progress.shown:
            highlighted.append(progress.question.cells)
        panels: dict[str, Regions] = defaultdict(tuple)
        grids: dict[str, Regions] = defaultdict(tuple)
        for cells in highlighted:
            shape = shape_of(self._document.scene, cells.place)
            if shape is None or cells.problem(self._document.scene) is not None:
                continue  # the learner has made the matrix smaller, or removed it
            region = (cells.rows.within(shape[-2]), cells.cols.within(shape[-1]))
            heads = list(cells.heads.within(shape[0])) if cells.has_heads else [None]
            names = [panel_name(Cell(cells.place, head, 0, 0)) for head in heads]
            if names[0] in self._pipeline.panels:
                for name in names:
                    panels[name] += (region,)
            elif cells.place in MATRICES:
                grids[cells.place] += (region,)
        self._pipeline.set_pointed(dict(panels))
        for name, section in self._inputs.sections.items():
            section.grid.set_pointed(grids[name])

    def _cells_of(self, blocks: tuple[Cells, ...], progress: Progress) -> frozenset[Cell]:
        return frozenset(cell for block in blocks for cell in block.cells(progress.scene))

    def _on_grid(self, name: str, index: QModelIndex) -> None:
        self.takes(Cell(name, None, index.row(), index.column()))


def _panel_of(cells: Cells) -> str:
    """The object name of the (first) panel that shows them, if there is one."""
    return panel_name(Cell(cells.place, cells.heads.first if cells.has_heads else None, 0, 0))


def _spoken_of(progress: Progress) -> list[Cells]:
    """Every block of cells that a step or its question names, what it is about first."""
    step, question = progress.step, progress.question
    found = [] if step.focus is None else [step.focus]
    found += [*step.highlight, *step.cover]
    if isinstance(question, CellQuestion):
        found.append(question.cells)
    return found
