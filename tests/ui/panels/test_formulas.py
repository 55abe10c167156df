"""The title of a panel says how its numbers come about, whatever the scene adds on the way."""

import numpy as np
import pytest

from explorer.attention.positions import Alibi, Rotary, Sinusoidal
from explorer.attention.trace import STAGE
from explorer.scene import Scene
from explorer.ui.panels.kinds import formula_of

PLAIN = Scene(x=np.eye(3, 4), w_q=np.eye(4), w_k=np.eye(4), w_v=np.eye(4))
CONTEXT = np.eye(2, 4)


@pytest.mark.parametrize(
    ("stage", "changes", "formula"),
    [
        ("q", {}, "Q<sub></sub> = X W<sub>q</sub>"),
        ("q", {"position": Sinusoidal()}, "Q<sub></sub> = (X + PE) W<sub>q</sub>"),
        ("v", {"position": Sinusoidal(), "heads": 2}, "V<sub>2</sub> = (X + PE) W<sub>v,2</sub>"),
        ("k", {"context": CONTEXT}, "K<sub></sub> = C W<sub>k</sub>"),
        ("q", {"context": CONTEXT, "position": Sinusoidal()}, "Q<sub></sub> = (X + PE) W<sub>q</sub>"),
        ("k", {"context": CONTEXT, "position": Sinusoidal()}, "K<sub></sub> = (C + PE) W<sub>k</sub>"),
        ("q", {"position": Rotary()}, "Q<sub></sub> = X W<sub>q</sub>, turned"),
        ("v", {"position": Rotary()}, "V<sub></sub> = X W<sub>v</sub>"),
        ("q", {"position": Alibi()}, "Q<sub></sub> = X W<sub>q</sub>"),
        ("q", {"b_q": np.ones(4)}, "Q<sub></sub> = X W<sub>q</sub> + b<sub>q</sub>"),
        ("output", {"b_o": np.ones(4)}, "Concat + b<sub>o</sub>"),
        ("output", {"w_o": np.eye(4), "b_o": np.ones(4)}, "Concat·W<sup>O</sup> + b<sub>o</sub>"),
    ],
)  # fmt: skip
def test_formula(stage: str, changes: dict[str, object], formula: str) -> None:
    scene = PLAIN.replace(**changes)
    head = None if stage == "output" else scene.heads - 1
    text = formula_of(STAGE[stage], scene, head)
    assert text.replace("<sub></sub>", "") == formula.replace("<sub></sub>", "")
