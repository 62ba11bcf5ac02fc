"""Columns of text line up, whatever characters they hold."""

from __future__ import annotations

import pytest

from paytui.cli.common import columns, truncated


def test_amounts_stand_under_each_other_and_nothing_is_cut() -> None:
    rows = [("", "available", "name"), ("AUD", "1,204,330.15", "desk"), ("JPY", "45", "夜")]
    assert columns(rows, "<><") == [
        "        available  name",
        "AUD  1,204,330.15  desk",
        "JPY            45  夜",
    ]


@pytest.mark.parametrize("text", ["ab", "日", "ae\u0301", "aห\u0e49", "aﾊ"])
def test_width_is_counted_in_cells(text: str) -> None:
    assert columns([(text, "x")], "><") == [f"{text}  x"]
    assert columns([(text, "x"), ("abc", "y")], "<<")[0] == f"{text}   x"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("desks!", "desks!"),
        ("the desk", "the d…"),
        ("夜夜夜夜", "夜夜…"),
    ],
)
def test_what_is_too_long_for_its_column_is_cut_and_says_so(text: str, short: str) -> None:
    assert truncated(text, 6) == short
