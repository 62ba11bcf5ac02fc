"""The overview in each theme, on a seeded book and a stopped clock."""

from __future__ import annotations

import pytest

from tests.tui.busy_book import busy_book
from tests.tui.dashboard import Dashboard, settings_of
from tests.tui.pictures import Compare

NAMES = ("light", "16-colour", "monochrome")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_theme_looks_as_it_did(name: str, snap_compare: Compare) -> None:
    book = busy_book()
    settings = settings_of(live=True, theme=name)
    ui = Dashboard(book.store, book.clock, book.time, settings)
    assert snap_compare(ui.app(), terminal_size=(80, 24))


def test_a_tinted_bar_looks_as_it_did(snap_compare: Compare) -> None:
    book = busy_book()
    settings = settings_of(live=True, tint="#20406a")
    ui = Dashboard(book.store, book.clock, book.time, settings)
    assert snap_compare(ui.app(), terminal_size=(80, 24))
