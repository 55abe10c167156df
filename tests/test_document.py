"""The Document: undo, merging, the file; and a machine that edits at random."""

import gc
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from explorer import reshape
from explorer.attention import attend
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Alibi, Learned, Rotary, Sinusoidal
from explorer.document import Document
from explorer.scene import BIASES, DTYPES, MATRICES, Position, Scene, SceneError
from tests.attention.random_scenes import scenes

EYE = np.eye(2)
START = Scene(x=[[1, 1], [1, 0]], w_q=EYE, w_k=EYE, w_v=EYE)


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(START)


def typed(document: Document, value: float, merge: str | None = None) -> None:
    document.edit(document.scene.with_cell("x", 0, 0, value), f"to {value}", merge)


def steps(document: Document) -> list[str]:
    stack = document.undo_stack
    return [stack.text(i) for i in range(stack.count())]


def test_an_edit_is_one_step(document: Document) -> None:
    seen: list[tuple[Scene, Scene]] = []
    document.changed.connect(lambda old, new: seen.append((old, new)))
    typed(document, 5)
    new = document.scene
    assert new.x[0, 0] == 5 and seen == [(START, new)]
    document.undo()
    assert document.scene is START and seen[-1] == (new, START)
    document.redo()
    assert document.scene is new
    assert document.undo_stack.undoText() == "to 5"


def test_the_same_scene_is_no_step(document: Document) -> None:
    document.edit(START, "nothing")
    assert steps(document) == [] and not document.modified


def test_a_long_drag_keeps_its_two_ends_only(document: Document) -> None:
    passed = []
    for value in range(2, 12):
        typed(document, value, merge="drag")
        passed.append(weakref.ref(document.scene))
    gc.collect()
    assert [scene() is None for scene in passed] == [True] * 9 + [False]
    document.undo()
    assert document.scene is START


def test_a_long_drag_is_one_command(document: Document) -> None:
    """PySide never lets go of a command that the stack has merged."""
    before = sum(type(thing).__name__ == "_Edit" for thing in gc.get_objects())
    for value in range(2, 102):
        scene = document.scene.with_cell("x", 0, 0, float(value))
        document.edit(scene, "drag", merge="drag")
    assert sum(type(thing).__name__ == "_Edit" for thing in gc.get_objects()) == before + 1
    assert steps(document) == ["drag"] and document.scene is scene
    document.undo()
    assert document.scene is START
    document.redo()
    assert document.scene is scene


def test_a_gesture_is_one_step(document: Document) -> None:
    for value in (2, 3, 4):
        typed(document, value, merge="drag")
    assert steps(document) == ["to 4"]
    document.end_merge()
    typed(document, 5, merge="drag")
    typed(document, 6, merge="wheel")
    typed(document, 7)
    typed(document, 8)
    assert steps(document) == ["to 4", "to 5", "to 6", "to 7", "to 8"]
    document.undo()
    typed(document, 9, merge="drag")
    assert steps(document)[-2:] == ["to 7", "to 9"]


def test_undo_ends_a_gesture(document: Document) -> None:
    typed(document, 2, merge="drag")
    document.undo()
    document.redo()
    typed(document, 3, merge="drag")
    assert steps(document) == ["to 2", "to 3"]


def test_a_gesture_that_returns_leaves_no_step(document: Document) -> None:
    typed(document, 2, merge="drag")
    document.edit(START, "back", merge="drag")
    assert steps(document) == [] and not document.modified


def test_modified_and_saved(document: Document, tmp_path: Path) -> None:
    marks: list[bool] = []
    document.file_changed.connect(lambda: marks.append(document.modified))
    typed(document, 2, merge="drag")
    assert document.modified and marks == [True]
    document.saved(tmp_path / "a.attn.json")
    assert not document.modified and document.path == tmp_path / "a.attn.json"
    typed(document, 3, merge="drag")  # does not reach behind the saved state
    assert document.modified and steps(document) == ["to 2", "to 3"]
    document.undo()
    assert not document.modified
    document.undo()
    assert document.modified


