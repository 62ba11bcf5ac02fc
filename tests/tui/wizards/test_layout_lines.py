"""Lines of a step: long values wrap under themselves, not under their labels."""

from __future__ import annotations

from paytui.tui.step_protocol import line
from paytui.tui.wizards.screen import layout_lines

BANK = line("Bank", "First National Bank of Springfield", "12345, Springfield, US")


def test_a_value_goes_on_where_it_began() -> None:
    assert layout_lines([line("To", "Globex"), BANK], 45).plain.split("\n") == [
        "To           Globex",
        "Bank         First National Bank of",
        "             Springfield  12345, Springfield,",
        "             US",
    ]


def test_where_there_is_room_it_stands_on_one_line() -> None:
    assert layout_lines([BANK], 80).plain == (
        "Bank         First National Bank of Springfield  12345, Springfield, US"
    )


def test_a_word_longer_than_the_line_is_broken_and_nothing_of_it_is_lost() -> None:
    shown = layout_lines([line("Account", "1234567890" * 5)], 30).plain
    assert "".join(shown.removeprefix("Account").split()) == "1234567890" * 5
    assert all(len(each) <= 30 for each in shown.split("\n"))


def test_where_nothing_is_said_of_it_a_label_stands_alone() -> None:
    assert layout_lines([line("", "")], 30).plain.strip() == ""
