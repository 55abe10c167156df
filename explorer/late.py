"""Large libraries, loaded when they are first asked for."""

import gc
from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType:
    """A module that brings one: torch alone makes a quarter of a million objects, and they stay.

    The garbage collector does not look at them while they come, which halves the time, nor later, where each time it
    would hold up the window for a fifth of a second.
    """
    if not gc.isenabled():  # another thread is at it
        return import_module(name)
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()