def test_open_starts_anew(document: Document, tmp_path: Path) -> None:
    typed(document, 2)
    other = START.replace(title="other")
    seen: list[Scene] = []
    document.changed.connect(lambda _old, new: seen.append(new))
    document.open(other, tmp_path / "b.attn.json")
    assert document.scene is other and seen == [other]
    assert steps(document) == [] and not document.modified
    assert document.path == tmp_path / "b.attn.json"
    document.undo()
    assert document.scene is other


# ---- the machine ----


@dataclass
class Step:
    """One undo step as it should be."""

    old: Scene
    new: Scene
    merge: str | None


Edit = Callable[[Scene, st.DataObject], Scene]


def cells(scene: Scene, data: st.DataObject) -> Scene:
    name = data.draw(st.sampled_from([name for name in MATRICES if getattr(scene, name) is not None]))
    rows, columns = scene.matrix(name).shape
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    return scene.with_cell(name, row, column, data.draw(st.integers(-20, 20)) / 4)


def settings_of(scene: Scene, data: st.DataObject) -> Scene:
    changes: list[dict[str, Any]] = [
        {"scale": data.draw(st.sampled_from(["sqrt_dk", "none", 0.5]))},
        {"softcap": data.draw(st.sampled_from([None, 3.0]))},
        {"dtype": data.draw(st.sampled_from(DTYPES))},
        {"mask_fill": data.draw(st.sampled_from([-np.inf, -1e4]))},
        {"title": data.draw(st.sampled_from(["", "T"]))},
    ]
    return scene.replace(**data.draw(st.sampled_from(changes)))


def masks(scene: Scene, data: st.DataObject) -> Scene:
    n, m = scene.n, scene.m
    flags = data.draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m))
    kinds = [
        Causal(align=data.draw(st.sampled_from(["top_left", "bottom_right"]))),
        Padding(keys=tuple(flags[:m])),
        Window(left=data.draw(st.integers(0, 2)), right=data.draw(st.integers(0, 2))),
        Custom(table=np.array(flags).reshape(n, m)),
    ]
    return scene.replace(mask=tuple(data.draw(st.lists(st.sampled_from(kinds), max_size=2))))


def positions(scene: Scene, data: st.DataObject) -> Scene:
    learned = Learned().resized(
        {"n": scene.n, "d_model": scene.d_model}
        | ({"m": scene.m, "d_context": scene.d_context} if scene.is_cross else {})
    )
    kinds = [Position(), Sinusoidal(), learned, Rotary(), Rotary(dims=2, layout="interleaved"), Alibi()]
    return scene.replace(position=data.draw(st.sampled_from(kinds)))


def tokens(scene: Scene, data: st.DataObject) -> Scene:
    side = data.draw(st.sampled_from(["x", "context"] if scene.is_cross else ["x"]))
    size = scene.n if side == "x" else scene.m
    at = data.draw(st.integers(0, size))
    rows = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=2))
    match data.draw(st.sampled_from(["insert", "delete", "move"])):
        case "insert" if size < 6:
            return reshape.insert_tokens(scene, at, 1, side)
        case "delete":
            return reshape.delete_tokens(scene, rows, side)
        case _:
            return reshape.move_tokens(scene, rows, at, side)


def widths(scene: Scene, data: st.DataObject) -> Scene:
    return reshape.resize(scene, **{data.draw(st.sampled_from(reshape.SIZES)): data.draw(st.integers(1, 4))})


def heads(scene: Scene, data: st.DataObject) -> Scene:
    return scene.with_heads(data.draw(st.sampled_from([*scene.possible_heads(), 5])))


def kv_heads(scene: Scene, data: st.DataObject) -> Scene:
    return reshape.with_kv_heads(
        scene, data.draw(st.sampled_from([*reshape.possible_kv_heads(scene), None, 7]))
    )


def parts(scene: Scene, data: st.DataObject) -> Scene:
    on = data.draw(st.booleans())
    match data.draw(st.sampled_from(["context", "w_o", *BIASES])):
        case "context":
            return reshape.with_context(scene, np.ones((data.draw(st.integers(1, 3)), 2)) if on else None)
        case "w_o":
            return reshape.with_w_o(scene, on)
        case bias:
            return reshape.with_bias(scene, bias, on)


