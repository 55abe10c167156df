"""The Engine: the latest Scene wins, stale answers are dropped, nothing is left behind."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer import engine as engine_module
from explorer.attention.cost import CPU
from explorer.attention.trace import Trace
from explorer.document import Document
from explorer.engine import AT_ONCE, Engine, work
from explorer.scene import Scene

EYE = np.eye(2)
SMALL = Scene(x=[[1, 1], [1, 0]], w_q=EYE, w_k=EYE, w_v=EYE)
LARGE = Scene(x=np.ones((800, 2)), w_q=EYE, w_k=EYE, w_v=EYE)

Make = Callable[..., Engine]


@pytest.fixture
def make(qapp: object) -> Iterator[Make]:
    """Engines that are closed after the test."""
    made: list[Engine] = []

    def engine(scene: Scene, **options: bool) -> Engine:
        made.append(Engine(Document(scene), **options))
        return made[-1]

    yield engine
    for each in made:
        each.close()


def document(engine: Engine) -> Document:
    return engine._document


def finished(engine: Engine) -> list[tuple[int, Scene]]:
    """Every answer from now on: its number and its Scene."""
    answers: list[tuple[int, Scene]] = []
    engine.finished.connect(lambda number, trace: answers.append((number, trace.scene)))
    return answers


def warm(engine: Engine, qtbot: QtBot) -> None:
    """Torch is loaded, and the first trace is there."""
    with qtbot.waitSignal(engine.finished):
        engine.start()


def test_the_small_are_done_at_once_the_large_on_the_worker(make: Make, qtbot: QtBot) -> None:
    assert work(SMALL) < AT_ONCE < work(LARGE)
    engine = make(SMALL)
    assert engine.busy and engine.trace is None
    warm(engine, qtbot)
    assert not engine.busy and engine.trace.scene is SMALL
    typed = SMALL.with_cell("x", 0, 0, 2)
    document(engine).edit(typed, "at once")
    assert engine.trace.scene is typed  # before the key is up again
    with qtbot.waitSignal(engine.finished):
        document(engine).edit(LARGE, "later")
        assert engine.busy and engine.trace.scene is typed  # the old picture stays
    assert not engine.busy and engine.trace.scene is LARGE


def test_the_latest_wins(make: Make, qtbot: QtBot) -> None:
    """The first is at work and the others wait; only the newest is ever computed and shown."""
    engine = make(SMALL)
    shown = finished(engine)
    scenes = [SMALL.with_cell("x", 0, 0, float(i)) for i in range(2, 30)]
    with qtbot.waitSignal(engine.finished):
        engine.start()
        for scene in scenes:
            document(engine).edit(scene, "typed fast")
    assert shown == [(engine.generation, scenes[-1])]
    assert engine.generation == len(scenes) + 1


def test_what_waits_is_replaced_not_queued(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[Scene] = []
    go = threading.Event()
    attend = engine_module._attend

    def slow(scene: Scene, *how: Any) -> Trace:
        go.wait(10)
        computed.append(scene)
        return attend(scene, *how)

    monkeypatch.setattr(engine_module, "_attend", slow)
    engine = make(SMALL)
    scenes = [SMALL.with_cell("x", 0, 0, float(i)) for i in (2, 3, 4)]
    with qtbot.waitSignal(engine.finished):
        engine.start()
        for scene in scenes:
            document(engine).edit(scene, "typed fast")
        go.set()
    assert computed == [SMALL, scenes[-1]]


def test_busy_is_announced(make: Make, qtbot: QtBot) -> None:
    engine = make(SMALL)
    said: list[bool] = []
    engine.busy_changed.connect(said.append)
    warm(engine, qtbot)
    assert said == [True, False]


def test_agreement_is_checked_when_the_hand_rests(make: Make, qtbot: QtBot) -> None:
    engine = make(SMALL)
    with qtbot.waitSignal(engine.checked) as blocker:
        engine.start()
    generation, agreement = blocker.args
    assert generation == engine.generation
    assert agreement.sdpa.agrees and agreement.mha.agrees


def test_an_edit_makes_the_check_stale(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that ends after an edit is dropped, and made again for the new scene."""
    checked: list[Scene] = []
    go, at_work = threading.Event(), threading.Event()
    compare = engine_module._agreement

    def slow(trace: Trace) -> object:
        checked.append(trace.scene)
        at_work.set()
        go.wait(10)
        return compare(trace)

    monkeypatch.setattr(engine_module, "_agreement", slow)
    engine = make(SMALL)
    warm(engine, qtbot)
    qtbot.waitUntil(at_work.is_set)
    typed = SMALL.with_cell("x", 0, 0, 2)
    with qtbot.waitSignal(engine.checked) as blocker:
        document(engine).edit(typed, "while it compares")
        go.set()
    assert checked == [SMALL, typed]
    assert blocker.args[0] == engine.generation


