"""What a session says about the model that it comes from."""

from pathlib import Path
from typing import Any

import pytest

from explorer.files.origin import KEY, Origin
from explorer.files.session import dump, parse
from explorer.scene import Scene

EYE = [[1.0, 0.0], [0.0, 1.0]]


def test_there_and_back() -> None:
    origin = Origin(Path("models/t5"), "cross", 3, 0, 5, heads=2, text="The cat", target="Die Katze")
    scene = Scene(x=EYE, w_q=EYE, w_k=EYE, w_v=EYE, extra={KEY: origin.entry()})
    assert Origin.of(parse(dump(scene)).extra) == origin
    plain = Origin(Path("bert"), "", 0, 0, 11)
    assert plain.entry() == {"path": "bert", "layer": 0, "first": 0, "last": 11}
    assert Origin.of({KEY: plain.entry()}) == plain


@pytest.mark.parametrize(
    "entry",
    [
        None, "bert", [], {}, {"path": "bert"}, {"path": "", "layer": 0, "first": 0, "last": 1},
        {"path": 3, "layer": 0, "first": 0, "last": 1}, {"path": "a\0b", "layer": 0, "first": 0, "last": 1},
        {"path": "bert", "layer": True, "first": 0, "last": 1}, {"path": "bert", "layer": 0.5, "first": 0, "last": 1},
        {"path": "bert", "layer": 0, "first": 0, "last": 1, "heads": "two"},
        {"path": "bert", "layer": 0, "first": 0, "last": 1, "text": ["a"]},
    ],
)  # fmt: skip
def test_what_cannot_be_used_counts_as_nothing(entry: Any) -> None:
    assert Origin.of({KEY: entry}) is None