EDITS: tuple[Edit, ...] = (
    cells, settings_of, masks, positions, tokens, widths, heads, kv_heads, parts,
)  # fmt: skip


def content(scene: Scene) -> tuple[Any, ...]:
    """Every number bit for bit, and every setting."""
    arrays = [getattr(scene, name) for name in MATRICES]
    others = [getattr(scene, name) for name in Scene.__dataclass_fields__ if name not in MATRICES]
    masks = [(mask.kind, mask.allowed(scene.n, scene.m).tobytes()) for mask in scene.mask]
    return (
        [None if array is None else (array.shape, array.tobytes()) for array in arrays],
        [repr(value) for value in others if not isinstance(value, tuple | Position)],
        masks, repr(scene.position.to_json()), scene.tokens, scene.context_tokens,
    )  # fmt: skip


class Editing(RuleBasedStateMachine):
    """Random edits, undo, redo and saving, beside a list of steps as they should be."""

    @initialize(scene=scenes())
    def start(self, scene: Scene) -> None:
        self.document = Document(scene)
        self.first = scene
        self.first_content = content(scene)
        self.steps: list[Step] = []
        self.done = 0  # steps that are not undone
        self.clean = 0  # done when it was saved; −1: that state is gone
        self.sealed = False
        self.last_change: tuple[Scene, Scene] | None = None
        self.document.changed.connect(self.note)

    def note(self, old: Scene, new: Scene) -> None:
        self.last_change = (old, new)

    @rule(edit=st.sampled_from(EDITS), merge=st.sampled_from([None, None, "drag", "wheel"]), data=st.data())
    def edit(self, edit: Edit, merge: str | None, data: st.DataObject) -> None:
        old = self.document.scene
        try:
            new = edit(old, data)
        except SceneError as error:
            assert str(error).endswith(".") and error.key
            return
        self.document.edit(new, edit.__name__, merge)
        if new is old:
            return
        assert self.last_change == (old, new)
        del self.steps[self.done :]
        if self.clean > self.done:
            self.clean = -1
        last = self.steps[-1] if self.steps and self.clean != self.done else None
        if last is not None and merge is not None and merge == last.merge and not self.sealed:
            last.new = new
            if new is last.old:
                self.steps.pop()
        else:
            self.steps.append(Step(old, new, merge))
        self.done = len(self.steps)
        self.sealed = False

    @rule()
    def undo(self) -> None:
        self.document.undo()
        if self.done:
            self.done -= 1
            self.sealed = True

    @rule()
    def redo(self) -> None:
        self.document.redo()
        self.done = min(self.done + 1, len(self.steps))

    @rule()
    def end_merge(self) -> None:
        self.document.end_merge()
        self.sealed = True

    @rule()
    def save(self) -> None:
        self.document.saved(Path("scene.attn.json"))
        self.clean, self.sealed = self.done, True

    @precondition(lambda self: self.steps)
    @rule()
    def undo_all(self) -> None:
        for _ in range(self.done):
            self.undo()
        assert self.document.scene is self.first
        assert not self.document.undo_stack.canUndo()

    @invariant()
    def the_document_is_where_the_steps_say(self) -> None:
        wanted = self.steps[self.done - 1].new if self.done else self.first
        assert self.document.scene is wanted
        assert self.document.undo_stack.count() == len(self.steps)
        assert self.document.modified == (self.done != self.clean)
        assert content(self.first) == self.first_content

    @invariant()
    def the_scene_can_be_computed(self) -> None:
        scene = self.document.scene
        trace = attend(scene)
        if scene.dtype != "float16":  # which overflows at 65504
            assert all(np.isfinite(trace.stage(name)).all() for name in ("scaled", "weights", "output"))
        assert (trace.weights[:, trace.blind] == 0).all()


def test_random_edits_can_all_be_undone(qapp: object) -> None:
    run_state_machine_as_test(Editing, settings=settings(max_examples=40, stateful_step_count=30))
