"""The composition root: the one place that knows everybody."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

if sys.platform == "win32":
    import torch  # noqa: F401  there, torch fails to load once Qt has been (pytorch issue 166628)

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from explorer import plain_imports, resources  # the first of ours, before the modules that it is about
from explorer.attention.streamed import TooLargeError
from explorer.document import Document
from explorer.engine import Engine
from explorer.files.session import SessionError, load
from explorer.scene import Scene
from explorer.ui import language, theme
from explorer.ui.actions import first_scene
from explorer.ui.handover import Handover
from explorer.ui.leftovers import Leftovers
from explorer.ui.main_window import MainWindow
from explorer.ui.problems import problem_text
from explorer.ui.recovery import Claim, Recovery
from explorer.ui.turns import turns
from explorer.ui.veil import Seen, Veil
from explorer.ui.waiting import Deaf

plain_imports.over()

NAME = "attention-explorer"
# On Linux. With them torch's blocks of large heads cost a third, and a trace is let go of in a few milliseconds instead
# of fifty, for which the window would wait.
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
GARBAGE = (
    10_000  # objects made, until those that hold one another are looked for: 700 are made by every other edit
)
TURN_S = 0.0001  # so long at most a thread that computes keeps the window's waiting, each time that it wants a turn


def open_window(path: Path | str | None = None) -> MainWindow:
    """A window on the session at `path`, or on the two-token example; shown, and computing once painted.

    Needs a QApplication. A session that cannot be opened is named in the window, which then shows the example.
    """
    language.apply()
    theme.prepare()
    window = _new_window()
    if path is not None:
        window.files.open(Path(path), ask=False)
    left = Leftovers(window.document, _open_left)
    left.show_in(window)
    return window


def _new_window() -> MainWindow:
    document = Document(load(first_scene()))
    Recovery(document)
    return _window_on(document, Engine(document))


def _window_on(document: Document, engine: Engine) -> MainWindow:
    window = MainWindow(document, engine)
    _connect(window)
    window.wardrobe.dress()
    window.show()
    return window


def _connect(window: MainWindow) -> None:
    document = window.document
    window.remake_asked.connect(lambda: _remake(window))
    recovery = document.findChild(Recovery)
    window.closed.connect(recovery.close)
    recovery.problem.connect(window.banner.warn)
    recovery.solved.connect(window.banner.withdraw)
    recovery.repeat()
    if (left := document.findChild(Leftovers)) is not None:
        left.show_in(window)


def _open_left(near: MainWindow, claim: Claim, scene: Scene) -> None:
    """Work that an earlier program left: in the window that speaks of it, if nothing was done there yet."""
    document = near.document
    untouched = not document.modified and document.path is None and not document.undo_stack.count()
    window = near if untouched and not document.is_aside else _new_window()
    if window is not near:
        window.move(near.pos() + QPoint(30, 30))
    document = window.document
    document.findChild(Recovery).adopt(claim)
    document.open(scene, claim.leftover.origin, claim.leftover.stamp, unsaved=True)


def _remake(window: MainWindow) -> None:
    """The same Document in a new window, all of whose texts are in the language chosen meanwhile."""
    Deaf(window).begin()
    turns().go_through(turns(), _remaking(window))


def _remaking(old: MainWindow) -> Iterator[None]:
    """In steps, for it takes long. Until the new window is complete nothing that is seen changes; then it stands over
    the old one, and shows what that has shown until each part of it is painted.
    """
    parts, seen = old.wardrobe.parts_in_view(), []
    for part in parts:
        seen.append(Seen.of(part))
        yield
    handover = Handover.of(old)
    drawn = old.maps.drawn
    document, engine = old.release()
    document.findChild(Recovery).listen()
    language.apply()
    new = MainWindow(document, engine, at_once=False)
    for _ in new.making:
        yield
    _connect(new)
    for part in new.wardrobe.parts():
        new.wardrobe.welcome(part)
        part.ensurePolished()
        yield
    new.ensurePolished()
    yield
    new.layout().activate()  # so that there is less to be done when it is shown
    yield
    turns().hold(new.centralWidget())
    veils = [Veil(new, each) for each in seen]
    new.show()
    yield
    handover.to(new)
    yield
    old.hide()
    for part, veil in zip(parts, veils, strict=True):
        yield
        veil.hide()
        veil.deleteLater()
        if part is old.centralWidget():
            new.maps.go_on_from(drawn)
    engine.check_again()
    yield
    old.deleteLater()


def application(arguments: list[str] | None = None) -> QApplication:
    """The one QApplication, named so that its settings have a place."""
    sys.setswitchinterval(TURN_S)
    if HUGE_PAGES.exists():  # torch, which is loaded later, warns where there are none
        os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
    # Qt would share out even the stripes of a progress bar among threads of its own, and the window would wait for them
    # behind all that computes.
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
    gc.set_threshold(GARBAGE)
    QCoreApplication.setOrganizationName(NAME)
    QCoreApplication.setApplicationName(NAME)
    app = QApplication.instance() or QApplication(arguments or sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationDisplayName("Attention Explorer")
    app.setDesktopFileName(NAME)
    app.setWindowIcon(QIcon(str(resources.path("icons", f"{NAME}.svg"))))
    return app


def main(
    session: Path | None = None, lesson: str | None = None, present: bool = False, lang: str | None = None
) -> int:
    """Open the window and run until it is closed; the exit status. Raises SessionError for an unusable `session`.

    `lang` is a key of ui.language.LANGUAGES, for this run alone.
    """
    if session is not None:
        load(session)  # from a command line, bad input is answered there, before a window opens
    app = application()
    if lang is not None:
        language.speak(lang)
    window = open_window(session)
    if lesson is not None:
        QTimer.singleShot(0, window, lambda: window.lessons.open(lesson))
    if present:
        QTimer.singleShot(0, window, window.present)
    sys.excepthook = _say_in_window
    status = app.exec()
    # What was closed is deleted now, while everything it may ask for is still there.
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return status


def _say_in_window(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of ours, in a slot: on stderr for whoever mends it, in one sentence for whoever works."""
    sys.__excepthook__(kind, error, trace)
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow) and window.isVisible():
            if isinstance(error, TooLargeError):
                window.banner.say(problem_text(str(error)))
                continue
            sentence = QCoreApplication.translate(
                "Main", "Something went wrong inside the program ({what}). Your work is still here; save it."
            )
            window.banner.say(sentence.format(what=f"{kind.__name__}: {error}"[:200]))


__all__ = ["SessionError", "application", "main", "open_window"]
