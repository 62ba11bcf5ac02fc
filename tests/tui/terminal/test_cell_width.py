"""Text of uncertain width never shifts its neighbours."""

from __future__ import annotations

import pyte
import pytest
from rich.cells import cell_len

from paytui.tui.rich_internals import patch_rich_cell_widths
from paytui.tui.terminal.driver import pin_cell_width
from tests.support.escapes import foreign

NAMES = {
    "Devanagari": "क्षत्रिय ट्रेडिंग",
    "Tamil": "ஸ்ரீ நிறுவனம்",
    "Malayalam": "മലയാളം ക്ഷേമ",
    "Burmese": "ကျော်ဇော",
    "Thai": "บริษัท กำไร",
    "marks on Latin letters": "x̌x̌ q̃",
    "a picture with a skin tone": "Hi👍🏽 there",
    "letters of Hangul apart": "\u1100\u1161\u11a8\u1100",
}


class Narrow(pyte.Screen):
    """A terminal that gives no mark a cell, as pyte does, and says where a sign stands."""

    def column_of(self, sign: str, line: int = 0) -> int:
        cells = [self.buffer[line][column].data for column in range(self.columns)]
        return cells.index(sign)


def painted(text: str) -> Narrow:
    screen = Narrow(40, 3)
    pyte.Stream(screen).feed(text)
    return screen


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_what_follows_stands_behind_the_cells_that_the_name_was_given(name: str) -> None:
    patch_rich_cell_widths()
    screen = painted(f"{'#' * 40}\r{pin_cell_width(name)}|")
    assert screen.column_of("|") == cell_len(name)
    assert "#" not in screen.display[0].split("|")[0], "of what stood there before"


def test_a_word_that_reaches_beyond_its_line_does_not_go_on_in_the_next() -> None:
    screen = painted(f"\x1b[1;37H{pin_cell_width(NAMES['Malayalam'].split()[0])}")
    assert screen.display[0].strip() != ""
    assert screen.display[1].strip() == ""


def test_text_that_every_terminal_measures_alike_is_sent_as_it_is() -> None:
    for text in ("ACME LIVE", "Müller & Søn", "─── ▌ ✓ … ≈", "Юрий", "東京銀行", "한국"):
        assert pin_cell_width(text) == text


def test_a_mark_beside_its_letter_takes_a_cell_and_one_over_it_none() -> None:
    patch_rich_cell_widths()
    assert [cell_len(text) for text in ("कि", "कु", "ü", "e\u0301", "東")] == [2, 1, 1, 1, 2]


def test_nothing_but_our_own_escapes_is_sent() -> None:
    assert foreign("".join(map(pin_cell_width, NAMES.values()))) == []
