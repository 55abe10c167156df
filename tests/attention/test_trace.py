import numpy as np
import pytest

from explorer.attention import attend
from explorer.attention.trace import STAGE, STAGES
from explorer.scene import Scene

EYE = np.eye(4)


def test_stages_by_name() -> None:
    trace = attend(Scene(x=np.ones((3, 4)), w_q=EYE, w_k=EYE[:, :2], w_v=EYE[:, :2], heads=2, kv_heads=1))
    assert [stage.name for stage in STAGES] == list(STAGE)
    for stage in STAGES:
        array = trace.stage(stage.name)
        assert array.ndim == (2 if stage.per == "scene" else 3)
        assert trace.matrix(stage.name).ndim == 2
        assert len(array) == {"head": 2, "kv_head": 1, "scene": 3}[stage.per]
    assert trace.matrix("weights", 1).tolist() == trace.weights[1].tolist()
    with pytest.raises(KeyError, match="there is no stage 'values'; the stages are x, q, k"):
        trace.stage("values")


def test_formulas_name_their_head() -> None:
    for stage in STAGES:
        for text in (stage.formula, stage.latex):
            assert "{" not in text.format(h=1, g=1).replace("{1}", "") or stage.latex == text
    assert STAGE["scores"].formula.format(h=3, g=2) == "Q<sub>3</sub>K<sub>2</sub><sup>⊤</sup>"
    assert STAGE["scores"].latex.format(h=3, g=2) == "Q_{3}K_{2}^{\\top}"
