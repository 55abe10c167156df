"""Scenes of many tokens, and their numbers held as a whole beside the same streamed."""

from typing import Any

import numpy as np

from explorer.attention.attend import attend
from explorer.attention.large import Large
from explorer.attention.trace import Trace
from explorer.scene import Scene

STREAM = 0  # bytes to hold: nothing that is n × m


def scene_of(n: int, heads: int = 2, width: int = 8, m: int | None = None, **settings: Any) -> Scene:
    """Normally distributed numbers; with `m` over a context of as many tokens."""
    random = np.random.default_rng(n)
    groups = settings.get("kv_heads") or heads
    d_model = heads * width
    w_q, w_o = random.normal(size=(2, d_model, d_model)) / np.sqrt(d_model)
    w_k, w_v = random.normal(size=(2, d_model, groups * width)) / np.sqrt(d_model)
    context = None if m is None else random.normal(size=(m, d_model))
    x = 2 * random.normal(size=(n, d_model))
    return Scene(x=x, context=context, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=heads, **settings)


def both(scene: Scene) -> tuple[Trace, Trace, Large]:
    """Held, streamed, and what streams it."""
    streamed = attend(scene, hold=STREAM)
    assert isinstance(streamed.large, Large)
    return attend(scene), streamed, streamed.large
