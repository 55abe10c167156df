"""A worksheet put together: whose numbers, what is left blank, for what paper; with its pages beside it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QLocale, QSettings, Qt, QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.attention.trace import STAGES, Cell, Trace
from explorer.files.worksheet import Sheet, default_stages
from explorer.files.worksheet.blanks import has_step
from explorer.files.worksheet.markdown import ANSWERS, EXERCISES
from explorer.patience import CancelledError
from explorer.ui import language
from explorer.ui.boxes import ChoiceBox, DotButton, StepBox, TickBox
from explorer.ui.export.pages_view import PagesView
from explorer.ui.export.worksheet_order import Made, Order
from explorer.ui.latest import Latest
from explorer.ui.paper import ink
from explorer.ui.paper.ink import PAPERS
from explorer.ui.paper.sheets import Page
from explorer.ui.preferences import keep
from explorer.ui.problems import problem_text
from explorer.ui.texts import stage_title
from explorer.ui.turns import turns
from explorer.ui.waiting import wait_for

MOST_VERSIONS, MOST_SEED = 26, 999_999
REST_MS = 150  # after the last change, before the pages are made
PDF, MARKDOWN, PRINT = ".pdf", ".md", "print"


@dataclass(frozen=True)
class WorksheetWish:
    """What was put together, and what is to become of it: PDF, MARKDOWN or PRINT."""

    sheets: Sequence[Sheet]
    pages: Sequence[Page]
    parts: Sequence[str]
    form: str


class WorksheetDialog(QDialog):
    """`wish` is what was asked for, None until then. `covered` are cells that the window covers."""

    def __init__(self, trace: Trace, covered: Collection[Cell] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Worksheet"))
        self.setObjectName("worksheet_dialog")
        self.wish: WorksheetWish | None = None
        self._trace, self._covered = trace, covered
        self._made: Made | None = None
        ink.rehearse()
        self._maker = Latest(self)
        self._maker.made.connect(self._show)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.renew)
        self._build()
        self._recall()
        self._connect()
        self._rest.start()  # by then it is painted, which a thread at work would make longer

    # ---- what stands in it ----

    @property
    def order(self) -> Order:
        """What stands here now."""
        return Order(
            self._trace,
            None if self.own.isChecked() else (self.count.value(), self.seed.value()),
            self._covered if self._is_only_covered else None,
            tuple(name for name, box in self.stages.items() if box.isChecked()),
            self.language.currentData(),
            self.decimals.value(),
            self.paper.currentData(),
            tuple(self.part.currentData().split("+")),
        )

    @property
    def is_done(self) -> bool:
        """Whether the pages are those of what stands here now."""
        return self._made is not None and not self._rest.isActive() and not self._maker.is_busy

    @property
    def _is_only_covered(self) -> bool:
        return self.only_covered is not None and self.only_covered.isChecked()

    def renew(self) -> None:
        """Make the pages of what stands here now, beside the window's thread."""
        self._rest.stop()
        self._maker.ask(self.order.made)

    def _show(self, made: Made) -> None:
        self._made = made
        self.view.show_pages(made.pages)
        self.problem.setText(problem_text(made.problem))
        self.problem.setVisible(bool(made.problem))
        for button in self._buttons:
            button.setEnabled(not made.problem)
        self.pages_note.setText(self.tr("{count} pages").format(count=len(made.pages)))

    # ---- widgets ----

    def _build(self) -> None:
        self.view = PagesView()
        scroll = QScrollArea()
        scroll.setWidget(self.view)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(320)
        self.problem = QLabel(wordWrap=True)
        self.problem.setObjectName("problem")
        self.pages_note = QLabel()
        side = QVBoxLayout()
        side.setSpacing(10)
        for title, content in (
            (self.tr("Numbers"), self._numbers()),
            (self.tr("To be filled in"), self._blank_boxes()),
            (self.tr("Paper"), self._paper_fields()),
        ):
            heading = QLabel(f"<b>{title}</b>")
            side.addWidget(heading)
            side.addLayout(content)
        side.addWidget(self.problem)
        side.addStretch(1)
        side.addWidget(self.pages_note)
        side.addLayout(self._button_row())
        whole = QHBoxLayout(self)
        whole.addWidget(scroll, 1)
        whole.addLayout(side)
        self.resize(980, 720)

    def _numbers(self) -> QGridLayout:
        self.own = DotButton(self.tr("As in this scene"))
        self.whole = DotButton(self.tr("Small whole numbers"))
        group = QButtonGroup(self)
        for button in (self.own, self.whole):
            group.addButton(button)
        self.own.setChecked(True)
        self.count, self.seed = StepBox(), StepBox()
        self.count.setRange(1, MOST_VERSIONS)
        self.count.setValue(2)
        self.seed.setRange(0, MOST_SEED)
        self.seed.setValue(1)
        layout = QGridLayout()
        layout.addWidget(self.own, 0, 0, 1, 2)
        layout.addWidget(self.whole, 1, 0, 1, 2)
        for row, (text, box) in enumerate(
            ((self.tr("Versions"), self.count), (self.tr("Seed"), self.seed)), 2
        ):
            label = QLabel(text)
            label.setBuddy(box)
            label.setIndent(24)
            layout.addWidget(label, row, 0)
            layout.addWidget(box, row, 1)
        return layout

    def _blank_boxes(self) -> QGridLayout:
        scene = self._trace.scene
        usual = default_stages(scene)
        self.stages: dict[str, TickBox] = {}
        layout = QGridLayout()
        for stage in STAGES:
            if has_step(scene, stage.name):
                box = TickBox(stage_title(stage.name))
                box.setObjectName(f"blank_{stage.name}")
                box.setChecked(stage.name in usual)
                row, col = divmod(len(self.stages), 2)
                layout.addWidget(box, row, col)
                self.stages[stage.name] = box
        self.only_covered: TickBox | None = None
        if self._covered:
            self.only_covered = TickBox(self.tr("Only the covered numbers"))
            self.only_covered.setObjectName("only_covered")
            self.only_covered.setChecked(True)
            layout.addWidget(self.only_covered, layout.rowCount(), 0, 1, 2)
        return layout

    def _paper_fields(self) -> QFormLayout:
        self.paper, self.language, self.part, self.decimals = ChoiceBox(), ChoiceBox(), ChoiceBox(), StepBox()
        self.paper.fill((name, name) for name in PAPERS)
        self.language.fill(language.LANGUAGES.items())
        self.part.fill(
            (
                (f"{EXERCISES}+{ANSWERS}", self.tr("Exercises and answers")),
                (EXERCISES, self.tr("Exercises")),
                (ANSWERS, self.tr("Answers")),
            )
        )
        self.decimals.setRange(0, 4)
        self.decimals.setValue(2)
        fields = QFormLayout()
        for name, label in (
            ("paper", self.tr("Size")),
            ("language", self.tr("Language")),
            ("part", self.tr("Contents")),
            ("decimals", self.tr("Decimals")),
        ):
            getattr(self, name).setObjectName(name)
            fields.addRow(label, getattr(self, name))
        return fields

    def _button_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._buttons: list[QPushButton] = []
        for name, text, form in (
            ("save_pdf", self.tr("Save PDF…"), PDF),
            ("save_markdown", self.tr("Save Markdown…"), MARKDOWN),
            ("print", self.tr("Print…"), PRINT),
        ):
            button = QPushButton(text)
            button.setObjectName(name)
            button.clicked.connect(lambda _on=False, form=form: self._finish(form))
            row.addWidget(button)
            self._buttons.append(button)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        row.addWidget(cancel)
        return row

    def _connect(self) -> None:
        self._enable()
        for toggle in (self.own, self.only_covered, *self.stages.values()):
            if toggle is not None:
                toggle.toggled.connect(self._on_changed)
        for box in (self.count, self.seed, self.decimals):
            box.valueChanged.connect(self._on_changed)
        for choice in (self.paper, self.language, self.part):
            choice.currentIndexChanged.connect(self._on_changed)

    def _on_changed(self) -> None:
        self._enable()
        self._rest.start()

    def _enable(self) -> None:
        for box in (self.count, self.seed):
            box.setEnabled(self.whole.isChecked())
        for tick in self.stages.values():
            tick.setEnabled(not self._is_only_covered)

    def _finish(self, form: str) -> None:
        if not self.is_done:
            self._rest.stop()
            self._maker.forget()
            try:
                self._show(wait_for(self, self.tr("Making the pages …"), self.order.made))
            except CancelledError:
                self.renew()
                return
        if self._made is not None and self._made.pages:
            self.wish = WorksheetWish(self._made.sheets, self._made.pages, self.order.parts, form)
            self._remember()
            self.accept()

    # ---- last time ----

    def _recall(self) -> None:
        american = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
        settings = QSettings()
        for box, key, usual in (
            (self.paper, "paper", "Letter" if american else "A4"),
            (self.language, "language", language.current()),
            (self.part, "part", f"{EXERCISES}+{ANSWERS}"),
        ):
            box.setCurrentIndex(max(0, box.findData(settings.value(f"worksheet/{key}", usual))))

    def _remember(self) -> None:
        fields = (self.paper, "paper"), (self.language, "language"), (self.part, "part")
        values = {f"worksheet/{key}": box.currentData() for box, key in fields}
        turns().add(self.parent() or self, partial(keep, values))  # the disk may need long
