"""The line below the inspector: copying, and how many decimals numbers have."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.document import Document
from explorer.numbers import exact
from explorer.ui.boxes import StepBox
from explorer.ui.preferences import preferences
from explorer.ui.texts import arithmetic_text

if TYPE_CHECKING:
    from explorer.attention.explain import Explanation

WHOLE = 1 << 20  # characters: one line


class Foot(QFrame):
    """Its actions live on `owner`, so that their keys work anywhere in it; `shown` gives what there is to copy."""

    def __init__(self, owner: QWidget, document: Document, shown: "Callable[[], Explanation | None]") -> None:
        super().__init__()
        self.setObjectName("foot")
        self._owner, self._document, self._shown = owner, document, shown
        self._actions = (
            self._action("copy_value", self.tr("Copy the exact value"), _value, "Ctrl+C"),
            self._action("copy_text", self.tr("Copy the arithmetic as text"), self._as_text, "Ctrl+Shift+C"),
            self._action("copy_latex", self.tr("Copy the formula as LaTeX"), _latex),
        )
        self._copy = QToolButton(text=self.tr("Copy ▾"))
        self._copy.setObjectName("copy")
        self._copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._copy.addActions(self._actions)
        self.decimals = StepBox()
        self.decimals.setObjectName("decimals")
        self.decimals.setRange(0, 6)
        self.decimals.setValue(preferences().decimals)
        self.decimals.setAccessibleName(self.tr("Decimals"))
        self.decimals.valueChanged.connect(_set_decimals)
        label = QLabel(self.tr("&Decimals"))
        label.setBuddy(self.decimals)
        label.setProperty("muted", True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.addWidget(self._copy)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addWidget(self.decimals)
        preferences().changed.connect(self._on_preference)

    def allow(self, on: bool) -> None:
        """Whether there is something to copy."""
        for each in (*self._actions, self._copy):
            each.setEnabled(on)

    def _action(self, name: str, text: str, of: "Callable[[Explanation], str]", key: str = "") -> QAction:
        action = QAction(text, self._owner)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: self._put(of))
        self._owner.addAction(action)
        return action

    def _put(self, of: "Callable[[Explanation], str]") -> None:
        found = self._shown()
        if found is not None:
            QGuiApplication.clipboard().setText(of(found))

    def _as_text(self, found: "Explanation") -> str:
        return arithmetic_text(self._document.scene, found, preferences().decimals)

    def _on_preference(self, name: str) -> None:
        if name == "decimals":
            self.decimals.setValue(preferences().decimals)


def _value(found: "Explanation") -> str:
    return exact(found.value)


def _latex(found: "Explanation") -> str:
    return " ".join(found.latex(preferences().decimals, width=WHOLE))


def _set_decimals(value: int) -> None:
    preferences().decimals = value
