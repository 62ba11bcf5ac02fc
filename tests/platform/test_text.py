"""clean(): the characters that may be painted, and replacements for others."""

from __future__ import annotations

import functools
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from paytui.platform.text import clean


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m"),
        ("\x9b2Jgone", "\ufffd2Jgone"),
        ("\x1b]52;c;ZXZpbA==\x07", "\ufffd]52;c;ZXZpbA==\ufffd"),
        ("bell\x07 null\x00 del\x7f", "bell\ufffd null\ufffd del\ufffd"),
        ("safe\u202eexe.txt", "safeexe.txt"),
        ("a\u200bb\u200cc\u200dd\ufeffe", "abcde"),
        ("Glo\u3164bex\u115f\u1160\uffa0\u034f", "Globex"),
        ("\u180b\u180c\u180d\u180f\u17b4\u17b5", ""),
        ("\u2800\u2800Acme\U0001d159Ltd", "  Acme Ltd"),
        ("two\r\nlines\tand\u2028more", "two lines and more"),
        ("half \ud83d surrogate", "half \ufffd surrogate"),
        ("private \ue000 use", "private \ufffd use"),
        ("no\u00a0break", "no break"),
    ],
)
def test_what_could_harm_a_terminal_or_mislead_a_reader_is_taken_out(
    hostile: str, harmless: str
) -> None:
    assert clean(hostile) == harmless


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Łukasiewicz",
        "東京貿易",
        "한빛무역",
        "שלום",
        "مؤسسة الأمل",
        "บริษัท",
        "Nguyễn Thị",
        "श्रीनिवासन",
        "தமிழ் வணிகம்",
        "လျှော်",
        "ကျောင်း",
        "한",
        "👍🏽",
        "O'Neil & Søn",
    ],
)
def test_lifelike_names_stay_as_they_are(name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)


def test_markup_is_left_alone_since_no_widget_reads_it() -> None:
    assert clean("[@click=app.quit]x[/]") == "[@click=app.quit]x[/]"


def test_a_tower_of_marks_is_cut_to_four_and_the_text_goes_on() -> None:
    tower = "x" + "\u0336" * 50 + "y"
    assert clean(tower) == "x" + "\u0336" * 4 + "y"


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("க" + "\u0bbe" * 50, "க" + "\u0bbe" * 4),
        ("Glo\u0bbebex", "Globex"),
        ("A\u0903 B\u1161\u11a8", "A B"),
        ("\u0bbeb", "b"),
        ("👍" + "\U0001f3fd" * 50, "👍\U0001f3fd"),
        ("a\U0001f3fdb", "ab"),
        ("\ufb2c" + "\u0336" * 50, "\u05e9" + "\u0336" * 4),
    ],
)
def test_marks_that_take_room_are_few_and_stand_where_they_belong(
    hostile: str, harmless: str
) -> None:
    assert clean(hostile) == harmless


@functools.cache
def without_a_cell() -> list[str]:
    """Return every character that a screen counts as no cell."""
    return [char for char in map(chr, range(sys.maxunicode + 1)) if cell_len(char) == 0]


MOST_FOR_A_CELL = 1 + 4 + 4
"""A character and its marks of both sorts."""


def assert_its_cells_explain_the_length_of(cleaned: str) -> None:
    cells = sum(map(cell_len, cleaned))
    assert len(cleaned) <= MOST_FOR_A_CELL * max(1, cells)


@pytest.mark.slow
@pytest.mark.parametrize("base", ["a", "க", "ᄀ", "👍", ""])
def test_nothing_that_a_screen_counts_as_no_cell_comes_in_a_long_row(base: str) -> None:
    for char in without_a_cell():
        assert_its_cells_explain_the_length_of(clean(base + char * 50))


def texts() -> st.SearchStrategy[str]:
    return st.text(st.sampled_from("ak界ก்கाᄀ👍" + "".join(without_a_cell())), max_size=400)


@pytest.mark.slow
@given(st.deferred(texts))
def test_what_comes_out_is_no_longer_than_its_cells_can_explain(text: str) -> None:
    cleaned = clean(text)
    assert_its_cells_explain_the_length_of(cleaned)
    assert clean(cleaned) == cleaned


def test_a_decomposed_letter_is_composed() -> None:
    assert clean("e\u0301") == "é"


def test_a_huge_string_is_cut_and_says_so() -> None:
    plain = clean("a" * 1_000_000)
    wide = clean("界" * 1_000_000)
    assert len(plain) == len(wide) == 2_000
    assert plain.endswith("a…")
    assert wide.endswith("界…")


@given(st.text(max_size=400))
def test_nothing_that_comes_out_can_move_a_cursor(text: str) -> None:
    cleaned = clean(text)
    assert all(unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in cleaned)
    assert clean(cleaned) == cleaned
