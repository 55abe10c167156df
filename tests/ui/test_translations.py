"""Every text of the program is there for translators, translated, and reaches the screen."""

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.ui.banner import Banner
from tests.ui.language_helpers import CATALOGUES, SOURCES, extracted, messages, said

# ---- the catalogues ----


@pytest.fixture(params=CATALOGUES, ids=lambda path: path.stem)
def catalogue(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_every_text_is_translated(catalogue: Path, tmp_path: Path) -> None:
    """As the sources are now. What is listed here, `dev.py translate --update` puts into the catalogue."""
    copy = tmp_path / catalogue.name
    shutil.copy(catalogue, copy)
    extracted(copy)
    open_ = [
        (m.state or "empty", m.context, m.source) for m in messages(copy) if m.state or not m.translation
    ]
    assert open_ == []
    assert all(m.state == "" for m in messages(catalogue))


PLACES = re.compile(r"\{\w*\}|%\d|\*\*|</?\w+>")


def test_what_is_put_in_stands_in_the_translation_too(catalogue: Path) -> None:
    wrong = [m for m in messages(catalogue) if _places(m.source) != _places(m.translation)]
    assert wrong == []


def _places(text: str) -> tuple[list[str], int, bool]:
    """What is put in, how many keys are marked, whether a dialog follows."""
    keys = len(re.findall(r"&(?=\w)", text))
    return sorted(PLACES.findall(text)), keys, text.endswith("…")


def test_chinese_has_its_own_punctuation() -> None:
    chinese = next(c for c in CATALOGUES if c.stem.endswith("zh_CN"))
    narrow = re.compile(r"[\u4e00-\u9fff][,;:?!()]|[,;:?!()][\u4e00-\u9fff]|。\.")
    wrong = [m for m in messages(chinese) if narrow.search(re.sub(r"\(&\w\)", "", m.translation))]
    assert wrong == []


# ---- the sources ----


def calls(tree: ast.AST, scope: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Each call, and the class it stands in."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.ClassDef) else scope
        if isinstance(node, ast.Call):
            yield inner, node
        yield from calls(node, inner)


def test_the_tools_see_what_the_program_asks_for() -> None:
    """Qt's tool reads literals only; what it finds is what the sources hold, class names as contexts."""
    known = {(m.context, m.source) for m in messages(CATALOGUES[0])}
    asked, unreadable = set(), []
    for path in sorted((SOURCES / "ui").rglob("*.py")):
        for scope, call in calls(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            values = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
            if name == "tr":
                asked.add((scope, values[0]))
            elif (
                name in ("translate", "QT_TRANSLATE_NOOP") and values[0] is not None and values[1] is not None
            ):
                asked.add((values[0], values[1]))
            if any(isinstance(arg, ast.JoinedStr) for arg in call.args) and name in ("tr", "translate"):
                unreadable.append(f"{path.name}:{call.lineno}")
    assert unreadable == []
    assert asked - known == set()


def test_a_subclass_speaks_as_its_base_does(qtbot: QtBot, chinese: None) -> None:
    """Texts are kept by class name, and a subclass has another one."""

    class Special(Banner):
        pass

    special = Special()
    qtbot.addWidget(special)
    assert "关闭这条消息" in {text for _place, text in said(special)}
