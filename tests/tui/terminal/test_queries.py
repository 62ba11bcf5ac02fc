from __future__ import annotations

import re

import pytest

from paytui.tui.terminal.confirm_arming import TerminalQueries


class Asked:
    """Asks, and answers as a terminal does: it tells the place at which it was asked."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.questions = TerminalQueries()
        self.size = (columns, lines)
        self.sent: list[str] = []

    def ask(self, now: float = 0) -> int:
        number, query = self.questions.ask(now, *self.size)
        self.sent.append(query)
        return number

    def answer(self, which: int) -> int | None:
        """The terminal answers the question that was sent so many before."""
        place = re.fullmatch(r"\x1b7\x1b\[(\d+);(\d+)H\x1b\[6n\x1b8", self.sent[which])
        assert place
        return self.questions.answer((int(place[2]), int(place[1])))


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_an_answer_is_to_the_question_that_it_names(asked: Asked) -> None:
    first, second = asked.ask(), asked.ask()
    assert (asked.answer(1), asked.answer(0)) == (second, first)


def test_an_answer_that_nobody_asked_for_is_none(asked: Asked) -> None:
    assert asked.questions.answer((1, 2)) is None
    asked.ask()
    asked.answer(0)
    assert asked.answer(0) is None


def test_shift_and_f3_are_no_answer(asked: Asked) -> None:
    asked.ask()
    assert asked.questions.answer((2, 1)) is None  # ESC [ 1 ; 2 R
    assert not asked.questions.are_answered
    assert asked.questions.is_mute(1)


def test_a_terminal_is_known_to_answer_as_soon_as_it_does(asked: Asked) -> None:
    asked.ask()
    assert not asked.questions.are_answered
    asked.answer(0)
    assert asked.questions.are_answered


def test_a_terminal_that_answers_nothing_for_half_a_second_is_mute_until_it_does(
    asked: Asked,
) -> None:
    assert not asked.questions.is_mute(100)
    asked.ask(100)
    asked.ask(101)
    assert not asked.questions.is_mute(100.4)
    assert asked.questions.is_mute(100.6)
    asked.answer(0)
    assert not asked.questions.is_mute(200)


def test_a_question_is_heard_once_its_answer_was(asked: Asked) -> None:
    first, second = asked.ask(), asked.ask()
    asked.questions.hear(first)
    assert asked.questions.is_heard(first)
    assert not asked.questions.is_heard(second)


def test_what_is_drawn_later_is_drawn_after_all_before(asked: Asked) -> None:
    first, second = asked.ask(), asked.ask()
    asked.questions.hear(second)
    assert asked.questions.is_heard(first)


def test_an_answer_that_comes_minutes_late_is_not_taken_for_a_newer_one(asked: Asked) -> None:
    first, second = asked.ask(0), asked.ask(3600)
    assert asked.answer(0) == first
    assert asked.answer(1) == second


def test_where_no_place_is_left_nothing_is_asked() -> None:
    asked = Asked(columns=2, lines=2)
    for _ in range(3):
        asked.ask()
    assert asked.sent[2] == ""
    asked.answer(0)
    asked.ask()
    assert asked.sent[3] == asked.sent[0]
