"""Steps in turns of the event loop: one each, in order, and painting when they are done."""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.turns import turns


def test_something_else_has_its_turn_between_two_steps(qtbot: QtBot) -> None:
    seen: list[str] = []
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: seen.append("beat"))
    beat.start()
    owner = QObject()
    for name in "abc":
        turns().add(owner, lambda name=name: seen.append(name))
    qtbot.waitUntil(lambda: "c" in seen)
    beat.stop()
    steps = [at for at, name in enumerate(seen) if name in "abc"]
    assert [seen[at] for at in steps] == ["a", "b", "c"]
    assert all("beat" in seen[before:after] for before, after in zip(steps, steps[1:], strict=False))


def test_what_is_gone_is_left_alone(qtbot: QtBot) -> None:
    seen: list[str] = []
    gone, there = QObject(), QObject()
    turns().add(gone, lambda: seen.append("gone"))
    turns().add(there, lambda: seen.append("there"))
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: "there" in seen)
    assert seen == ["there"]


def test_a_widget_is_painted_after_the_steps_of_its_turn(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    painted: list[bool] = []
    note: Callable[[], None] = lambda: painted.append(widget.updatesEnabled())  # noqa: E731
    turns().hold(widget)
    assert not widget.updatesEnabled()
    turns().add(widget, note)
    turns().add(widget, note)
    qtbot.waitUntil(widget.updatesEnabled)
    assert painted == [False, False]


class _Painted(QWidget):
    """Counts how often it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.times += 1


def test_a_window_is_painted_that_is_shown_while_it_waits(qtbot: QtBot) -> None:
    window = _Painted()
    qtbot.addWidget(window)
    window.show()
    turns().hold(window)
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: window.times > 0)


def test_what_is_held_waits_longer_once(qtbot: QtBot) -> None:
    window, done = QWidget(), []
    part = QWidget(window)
    qtbot.addWidget(window)
    assert not turns().hold_longer(part)

    def more() -> None:
        assert turns().hold_longer(part) and not turns().hold_longer(part)
        for name in "ab":
            turns().add(part, lambda name=name: done.append((name, window.updatesEnabled())))

    for _ in range(2):  # the next time, too
        done.clear()
        turns().hold(window)
        turns().add(part, more)
        qtbot.waitUntil(window.updatesEnabled)
        assert done == [("a", False), ("b", False)] and not turns().hold_longer(part)


def test_a_window_that_waited_is_painted_once_with_all_in_it(qtbot: QtBot) -> None:
    window = _Painted()
    part = _Painted()
    part.setParent(window)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: part.times > 0)
    window.times = part.times = 0
    turns().hold(window)
    turns().add(window, window.update)
    qtbot.waitUntil(lambda: window.times > 0 and not turns().busy)
    assert (window.times, part.times) == (1, 1)
    assert window.updatesEnabled() and part.updatesEnabled()
