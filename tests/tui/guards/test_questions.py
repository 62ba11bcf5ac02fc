from __future__ import annotations

import pytest

from paytui.tui.guards.questions import Questions


@pytest.fixture
def questions() -> Questions:
    return Questions()


def test_answers_are_to_the_oldest_question(questions: Questions) -> None:
    first, second = questions.ask(0), questions.ask(0)
    assert questions.answer() == first
    assert questions.answer() == second


def test_an_answer_that_nobody_asked_for_is_none(questions: Questions) -> None:
    assert questions.answer() is None
    questions.ask(0)
    questions.answer()
    assert questions.answer() is None


def test_a_terminal_is_known_to_answer_as_soon_as_it_does(questions: Questions) -> None:
    questions.ask(0)
    assert not questions.are_answered
    questions.answer()
    assert questions.are_answered


def test_a_question_is_heard_once_its_answer_was(questions: Questions) -> None:
    first, second = questions.ask(0), questions.ask(0)
    questions.answer()
    assert not questions.is_heard(first)
    questions.hear(first)
    assert questions.is_heard(first)
    assert not questions.is_heard(second)


def test_what_is_drawn_later_is_drawn_after_all_before(questions: Questions) -> None:
    first, second = questions.ask(0), questions.ask(0)
    questions.hear(second)
    assert questions.is_heard(first)


def test_a_question_without_an_answer_for_half_a_minute_is_given_up(questions: Questions) -> None:
    questions.ask(0)
    second = questions.ask(31)
    assert questions.answer() == second


def test_one_that_is_open_for_less_is_still_waited_for(questions: Questions) -> None:
    first = questions.ask(0)
    questions.ask(29)
    assert questions.answer() == first
