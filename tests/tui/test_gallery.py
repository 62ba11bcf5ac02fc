"""The gallery shows every screen, and nothing else."""

from __future__ import annotations

import re

import pytest

from tests.mutants.bugs import ROOT
from tests.support.seeded import SeededBook
from tests.tui.gallery import SHOTS, Shot, page, picture, shown_book

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SeededBook:
    return shown_book(tmp_path_factory.mktemp("past"))


@pytest.mark.slow
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: str(shot.name))
def test_a_picture_is_what_the_app_shows(book: SeededBook, shot: Shot) -> None:
    stored = (DOCS / "gallery" / f"{shot.name}.svg").read_text(encoding="utf-8")
    assert picture(book, shot) == stored


def test_the_page_shows_each() -> None:
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == page()


def test_each_main_screen_colour_mode_and_size_is_shown() -> None:
    # docs/guide.md, "Keys": the screens of the numbers 1 to 8.
    assert {shot.name for shot in SHOTS} >= {
        "overview", "accounts", "wallets", "rates", "trades", "payments", "recipients", "activity",
    }  # fmt: skip
    assert {shot.colours for shot in SHOTS} == {"truecolor", "256", "16", "none"}
    assert {shot.size for shot in SHOTS} >= {(60, 20), (80, 24), (120, 40), (200, 60)}


def test_a_picture_asks_for_nothing_from_a_network() -> None:
    for file in (DOCS / "gallery").iterdir():
        named = set(re.findall(r"https?://[^\"'\s)]+", file.read_text(encoding="utf-8")))
        assert named <= {"http://www.w3.org/2000/svg"}, file
