"""Projections that the user names."""

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.attention import attend
from explorer.attention.positions import Rotary
from explorer.capture import CaptureError, CaptureWarning, capture
from explorer.files.session import load

from .models import Attention, Model, Packed, randomised

NAMES = {"blocks.*.attn": ("wq", "wk", "wv", "wo")}


@pytest.mark.parametrize("how", ["by hand", "by torch", "by head"])
def test_heads_masks_and_scale_are_seen(tmp_path: Path, how: str) -> None:
    model = randomised(Model([Attention(how=how), Attention(how=how)]))
    model.blocks[1].attn.scale = 0.3
    x = torch.randn(2, 5, 16)
    plain = model(x)
    with capture(model, tmp_path, projections=NAMES, items=[1]):
        assert torch.equal(model(x), plain)
    first, second = (load(tmp_path / f"blocks.{i}.attn.call1.item2.attn.json") for i in (0, 1))
    assert (first.heads, first.kv_heads, first.scale) == (4, 2, "sqrt_dk")
    assert second.scale == pytest.approx(0.3, abs=1e-6)
    assert [mask.kind for mask in first.mask] == ["causal"]
    assert first.b_k is None and first.b_q is not None
    rows = torch.nn.functional.layer_norm(x, (16,))[1:]
    assert np.array_equal(first.x, rows[0].numpy())
    assert np.abs(attend(first).output - model.blocks[0].attn(rows)[0].detach().numpy()).max() < 1e-5


def test_cross_attention(tmp_path: Path) -> None:
    module = randomised(Attention())
    x, context = torch.randn(1, 3, 16), torch.randn(1, 5, 16)
    with capture(module, tmp_path, projections={"": ("wq", "wk", "wv", "wo")}):
        output = module(x, context)
    scene = load(tmp_path / "attention.call1.item1.attn.json")
    assert scene.is_cross and scene.m == 5 and scene.mask == ()
    assert np.abs(attend(scene).output - output[0].detach().numpy()).max() < 1e-5


@pytest.mark.parametrize("per_head", [False, True])
def test_the_layout_of_a_joined_projection_shows_in_the_output(tmp_path: Path, per_head: bool) -> None:
    model = randomised(Model([Packed(per_head)]))
    x = torch.randn(2, 5, 12)
    with capture(model, tmp_path, projections={"blocks.0.attn": ("qkv", "proj")}):
        model(x)
    scene = load(tmp_path / "blocks.0.attn.call1.item1.attn.json")
    assert scene.heads == 3
    assert scene.extra["capture"]["difference"] < 1e-5


class Biased(Attention):
    """Adds a number for each pair of places, of each head, as a mask to torch's own product; its scale is its own."""

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = (
            rows.unflatten(-1, (-1, self.d)).transpose(1, 2) for rows in (self.wq(x), self.wk(x), self.wv(x))
        )
        k, v = (rows.repeat_interleave(2, dim=1) for rows in (k, v))
        n = x.shape[1]
        added = torch.arange(4.0 * n * n).view(1, 4, n, n).sin() + torch.full((n, n), -torch.inf).triu(1)
        rows = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=added, scale=0.3)
        return self.wo(rows.transpose(1, 2).flatten(2))


def test_numbers_that_are_added_to_the_scores(tmp_path: Path) -> None:
    model = randomised(Model([Biased()]))
    with capture(model, tmp_path, projections=NAMES):
        model(torch.randn(2, 5, 16))
    scene = load(tmp_path / "blocks.0.attn.call1.item1.attn.json")
    assert scene.scale == pytest.approx(0.3, abs=1e-6) and [m.kind for m in scene.mask] == ["causal"]
    assert scene.bias.shape == (4, 5, 5) and scene.bias[3, 4, 2] == pytest.approx(np.sin(97.0), abs=1e-6)
    assert scene.extra["capture"]["difference"] < 1e-5


class Shifted(Attention):
    """Adds its numbers to the scores by itself, which softmax alone does not tell from the rest."""

    added = torch.linspace(-3, 3, 25).view(5, 5)

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = (
            rows.unflatten(-1, (-1, self.d)).transpose(1, 2) for rows in (self.wq(x), self.wk(x), self.wv(x))
        )
        k, v = (rows.repeat_interleave(2, dim=1) for rows in (k, v))
        weights = torch.softmax(q @ k.mT * self.d**-0.5 + self.added, dim=-1)
        return self.wo((weights @ v).transpose(1, 2).flatten(2))


def test_a_bias_that_is_said(tmp_path: Path) -> None:
    model, x = randomised(Model([Shifted()])), torch.randn(1, 5, 16)
    with (
        pytest.warns(CaptureWarning, match="differs"),
        capture(model, tmp_path / "silent", projections=NAMES),
    ):
        model(x)
    with capture(model, tmp_path, projections=NAMES, known={"bias": Shifted.added.numpy()}):
        model(x)
    scene = load(tmp_path / "blocks.0.attn.call1.item1.attn.json")
    assert scene.scale == "sqrt_dk" and scene.extra["capture"]["difference"] < 1e-5


class Turned(Attention):
    """Its keys and queries are turned by their place, which no weight tells."""

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None) -> torch.Tensor:
        n, half = x.shape[1], self.d // 2
        angle = torch.arange(n)[:, None] * 100.0 ** (-torch.arange(half) / half)
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)

        def turn(rows: torch.Tensor) -> torch.Tensor:
            rows = rows.unflatten(-1, (-1, self.d)).transpose(1, 2)
            first, second = rows.chunk(2, dim=-1)
            return rows * cos + torch.cat([-second, first], dim=-1) * sin

        q, k = turn(self.wq(x)), turn(self.wk(x)).repeat_interleave(2, dim=1)
        v = self.wv(x).unflatten(-1, (-1, self.d)).transpose(1, 2).repeat_interleave(2, dim=1)
        rows = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        return self.wo(rows.transpose(1, 2).flatten(2))


def test_what_the_projections_do_not_tell_is_warned_of_or_said(tmp_path: Path) -> None:
    model = randomised(Model([Turned()]))
    x = torch.randn(1, 5, 16)
    with pytest.warns(CaptureWarning, match=r"blocks.0.attn: the session's output differs .* by up to"):
        with capture(model, tmp_path / "plain", projections=NAMES):
            model(x)
    with capture(model, tmp_path / "said", projections=NAMES, known={"position": Rotary(base=100.0)}):
        model(x)
    (path,) = (tmp_path / "said").iterdir()
    assert load(path).extra["capture"]["difference"] < 1e-5


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({"blocks.*.nothing": ("wq", "wk", "wv", "wo")}, "there is no module 'blocks.*.nothing' in Model"),
        ({"blocks.*.attn": ("q", "wk", "wv", "wo")}, "blocks.0.attn: it has no module 'q'"),
        (
            {"blocks.*": ("attn", "attn.wk", "attn.wv", "attn.wo")},
            "blocks.0: attn is a Attention, and no plain",
        ),
        ({"blocks.*.attn": ("wq", "wk", "wv")}, "name the four projections"),
    ],
)
def test_names_that_do_not_fit_are_told(tmp_path: Path, names: dict, sentence: str) -> None:
    with pytest.raises(CaptureError) as error:
        with capture(Model([Attention()]), tmp_path, projections=names):
            pass
    assert sentence in str(error.value)


def test_another_number_of_heads_than_is_seen_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="blocks.0.attn: it computes with 4 heads, not 2"):
        with capture(model := Model([Attention()]), tmp_path, projections=NAMES, heads=2):
            model(torch.randn(1, 3, 16))
    assert not list(tmp_path.iterdir())
