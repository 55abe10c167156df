"""The facts of the scene below the window: sizes, precision, time, and whether torch's own attention agrees."""

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from explorer.attention.cost import CPU, DEVICE_NAMES
from explorer.attention.trace import Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.ui import theme
from explorer.ui.problems import problem_text

SIDE, BETWEEN = 10, 18  # pixels
PAUSE_MS = 100  # between two times: nobody reads them faster
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_text(value: float) -> str:
    """'2·10⁻¹⁶'; '0' for 0."""
    if value == 0 or value != value:
        return "0" if value == 0 else "NaN"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def duration_text(seconds: float) -> str:
    """'0.2 ms', '12 ms', '1.4 s'."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"


def _place_text(trace: Trace) -> str:
    """Where a large scene is computed, if somebody has chosen: 'CUDA', or why it is not."""
    large = trace.large
    if large is None or (large.device == CPU and not large.note):
        return ""
    return problem_text(large.note.removesuffix(".")) or DEVICE_NAMES[large.device]


class StatusFacts(QWidget):
    """Listens to the Document and the Engine, and writes one line."""

    def __init__(self, document: Document, engine: Engine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._engine = document, engine
        self._agreement: Any = None
        self._shown_otherwise = False
        self._blind = ""
        self._said: tuple[object, ...] = ()  # what `_show_check` has shown
        self._facts, self._time, self._check, self._file = QLabel(), QLabel(), QLabel(), QLabel()
        self._labels = (self._facts, self._time, self._check, self._file)
        self._colour = ""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._show_time)
        for label in self._labels:
            label.setParent(self)
        self._facts.setObjectName("facts")
        self._check.setObjectName("agreement")
        document.changed.connect(self._on_changed)
        document.file_changed.connect(self._show_file)
        engine.finished.connect(self._on_finished)
        engine.checked.connect(self._on_checked)
        engine.busy_changed.connect(self._on_busy)
        theme.watcher().changed.connect(self._show_check)
        self.setAutoFillBackground(True)  # so that nothing is painted behind it
        self._on_changed()
        self._show_file()
        if engine.trace is None:
            self._time.setText(self.tr("loading torch …"))
        else:  # a window in another language
            self._on_finished(0, engine.trace)
            self._show_time()

    def set_shown_otherwise(self, otherwise: bool) -> None:
        """Whether the panels show something else than what was computed; the check must not seem to vouch for that."""
        if otherwise != self._shown_otherwise:
            self._shown_otherwise = otherwise
            self._show_check()

    # ---- place ----
    # By hand: a layout would have the whole window laid out anew for each word that changes here. Too narrow a window
    # cuts the line.

    def sizeHint(self) -> QSize:
        return QSize(200, max(label.sizeHint().height() for label in self._labels) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())  # else the bar is lower while it says something

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
            return True
        return super().event(event)

    def _place(self) -> None:
        left, right = SIDE, self.width() - SIDE
        for label in (self._facts, self._time, self._check):
            width = max(0, min(label.sizeHint().width(), right - left))
            label.setGeometry(left, 0, width, self.height())
            left += width + BETWEEN if label.text() else 0
        width = max(0, min(self._file.sizeHint().width(), right - left))
        self._file.setGeometry(right - width, 0, width, self.height())

    # ---- what it says ----

    def _on_changed(self, *_scenes: object) -> None:
        scene = self._document.scene
        facts = [f"n = {scene.n}"]
        if scene.is_cross:
            facts.append(f"m = {scene.m}")
        facts.append(f"d_model = {scene.d_model}")
        if scene.is_cross and scene.d_context != scene.d_model:
            facts.append(f"d_context = {scene.d_context}")
        facts.append(self.tr("heads {count}").format(count=scene.heads))
        if scene.groups != scene.heads:
            facts.append(self.tr("K/V heads {count}").format(count=scene.groups))
        facts += [f"d_k = {scene.d_k}", f"d_v = {scene.d_v}", scene.dtype]
        self._facts.setText(" · ".join(facts))

    def _on_busy(self, busy: bool) -> None:
        if busy and self._engine.trace is not None:
            self._time.setText(self.tr("computing …"))

    def _show_time(self) -> None:
        trace = self._engine.trace
        if trace is not None and not self._engine.busy:
            self._time.setText(" · ".join(filter(None, (duration_text(trace.seconds), _place_text(trace)))))

    def _on_finished(self, _generation: int, trace: Trace) -> None:
        if trace.large is not None:
            self._show_time()  # and where it was computed
        elif not self._pause.isActive():
            self._pause.start()
        self._agreement = None
        self._blind = ""
        if trace.blind.any():
            blind = [
                label
                for label, is_blind in zip(trace.scene.tokens, trace.blind.tolist(), strict=True)
                if is_blind
            ]
            names = ", ".join(blind[:4]) + (" …" if len(blind) > 4 else "")
            one, several = self.tr("{rows} attends to nothing"), self.tr("{rows} attend to nothing")
            self._blind = (one if len(blind) == 1 else several).format(rows=names)
        self._show_check()

    def _on_checked(self, _generation: int, agreement: Any) -> None:
        self._agreement = agreement
        self._show_check()

    def _show_check(self) -> None:
        colours = theme.current()
        said = (self._agreement, self._blind, self._shown_otherwise, colours.name)
        if said == self._said:
            return
        self._said = said
        colour, text, tip = colours.muted, "", ""
        if self._agreement is not None:
            checks = (self._agreement.sdpa, self._agreement.mha)
            tip = "\n".join(self._line(check) for check in checks)
            usable = [check for check in checks if check.difference is not None]
            if not usable:
                text = self.tr("torch has no function for this scene")
            elif all(check.agrees for check in usable) and self._shown_otherwise:
                text = self.tr("not what is shown: the right computation agrees with torch {name}")
            elif all(check.agrees for check in usable):
                colour = colours.good
                text = self.tr("✓ agrees with torch {name}, max|Δ| {difference}")
            else:
                colour = colours.error
                text = self.tr("✗ differs from torch {name}, max|Δ| {difference}")
            if usable:
                worst = max(check.difference for check in usable)
                names = " + ".join("SDPA" if "scaled" in check.name else "MHA" for check in usable)
                text = text.format(name=names, difference=power_text(worst))
                if (sample := self._agreement.queries) < self._engine.trace.scene.n:
                    text += self.tr(" in {count} sampled rows").format(count=sample)
        self._check.setText("   ".join(filter(None, (self._blind, text))))
        self._check.setToolTip(tip)
        if colour.name() != self._colour:  # a style sheet costs more than all the rest
            self._colour = colour.name()
            self._check.setStyleSheet(f"color: {self._colour};")

    def _line(self, check: Any) -> str:
        if check.difference is None:
            return self.tr("{name}: not comparable, {reason}").format(
                name=check.name, reason=problem_text(check.reason)
            )
        return f"{check.name}: max|Δ| {check.difference:.3g}"

    def _show_file(self) -> None:
        path = self._document.path
        name = self.tr("not saved yet") if path is None else path.name
        state = self.tr("modified") if self._document.modified else self.tr("saved")
        text = name if path is None and not self._document.modified else f"{name} · {state}"
        if path is None and self._document.is_aside:  # nobody should think that it has to be saved
            text = self.tr("your own scene is kept")
        self._file.setText(text)
        self._file.setToolTip("" if path is None else str(path))
        self._file.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
