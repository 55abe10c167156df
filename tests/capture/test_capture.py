"""What holds for every kind of layer: which are chosen, which files appear, and what stays as it was."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from explorer.capture import CaptureError, capture
from explorer.files.session import load

from .models import Attention, Model, randomised

X = torch.randn(3, 5, 16, generator=torch.Generator().manual_seed(0))


def encoder() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(*(nn.TransformerEncoderLayer(16, 4, 16, batch_first=True) for _ in range(2))).eval()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_first_item_alone_unless_said_otherwise_and_calls_count_on(tmp_path: Path) -> None:
    model = encoder()
    with capture(model, tmp_path, layers=[1]):
        model(X)
        model(X)
    with capture(model, tmp_path, layers=["1.self_attn"], items=[0, 2, 9]):
        model(X)
    assert names(tmp_path) == [
        "1.self_attn.call1.item1.attn.json",
        "1.self_attn.call2.item1.attn.json",
        "1.self_attn.call3.item1.attn.json",
        "1.self_attn.call3.item3.attn.json",
    ]


def test_labels(tmp_path: Path) -> None:
    model = encoder()
    with capture(model, tmp_path, layers=[0], tokens=[["the", "cat", "sat", "on", "it"]]):
        model(X)
    (path,) = tmp_path.iterdir()
    assert load(path).tokens == ("the", "cat", "sat", "on", "it")
    with pytest.raises(CaptureError, match="0.self_attn: tokens has length 1 but must have length 5"):
        with capture(model, tmp_path, tokens=[["the"]]):
            model(X)


def test_an_exception_leaves_no_file_and_the_model_as_it_was(tmp_path: Path) -> None:
    model = encoder()
    folder = tmp_path / "new"
    with pytest.raises(AssertionError, match="embedding dimension"):
        with capture(model, folder):
            model(torch.randn(3, 5, 17))
    assert not folder.exists()
    assert all("forward" not in vars(module) for module in model.modules())


def test_each_call_has_the_weights_of_its_time(tmp_path: Path) -> None:
    model = randomised(nn.MultiheadAttention(16, 4, batch_first=True))
    with capture(model, tmp_path):
        model(X, X, X)
        with torch.no_grad():
            model.in_proj_weight.zero_()
        model(X, X, X)
    first, second = (load(tmp_path / f"attention.call{call}.item1.attn.json") for call in (1, 2))
    assert first.w_q.any() and not second.w_q.any()


def test_large_matrices_lie_beside_the_session(tmp_path: Path) -> None:
    model = nn.MultiheadAttention(600, 4, batch_first=True)
    x = torch.randn(1, 4, 600)
    with capture(model, tmp_path):
        model(x, x, x)
    assert names(tmp_path) == ["attention.call1.item1.attn.json", "attention.call1.item1.safetensors"]
    scene = load(tmp_path / "attention.call1.item1.attn.json")
    assert np.array_equal(scene.w_q, model.in_proj_weight[:600].T.detach().numpy())


def test_halves_are_said(tmp_path: Path) -> None:
    model = encoder().to(torch.bfloat16)
    with torch.no_grad(), capture(model[0].self_attn, tmp_path):
        x = X.to(torch.bfloat16)
        model[0].self_attn(x, x, x)
    (path,) = tmp_path.iterdir()
    assert load(path).dtype == "bfloat16"


def test_layers_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        CaptureError, match=r"there is no layer 7; there are 0 \(0.self_attn\), 1 \(1.self_attn\)"
    ):
        with capture(encoder(), tmp_path, layers=[7]):
            pass
    with pytest.raises(CaptureError, match="Linear: it is of no family that is known"):
        with capture(nn.Linear(2, 2), tmp_path):
            pass


BARE = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "pyqtgraph", "shiboken6"):
            raise ImportError(name)
sys.meta_path.insert(0, Refused())
import torch
from explorer.capture import capture, join
model = torch.nn.MultiheadAttention(8, 2)
x = torch.randn(3, 1, 8)
with capture(model, sys.argv[1]):
    model(x, x, x)
join(sys.argv[1])
"""


def test_without_qt(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BARE, str(tmp_path)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2], timeout=120)
    assert names(tmp_path) == ["attention.call1.item1.attn.json"]


def test_joining_does_without_torch() -> None:
    code = "import sys, explorer.capture.joining; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2], timeout=120)


def test_a_wrapped_model_is_looked_through(tmp_path: Path) -> None:
    model = nn.Sequential(randomised(Model([Attention()])))
    with capture(model, tmp_path, projections={"0.blocks.*.attn": ("wq", "wk", "wv", "wo")}):
        model(X)
    assert names(tmp_path) == ["0.blocks.0.attn.call1.item1.attn.json"]
