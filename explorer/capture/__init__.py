"""Attention layers of a program's own model as sessions, captured while it runs.

    from explorer.capture import capture

    with capture(model, "folder"):
        model(batch)

Needs torch and no Qt. `capture` is loaded at its first use: joining the parts of several processes does without torch.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from explorer.capture.joining import join
from explorer.capture.naming import CaptureError, CaptureWarning

if TYPE_CHECKING:
    from explorer.capture.capture import capture

__all__ = ["CaptureError", "CaptureWarning", "capture", "join"]


class _Package(ModuleType):
    """This package. Loading the module `capture` would put it in the function's place; here it does not."""

    def _capture(self) -> Any:
        return import_module("explorer.capture.capture").capture

    def _keep(self, module: ModuleType) -> None:
        """The import system notes a loaded submodule here: not kept."""

    if not TYPE_CHECKING:
        capture = property(_capture, _keep)


sys.modules[__name__].__class__ = _Package
