"""Offers the work that earlier programs have left: a word in the banner, and a dialog that lists it."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.document import Document
from explorer.files.recovery import Leftover
from explorer.patience import CancelledError
from explorer.post import post
from explorer.scene import Scene
from explorer.ui import language, theme
from explorer.ui.main_window import MainWindow
from explorer.ui.problems import problem_text
from explorer.ui.recovery import Claim, claim_all
from explorer.ui.texts import scene_title

Open = Callable[[MainWindow, Claim, Scene], None]


class Leftovers(QObject):
    """Claims what was left, and speaks of it in a window; `open_` shows one of it. Lives with the Document, so that
    a window made anew in another language can go on.

    What was left may be large: it is read beside the window's thread, `searching` until that is done.
    """

    def __init__(self, document: Document, open_: Open, folder: Path | None = None) -> None:
        super().__init__(document)
        self._open_one = open_
        self.claims: list[Claim] = []
        self.searching = True
        self._closed = Event()
        self._post = post()
        self._thread = Thread(target=self._search, args=(folder,), name="leftovers")
        self._thread.start()
        self.dialog: LeftoversDialog | None = None
        self._window: MainWindow | None = None
        self._said = ""

    def show_in(self, window: MainWindow) -> None:
        """Speak in the banner of `window` from now on."""
        self._window = window
        window.closed.connect(self.close)
        self._offer()

    def close(self) -> None:
        """Nothing is offered any more; another process may."""
        self._closed.set()
        self._thread.join()
        self._give_up(self.claims)
        self.claims = []

    def _search(self, folder: Path | None) -> None:
        try:
            claims = claim_all(folder, self._going_on)
        except CancelledError:
            return
        if self._closed.is_set():  # nobody listens any more
            self._give_up(claims)
        else:
            self._post.bring(self, lambda: self._receive(claims))

    def _going_on(self) -> None:
        if self._closed.is_set():
            raise CancelledError

    def _receive(self, claims: list[Claim]) -> None:
        self.searching = False
        if self._closed.is_set():
            self._give_up(claims)
            return
        self.claims = claims
        if self._window is not None:
            self._offer()

    @staticmethod
    def _give_up(claims: list[Claim]) -> None:
        for claim in claims:
            claim.lock.unlock()

    def _offer(self) -> None:
        """The banner says what is left; nothing where nothing is."""
        assert self._window is not None
        if self._said:
            self._window.banner.withdraw(self._said)
            self._said = ""
        if len(self.claims) == 1:
            (claim,) = self.claims
            sentence = self.tr(
                "“{title}” was not saved when the program ended; its last state is still there."
            )
            left = claim.leftover  # by what it bears in the title bar: its file, before its title
            self._said = sentence.format(title=name_of(left) if left.origin is None else left.origin.name)
        elif self.claims:
            sentence = self.tr(
                "{count} scenes were not saved when the program ended; their last state is still there."
            )
            self._said = sentence.format(count=len(self.claims))
        else:
            return
        choices = [(self.tr("Show…"), self.show)]
        if len(self.claims) == 1 and self.claims[0].leftover.problem is None:
            choices.insert(0, (self.tr("Open"), lambda: self.open(self.claims[0])))
        self._window.banner.ask(self._said, *choices)

    def show(self) -> None:
        """The list."""
        if self._window is None or self.dialog is not None:
            return
        self.dialog = LeftoversDialog(self.claims, self._window)
        self.dialog.open_asked.connect(self.open)
        self.dialog.discard_asked.connect(self.discard)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def open(self, claim: Claim) -> None:
        """Show one in a window; where it turns out to be damaged, it says so and stays."""
        assert self._window is not None
        text = self.tr("Opening {name} …").format(name=name_of(claim.leftover))
        scene = self._window.files.waiting(text, claim.leftover.load)
        if scene is None:
            return
        self._forget(claim)
        self._open_one(self._window, claim, scene)

    def discard(self, claim: Claim) -> None:
        """Delete one."""
        self._forget(claim)
        claim.discard()

    def _forget(self, claim: Claim) -> None:
        self.claims = [other for other in self.claims if other is not claim]
        if self.dialog is not None:
            self.dialog.remove(claim)
        else:
            self._offer()

    def _on_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
        self._offer()


class LeftoversDialog(QDialog):
    """One row for each: what it is, from when, and what to do with it."""

    open_asked = Signal(object)  # Claim
    discard_asked = Signal(object)

    def __init__(self, claims: list[Claim], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("leftovers")
        self.setWindowTitle(self.tr("Unsaved work"))
        self._rows: dict[Claim, QWidget] = {}
        told = QLabel(
            self.tr(
                "The program ended before these scenes were saved. What is left here waits for the next start."
            )
        )
        told.setWordWrap(True)
        rows = QWidget()
        self._list = QVBoxLayout(rows)
        self._list.setContentsMargins(0, 0, 0, 0)
        for claim in claims:
            self._rows[claim] = self._row(claim)
            self._list.addWidget(self._rows[claim])
        self._list.addStretch(1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(rows)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._all = buttons.addButton(self.tr("Open all"), QDialogButtonBox.ButtonRole.ActionRole)
        self._all.setObjectName("open_all")
        self._all.setVisible(len(self._whole) > 1)
        self._all.clicked.connect(self._open_all)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(told)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)
        unit = self.fontMetrics().height()
        self.resize(36 * unit, min(9 + 4 * len(claims), 34) * unit)

    @property
    def _whole(self) -> list[Claim]:
        return [claim for claim in self._rows if claim.leftover.problem is None]

    def remove(self, claim: Claim) -> None:
        """It is settled; with the last one the dialog closes."""
        row = self._rows.pop(claim, None)
        if row is not None:
            row.hide()
            row.deleteLater()
        self._all.setVisible(len(self._whole) > 1)
        if not self._rows:
            self.accept()

    def _open_all(self) -> None:
        for claim in self._whole:
            self.open_asked.emit(claim)

    def _row(self, claim: Claim) -> QWidget:
        left = claim.leftover
        title = QLabel(name_of(left))
        title.setTextFormat(Qt.TextFormat.PlainText)
        bold = theme.ui_font()
        bold.setBold(True)
        title.setFont(bold)
        what = QLabel(_details(left), wordWrap=True)
        what.setTextFormat(Qt.TextFormat.PlainText)
        what.setFont(theme.ui_font(0.92))
        palette = what.palette()
        colours = theme.current()
        palette.setColor(what.foregroundRole(), colours.muted if left.problem is None else colours.error)
        what.setPalette(palette)
        text = QVBoxLayout()
        text.setSpacing(1)
        text.addWidget(title)
        text.addWidget(what)
        row = QFrame()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 4, 6, 4)
        line.addLayout(text, 1)
        for name, words, asked in (
            ("open", self.tr("Open"), self.open_asked),
            ("discard", self.tr("Discard"), self.discard_asked),
        ):
            button = QPushButton(words)
            button.setObjectName(f"{name}_{left.id}")
            button.setAccessibleName(f"{words}: {name_of(left)}")
            button.setAutoDefault(False)
            button.setEnabled(name == "discard" or left.problem is None)
            button.clicked.connect(lambda _checked, asked=asked: asked.emit(claim))
            line.addWidget(button)
        return row


def name_of(left: Leftover) -> str:
    """Its title, else its file's name."""
    untitled = QCoreApplication.translate("LeftoversDialog", "Untitled")
    return scene_title(left.title) or (left.origin.name if left.origin is not None else untitled)


def _details(left: Leftover) -> str:
    """When it was changed last, and where it belongs; or what is wrong with it."""
    locale = QLocale(language.current())
    time = locale.toString(QDateTime.fromSecsSinceEpoch(int(left.time)), QLocale.FormatType.ShortFormat)
    if left.problem is not None:
        return QCoreApplication.translate("LeftoversDialog", "{time} · damaged: {problem}").format(
            time=time, problem=problem_text(left.problem)
        )
    if left.origin is None:
        return QCoreApplication.translate("LeftoversDialog", "{time} · never saved").format(time=time)
    return f"{time} · {left.origin}"
