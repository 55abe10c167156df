"""Several captures at once, several threads, and what cannot be captured beside what can."""

import threading
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from explorer.capture import CaptureError, CaptureWarning, capture
from explorer.files.session import load

from .models import Attention, Model, randomised

X = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))
NAMES = {"blocks.*.attn": ("wq", "wk", "wv", "wo")}


def names(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(".item1.attn.json") for path in folder.iterdir())


def attention() -> nn.Module:
    return randomised(nn.MultiheadAttention(16, 4, batch_first=True))


def test_captures_that_end_in_any_order(tmp_path: Path) -> None:
    """The one that has begun first ends first; the other one goes on, and leaves the model as it was."""
    model = attention()
    first, second = capture(model, tmp_path / "first"), capture(model, tmp_path / "second")
    first.__enter__()
    second.__enter__()
    model(X, X, X)
    first.__exit__(None, None, None)
    model(X, X, X)
    second.__exit__(None, None, None)
    assert names(tmp_path / "first") == ["attention.call1"]
    assert names(tmp_path / "second") == ["attention.call1", "attention.call2"]
    assert "forward" not in vars(model)


def test_threads_have_calls_of_their_own(tmp_path: Path) -> None:
    """Each waits within its call for the other one, so that two calls of the layer run at once."""
    model = randomised(Model([Attention()]))
    layer, meeting = model.blocks[0]["attn"], threading.Barrier(2, timeout=30)

    def meet(*_: object) -> None:
        meeting.wait()

    layer.wk.register_forward_pre_hook(meet)
    rows = [X[:1], 2 * X[:1] + 1]
    with capture(model, tmp_path, projections=NAMES):
        threads = [threading.Thread(target=model, args=(x,)) for x in rows]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    scenes = [load(path) for path in sorted(tmp_path.iterdir())]
    assert len(scenes) == 2
    assert all(scene.extra["capture"]["difference"] < 1e-5 for scene in scenes)
    expected = [F.layer_norm(x[0], (16,)).numpy() for x in rows]
    assert {tuple(scene.x[0]) for scene in scenes} == {tuple(map(float, x[0])) for x in expected}


def test_what_can_be_captured_is_kept_where_another_layer_cannot(tmp_path: Path) -> None:
    model = nn.ModuleList([attention(), attention()])
    with pytest.raises(CaptureError, match="^0: bias must have finite numbers"):
        with capture(model, tmp_path):
            model[0](X, X, X, attn_mask=torch.full((5, 5), torch.inf))
            model[1](X, X, X)
    assert names(tmp_path) == ["1.call1"]


def test_a_folder_that_cannot_be_is_told_before_the_model_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    model, calls = attention(), []
    with pytest.raises(NotADirectoryError):
        with capture(model, tmp_path / "file" / "folder"):
            calls.append(model(X, X, X))
    assert not calls


def test_a_star_is_no_name_of_the_whole_model(tmp_path: Path) -> None:
    model = nn.ModuleDict({"one": randomised(Attention())})
    with capture(model, tmp_path, projections={"*": ("wq", "wk", "wv", "wo")}):
        model["one"](X)
    assert names(tmp_path) == ["one.call1"]
    with pytest.raises(CaptureError, match="^ModuleDict: it has no module 'wq'"):
        with capture(model, tmp_path, projections={"": ("wq", "wk", "wv", "wo")}):
            pass


class Bent(Attention):
    """Does something between its projections that nobody can see: it bends the values."""

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = (
            part(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for part in (self.wq, self.wk, self.wv)
        )
        return self.wo(F.scaled_dot_product_attention(q, k, v.tanh()).transpose(1, 2).flatten(2))


def test_small_outputs_are_compared_as_strictly(tmp_path: Path) -> None:
    """A layer as it is before training: its output is some 1e-5, and yet another one."""
    layer = randomised(Bent(groups=4))
    with torch.no_grad():
        for name in ("weight", "bias"):
            getattr(layer.wo, name).mul_(1e-5)
    with pytest.warns(CaptureWarning, match="the session's output differs from the model's"):
        with capture(layer, tmp_path, projections={"": ("wq", "wk", "wv", "wo")}):
            layer(X)
