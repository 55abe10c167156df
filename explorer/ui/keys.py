"""The list of all keys: those of the menus as they are, and those that work in one place of the window."""

import re
import sys
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QMainWindow,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

Row = tuple[str, str]  # keys, what they do
PLAIN_TEXT = "plain_text"  # property of an action whose text changes: what it is always called
MAC_NAMES = {"Ctrl": "⌘", "Alt": "⌥", "Shift": "⇧"}  # there, Qt takes Command for Ctrl
WIDTH, HEIGHT = 36, 40  # of the window, in the height of its letters


class KeysDialog(QDialog):
    """Stays open while one tries the keys; a line finds some of them."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName("keys_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        self.find = QLineEdit(placeholderText=self.tr("Find a key or what it does"))
        self.find.setAccessibleName(self.tr("Find a key or what it does"))
        self.find.setClearButtonEnabled(True)
        self.find.textChanged.connect(self._show_found)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.tr("Keys"))
        self.list.setHeaderLabels([self.tr("What it does"), self.tr("Key")])
        self.list.setRootIsDecorated(False)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.find, self.list, buttons):
            layout.addWidget(part)
        for title, rows in (*self._of_menus(window), *self._of_places()):
            self._add(title, rows)
        letter = self.fontMetrics().height()
        room = self.screen().availableSize() * 0.9
        self.resize(min(WIDTH * letter, room.width()), min(HEIGHT * letter, room.height()))

    def rows(self) -> list[Row]:
        """What the list shows now, without the titles."""
        sections = [self.list.topLevelItem(number) for number in range(self.list.topLevelItemCount())]
        items = [section.child(number) for section in sections for number in range(section.childCount())]
        return [(item.text(1), item.text(0)) for item in items if not item.isHidden()]

    def _add(self, title: str, rows: list[Row]) -> None:
        section = QTreeWidgetItem(self.list, [title])
        section.setFirstColumnSpanned(True)
        section.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = section.font(0)
        font.setBold(True)
        section.setFont(0, font)
        for keys, what in rows:
            QTreeWidgetItem(section, [what, keys])
        section.setExpanded(True)

    def _show_found(self, text: str) -> None:
        wanted = text.strip().casefold()
        for number in range(self.list.topLevelItemCount()):
            section = self.list.topLevelItem(number)
            items = [section.child(each) for each in range(section.childCount())]
            for item in items:
                item.setHidden(not any(wanted in item.text(column).casefold() for column in (0, 1)))
            section.setHidden(all(item.isHidden() for item in items))

    # ---- what there is ----

    def _of_menus(self, window: QMainWindow) -> Iterator[tuple[str, list[Row]]]:
        """Every entry that has a key, by menu."""
        for action in window.menuBar().actions():
            menu = action.menu()
            if isinstance(menu, QMenu) and (rows := list(_of_menu(menu))):
                yield _plain(action.text()), rows

    def _of_places(self) -> Iterator[tuple[str, list[Row]]]:
        """What has its keys in code: repeated here, where it is to be read."""
        arrows = "← ↑ ↓ →"
        yield (
            self.tr("In X and the weights"),
            [
                (arrows, self.tr("from number to number; with Ctrl to the edge, with Shift select")),
                ("0 … 9  −  √  (", self.tr("type over the number")),
                ("F2", self.tr("change the number as it stands")),
                ("Enter, Tab", self.tr("take the number; on down, on to the right (back with Shift)")),
                ("Esc", self.tr("give up what is being typed")),
                (_native("Alt+↑ ↓"), self.tr("a step of 0.1 up or down")),
                (_native("Alt+Shift+↑ ↓"), self.tr("move the token")),
                (_native("Ctrl+C, X, V"), self.tr("copy, cut, paste, as a spreadsheet does")),
                ("Del", self.tr("set to 0")),
                (_native("Ctrl+Tab"), self.tr("out of the grid")),
            ],
        )
        yield (
            self.tr("In the panels"),
            [
                ("Tab", self.tr("from panel to panel")),
                (arrows, self.tr("from number to number, and its arithmetic")),
                ("Home, End, PgUp, PgDown", self.tr("to the edges")),
                ("Enter", self.tr("choose the number again; guess it where it is covered")),
                ("+  −", self.tr("zoom within the panel")),
                ("Esc", self.tr("from one head back to all")),
            ],
        )
        yield (
            self.tr("Heads side by side, words and their lines"),
            [
                (arrows, self.tr("from head to head, from word to word")),
                ("Enter", self.tr("enlarge the head; choose the strongest line of the word")),
                (
                    _native("Alt+PgUp, Alt+PgDown"),
                    self.tr("the layer before, the next layer: of an open folder, or of the model"),
                ),
                ("Esc", self.tr("back to the heads, back to the panels")),
            ],
        )
        yield (
            self.tr("In the inspector"),
            [
                (_native("Alt+←"), self.tr("back to the number before")),
                (_native("Ctrl+C"), self.tr("copy the exact value")),
                (_native("Ctrl+Shift+C"), self.tr("copy the arithmetic as text")),
            ],
        )
        yield (
            self.tr("In a lesson"),
            [
                (_native("Alt+→, Alt+←"), self.tr("next step, previous step; PgDown and PgUp, too")),
                ("Enter", self.tr("answer")),
            ],
        )
        yield (
            self.tr("While presenting"),
            [
                (self.tr("Space, → or N"), self.tr("next stage")),
                ("←, Backspace", self.tr("previous stage")),
                ("Home, End", self.tr("first stage, last stage")),
                ("↑ ↓", self.tr("another head")),
                ("P", self.tr("cover what is new, to be guessed")),
                ("C", self.tr("other colours")),
                (_native("Ctrl++, Ctrl+−, Ctrl+0"), self.tr("larger, smaller, usual size")),
                (_native("Ctrl+Z"), self.tr("undo")),
                ("Esc, F5", self.tr("end")),
            ],
        )


def _of_menu(menu: QMenu) -> Iterator[Row]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _of_menu(inner)
        elif keys := [key for key in action.shortcuts() if _is_on_keyboards(key)]:
            native = QKeySequence.SequenceFormat.NativeText
            yield ", ".join(key.toString(native) for key in keys), _plain(_text(action))


def _is_on_keyboards(key: QKeySequence) -> bool:
    """Systems also name keys for Undo and the like that few keyboards have."""
    text = key.toString()
    return "+" in text or re.fullmatch(r"F\d|F1[0-2]|Del|Ins|Home|End", text) is not None


def _text(action: QAction) -> str:
    return str(action.property(PLAIN_TEXT) or action.text())


def _plain(text: str) -> str:
    """A menu's text without its marks: the underlined letter (in Chinese one of its own, in brackets), the dots."""
    if text.rstrip("…").endswith(")") and "(&" in text:
        text = text[: text.index("(&")]
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…")


def _native(keys: str) -> str:
    if sys.platform != "darwin":
        return keys
    for name, sign in MAC_NAMES.items():
        keys = keys.replace(f"{name}+", sign)
    return keys
