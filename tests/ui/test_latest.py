"""Of what is asked of a thread the last wins."""

import threading

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from explorer.patience import GoingOn
from explorer.ui.latest import Latest


def test_the_last_task_wins_and_the_first_ends_soon(qtbot: QtBot, qapp: QApplication) -> None:
    parent = QObject()
    latest, made = Latest(parent), []
    latest.made.connect(made.append)
    begun, threads = threading.Event(), []

    def endless(going_on: GoingOn) -> str:
        threads.append(threading.current_thread())
        begun.set()
        while True:
            going_on()

    latest.ask(endless)
    assert begun.wait(5) and latest.is_busy
    latest.ask(lambda _going_on: "never begun")
    latest.ask(lambda _going_on: "the last")
    qtbot.waitUntil(lambda: not latest.is_busy)
    assert made == ["the last"] and threads[0] is not threading.main_thread()


def test_what_is_forgotten_does_not_come(qtbot: QtBot, qapp: QApplication) -> None:
    parent = QObject()
    latest, made, gate = Latest(parent), [], threading.Event()
    latest.made.connect(made.append)
    latest.ask(lambda _going_on: gate.wait(5))
    latest.forget()
    assert not latest.is_busy
    gate.set()
    latest.ask(lambda _going_on: "another")
    qtbot.waitUntil(lambda: bool(made))
    assert made == ["another"]


def test_what_a_task_raises_is_raised_in_the_windows_thread(qtbot: QtBot, qapp: QApplication) -> None:
    parent = QObject()
    latest = Latest(parent)

    def fail(_going_on: GoingOn) -> None:
        raise KeyError("here")

    with capture_exceptions() as raised:
        latest.ask(fail)
        qtbot.waitUntil(lambda: not latest.is_busy)
        qtbot.waitUntil(lambda: bool(raised))
    assert raised[0][0] is KeyError
    with pytest.raises(IndexError):
        raised[1]
