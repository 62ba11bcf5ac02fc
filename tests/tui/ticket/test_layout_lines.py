"""Lines of a ticket: long values wrap under themselves, not under their labels."""

from __future__ import annotations

from paytui.tui.ticket.layout import lines_of
from paytui.tui.ticket.model import line

BANK = line("Bank", "First National Bank of Springfield", "12345, Springfield, US")


def test_a_value_goes_on_where_it_began() -> None:
    assert lines_of([line("To", "Globex"), BANK], 46).plain.split("\n") == [
        "To            Globex",
        "Bank          First National Bank of",
        "              Springfield  12345, Springfield,",
        "              US",
    ]


def test_where_there_is_room_it_stands_on_one_line() -> None:
    assert lines_of([BANK], 80).plain == (
        "Bank          First National Bank of Springfield  12345, Springfield, US"
    )


def test_a_word_longer_than_the_line_is_broken_and_nothing_of_it_is_lost() -> None:
    shown = lines_of([line("Account", "1234567890" * 5)], 30).plain
    assert "".join(shown.removeprefix("Account").split()) == "1234567890" * 5
    assert all(len(each) <= 30 for each in shown.split("\n"))


def test_where_nothing_is_said_of_it_a_label_stands_alone() -> None:
    assert lines_of([line("", "")], 30).plain.strip() == ""
