"""A worksheet put together: whose numbers, what is left blank, for what paper; with its pages beside it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

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

from explorer import attention
from explorer.attention.trace import STAGES, Cell, Trace
from explorer.files.worksheet import Sheet, WorksheetError, blanks_of, default_stages, versions, worksheet
from explorer.files.worksheet.blanks import has_step
from explorer.files.worksheet.markdown import ANSWERS, EXERCISES
from explorer.ui import language
from explorer.ui.boxes import ChoiceBox, DotButton, StepBox, TickBox
from explorer.ui.export.pages_view import PagesView
from explorer.ui.paper.ink import PAPERS
from explorer.ui.paper.sheets import Page, pages
from explorer.ui.problems import problem_text
from explorer.ui.texts import scene_title, stage_title

MOST_VERSIONS, MOST_SEED = 26, 999_999
REST_MS = 150  # after the last change, before the pages are made anew
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
        self._sheets: list[Sheet] = []
        self._pages: list[Page] = []
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.renew)
        self._build()
        self._recall()
        self._connect()
        self.renew()

    # ---- what stands in it ----

    def sheets(self) -> list[Sheet]:
        """One per version. Raises WorksheetError."""
        if self.own.isChecked():
            return [self._sheet("", self._trace)]
        self._sheet("", self._trace)  # before versions are looked for: is there room for such a scene?
        made = versions(self._trace.scene, self.count.value(), self.seed.value())
        return [self._sheet(letter, attention.attend(scene)) for letter, scene in made]

    def parts(self) -> tuple[str, ...]:
        """Exercises, answers or both."""
        return tuple(self.part.currentData().split("+"))

    def _sheet(self, letter: str, trace: Trace) -> Sheet:
        title = scene_title(trace.scene.title)
        return worksheet(
            trace, self._blanks(trace), self.language.currentData(), title, letter, self.decimals.value()
        )

    def _blanks(self, trace: Trace) -> Collection[Cell]:
        if self.only_covered is not None and self.only_covered.isChecked():
            return self._covered
        return blanks_of(trace, [name for name, box in self.stages.items() if box.isChecked()])

    def renew(self) -> None:
        """Make the pages of what stands here now."""
        self._rest.stop()
        try:
            self._sheets = self.sheets()
            self._pages = pages(self._sheets, self.paper.currentData(), self.parts())
            problem = ""
        except WorksheetError as error:
            self._sheets, self._pages, problem = [], [], problem_text(str(error))
        self.view.show_pages(self._pages)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        for button in self._buttons:
            button.setEnabled(not problem)
        self.pages_note.setText(self.tr("{count} pages").format(count=len(self._pages)))

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
            tick.setEnabled(self.only_covered is None or not self.only_covered.isChecked())

    def _finish(self, form: str) -> None:
        if self._rest.isActive():
            self.renew()
        if self._pages:
            self.wish = WorksheetWish(self._sheets, self._pages, self.parts(), form)
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
        for box, key in ((self.paper, "paper"), (self.language, "language"), (self.part, "part")):
            QSettings().setValue(f"worksheet/{key}", box.currentData())
