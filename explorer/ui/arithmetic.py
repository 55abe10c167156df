"""The arithmetic behind a number: the whole formula, and what is to be said about it; then step by step."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.attention.explain import Explanation
from explorer.attention.steps import Sentence, View
from explorer.ui.chain import show_chain
from explorer.ui.formulas import FormulaView
from explorer.ui.preferences import preferences
from explorer.ui.texts import told

KEEP = 6  # terms of a folded sum
TROUBLE = ("nan_here", "nan_from", "infinite_here", "infinite_from")


class Arithmetic(QWidget):
    """The formula of an Explanation and its notes. Widgets are used again: an edit changes texts only."""

    changed = Signal()  # a sum was folded, unfolded or sorted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._explanation: Explanation | None = None
        self._unfolded = False
        self.formula = FormulaView(1.2)
        self.formula.setObjectName("formula")
        self.formula.clicked.connect(self.unfold)
        self._caption = text_label("caption")
        self._fold = QToolButton()
        self._fold.setObjectName("unfold")
        self._fold.clicked.connect(self._toggle_fold)
        self._largest = QToolButton(text=self.tr("Largest first"), checkable=True)
        self._largest.setObjectName("largest_first")
        self._largest.setToolTip(self.tr("Show the largest terms of the sum first"))
        self._largest.toggled.connect(self._again)
        self._notes: list[QLabel] = []
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self._fold)
        buttons.addWidget(self._largest)
        buttons.addStretch(1)
        self._note_box = QVBoxLayout()
        self._note_box.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.formula)
        layout.addWidget(self._caption)
        layout.addLayout(buttons)
        layout.addLayout(self._note_box)

    def show_explanation(self, explanation: Explanation, soon: bool) -> None:
        """Show it; `soon`: another number than before, so it is typeset without waiting for a rest."""
        if self._explanation is None or self._explanation.cell != explanation.cell:
            self._unfolded = False
        self._explanation = explanation
        terms = _longest(explanation)
        chain, key = explanation.chain(self.view), str(explanation.cell)
        show_chain(self.formula, chain, self.view, key, soon, terms, explanation.rounded)
        self._show_caption(explanation)
        self._show_buttons(terms)
        self._show_notes(explanation.notes)

    @property
    def view(self) -> View:
        """How numbers and sums are shown now."""
        terms = 0 if self._explanation is None else _longest(self._explanation)
        keep = max(terms, KEEP) if self._unfolded else KEEP
        largest = self._largest.isChecked()
        return View(preferences().decimals, keep, largest, terms=self.tr("{count} more terms"))

    @property
    def notes(self) -> list[str]:
        """What is said."""
        return [note.text() for note in self._notes if not note.isHidden()]

    def unfold(self) -> None:
        """Show every term."""
        if not self._fold.isHidden() and not self._unfolded:
            self._toggle_fold()

    def _show_caption(self, explanation: Explanation) -> None:
        """One step is the whole formula; its title says what it is, unless it is plainly a sum of products."""
        steps = explanation.steps
        single = steps[0] if len(steps) == 1 and steps[0].kind != "sum" else None
        self._caption.setVisible(single is not None)
        self._caption.setText("" if single is None else told(single.title))

    def _show_buttons(self, terms: int) -> None:
        foldable = terms > KEEP + 1
        folded = foldable and not self._unfolded
        self._fold.setVisible(foldable)
        self._largest.setVisible(foldable)
        more = self.tr("… {count} more terms").format(count=terms - KEEP)
        self._fold.setText(more if folded else self.tr("Fold the sum"))
        self.formula.setCursor(Qt.CursorShape.PointingHandCursor if folded else Qt.CursorShape.ArrowCursor)
        self.formula.setToolTip(self.tr("Click to see every term") if folded else "")

    def _show_notes(self, notes: Sequence[Sentence]) -> None:
        while len(self._notes) < len(notes):
            self._notes.append(text_label("note"))
            self._note_box.addWidget(self._notes[-1])
        for label, note in zip(self._notes, notes, strict=False):
            label.setText(told(note))
            name = "trouble" if note.key in TROUBLE else "note"
            if label.objectName() != name:
                label.setObjectName(name)
                label.style().unpolish(label)
                label.style().polish(label)
            label.show()
        for label in self._notes[len(notes) :]:
            label.hide()

    def _toggle_fold(self) -> None:
        self._unfolded = not self._unfolded
        self._again()

    def _again(self) -> None:
        if self._explanation is not None:
            self.show_explanation(self._explanation, soon=True)
            self.changed.emit()


class StepsCard(QFrame):
    """Every step with a caption and a formula of its own; hidden where there is but one."""

    unfold_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("steps_card")
        title = text_label("steps_title")
        title.setText(self.tr("step by step"))
        self._steps: list[_Step] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(14, 12, 14, 12)
        self._box.setSpacing(10)
        self._box.addWidget(title)

    @property
    def steps(self) -> list[tuple[str, FormulaView]]:
        """Caption and formula of each step that is shown."""
        return [(step.caption.text(), step.formula) for step in self._steps if not step.isHidden()]

    def show_steps(self, explanation: Explanation, view: View, soon: bool) -> None:
        """Show them as `Arithmetic` shows the whole."""
        steps = explanation.steps if len(explanation.steps) > 1 else ()
        self.setVisible(bool(steps))
        while len(self._steps) < len(steps):
            self._steps.append(_Step(len(self._steps) + 1))
            self._steps[-1].formula.clicked.connect(self.unfold_asked)
            self._box.addWidget(self._steps[-1])
        for number, (widget, step) in enumerate(zip(self._steps, steps, strict=False)):
            widget.caption.setText(told(step.title))
            key = f"{explanation.cell} {number}"
            show_chain(widget.formula, step.chain(view), view, key, soon, len(step.terms), rounded=False)
            widget.show()
        for widget in self._steps[len(steps) :]:
            widget.hide()


class _Step(QWidget):
    """A number, a caption and a formula."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.caption = text_label("caption")
        self.formula = FormulaView(1.05)
        mark = QLabel(str(number))
        mark.setObjectName("step_number")
        mark.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        right = QVBoxLayout()
        right.setSpacing(3)
        right.addWidget(self.caption)
        right.addWidget(self.formula)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(mark)
        layout.addLayout(right, 1)


def text_label(name: str) -> QLabel:
    """Plain text that breaks into lines and never widens the inspector."""
    label = QLabel(wordWrap=True)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def _longest(explanation: Explanation) -> int:
    return max((len(step.terms) for step in explanation.steps), default=0)
