"""Libraries that are loaded in steps are what an import makes of them."""

import gc
import py_compile
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from explorer.late import load_in_steps

INIT = '''"""Many things."""
NUMBERS = {"one": 1}

def number(name):
    return NUMBERS[name]

from .part import *
from .part import lookup as _lookup
two = _lookup("one") + one
'''
PART = """
from . import number as lookup
one = lookup("one")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package named many_things, which nothing has imported."""
    folder = tmp_path / "many_things"
    folder.mkdir()
    (folder / "__init__.py").write_text(INIT)
    (folder / "part.py").write_text(PART)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.startswith("many_things")]:
        del sys.modules[name]


def test_each_statement_is_a_step(package: Path) -> None:
    steps = load_in_steps("many_things")
    assert "many_things" not in sys.modules
    seen = [hasattr(sys.modules["many_things"], "one") for _step in steps]
    assert seen == [False, False, False, True, True, True]
    module = import_module("many_things")
    assert (module.two, module.number("one"), module.part.one) == (2, 1, 1)
    assert module.__doc__ == "Many things."
    assert module.__file__ == str(package / "__init__.py")
    assert gc.isenabled()


def test_what_fails_is_not_there(package: Path) -> None:
    (package / "part.py").write_text("raise ImportError('no part')")
    with pytest.raises(ImportError, match="no part"):
        list(load_in_steps("many_things"))
    assert "many_things" not in sys.modules and gc.isenabled()


def test_at_once_where_it_is_there_or_has_no_source(package: Path) -> None:
    py_compile.compile(str(package / "__init__.py"), cfile=str(package / "__init__.pyc"))
    (package / "__init__.py").unlink()
    assert list(load_in_steps("many_things")) == [None]
    assert import_module("many_things").two == 2
    assert list(load_in_steps("many_things")) == [None]
