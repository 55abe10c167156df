"""Known scenes with the value of every stage, worked out before this program was (tests/data/cases)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.attention import attend
from explorer.attention.trace import STAGE
from explorer.files.session import parse

CASES = sorted((Path(__file__).parent.parent / "data" / "cases").glob("*.json"))


def numbers(value: Any) -> Any:
    """A null stands for −∞."""
    return (
        [numbers(item) for item in value] if isinstance(value, list) else -np.inf if value is None else value
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_stage_has_the_known_value(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    trace = attend(parse(case["session"], path.name))
    assert set(case["expect"]) == set(STAGE)
    for stage, expected in case["expect"].items():
        np.testing.assert_allclose(trace.stage(stage), numbers(expected), rtol=1e-9, atol=1e-9, err_msg=stage)


def test_there_are_cases() -> None:
    assert len(CASES) >= 12
