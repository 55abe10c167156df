"""A mask in the conventions of torch, ready to be copied."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from explorer.files.code import mask_spellings
from explorer.scene import Scene
from explorer.ui.lab.code_text import CodeText
from explorer.ui.lab.pieces import Choice, buttons, muted

SPELLINGS = ("sdpa", "mha", "padding", "additive")
AT_ONCE = 10_000  # flags of a mask that is spelled out with every stroke
REST_MS = 250  # so long without one, and a larger one is


class TorchMask(QWidget):
    """One of SPELLINGS, its text, what it means, and a button that copies it."""

    def __init__(self, chosen: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._write)
        names = {
            "sdpa": "SDPA",
            "mha": "MHA",
            "padding": self.tr("MHA, padding apart"),
            "additive": self.tr("additive"),
        }
        self.choice = Choice(tuple(names.items()), chosen, self.tr("Convention"))
        for key, button in self.choice.buttons.items():
            button.setObjectName(f"spell_{key}")
        self.note = muted()
        self.text = CodeText()
        self.text.setObjectName("mask_code")
        self.text.setAccessibleName(self.tr("The mask as Python"))
        self.text.setMinimumHeight(130)
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setObjectName("copy_mask")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.code))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self.choice, self.note, self.text, buttons(self.copy)):
            layout.addWidget(widget)

    @property
    def code(self) -> str:
        """What is shown."""
        if self._rest.isActive():
            self._rest.stop()
            self._write()
        return self.text.toPlainText()

    def show_mask(self, scene: Scene, spelling: str) -> None:
        """Spell the mask of a scene; without a padding mask there is nothing to be apart."""
        self._scene = scene
        has_padding = any(mask.kind == "padding" for mask in scene.mask)
        self.choice.buttons["padding"].setEnabled(has_padding)
        self.choice.show_key("mha" if spelling == "padding" and not has_padding else spelling)
        self.note.setText(self._meaning(self.choice.key))
        if scene.n * scene.m <= AT_ONCE:
            self._rest.stop()
            self._write()
        else:
            self._rest.start()

    def leave(self) -> None:
        """Nobody looks any more."""
        self._rest.stop()

    def _write(self) -> None:
        if self._scene is not None:
            self.text.show_text(mask_spellings(self._scene)[self.choice.key])

    def _meaning(self, key: str) -> str:
        return {
            "sdpa": self.tr("F.scaled_dot_product_attention(…, attn_mask=…): True = may be attended."),
            "mha": self.tr("nn.MultiheadAttention, attn_mask: True = blocked, the opposite."),
            "padding": self.tr(
                "nn.MultiheadAttention, attn_mask and key_padding_mask: True = blocked in both."
            ),
            "additive": self.tr(
                "Both take numbers too: they are added to the scaled scores. True and False turned into numbers"
                " would be added as 1 and 0, and hide nothing."
            ),
        }[key]
