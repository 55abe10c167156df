"""The .ts files, and all that a window says: the properties of its widgets and actions, and what they draw."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QEventLoop, QObject, QPoint
from PySide6.QtGui import QAction, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QTabWidget, QTextEdit, QWidget

from explorer import resources
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel
from explorer.ui.pipeline import Pipeline
from explorer.ui.turns import turns

SOURCES = Path(resources.__file__).parent
CATALOGUES = sorted(resources.path("translations").glob("*.ts"))


class Message(NamedTuple):
    """One entry of a .ts file."""

    context: str
    source: str
    translation: str
    state: str  # "", or "unfinished", "vanished", "obsolete"


def messages(catalogue: Path) -> list[Message]:
    root = ElementTree.parse(catalogue).getroot()
    return [
        Message(
            context.findtext("name", ""),
            message.findtext("source", ""),
            message.findtext("translation", ""),
            message.find("translation").get("type", ""),  # type: ignore[union-attr]
        )
        for context in root.iter("context")
        for message in context.iter("message")
    ]


def tool(name: str, *arguments: str | Path) -> None:
    """Run one of Qt's tools, from the environment that runs the tests."""
    folder = Path(sys.executable).parent  # not resolved: in a virtual environment it is a link
    found = next(path for path in (folder / name, folder / f"{name}.exe") if path.exists())
    subprocess.run([found, *arguments], check=True, capture_output=True)


def extracted(catalogue: Path) -> None:
    """Bring a copy of a catalogue up to date, keeping what has vanished."""
    tool("pyside6-lupdate", *sorted(SOURCES.rglob("*.py")), "-locations", "none", "-ts", catalogue)


# ---- what is said ----

SILENT = {"objectName", "styleSheet", "html", "markdown", "windowFilePath", "displayText", "inputMask"}


def said(root: QObject, unseen: bool = True) -> Iterator[tuple[str, str]]:
    """(where, text) of every text that a widget, an action or a menu below `root` has, shown or spoken.

    Without `unseen` only of widgets that are on the screen: pyqtgraph has menus that nobody ever opens.
    """
    for each in [root, *root.findChildren(QObject)]:
        if not unseen and not (isinstance(each, QWidget) and each.isVisible()):
            continue
        yield from ((where(each), text) for text in _texts(each) if text)


def _texts(each: QObject) -> Iterator[str]:
    if not isinstance(each, QWidget | QAction):
        return
    meta = each.metaObject()
    for number in range(meta.propertyCount()):
        entry = meta.property(number)
        if entry.typeName() == "QString" and entry.name() not in SILENT:
            yield str(entry.read(each))
    if isinstance(each, QComboBox):
        yield from (each.itemText(index) for index in range(each.count()))
    elif isinstance(each, QTabWidget):
        yield from (each.tabText(index) for index in range(each.count()))
    elif isinstance(each, QTextEdit):
        yield each.toPlainText()


def where(each: QObject) -> str:
    """A name that leads to the culprit."""
    named = each
    while named.parent() is not None and not named.objectName():
        named = named.parent()
    return f"{type(each).__name__} of {named.objectName() or type(named).__name__}"


def filled(menu: QMenu) -> QMenu:
    """A menu with its submenus, as they are when they open."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        if (inner := action.menu()) is not None and isinstance(inner, QMenu):
            filled(inner)
    return menu


def drawn(widget: QWidget) -> list[str]:
    """What a widget and those in it paint as text."""
    buffer = QBuffer()
    svg = QSvgGenerator()
    svg.setOutputDevice(buffer)
    svg.setSize(widget.size())
    with QPainter(svg) as painter:
        if isinstance(widget, Pipeline | Panel):  # on the screen they paint images of their texts
            widget.render_to(painter)
        else:
            widget.render(painter, QPoint())
    root = ElementTree.fromstring(bytes(buffer.data().data()))
    texts = (each.text or "" for each in root.iter() if not each.tag.endswith(("title", "desc")))
    return [text.strip() for text in texts if text.strip()]


# ---- which words are English ----

# Names that are the same in every language: of functions, formats, keys, methods, products.
NAMES = set(
    """
    Attention Explorer English Language Qt torch PyTorch SDPA MHA GQA MQA ALiBi Llama Xavier LaTeX JSON NaN CPU CUDA MPS
    softmax tanh sqrt sin cos mask head Concat concat dims half interleaved bit max inf
    float64 float32 bfloat16 float16 Tab Alt Ctrl Shift Esc Enter Return Del Ins Backspace PgDown PgUp
    Left Right Up Down     attn json toml SVG PNG PDF MultiheadAttention scaled_dot_product_attention
    """.split()
)
MARKUP = re.compile(r"<[^>]*>|&\w+;|&(?=\w)|\b\w+_\w+|%\d|\S*/\S+|[\w -]+\.(?:attn\.)?json")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")


def english(text: str, besides: set[str]) -> set[str]:
    """The words of three letters or more that are no NAMES and not those of the scene."""
    plain = re.sub(r"&(?=\w)(?!\w+;)", "", text)  # the mark of a key may stand within a word
    words = set(WORD.findall(MARKUP.sub(" ", plain)))
    return {word for word in words if word not in NAMES | besides and not re.fullmatch(r"F\d+", word)}


def in_another_language(window: MainWindow, code: str) -> MainWindow:
    """Choose it in the menu; the window that takes the place of this one, once it has."""
    window.findChild(QAction, f"language_{code}").trigger()
    return remade(window)


def remade(window: MainWindow) -> MainWindow:
    """The window that takes the place of this one, once it has."""
    while turns().busy:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    (new,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
    assert new is not window
    return new
