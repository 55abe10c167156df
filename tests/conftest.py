"""What every test runs in: no screen needed, nobody's settings touched, nothing left behind."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partialmethod

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

# "ci" tries the same examples every time; "explore" looks for new ones: HYPOTHESIS_PROFILE=explore
settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", parent=settings.get_profile("default"), deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

GRACE = 30.0  # seconds in which a thread that was told to stop has stopped: the machine may be busy
PATIENCE = 30_000  # milliseconds in which what a test waits for has come, unless it says otherwise


def pytest_configure(config: pytest.Config) -> None:
    """Before anything of Qt is imported: what it, and every program that a test starts, finds around it."""
    home = tempfile.TemporaryDirectory(prefix="attention-explorer-tests-")
    config.add_cleanup(home.cleanup)
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{kind}_HOME"] = os.path.join(home.name, kind.lower())
    os.environ["LC_ALL"] = "C.UTF-8"  # English, a decimal point
    os.environ.pop("LANGUAGE", None)  # Qt lets it decide before LC_ALL
    if sys.platform == "linux":
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_sessionfinish() -> None:
    """Offscreen the clipboard outlives Python, and what a test copied to it would be deleted without an interpreter."""
    if "PySide6.QtGui" in sys.modules:
        from PySide6.QtGui import QGuiApplication

        if QGuiApplication.instance() is not None:
            QGuiApplication.clipboard().clear()


class PatientQtBot(QtBot):
    """Of itself it waits five seconds, which is nothing where others have the machine."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=PATIENCE)
    waitSignal = partialmethod(QtBot.waitSignal, timeout=PATIENCE)
    waitActive = partialmethod(QtBot.waitActive, timeout=PATIENCE)
    waitExposed = partialmethod(QtBot.waitExposed, timeout=PATIENCE)


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)


@pytest.fixture(autouse=True)
def seeded() -> None:
    """A test draws the same numbers whichever has run before it."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.manual_seed(0)


@pytest.fixture(autouse=True)
def isolated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings and standard folders of a test's own; the next test starts without them."""
    if not uses_qt(request):
        return
    from PySide6.QtCore import QSettings, QStandardPaths

    if sys.platform != "linux":  # there the folders named in pytest_configure count, also for child processes
        QStandardPaths.setTestModeEnabled(True)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    folder = str(tmp_path_factory.mktemp("settings"))
    for format in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(format, QSettings.Scope.UserScope, folder)
    from explorer.ui.preferences import preferences

    preferences().forget()


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest, isolated: None) -> Iterator[None]:
    """A test that leaves a window or a running thread behind fails."""
    threads = set(threading.enumerate())
    if uses_qt(request):
        request.getfixturevalue("qapp")
        windows = top_level_widgets()
        yield
        left = left_windows(windows) + running_qthreads()
        end_pool()
    else:
        yield
        left = []
    left += left_threads(threads)
    assert not left, f"left behind: {', '.join(left)}"


def end_pool() -> None:
    """Its threads stay as long as the program runs, but are at rest."""
    if "explorer.ui.waiting" in sys.modules:
        from explorer.ui.waiting import pool

        if pool.cache_info().currsize:
            pool().shutdown(wait=False)
            pool.cache_clear()


def uses_qt(request: pytest.FixtureRequest) -> bool:
    return "qapp" in request.fixturenames  # qtbot asks for it too


def top_level_widgets() -> set[object]:
    from PySide6.QtWidgets import QApplication

    # QTipLabel: Qt makes one for all tool tips and keeps it.
    return {w for w in QApplication.topLevelWidgets() if w.metaObject().className() != "QTipLabel"}


def left_windows(before: set[object]) -> list[str]:
    """Windows that outlive their test, when what Qt and Python have put off deleting is deleted."""
    from PySide6.QtCore import QCoreApplication, QEvent

    if "explorer.ui.turns" in sys.modules:  # a window is deleted some turns after it was closed
        turns = sys.modules["explorer.ui.turns"].turns()
        while turns.busy:
            QCoreApplication.processEvents()
    for collect in (lambda: 0, gc.collect):  # collecting takes long with torch loaded: only if it matters
        collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        left = top_level_widgets() - before
        if not left:
            break
    return [repr(window) for window in left]


def running_qthreads() -> list[str]:
    from PySide6.QtCore import QThread

    mine = [o for o in gc.get_objects() if issubclass(type(o), QThread) and o != QThread.currentThread()]
    return [repr(thread) for thread in mine if not thread.wait(int(GRACE * 1000))]


def left_threads(before: set[threading.Thread]) -> list[str]:
    left = []
    for thread in set(threading.enumerate()) - before:
        if isinstance(thread, threading._DummyThread):
            continue  # Python's view of a QThread or of torch's own threads, whose end it does not see
        thread.join(GRACE)
        if thread.is_alive():
            left.append(repr(thread))
    return left


@pytest.fixture(scope="session")
def xvfb() -> Iterator[str]:
    """The name of an X display that nobody looks at, for programs started with QT_QPA_PLATFORM=xcb."""
    server = shutil.which("Xvfb")
    assert server, "Xvfb is missing: on Debian or Ubuntu, sudo apt-get install xvfb"
    command = [server, "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        number = process.stdout.readline().strip()  # written once the server accepts programs
        assert number, "Xvfb did not start"
        yield f":{number}"
        process.terminate()
