from __future__ import annotations

import pytest

from paytui.tui.guards.arming import Arming
from paytui.tui.guards.questions import Questions
from tests.support.clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def questions() -> Questions:
    return Questions()


@pytest.fixture
def arming(clock: ManualClock, questions: Questions) -> Arming:
    return Arming(clock, questions)


def answer(questions: Questions) -> None:
    """The terminal answers the oldest question, and no key is left before it."""
    number = questions.answer()
    assert number is not None
    questions.hear(number)


def test_what_was_just_painted_cannot_be_confirmed(arming: Arming) -> None:
    assert arming.shows("10.00 USD")
    assert not arming.armed("10.00 USD")


def test_it_can_once_the_terminal_has_answered(arming: Arming, questions: Questions) -> None:
    arming.shows("10.00 USD")
    answer(questions)
    assert arming.armed("10.00 USD")


def test_only_what_was_painted_can_be_confirmed(arming: Arming, questions: Questions) -> None:
    arming.shows("10.00 USD")
    answer(questions)
    assert not arming.armed("11.00 USD")
    assert not arming.armed(None)


def test_an_answer_to_an_older_question_says_nothing_of_what_came_after(
    arming: Arming, questions: Questions
) -> None:
    arming.shows("old rate")
    arming.shows("new rate")
    answer(questions)
    assert not arming.armed("new rate")
    answer(questions)
    assert arming.armed("new rate")


def test_a_terminal_that_answers_is_waited_for_however_long_it_is_frozen(
    arming: Arming, questions: Questions, clock: ManualClock
) -> None:
    arming.shows("old rate")
    answer(questions)
    arming.shows("new rate")
    clock.advance(3600)
    assert not arming.armed("new rate")


def test_on_a_terminal_that_never_answers_a_step_is_deaf_for_half_a_second(
    arming: Arming, clock: ManualClock
) -> None:
    arming.shows("10.00 USD")
    clock.advance(0.4)
    assert not arming.armed("10.00 USD")
    clock.advance(0.2)
    assert arming.armed("10.00 USD")


def test_painting_the_same_again_asks_nothing(arming: Arming) -> None:
    assert arming.shows("10.00 USD")
    assert not arming.shows("10.00 USD")


def test_a_step_that_is_left_and_comes_back_is_deaf_again(
    arming: Arming, questions: Questions
) -> None:
    arming.shows("10.00 USD")
    answer(questions)
    arming.shows(None)
    assert arming.shows("10.00 USD")
    assert not arming.armed("10.00 USD")


def test_a_terminal_that_answered_before_there_was_a_step_is_known_to_answer(
    arming: Arming, questions: Questions, clock: ManualClock
) -> None:
    questions.ask(clock.monotonic())
    answer(questions)
    arming.shows("10.00 USD")
    clock.advance(3600)
    assert not arming.armed("10.00 USD")


def test_what_another_screen_asked_arms_nothing_here(
    arming: Arming, questions: Questions, clock: ManualClock
) -> None:
    Arming(clock, questions).shows("9.00 USD")
    arming.shows("10.00 USD")
    answer(questions)
    assert not arming.armed("10.00 USD")
