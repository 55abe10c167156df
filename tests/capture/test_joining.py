"""Heads that several processes divide: their parts make the layer that one process has."""

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.attention import attend
from explorer.capture import CaptureError, capture, join
from explorer.capture.joining import joined
from explorer.files.session import load, save
from explorer.scene import Scene

from .models import Attention, Model, randomised
from .torchrun import torchrun

NAMES = {"blocks.*.attn": ("wq", "wk", "wv", "wo")}


@pytest.mark.parametrize(("who", "groups"), [("by torch", 2), ("by hand", 2), ("by hand", 1)])
def test_two_processes_join_to_what_one_has(tmp_path: Path, who: str, groups: int) -> None:
    model = randomised(Model([Attention(groups=groups) for _ in range(2)]))
    x = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(7))
    with torch.no_grad(), capture(model, tmp_path / "one", projections=NAMES):
        model(x)
    torchrun(tmp_path / "two", who, groups)
    parts = sorted(path.name for path in (tmp_path / "two").iterdir())
    assert parts == [
        f"blocks.{i}.attn.call1.item1.rank{rank}of2.attn.json" for i in (0, 1) for rank in (1, 2)
    ]
    written = join(tmp_path / "two")
    assert [path.name for path in written] == [f"blocks.{i}.attn.call1.item1.attn.json" for i in (0, 1)]
    for path in written:
        ours, whole = load(path), load(tmp_path / "one" / path.name)
        for name in ("w_q", "w_k", "w_v", "w_o", "b_q", "b_v", "b_o"):
            assert np.array_equal(getattr(ours, name), getattr(whole, name)), name
        assert (ours.heads, ours.groups, ours.scale) == (whole.heads, whole.groups, whole.scale)
        assert ours.extra["capture"]["joined"] == 2 and "rank" not in ours.extra["capture"]
        assert np.abs(attend(ours).weights - attend(whole).weights).max() < 1e-6
        assert np.abs(attend(ours).output - attend(whole).output).max() < 1e-5


def part(seed: int = 0, x: float = 1.0) -> Scene:
    rng = np.random.default_rng(seed)
    return Scene(
        x=np.full((2, 3), x), w_q=rng.normal(size=(3, 4)), w_k=rng.normal(size=(3, 2)), w_v=rng.normal(size=(3, 2)),
        w_o=rng.normal(size=(4, 3)), heads=2, kv_heads=1,
    )  # fmt: skip


def test_parts_side_by_side() -> None:
    whole = joined([part(1), part(2)])
    assert (whole.heads, whole.kv_heads) == (4, 2)
    outputs = [attend(part(seed)) for seed in (1, 2)]
    assert np.allclose(attend(whole).weights, np.concatenate([trace.weights for trace in outputs]))
    assert np.allclose(attend(whole).output, outputs[0].output + outputs[1].output)


def test_a_missing_part_and_one_of_another_call_are_told(tmp_path: Path) -> None:
    save(part(), tmp_path / "a.call1.item1.rank1of2.attn.json")
    with pytest.raises(CaptureError, match="a.call1.item1: the part of rank 2 of 2 is missing"):
        join(tmp_path)
    save(part(x=2.0), tmp_path / "a.call1.item1.rank2of2.attn.json")
    with pytest.raises(CaptureError, match="a.call1.item1: x of rank 2 is not that of rank 1"):
        join(tmp_path)