def test_an_error_keeps_the_old_trace(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make(SMALL)
    warm(engine, qtbot)
    shown = engine.trace
    attend = engine_module._attend

    def fail(scene: Scene, *how: Any) -> Trace:
        raise MemoryError("not enough memory")

    monkeypatch.setattr(engine_module, "_attend", fail)
    for scene in (SMALL.with_cell("x", 0, 0, 2), LARGE):  # at once, and on the worker
        with qtbot.waitSignal(engine.failed) as blocker:
            document(engine).edit(scene, "too much")
        sentence = "This scene could not be computed: not enough memory"
        assert blocker.args == [engine.generation, sentence]
        assert engine.trace is shown and engine.busy
    monkeypatch.setattr(engine_module, "_attend", attend)
    document(engine).edit(SMALL.with_cell("x", 0, 0, 3), "recovers")
    qtbot.waitUntil(lambda: not engine.busy)


def test_a_computation_can_be_cancelled_and_done_after_all(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make(SMALL)
    warm(engine, qtbot)
    before, attend = engine.trace, engine_module._attend
    at_work = threading.Event()

    def slow(scene: Scene, device: str, large: Trace | None, going_on: Callable[[], None]) -> Trace:
        at_work.set()
        while True:
            going_on()

    monkeypatch.setattr(engine_module, "_attend", slow)
    document(engine).edit(LARGE, "takes long")
    qtbot.waitUntil(at_work.is_set)
    with qtbot.waitSignal(engine.cancelled):
        engine.cancel()
    assert engine.busy and engine.trace is before
    monkeypatch.setattr(engine_module, "_attend", attend)
    with qtbot.waitSignal(engine.finished):
        engine.start()
    assert engine.trace.scene is LARGE and not engine.busy


def test_what_is_under_way_or_done_is_not_computed_again(make: Make, qtbot: QtBot) -> None:
    """A session may be opened, and even computed, before the window is painted and lets its Engine start."""
    engine = make(SMALL)
    shown = finished(engine)
    document(engine).open(LARGE, None)
    engine.start()
    qtbot.waitUntil(lambda: not engine.busy)
    engine.start()
    assert not engine.busy
    assert shown == [(1, LARGE)]


def test_on_another_device_the_same_scene_is_awaited_again(make: Make, qtbot: QtBot) -> None:
    huge = Scene(x=np.ones((1100, 2)), w_q=EYE, w_k=EYE, w_v=EYE)
    engine = make(huge)
    warm(engine, qtbot)
    before = engine.trace
    engine.use("cuda")
    assert engine.busy and engine.trace is before
    with qtbot.assertNotEmitted(engine.cancelled), qtbot.waitSignal(engine.busy_changed):
        engine.cancel()  # what is shown is this scene's
    assert not engine.busy and engine.trace is before
    with qtbot.waitSignal(engine.finished):
        engine.use(CPU)
    assert not engine.busy and engine.trace.scene is huge


def test_synchronous_needs_no_event_loop(make: Make) -> None:
    engine = make(SMALL, synchronous=True)
    shown = finished(engine)
    agreements: list[object] = []
    engine.checked.connect(lambda _number, agreement: agreements.append(agreement))
    engine.start()
    document(engine).edit(LARGE, "large")
    assert shown == [(1, SMALL), (2, LARGE)]
    assert len(agreements) == 2


def test_closing_leaves_nothing(make: Make, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    engine = make(SMALL)
    engine.start()  # at work while it is closed
    document(engine).edit(LARGE, "waits")
    engine.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
    with qtbot.assertNotEmitted(engine.finished, wait=50):
        document(engine).edit(SMALL.with_cell("x", 0, 0, 2), "after the end")
    assert engine.trace is None
    engine.close()  # twice is harmless


def test_work_counts_multiply_adds() -> None:
    """3nd² + 2n²d, plus nd² for W^O; the heads drop out."""
    n, d = 10, 8
    scene = Scene(x=np.ones((n, d)), w_q=np.eye(d), w_k=np.eye(d), w_v=np.eye(d))
    assert work(scene) == work(scene.with_heads(4)) == 3 * n * d**2 + 2 * n**2 * d
    assert work(scene.replace(w_o=np.eye(d))) == 4 * n * d**2 + 2 * n**2 * d
