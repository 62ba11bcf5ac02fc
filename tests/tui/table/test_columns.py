"""Columns share the available width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from paytui.tui.format.cells import Cell
from paytui.tui.table.columns import Column, cell_text, fitted, lay_out_columns


def column(title: str, width: int, **more: object) -> Column[str]:
    return Column(title=title, cell=Cell, width=width, **more)  # type: ignore[arg-type]  # as given


NAME = column("Name", 10, grows=True, most=30)
AMOUNT = column("Amount", 8, whole=True, right=True)
NOTE = column("Note", 10, gives_way=2)
TIME = column("Time", 10, gives_way=1)
ALL = (NAME, AMOUNT, NOTE, TIME)
TITLES = ("Name", "Amount", "Note", "Time")


def widths(needed: tuple[int, ...], width: int) -> dict[str, int]:
    return {
        ALL[spot.index].title: spot.width for spot in lay_out_columns(ALL, TITLES, needed, width)
    }


def test_where_there_is_room_all_columns_show_and_text_takes_what_it_needs() -> None:
    # 22 + 12 + 10 + 10 and three gaps of 2 are 60
    assert widths((22, 12, 4, 4), 60) == {"Name": 22, "Amount": 12, "Note": 10, "Time": 10}


def test_a_column_grows_no_further_than_its_most() -> None:
    assert widths((90, 12, 4, 4), 200)["Name"] == 30


def test_the_least_important_column_gives_way_first() -> None:
    # least: 10 + 12 + 10 + 10 + 6 = 48; without the note 36; without the time 24
    assert list(widths((22, 12, 4, 4), 47)) == ["Name", "Amount", "Time"]
    assert list(widths((22, 12, 4, 4), 35)) == ["Name", "Amount"]


def test_room_is_made_for_the_mark_of_what_is_sorted_by() -> None:
    spots = lay_out_columns((NOTE,), ("A long note▲1",), (4,), 60)
    assert spots[0].width == 13


def test_one_column_stays_whatever_happens() -> None:
    assert [spot.index for spot in lay_out_columns((TIME, NOTE), ("Time", "Note"), (4, 4), 5)] == [
        0
    ]
    assert len(lay_out_columns((TIME, NOTE), ("Time", "Note"), (4, 4), -4)) == 1


def test_text_is_shortened_before_an_amount() -> None:
    assert widths((22, 20, 4, 4), 26) == {"Name": 4, "Amount": 20}


@pytest.mark.parametrize(
    ("text", "width", "right", "expected"),
    [
        ("abc", 5, False, "abc  "),
        ("abc", 5, True, "  abc"),
        ("abcdef", 5, False, "abcd…"),
        ("東京都", 5, False, "東京…"),
        ("東京都", 4, False, "東 …"),
        ("to fund 1,538,720.12", 14, False, "to fund …     "),
        ("below 20.5, today", 12, False, "below 20.5,…"),
        ("PT-1234567", 7, False, "PT-123…"),
    ],
)
def test_text_fills_its_cells_exactly(text: str, width: int, right: bool, expected: str) -> None:
    filled = fitted(text, width, right=right)
    assert (filled, cell_len(filled)) == (expected, width)


def test_a_figure_without_room_is_hashes_and_not_another_figure() -> None:
    assert cell_text(AMOUNT, "1,234.56", 8) == "1,234.56"
    assert cell_text(AMOUNT, "1,234.56", 9) == " 1,234.56"
    assert cell_text(AMOUNT, "1,234.56", 5) == "#####"


SPARE = column("Why", 4, grows=True, gives_way=2, spare=True)
NAMED = column("To", 4, grows=True)


@pytest.mark.parametrize(
    ("needed", "width", "shown"),
    [
        ([10, 6], 18, [(0, 10), (1, 6)]),
        ([10, 6], 17, [(0, 10)]),  # else the name would be cut
        ([10, 1], 40, [(0, 10)]),  # it has no content
        ([4, 6], 12, [(0, 4), (1, 6)]),
    ],
)
def test_a_spare_column_appears_with_content_that_leaves_the_others_whole(
    needed: list[int], width: int, shown: list[tuple[int, int]]
) -> None:
    found = lay_out_columns([NAMED, SPARE], ["To", "Why"], needed, width)
    assert [(slot.index, slot.width) for slot in found] == shown
