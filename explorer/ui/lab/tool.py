"""What a tool of the lab is, and what it works with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.attention.cost import is_large
from explorer.attention.places import is_there
from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.scene import Scene
from explorer.ui.banner import Banner
from explorer.ui.choices import Memory
from explorer.ui.covers import Covers
from explorer.ui.files import Files
from explorer.ui.inputs import Inputs
from explorer.ui.lab.kept import remembered, with_remembered
from explorer.ui.lab.lens import Lens, Look
from explorer.ui.pipeline import Pipeline
from explorer.ui.selection import Selection

LOOK = "look"  # beside the tools' own entries: {"by": a tool, "show": what it shows in the panels}


@dataclass(frozen=True)
class Bench:
    """The parts of a window that a tool may use."""

    document: Document
    engine: Engine
    selection: Selection
    pipeline: Pipeline
    inputs: Inputs
    covers: Covers
    files: Files
    banner: Banner
    lens: Lens
    memory: Memory


def chosen_look(scene: Scene) -> tuple[str, str]:
    """Which tool shows something of its own in the panels, and what; two empty texts where none does."""
    entry = remembered(scene, LOOK)
    by, show = (entry.get("by"), entry.get("show")) if isinstance(entry, Mapping) else ("", "")
    return (by, show) if isinstance(by, str) and isinstance(show, str) else ("", "")


def with_look(scene: Scene, by: str, show: str) -> Scene:
    """The scene with another such choice; an empty `show`: panels show what was computed."""
    return with_remembered(scene, LOOK, {"by": by, "show": show} if show else None)


class Tool(QWidget):
    """One page of the lab. It is made when it is first opened, and told of traces only while it is seen.

    A subclass sets `name`, gives `title` and `question` (one sentence: what the tool answers), fills `self.page` and
    overrides `show_scene` and `show_trace`.
    """

    name: ClassVar[str] = ""
    any_size: ClassVar[bool] = False  # it needs no trace that is held as a whole
    asked_to_close = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.setObjectName(f"lab_{self.name}")
        self.bench = bench
        self.page = QVBoxLayout(self)
        self.page.setContentsMargins(0, 0, 0, 0)
        self.page.setSpacing(10)

    @classmethod
    def title(cls) -> str:
        """The tool's name in the list."""
        raise NotImplementedError

    @classmethod
    def question(cls) -> str:
        """What it answers, in one sentence."""
        raise NotImplementedError

    @classmethod
    def fits(cls, scene: Scene) -> bool:
        """Whether it can work on the scene: most tools need all numbers at once."""
        return cls.any_size or not is_large(scene)

    @property
    def scene(self) -> Scene:
        """The Document's."""
        return self.bench.document.scene

    @property
    def chosen(self) -> Cell | None:
        """The number that is looked at; None where the scene has it no more, which others may hear of later."""
        cell = self.bench.selection.cell
        return cell if cell is not None and is_there(self.scene, cell) else None

    @property
    def kept(self) -> Any:
        """What this tool keeps in the scene."""
        return remembered(self.scene, self.name)

    def keep(self, value: Any, text: str, merge: str | None = None) -> None:
        """Keep something in the scene: one undo step, saved in the session."""
        self.bench.document.edit(with_remembered(self.scene, self.name, value), text, merge)

    @classmethod
    def look(cls, scene: Scene, show: str) -> Look | None:
        """What the panels show while the scene keeps `show` as the choice of this tool; None: nothing else."""
        return None

    @property
    def shown(self) -> str:
        """What this tool shows in the panels; empty where it shows nothing."""
        by, show = chosen_look(self.scene)
        return show if by == self.name else ""

    @property
    def shown_key(self) -> str | None:
        """Which of this tool's views the panels show, "" for what was computed; None: another tool's view."""
        owner = self.bench.lens.owner
        return (self.shown if owner == self.name else None) if owner else ""

    def keep_look(self, show: str, text: str, *kept: Any) -> None:
        """Choose what the panels show (empty: what was computed), and keep a value with it; one undo step.

        With a value to keep, an empty choice leaves alone what another tool shows.
        """
        scene = self.scene
        if kept:
            scene = with_remembered(scene, self.name, kept[0])
        if show or self.shown or not kept:
            scene = with_look(scene, self.name, show)
        self.bench.document.end_merge()
        self.bench.document.edit(scene, text)

    def show_scene(self, scene: Scene) -> None:
        """The scene changed, or the page was opened."""

    def show_trace(self, trace: Trace) -> None:
        """Its numbers are there."""

    def leave(self) -> None:
        """The page is left, or the scene is none for it: whatever runs is stopped. What a `look` shows stays."""


class Follower(QObject):
    """Tells one tool of scenes and traces as long as it is on the screen."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        self._tool = tool
        self._scene: Scene | None = None
        self._trace: Trace | None = None
        tool.bench.document.changed.connect(lambda _old, _new: self.refresh())
        tool.bench.engine.finished.connect(lambda _generation, _trace: self.refresh())

    def refresh(self) -> None:
        """Show what is new, if anybody looks."""
        tool, engine = self._tool, self._tool.bench.engine
        fits = tool.fits(tool.scene)
        if tool.isEnabled() and not fits:
            tool.leave()
        tool.setEnabled(fits)
        tool.setVisible(fits)  # the question says that it does not; empty charts and lists would add nothing
        if not tool.isVisible() or not tool.isEnabled():
            return
        if tool.scene is not self._scene:
            self._scene = tool.scene
            tool.show_scene(tool.scene)
        if engine.trace is not None and engine.trace is not self._trace and engine.trace.scene is tool.scene:
            self._trace = engine.trace
            tool.show_trace(engine.trace)
