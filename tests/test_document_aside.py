"""A Scene shown for a while, as lessons do: a person's own work waits untouched."""

from pathlib import Path

import numpy as np
import pytest

from explorer.document import Document
from explorer.scene import Scene

EYE = np.eye(2)
OWN = Scene(x=[[1, 1], [1, 0]], w_q=EYE, w_k=EYE, w_v=EYE)
OTHER = OWN.replace(title="other")


@pytest.fixture
def document(qapp: object, tmp_path: Path) -> Document:
    """One edit after saving, and one undone."""
    document = Document(OWN, None)
    document.saved(tmp_path / "own.attn.json")
    typed(document, 5)
    typed(document, 6)
    document.undo()
    return document


def typed(document: Document, value: float) -> None:
    document.edit(document.scene.with_cell("x", 0, 0, value), f"to {value}")


def test_another_scene_has_no_file_and_no_steps(document: Document) -> None:
    seen: list[tuple[Scene, Scene]] = []
    document.changed.connect(lambda old, new: seen.append((old, new)))
    own = document.scene
    document.set_aside(OTHER)
    assert document.is_aside and seen == [(own, OTHER)]
    assert document.path is None and not document.modified
    assert not document.undo_group.canUndo() and not document.undo_group.canRedo()


def test_everything_comes_back_as_it_was(document: Document, tmp_path: Path) -> None:
    own = document.scene
    document.set_aside(OTHER)
    typed(document, 7)
    document.undo()
    assert document.scene is OTHER
    document.saved(tmp_path / "lesson.attn.json")
    typed(document, 8)
    document.take_back()
    assert not document.is_aside
    assert document.scene is own and document.path == tmp_path / "own.attn.json" and document.modified
    assert document.undo_group.canRedo()  # what was undone before can still be redone
    document.undo()
    assert document.scene is OWN and not document.modified
    document.redo()
    document.redo()
    assert document.scene.x[0, 0] == 6


def test_one_after_another_keeps_what_was_first(document: Document) -> None:
    own = document.scene
    document.set_aside(OTHER)
    typed(document, 7)
    document.set_aside(OTHER.replace(title="third"))
    assert not document.undo_group.canUndo()
    document.take_back()
    assert document.scene is own


def test_opening_a_file_ends_it(document: Document, tmp_path: Path) -> None:
    document.set_aside(OTHER)
    new = OWN.replace(title="new")
    document.open(new, tmp_path / "new.attn.json")
    assert not document.is_aside and not document.undo_group.canUndo()
    document.take_back()
    assert document.scene is new


def test_taking_back_nothing_is_nothing(document: Document) -> None:
    own = document.scene
    document.take_back()
    assert document.scene is own and document.modified


def test_a_gesture_does_not_go_on_in_another_scene(document: Document) -> None:
    document.edit(document.scene.with_cell("x", 0, 0, 1), "drag", merge="drag")
    document.set_aside(OTHER)
    document.edit(OTHER.with_cell("x", 0, 0, 2), "drag", merge="drag")
    document.take_back()
    count = document.undo_stack.count()
    document.edit(document.scene.with_cell("x", 0, 0, 3), "drag", merge="drag")
    assert document.undo_stack.count() == count + 1
