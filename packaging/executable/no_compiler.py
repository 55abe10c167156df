"""Stands in for torch._dynamo in the executable, which leaves torch's compiler out.

torch marks functions that its compiler shall not touch (the optimisers, the FLOP counter's) and asks for the compiler
at their first call. There is none here, so they are what they were.
"""

from collections.abc import Callable
from typing import Any


def disable(fn: Callable[..., Any], *_options: Any, **_named: Any) -> Callable[..., Any]:
    """The function itself."""
    return fn


def graph_break(*_message: Any, **_named: Any) -> None:
    """Nothing is being compiled that could be broken off."""
