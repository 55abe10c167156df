"""Lines of LaTeX set by ziamath when there is nothing else to do.

A line takes ziamath some 5 to 80 ms, in a thread beside the window's. It is set in one ink and one size and kept: size
and colour are a matter of painting.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from threading import Lock, Thread
from typing import Protocol
from weakref import WeakSet

from PySide6.QtCore import QByteArray, QObject, QRectF, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgRenderer
from shiboken6 import isValid

from explorer.post import post

EM = 24.0  # px at which ziamath is asked for a line
INK = "#010203"  # stands for the colour of the text
IDLE_MS = 150  # so long without a new wish
KEPT = 600  # lines

_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


@dataclass(frozen=True)
class Line:
    """A typeset line; lengths in em, `ascent` above and `descent` below the baseline."""

    svg: str
    width: float
    ascent: float
    descent: float


_lines: dict[str, Line | None] = {}


def found(latex: list[str]) -> dict[str, Line | None] | None:
    """These lines, as far as ziamath could set them; None as long as one has not been tried."""
    return {each: _lines[each] for each in latex} if all(each in _lines for each in latex) else None


def kept(latex: str) -> Line | None:
    """A line, if it has been set."""
    return _lines.get(latex)


def typeset(latex: str) -> Line | None:
    """A line, from ziamath or from the ones kept; None where ziamath cannot set it. Imports ziamath."""
    if latex not in _lines:
        _keep(latex, _set(latex))
    return _lines[latex]


def _keep(latex: str, line: Line | None) -> None:
    if len(_lines) >= KEPT:
        for old in list(_lines)[: KEPT // 3]:
            del _lines[old]
    _lines[latex] = line


_one_at_a_time = Lock()


def _set(latex: str) -> Line | None:
    with _one_at_a_time:
        ziamath = import_module("ziamath")
        ziamath.config.svg2 = False  # otherwise Qt draws nothing but the lines of fractions
        ziamath.config.precision = 2
        try:
            svg = str(ziamath.Latex(latex, size=EM, color=INK).svg())
        except Exception:  # a parser fed with what a person named a token: the rich text stays
            return None
    box = _VIEW_BOX.search(svg)
    if box is None:
        return None
    _left, top, width, height = map(float, box.groups())
    return Line(svg, width / EM, -top / EM, (top + height) / EM)


@lru_cache(maxsize=256)
def _renderer(line: Line, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(line.svg.replace(INK, colour).encode()))


def paint(painter: QPainter, box: QRectF, line: Line, colour: QColor) -> None:
    """Draw a line into `box`."""
    _renderer(line, colour.name()).render(painter, box)


class Waiting(Protocol):
    """Somebody who waits for lines."""

    def typeset_lines(self) -> list[str]:
        """The lines."""

    def on_typeset(self) -> None:
        """They are there."""


class Typesetter(QObject):
    """Sets the lines that views wait for, one at a time, once nothing new was wanted for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: WeakSet[Waiting] = WeakSet()
        self._running = False
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._go_on)
        self._post = post()

    def want(self, view: Waiting, soon: bool = False) -> None:
        """Set what `view` shows, and tell it; `soon`: without a rest first."""
        self._waiting.add(view)
        self._rest.start(0 if soon else IDLE_MS)

    @property
    def idle(self) -> bool:
        """Whether nothing is waited for."""
        return not self._waiting

    def _go_on(self) -> None:
        if self._running:
            return  # `_receive` comes back
        for view in list(self._waiting):
            if not isValid(view):  # its window has been closed
                self._waiting.discard(view)
                continue
            missing = next((line for line in view.typeset_lines() if line not in _lines), None)
            if missing is not None:
                self._running = True
                Thread(target=self._run, args=(missing,), name="ziamath").start()
                return
            self._waiting.discard(view)
            view.on_typeset()

    def _run(self, latex: str) -> None:
        line = _set(latex)
        self._post.bring(self, lambda: self._receive(latex, line))

    def _receive(self, latex: str, line: Line | None) -> None:
        self._running = False
        _keep(latex, line)
        if not self._rest.isActive():  # else somebody types: it is gone on with when that rests
            self._rest.start(0)


@cache
def typesetter() -> Typesetter:
    """The one Typesetter."""
    return Typesetter()
