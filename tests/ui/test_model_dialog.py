"""A layer of a model, by the dialog."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from safetensors.numpy import save_file

from explorer.ui.files import Answer
from explorer.ui.imports.model_dialog import ModelDialog
from explorer.ui.main_window import MainWindow

SHAPES = {"c_attn.weight": (6, 18), "c_attn.bias": (18,), "c_proj.weight": (6, 6), "c_proj.bias": (6,)}


@pytest.fixture
def gpt2(tmp_path: Path) -> Path:
    """Two layers of GPT-2, without a config.json."""
    rng = np.random.default_rng(0)
    tensors = {f"h.{i}.attn.{name}": rng.normal(size=shape) for i in (0, 1) for name, shape in SHAPES.items()}
    save_file(tensors, tmp_path / "model.safetensors")
    return tmp_path


@pytest.fixture
def dialog(window: MainWindow) -> ModelDialog:
    action = window.findChild(QAction, "import_model")
    assert action is not None
    action.trigger()
    found = window.findChild(ModelDialog)
    assert found is not None
    return found


def looked_at(qtbot: QtBot, dialog: ModelDialog, path: Path) -> None:
    dialog.ask_folder = lambda: path
    qtbot.mouseClick(dialog.folder, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.progress.isVisible())


def test_heads_are_asked_and_the_layer_becomes_the_scene(
    qtbot: QtBot, window: MainWindow, dialog: ModelDialog, gpt2: Path
) -> None:
    assert dialog.progress.isHidden()  # nothing is read yet
    looked_at(qtbot, dialog, gpt2)
    assert dialog.family.text() == "GPT-2"
    assert "how many heads" in dialog.told.text() and not dialog.take.isEnabled()
    qtbot.keyClick(dialog.heads, Qt.Key.Key_Up)  # 1, 2, 3, 6
    qtbot.keyClick(dialog.heads, Qt.Key.Key_Up)
    qtbot.waitUntil(dialog.take.isEnabled)
    assert dialog.sizes.text() == "d_model = 6 · 2 heads of width 3"
    qtbot.keyClick(dialog.layer, Qt.Key.Key_Up)
    qtbot.waitUntil(dialog.take.isEnabled)
    with qtbot.waitSignal(window.document.changed):
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    scene = window.document.scene
    assert (scene.heads, scene.d_k, scene.title.rpartition(" · ")[2]) == (2, 3, "layer 1")
    assert window.document.modified and window.document.path is None


def test_a_number_of_heads_that_cannot_be_imports_nothing(
    qtbot: QtBot, dialog: ModelDialog, gpt2: Path
) -> None:
    looked_at(qtbot, dialog, gpt2)
    assert not dialog.heads.text().strip() and not dialog.take.isEnabled()  # empty until it is filled
    qtbot.keyClicks(dialog.heads, "3")
    qtbot.keyClick(dialog.heads, Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.take.isEnabled)
    dialog.heads.selectAll()
    qtbot.keyClicks(dialog.heads, "4")
    qtbot.keyClick(dialog.heads, Qt.Key.Key_Return)
    assert not dialog.take.isEnabled() and dialog.sizes.isHidden()
    assert dialog.told.text() == "4 heads do not divide the width evenly; possible: 1, 2, 3, 6."
    qtbot.keyClick(dialog.heads, Qt.Key.Key_Down)
    qtbot.waitUntil(dialog.take.isEnabled)
    assert dialog.sizes.text() == "d_model = 6 · 3 heads of width 2"
    looked_at(qtbot, dialog, gpt2)  # another one begins anew
    assert not dialog.heads.text().strip() and not dialog.take.isEnabled()
    dialog.reject()


def test_config_tells_the_heads(qtbot: QtBot, dialog: ModelDialog, gpt2: Path) -> None:
    (gpt2 / "config.json").write_text('{"model_type": "gpt2", "n_head": 3}', encoding="utf-8")
    looked_at(qtbot, dialog, gpt2)
    assert dialog.sizes.text() == "d_model = 6 · 3 heads of width 2"
    assert dialog.heads.isHidden() and dialog.take.isEnabled() and dialog.part.isHidden()
    dialog.reject()


def test_return_imports_once_the_model_is_chosen(
    qtbot: QtBot, window: MainWindow, dialog: ModelDialog, gpt2: Path
) -> None:
    (gpt2 / "config.json").write_text('{"model_type": "gpt2", "n_head": 3}', encoding="utf-8")
    looked_at(qtbot, dialog, gpt2)
    focus = dialog.focusWidget()
    assert focus is (dialog.layer if dialog.text.isHidden() else dialog.text)
    with qtbot.waitSignal(window.document.changed):
        qtbot.keyClick(focus, Qt.Key.Key_Return)
    assert window.document.scene.heads == 3


def test_what_cannot_be_read_is_said_and_the_scene_stays(
    qtbot: QtBot, window: MainWindow, dialog: ModelDialog, tmp_path: Path
) -> None:
    before = window.document.scene
    looked_at(qtbot, dialog, tmp_path)
    assert "holds no model" in dialog.told.text() and not dialog.take.isEnabled()
    dialog.reject()
    assert window.document.scene is before


def test_work_that_is_not_saved_is_asked_about(
    qtbot: QtBot, window: MainWindow, dialog: ModelDialog, gpt2: Path
) -> None:
    (gpt2 / "config.json").write_text('{"model_type": "gpt2", "n_head": 3}', encoding="utf-8")
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 5.0), "mine")
    mine = window.document.scene
    asked: list[str] = []
    window.files.ask_discard = lambda: asked.append("asked") or Answer.CANCEL
    looked_at(qtbot, dialog, gpt2)
    with qtbot.waitSignal(dialog.imported):
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    assert asked == ["asked"] and window.document.scene is mine


def test_a_text_goes_through_the_model(
    qtbot: QtBot, window: MainWindow, dialog: ModelDialog, tmp_path: Path
) -> None:
    """A tiny BERT of its own library, with a tokenizer: the words become the tokens."""
    transformers = pytest.importorskip("transformers", reason="the extra `models` is not installed")
    from tests.checkpoints.oracle import randomised, saved

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat"]
    config = transformers.BertConfig(
        vocab_size=8, hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=8,
        max_position_embeddings=16,
    )  # fmt: skip
    saved(randomised(transformers.BertModel(config)), tmp_path)
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    looked_at(qtbot, dialog, tmp_path)
    qtbot.keyClicks(dialog.text, "the cat sat")
    with qtbot.waitSignal(window.document.changed, timeout=60_000):
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    assert window.document.scene.tokens == ("[CLS]", "the", "cat", "sat", "[SEP]")
