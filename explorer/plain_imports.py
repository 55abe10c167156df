"""Imports as Python does them, once Qt is there.

PySide6 looks into the source of every module that is imported after it, for a use of its `__feature__` switch. The
program has none, and torch alone brings more than a thousand modules: to read them all would take a fifth of the time
from the start to the first numbers.
"""

import builtins
import gc

import PySide6.QtCore  # noqa: F401  whose import puts the search in place

gc.disable()  # until `over`: what modules make stays, and need not be looked through again and again
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def over() -> None:
    """All modules of the start are there; what they have made is never looked through again."""
    gc.freeze()
    gc.enable()
