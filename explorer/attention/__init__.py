"""Attention computed, traced and explained. `attend` is loaded at first use: it brings torch."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.attention.attend import attend

__all__ = ["attend"]


def __getattr__(name: str) -> Any:
    if name == "attend":
        from explorer.attention.attend import attend

        return attend
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
