from __future__ import annotations

from random import Random

import pytest

from paytui.tui.terminal.confirm_arming import Arming, without_code
from tests.support.clock import ManualClock
from tests.tui.terminal.test_queries import Asked


class Terminal(Asked):
    """A terminal that answers on demand."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock
        self.is_behind = False

    def arming(self, *, multiplexed: bool = False) -> Arming:
        return Arming(
            self.clock,
            self.questions,
            Random(3),  # noqa: S311 - a test repeats itself
            multiplexed=multiplexed,
            is_behind=lambda: self.is_behind,
        )

    def paint(self, arming: Arming, confirms: object) -> None:
        """Paint the screen and query the terminal."""
        assert arming.shows(confirms)
        arming.noting(self.ask(self.clock.monotonic()))

    def draw(self, which: int = -1) -> None:
        """Answer a question, the newest unless another is named; no key is left before it."""
        number = self.answer(which)
        assert number is not None
        self.questions.hear(number)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def terminal(clock: ManualClock) -> Terminal:
    return Terminal(clock)


@pytest.fixture
def arming(terminal: Terminal) -> Arming:
    return terminal.arming()


def test_what_was_just_painted_cannot_be_confirmed(arming: Arming, terminal: Terminal) -> None:
    terminal.paint(arming, "10.00 USD")
    assert not arming.armed("10.00 USD")


def test_it_can_once_the_terminal_has_answered(arming: Arming, terminal: Terminal) -> None:
    terminal.paint(arming, "10.00 USD")
    terminal.draw()
    assert arming.armed("10.00 USD")


def test_only_what_was_painted_can_be_confirmed(arming: Arming, terminal: Terminal) -> None:
    terminal.paint(arming, "10.00 USD")
    terminal.draw()
    assert not arming.armed("11.00 USD")
    assert not arming.armed(None)


def test_an_answer_to_an_older_question_says_nothing_of_what_came_after(
    arming: Arming, terminal: Terminal
) -> None:
    terminal.paint(arming, "old rate")
    terminal.paint(arming, "new rate")
    terminal.draw(0)
    assert not arming.armed("new rate")
    terminal.draw(1)
    assert arming.armed("new rate")


def test_nor_where_the_link_stood_still_for_long(
    arming: Arming, terminal: Terminal, clock: ManualClock
) -> None:
    terminal.paint(arming, "old rate")
    clock.advance(31)
    terminal.paint(arming, "new rate")
    terminal.draw(0)
    assert not arming.armed("new rate")


def test_nor_does_a_question_that_was_sent_before_it_was_painted(
    arming: Arming, terminal: Terminal
) -> None:
    arming.shows("10.00 USD")
    early = arming.noting
    arming.shows(None)
    arming.shows("10.00 USD")
    early(terminal.ask())
    terminal.draw()
    assert not arming.armed("10.00 USD")


def test_a_terminal_that_answers_is_waited_for_however_long_it_is_frozen(
    arming: Arming, terminal: Terminal, clock: ManualClock
) -> None:
    terminal.paint(arming, "old rate")
    terminal.draw()
    terminal.paint(arming, "new rate")
    clock.advance(3600)
    assert not arming.armed("new rate")


def test_a_terminal_whose_answer_is_lost_is_asked_again(
    arming: Arming, terminal: Terminal, clock: ManualClock
) -> None:
    terminal.ask()
    terminal.draw()
    terminal.paint(arming, "10.00 USD")
    assert not arming.asks_again()
    clock.advance(2)
    terminal.is_behind = True
    assert not arming.asks_again()
    terminal.is_behind = False
    assert arming.asks_again()
    assert not arming.asks_again()
    arming.noting(terminal.ask())
    terminal.draw()
    assert arming.armed("10.00 USD")
    clock.advance(2)
    assert not arming.asks_again()


class TestATerminalThatNeverAnswers:
    def test_makes_a_step_deaf_for_half_a_second(
        self, arming: Arming, terminal: Terminal, clock: ManualClock
    ) -> None:
        terminal.paint(arming, "10.00 USD")
        clock.advance(0.4)
        assert not arming.armed("10.00 USD")
        clock.advance(0.2)
        assert arming.armed("10.00 USD")

    def test_makes_it_deaf_while_it_does_not_take_what_is_painted(
        self, arming: Arming, terminal: Terminal, clock: ManualClock
    ) -> None:
        terminal.paint(arming, "10.00 USD")
        terminal.is_behind = True
        clock.advance(3)
        assert not arming.armed("10.00 USD")

    def test_has_a_code_typed(self, arming: Arming, terminal: Terminal, clock: ManualClock) -> None:
        terminal.ask(clock.monotonic())
        clock.advance(60)
        terminal.paint(arming, "10.00 USD")
        assert arming.code("10.00 USD") != ""
        terminal.draw()
        assert arming.code("10.00 USD") == ""


class TestTheCode:
    @pytest.fixture
    def arming(self, terminal: Terminal) -> Arming:
        return terminal.arming(multiplexed=True)

    def test_is_not_asked_for_where_the_terminal_itself_answers(self, terminal: Terminal) -> None:
        arming = terminal.arming()
        terminal.paint(arming, "10.00 USD")
        terminal.draw()
        assert arming.code("10.00 USD") == ""

    def test_is_asked_for_where_a_multiplexer_answers(
        self, arming: Arming, terminal: Terminal
    ) -> None:
        terminal.paint(arming, "10.00 USD")
        terminal.draw()
        assert arming.armed("10.00 USD")
        assert len(arming.code("10.00 USD")) == 2

    def test_is_another_each_time(self, arming: Arming, terminal: Terminal) -> None:
        codes = []
        for amount in range(8):
            terminal.paint(arming, amount)
            codes.append(arming.code(amount))
        arming.shows(None)
        terminal.paint(arming, 7)
        codes.append(arming.code(7))
        assert len(set(codes)) == len(codes)

    def test_has_letters_alone_that_look_like_nothing_else(
        self, arming: Arming, terminal: Terminal
    ) -> None:
        for amount in range(300):
            terminal.paint(arming, amount)
            letters = set(arming.code(amount))
            assert len(letters) == 2
            assert not letters & set("0123456789BGILOQRSUVZ")

    def test_is_of_what_is_shown_and_of_nothing_else(
        self, arming: Arming, terminal: Terminal
    ) -> None:
        terminal.paint(arming, "10.00 USD")
        assert arming.code("11.00 USD") == ""
        assert arming.code(None) == ""


@pytest.mark.parametrize(
    ("typed", "before"),
    [("KT", ""), (" kt ", ""), ("12.5 KT", "12.5"), ("KT KT", "KT")],
)
def test_a_code_is_typed_in_any_case_behind_what_else_is_typed(typed: str, before: str) -> None:
    assert without_code(typed, "KT") == (before, True)


@pytest.mark.parametrize("typed", ["", "K", "TK", "KT1"])
def test_anything_else_is_no_code(typed: str) -> None:
    assert without_code(typed, "KT") == (typed, False)


def test_where_none_is_asked_for_none_is_lacking() -> None:
    assert without_code(" 12.5 ", "") == (" 12.5 ", True)


def test_painting_the_same_again_asks_nothing(arming: Arming) -> None:
    assert arming.shows("10.00 USD")
    assert not arming.shows("10.00 USD")


def test_a_step_that_is_left_and_comes_back_is_deaf_again(
    arming: Arming, terminal: Terminal
) -> None:
    terminal.paint(arming, "10.00 USD")
    terminal.draw()
    arming.shows(None)
    terminal.paint(arming, "10.00 USD")
    assert not arming.armed("10.00 USD")


def test_what_another_screen_asked_arms_nothing_here(arming: Arming, terminal: Terminal) -> None:
    terminal.paint(terminal.arming(), "9.00 USD")
    terminal.paint(arming, "10.00 USD")
    terminal.draw(0)
    assert not arming.armed("10.00 USD")
