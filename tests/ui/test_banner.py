"""What the banner says, in what order, and what its buttons do."""

import pytest
from pytestqt.qtbot import QtBot

from explorer.ui.banner import Banner


@pytest.fixture
def banner(qtbot: QtBot) -> Banner:
    banner = Banner()
    qtbot.addWidget(banner)
    return banner


def buttons(banner: Banner) -> list[str]:
    return [button.text() for button in (banner._action, banner._other) if not button.isHidden()]


def test_a_word_stays_until_the_next(banner: Banner) -> None:
    assert banner.text == "" and banner.isHidden()
    banner.say("One.")
    banner.say("Two.")
    assert banner.text == "Two." and buttons(banner) == []
    banner._close.click()
    assert banner.text == "" and banner.isHidden()


def test_what_was_asked_comes_back_after_a_word(banner: Banner) -> None:
    done: list[str] = []
    banner.ask("First?", ("A", lambda: done.append("a")), ("B", lambda: done.append("b")))
    banner.ask("Second?", ("C", lambda: done.append("c")))
    assert banner.text == "Second?" and buttons(banner) == ["C"]
    banner.say("A word.")
    banner.withdraw("A word.")
    assert banner.text == "Second?"
    banner._action.click()
    assert banner.text == "First?" and buttons(banner) == ["A", "B"]
    banner._other.click()
    assert banner.text == "" and done == ["c", "b"]


def test_closing_answers_too(banner: Banner) -> None:
    banner.ask("First?", ("A", lambda: pytest.fail("nobody did")))
    banner.say("A word.")
    banner._close.click()
    assert banner.text == "First?"
    banner._close.click()
    assert banner.text == ""


def test_withdrawn(banner: Banner) -> None:
    banner.ask("First?", ("A", lambda: None))
    banner.ask("Second?", ("B", lambda: None))
    banner.withdraw("First?")
    assert banner.text == "Second?"
    banner.withdraw("Second?")
    assert banner.text == ""
    banner.ask("Again?", ("A", lambda: None))
    banner.ask("Again?", ("A", lambda: None))
    banner.withdraw("Again?")
    assert banner.text == ""


def test_a_warning_comes_back_after_everything_else_until_it_is_withdrawn(banner: Banner) -> None:
    banner.warn("The disk is full.")
    banner.ask("Reload?", ("Yes", lambda: None))
    banner._action.click()
    assert banner.text == "The disk is full." and buttons(banner) == []
    banner.say("A word.")
    banner.say("Another.")
    banner._close.click()
    assert banner.text == "The disk is full."
    banner.ask("Reload?", ("Yes", lambda: None))
    banner.withdraw("The disk is full.")  # while it waits
    banner._action.click()
    assert banner.text == ""


def test_an_answer_may_ask_again(banner: Banner) -> None:
    banner.ask("First?", ("A", lambda: banner.ask("Then?", ("B", lambda: None))))
    banner._action.click()
    assert banner.text == "Then?"
