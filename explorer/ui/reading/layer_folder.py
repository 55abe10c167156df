"""A folder of layers on its way to the screen: its sessions are read and computed one after the other."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, Signal

from explorer.files.layers import LayerFile, Run, run_of, runs_in
from explorer.files.session import SessionError, load
from explorer.ui.lab.worker import Worker
from explorer.ui.reading.model import Heads, is_too_large
from explorer.ui.reading.tiles import all_hidden

PIXELS = 256  # rows and columns that are kept of a layer
PATIENCE = 4  # times what showing the layers took passes before it is done again


class LayerFolder(QObject):
    """One run of a folder. `heads` are there as they come; a session that cannot be read is skipped, and said."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(parent)
        self._clock, self._tell_from = clock, 0.0
        self.runs: list[Run] = []
        self.run: Run | None = None
        self.heads: dict[int, Heads] = {}
        self._worker = Worker(self)

    def runs_of(self, folder: Path) -> list[Run]:
        """What is in a folder; where there is nothing to open, that is said. What is open stays."""
        try:
            runs = runs_in(folder)
        except OSError as error:
            self.said.emit(
                self.tr("{name} cannot be read: {why}.").format(name=folder.name, why=error.strerror)
            )
            return []
        if not runs:
            self.said.emit(
                self.tr(
                    "There is no session (.attn.json) in {name}; a capture writes one for each layer."
                ).format(name=folder.name)
            )
        return runs

    def open(self, runs: list[Run]) -> None:
        """Show the last of these forward passes; the others can be chosen."""
        self.runs = runs
        self.choose(runs[-1])

    def choose(self, run: Run) -> None:
        """Show another forward pass."""
        self._worker.stop()
        self.run, self.heads, self._tell_from = run, {}, 0.0
        self.changed.emit()

    def place_of(self, path: Path | None) -> int | None:
        """Where the session at a path stands in the run, from 0."""
        found = None if path is None or self.run is None else run_of([self.run], path)
        return None if found is None else found[1]

    def read_all(self) -> None:
        """Read what is not there yet."""
        if self.run is None or self._worker.busy:
            return
        for number, layer in enumerate(self.run.layers):
            if number not in self.heads:
                self._worker.run(
                    lambda layer=layer: _read(layer), lambda found, n=number: self._take(n, found)
                )  # type: ignore[misc]
                return

    def pause(self) -> None:
        """Nobody looks: `read_all` goes on."""
        self._worker.stop()

    @property
    def complete(self) -> bool:
        """Whether every layer has been read, or been tried."""
        return self.run is not None and len(self.heads) == len(self.run.layers)

    def _take(self, number: int, found: Heads | Exception) -> None:
        assert self.run is not None
        is_heads = isinstance(found, Heads)
        if isinstance(found, Heads):
            self.heads[number] = found
        else:
            layers = tuple(layer for n, layer in enumerate(self.run.layers) if n != number)
            moved = {n - (n > number): heads for n, heads in self.heads.items()}
            said = (
                str(found) if isinstance(found, SessionError) else f"{self.run.layers[number].name}: {found}"
            )
            self.run, self.heads = Run(self.run.call, self.run.item, layers), moved
            self.said.emit(said)
        if not is_heads or self.complete or self._clock() >= self._tell_from:
            self._tell()
        self._worker.stop()
        self.read_all()

    def _tell(self) -> None:
        """Say that there is more. All that is there is laid out anew each time, which of many layers takes longer
        than reading the next one: no more than a fifth of the time goes into that.
        """
        began = self._clock()
        self.changed.emit()
        self._tell_from = self._clock() + PATIENCE * (self._clock() - began)


def _read(layer: LayerFile) -> Heads:
    scene = load(layer.path)
    if is_too_large(scene):
        raise ValueError("too many tokens to look at from afar")
    found = import_module("explorer.attention.afar").from_afar(scene, PIXELS)
    hidden = None if found.visible.all() else all_hidden(~found.visible, *found.weights.shape[1:])
    return Heads(
        found.weights, lambda: found.sent, hidden, found.blind, found.facts, scene.tokens, scene.key_tokens
    )
