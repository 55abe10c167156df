"""The Engine: computes the Document's Scene, one computation at a time, the latest wins."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from threading import Event
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer import late
from explorer.attention.cost import AT_ONCE, CPU, HELD_IN_WINDOW, work
from explorer.attention.trace import Trace
from explorer.document import Document
from explorer.patience import CancelledError, GoingOn
from explorer.post import post
from explorer.scene import Scene

SLICE_S = 0.03  # a long job pauses so often, to see whether a Scene waits
REST_MS = 150  # so long without an edit, and the trace is compared with torch's own attention


@dataclass(frozen=True, eq=False)
class Aside:
    """A long job: an iterator that pauses now and then and says how far it is.

    `show` is called after each slice with how far it is, with None when nothing is left. An `urgent` one is short,
    and comes before Scenes that wait.
    """

    steps: Iterator[float]
    show: Callable[[float | None], None]
    urgent: bool = False

    def slice(self) -> float | None:
        """A while of it; how far it is then, None at its end."""
        start = perf_counter()
        for part in self.steps:
            if perf_counter() - start >= SLICE_S:
                return part
        return None


class Engine(QObject):
    """Traces of the Document's Scene.

    `finished(generation, trace)` is emitted for the newest Scene only; a generation counts the Scenes
    asked for. torch is imported by the first computation, on the worker: the window is on screen long before.
    `synchronous` computes everything at once, in the caller's thread (tests, command line).
    """

    finished = Signal(int, object)  # generation, Trace
    failed = Signal(int, str)  # generation, sentence
    checked = Signal(int, object)  # generation, Agreement; None where torch could not be asked
    busy_changed = Signal(bool)
    cancelled = Signal()  # the newest Scene is not computed
    devices_found = Signal()  # what torch sees beside the processor is known now: see `devices`
    device_failed = Signal(str)  # a sentence: large scenes are computed on the processor from now on
    passed = Signal(object)  # a large Trace that is stale already: something to look at while the hand moves

    def __init__(self, document: Document, synchronous: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._synchronous = synchronous
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="attention")
        self._pending: tuple[int | None, Callable[[], Any], Callable[[Any], None]] | None = None
        self._aside: Aside | None = None
        self._post = post()
        self._running = False
        self._stop = Event()  # of what is under way
        self._closed = False
        self._warm = synchronous
        self.generation = 0
        self.trace: Trace | None = None
        self._told: bool | None = None  # whether it is busy
        self._awaited: Scene | None = None  # the newest Scene, while it is not computed yet
        self.devices: tuple[str, ...] | None = None  # that torch sees; None: it has not been asked yet
        self._device = CPU
        self._large: Trace | None = None  # the newest large one, from which the next is made
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._check)
        document.changed.connect(self._on_changed)

    @property
    def busy(self) -> bool:
        """True while the shown trace is not the newest Scene's, or that Scene is computed anew."""
        if self._awaited is not None or self.trace is None:
            return True
        return self.trace.scene is not self._document.scene

    @property
    def device(self) -> str:
        """Where large scenes are computed."""
        return self._device

    def use(self, device: str) -> None:
        """Compute large scenes there, the one that is shown as well."""
        if device == self._device:
            return
        self._device = device
        if self.trace is not None and self.trace.large is not None and not self._closed:
            self._compute(self._document.scene)

    def start(self) -> None:
        """Compute the Document's Scene, unless that is done or under way; call it once the window has been painted."""
        if self._awaited is None and self.busy:
            self._compute(self._document.scene)

    def forget_listeners(self) -> None:
        """Whoever listens to the Engine or the Document hears no more: the window is gone, another is to come."""
        document = self._document
        for signal in (
            self.finished,
            self.failed,
            self.checked,
            self.busy_changed,
            self.cancelled,
            self.devices_found,
            self.device_failed,
        ):
            signal.disconnect()
        for signal in (document.changed, document.file_changed):
            signal.disconnect()
        document.changed.connect(self._on_changed)

    def check_again(self) -> None:
        """A window that has come to listen wants to hear what torch says."""
        self._rest.start()

    def cancel(self) -> None:
        """Nobody wants to wait for the newest Scene: what is shown stays of an older one, until `start` or an edit."""
        if self.busy and self._running and not self._closed:
            self._give_up()
            self._tell(busy=False)
            if self.busy:  # what is shown is older; else only where the same Scene is computed was to change
                self.cancelled.emit()

    def close(self) -> None:
        """Stop: nothing is emitted after this, and the worker goes as soon as it can; nobody waits for that."""
        self._closed = True
        self._rest.stop()
        self._aside = None
        self._give_up()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _tell(self, busy: bool) -> None:
        if busy != self._told:  # not for every edit that is computed at once
            self._told = busy
            self.busy_changed.emit(busy)

    def _give_up(self) -> None:
        """What is under way is stale, and ends at the next occasion."""
        self.generation += 1
        self._awaited = self._pending = None
        self._stop.set()

    def aside(self, job: Aside | None) -> None:
        """Go through a long job about the newest trace on the worker, in slices between which it gives way to Scenes.

        It takes the place of the one before; None only ends that. A newer Scene ends it too, unless it is `urgent`.
        """
        self._aside = None if self._closed else job
        if self._synchronous:
            while self._aside is not None:
                self._after_slice(self._aside, _outcome(self._aside.slice))
        elif not self._running:
            self._next()

    def _next(self) -> None:
        """The worker is free: what waits for it, the urgent first."""
        job = self._aside
        if self._pending is not None and (job is None or not job.urgent):
            waiting, self._pending = self._pending, None
            self._submit(*waiting)
        elif job is not None:
            self._submit(None, job.slice, lambda part: self._after_slice(job, part))

    def _after_slice(self, job: Aside, part: Any) -> None:
        if self._aside is not job:
            return  # another one has taken its place meanwhile
        if not isinstance(part, float):
            self._aside = None
        job.show(part if isinstance(part, float) else None)

    def _on_changed(self, _old: Scene, new: Scene) -> None:
        if not self._closed:
            self._compute(new)

    def _compute(self, scene: Scene) -> None:
        self.generation += 1
        self._awaited = scene
        self._rest.stop()
        if self._aside is not None and not self._aside.urgent:
            self._aside = None
        if self._synchronous or (self._warm and work(scene) <= AT_ONCE):
            # What the worker is still at (an older scene, a comparison with torch) is stale now, and nothing waits.
            self._pending = None
            self._deliver(self.generation, _outcome(lambda: self._attend(scene)), self._show)
            return
        self._tell(busy=True)
        self._submit(self.generation, lambda: self._attend(scene), self._show)

    def _attend(self, scene: Scene) -> Trace:
        stop = self._stop  # of the task that is under way, which is this one
        return _attend(scene, self._device, self._large, lambda: self._going_on(stop))

    def _check(self) -> None:
        trace = self.trace
        if trace is not None and not self.busy:
            self._submit(self.generation, lambda: _agreement(trace), self._show_agreement)

    def _submit(self, generation: int | None, task: Callable[[], Any], show: Callable[[Any], None]) -> None:
        """One task runs, one waits; a newer one takes the place of the waiting one."""
        if self._running:
            self._pending = (generation, task, show)
            return
        self._running, self._stop = True, Event()
        self._worker.submit(self._run, generation, show, task, self._stop)

    def _run(
        self, generation: int | None, show: Callable[[Any], None], task: Callable[[], Any], stop: Event
    ) -> None:
        """On the worker."""
        outcome = _outcome(task)
        if stop.is_set():
            outcome = CancelledError()
        self._post.bring(self, lambda: self._receive(generation, show, outcome))

    def _going_on(self, stop: Event) -> None:
        if stop.is_set():
            raise CancelledError

    def _receive(self, generation: int | None, show: Callable[[Any], None], outcome: Any) -> None:
        self._running = False
        self._warm = True
        self._deliver(generation, outcome, show)
        self._notice_failure()
        if not self._running:
            self._next()

    def _notice_failure(self) -> None:
        """A device that has given up is not asked again, until somebody chooses it again."""
        large = None if self._large is None else self._large.large
        if large is not None and large.failed and self._device != CPU:
            self._device = CPU
            self.device_failed.emit(large.note)

    def _deliver(self, generation: int | None, outcome: Any, show: Callable[[Any], None]) -> None:
        if isinstance(outcome, Trace):
            self._large = None if outcome.large is None else outcome
        if generation is None:
            show(outcome)
            return
        if generation != self.generation:  # stale: a newer Scene is on its way
            if isinstance(outcome, Trace) and outcome.large is not None and not self._closed:
                self.passed.emit(outcome)
            return
        self._awaited = None
        if isinstance(outcome, Exception):
            self._tell(busy=False)
            self.failed.emit(generation, f"This scene could not be computed: {outcome}")
        else:
            show(outcome)

    def _show(self, trace: Trace) -> None:
        self.trace = trace
        self._tell(busy=False)
        self.finished.emit(self.generation, trace)
        if self._synchronous:
            self._show_agreement(_agreement(trace))
        else:
            self._rest.start()

    def _show_agreement(self, agreement: Any) -> None:
        self.checked.emit(self.generation, agreement)
        if self.devices is None and not self._synchronous:
            self._submit(None, _devices, self._show_devices)

    def _show_devices(self, found: Any) -> None:
        self.devices = found if isinstance(found, tuple) else ()
        self.devices_found.emit()


def _outcome(task: Callable[[], Any]) -> Any:
    """The task's result, or what it raised: a worker must not die of a scene."""
    try:
        return task()
    except Exception as error:
        return error


def _attend(scene: Scene, device: str, before: Trace | None, going_on: GoingOn) -> Trace:
    trace: Trace = _late("attend").attend(scene, HELD_IN_WINDOW, device, before, going_on)
    return trace


def _devices() -> tuple[str, ...]:
    """Long after the start: it may wake up a driver."""
    found: tuple[str, ...] = _late("devices").devices()
    return found


def _agreement(trace: Trace) -> Any:
    try:
        return _late("agreement").agreement(trace.scene, trace)
    except Exception:  # the trace is there and right; only torch's own attention did not take the scene
        return None


def _late(name: str) -> Any:
    """A module of explorer.attention that brings torch: not imported at the top, the first paint comes before it."""
    name = f"explorer.attention.{name}"
    if "torch" in sys.modules:
        return import_module(name)
    late.open_torch()
    return late.load(name)
