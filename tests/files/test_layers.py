"""Which sessions of a folder are the layers of one run."""

from pathlib import Path

import pytest

from explorer.files.layers import run_of, runs_in


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("", encoding="utf-8")


def test_layers_stand_in_the_models_order(tmp_path: Path) -> None:
    fill(
        tmp_path,
        *(f"encoder.layer.{k}.attn.call1.item1.attn.json" for k in (10, 9, 0)),
        "notes.txt",
        "x.json",
    )
    (run,) = runs_in(tmp_path)
    assert (run.call, run.item) == (1, 1)
    assert [layer.name for layer in run.layers] == [f"encoder.layer.{k}.attn" for k in (0, 9, 10)]


def test_each_call_and_item_is_a_run(tmp_path: Path) -> None:
    fill(tmp_path, *(f"a.call{c}.item{i}.attn.json" for c in (1, 2, 10) for i in (1, 2)), "other.attn.json")
    runs = runs_in(tmp_path)
    assert [(run.call, run.item) for run in runs] == [
        (1, 1), (1, 2), (2, 1), (2, 2), (10, 1), (10, 2), (None, None),
    ]  # fmt: skip
    assert run_of(runs, tmp_path / "a.call2.item2.attn.json") == (runs[3], 0)
    assert run_of(runs, tmp_path / "b.attn.json") is None


def test_parts_of_layers_are_to_be_joined_first(tmp_path: Path) -> None:
    fill(tmp_path, "a.call1.item1.rank1of2.attn.json", "a.call1.item1.rank1-2.attn.json")
    (run,) = runs_in(tmp_path)
    assert [layer.name for layer in run.layers] == ["a.rank1-2"]


def test_plain_sessions_are_layers_by_name(tmp_path: Path) -> None:
    fill(tmp_path, "layer2.attn.json", "layer10.attn.json", "Layer1.attn.json")
    (run,) = runs_in(tmp_path)
    assert [layer.name for layer in run.layers] == ["Layer1", "layer2", "layer10"]
    assert run.call is None


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (("h.0.attn", "h.3.attn"), [0, 3]),
        (("layer2", "layer10", "Layer1"), [1, 2, 10]),
        (("encoder.layers.4.attn1",), [1]),  # which of its two?
        (("blocks.3.attn",), [3]),
        (("vit2.blocks.0.attn", "vit2.blocks.1.attn"), [0, 1]),
        (("decoder.0.attn", "encoder.0.attn"), [1, 2]),
        (("a.0.b.0", "a.0.b.1", "a.1.b.0"), [1, 2, 3]),
        (("cat", "dog"), [1, 2]),
    ],
)
def test_a_layer_has_the_number_that_its_name_gives_it(
    tmp_path: Path, names: tuple[str, ...], numbers: list[int]
) -> None:
    fill(tmp_path, *(f"{name}.call1.item1.attn.json" for name in names))
    (run,) = runs_in(tmp_path)
    assert [layer.number for layer in run.layers] == numbers


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    assert runs_in(tmp_path) == []
    with pytest.raises(OSError):
        runs_in(tmp_path / "gone")
