"""Scenes of lessons: tables, changes, generated matrices; and what reading a lesson must not load."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.lessons import scenes
from explorer.lessons.scenes import SceneTableError, example, normal, scene

TABLE = {"x": {"identity": 2}, "w_q": [[1, 0], [0, 1]], "w_k": {"identity": 2}, "w_v": {"identity": 2}}


def test_generated_matrices() -> None:
    made = scene({**TABLE, "w_q": {"normal": [2, 6], "seed": 1}, "w_k": {"normal": [2, 6], "seed": 2}})
    assert np.array_equal(made.x, np.eye(2))
    assert np.array_equal(made.w_q, normal(2, 6, 1))
    assert not np.array_equal(made.w_q, made.w_k)


def test_normal_numbers_never_change() -> None:
    """A seed stands for these very numbers: the facts of lessons depend on it."""
    np.testing.assert_array_equal(normal(2, 3, 4), LITERAL)


LITERAL = [[0.77, 0.55, 1.89], [-0.4, 1.12, -0.96]]


def test_normal_numbers_are_normal() -> None:
    values = normal(100, 100, 5)
    assert abs(values.mean()) < 0.03
    assert abs(values.std() - 1) < 0.03
    assert abs((np.abs(values) < 1).mean() - 0.683) < 0.02
    assert np.array_equal(values, np.round(values, 2))
    assert not np.signbit(values[values == 0]).any()


@pytest.mark.parametrize(
    "value",
    [
        {"normal": [2, 2]},
        {"normal": [2, 2], "seed": -1},
        {"normal": [2, 2], "seed": 1.5},
        {"normal": [2, 2], "seed": 1, "mean": 3},
        {"normal": [2], "seed": 1},
        {"normal": [2, 0], "seed": 1},
        {"normal": [2, True], "seed": 1},
        {"normal": [200, 200], "seed": 1},
        {"normal": 4, "seed": 1},
        {"identity": 0},
        {"identity": 129},
        {"identity": "4"},
    ],
)
def test_generated_matrices_that_are_none(value: object) -> None:
    with pytest.raises(SceneTableError) as error:
        scene({**TABLE, "x": value})
    assert error.value.key == "x"


def test_errors_name_the_key() -> None:
    with pytest.raises(SceneTableError, match="^heads is 0 but must be") as error:
        scene({**TABLE, "heads": 0})
    assert error.value.key == "heads"


def test_example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "scenes").mkdir()
    entries = {
        "format": "attention-explorer/1",
        "x": [[1]],
        "w_q": [[1]],
        "w_k": [[1]],
        "w_v": [[1]],
        "heads": 1,
    }
    (tmp_path / "scenes" / "tiny.attn.json").write_text(json.dumps(entries))
    monkeypatch.setattr(scenes.resources, "path", tmp_path.joinpath)
    assert scene(example("tiny")).n == 1
    for name in ("other", "", "../tiny", "x" * 1000):
        with pytest.raises(SceneTableError):
            example(name)


def test_reading_lessons_loads_neither_torch_nor_qt() -> None:
    code = (
        "import sys; from explorer.lessons.builtin import catalogue; catalogue();"
        "print([name for name in ('torch', 'PySide6', 'pyqtgraph') if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert ran.stdout.strip() == "[]"
