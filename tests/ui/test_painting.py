"""Drawing that is broken off anywhere, as by Ctrl-C: all ends in order, and Qt says nothing (that fails a test)."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPainter, QPdfWriter
from PySide6.QtWidgets import QApplication

from explorer import resources
from explorer.attention import attend
from explorer.files.session import load
from explorer.files.worksheet import blanks_of, default_stages, worksheet
from explorer.ui import render
from explorer.ui.export.printing import print_pipeline
from explorer.ui.paper.output import print_pages
from explorer.ui.paper.sheets import pages

SCENE = load(resources.path("scenes", "cat-sat-down.attn.json"))
SCENE = SCENE.replace(tokens=("a rather long token",) * SCENE.n)  # whose labels stand


def interrupted(work: Callable[[], object], at: int) -> bool:
    """Do it until a function of ours takes a painter for the `at`-th time; False where it was done before that."""
    count = 0

    def stop(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        code = frame.f_code
        if (
            event == "call"
            and "painter" in code.co_varnames[: code.co_argcount]
            and "explorer" in code.co_filename
        ):
            count += 1
            if count == at:
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(stop)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(before)
    return False


def broken_off(work: Callable[[], object]) -> int:
    """Break it off at moments all over it; how often that was."""
    windows = set(QApplication.topLevelWidgets())
    at = 1
    while interrupted(work, at):
        assert set(QApplication.topLevelWidgets()) == windows
        at += 1 if at < 12 else at // 3
    return at


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_picture(qapp: QApplication, tmp_path: Path, suffix: str) -> None:
    trace = attend(SCENE)
    assert broken_off(lambda: render.render(SCENE, trace, tmp_path / f"a{suffix}")) > 50


def pdf() -> QPdfWriter:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    buffer.setParent(writer)
    return writer


def test_a_printed_pipeline(qapp: QApplication) -> None:
    shown = render.laid_out(SCENE, attend(SCENE), 900)
    try:
        assert broken_off(lambda: print_pipeline(shown, pdf())) > 50
    finally:
        render.delete(shown)


def test_printed_pages(qapp: QApplication) -> None:
    trace = attend(SCENE)
    sheets = [worksheet(trace, blanks_of(trace, default_stages(SCENE)), "en")]
    made = pages(sheets, "A4", ("exercises",))
    assert broken_off(lambda: print_pages(made, pdf())) > 10


def test_painters_end_with_a_block() -> None:
    """What a broken off function leaves open stays so for as long as somebody holds its traceback."""
    ui = Path(render.__file__).parent
    open_ended = re.compile(r"\w = QPainter\(.+\)|\b(?:painter|inner)\.(?:end|save|restore)\(\)")
    found = {p.name for p in ui.rglob("*.py") if open_ended.search(p.read_text(encoding="utf-8"))}
    assert found == {"painting.py"}


def test_a_painter_is_as_before(qapp: QApplication) -> None:
    from explorer.ui.painting import saved

    device = pdf()
    with QPainter(device) as painter, pytest.raises(KeyboardInterrupt), saved(painter):
        painter.translate(3, 4)
        raise KeyboardInterrupt
    del device
