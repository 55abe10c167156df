"""A window with one tool of the lab open."""

from collections.abc import Callable

import pytest

from explorer import resources
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

CATS = resources.path("scenes", "cat-sat-down.attn.json")


@pytest.fixture
def cats(open_it: Callable[..., MainWindow]) -> MainWindow:
    """Four tokens, two heads, a causal mask."""
    return open_it(CATS)


@pytest.fixture
def open_tool() -> Callable[[MainWindow, str], Tool]:
    """Opens a tool by its entry in the menu."""
    from PySide6.QtGui import QAction

    def opener(window: MainWindow, name: str) -> Tool:
        action = window.findChild(QAction, f"menu_lab_{name}")
        assert action is not None, name
        action.trigger()
        assert window.lab.lab is not None and window.lab.lab.tool is not None
        return window.lab.lab.tool

    return opener
