"""Attention computed, traced and explained.

`attend` is loaded at its first use: it brings torch, and the window is to be painted before that.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.attention.attend import attend

__all__ = ["attend"]


class _Package(ModuleType):
    """This package. Loading the module `attend` would put it in the function's place; here it does not."""

    def _attend(self) -> Any:
        return import_module("explorer.attention.attend").attend

    def _keep(self, module: ModuleType) -> None:
        """The import system notes a loaded submodule here: not kept."""

    if not TYPE_CHECKING:
        attend = property(_attend, _keep)


sys.modules[__name__].__class__ = _Package
