"""The day's history is read on from where it was known."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from paytui.book.file import BookWriter
from paytui.domain.money import Pair
from paytui.store.store import BookState
from paytui.tui.screens.overview_balances import DayHistory
from paytui.tui.ui_context import UiContext
from tests.support.clock import NOON
from tests.tui.book import AUD_USD, USD_AUD
from tests.tui.dashboard import Dashboard


class Recorded:
    """A history, and the book that it reads."""

    def __init__(self, ui: UiContext, book: BookWriter) -> None:
        self.ui = ui
        self.day = DayHistory(ui)
        self._book, self._writes = book, 0

    def add(self, minutes: int, **rates: str) -> None:
        """Record a sheet of so many minutes after noon."""
        pairs = {"aud_usd": AUD_USD, "usd_aud": USD_AUD}
        sheet = {pairs[name]: Decimal(rate) for name, rate in rates.items()}
        self._book.add_rates(f"s{minutes}", NOON + timedelta(minutes=minutes), sheet)
        self._writes += 1
        self.ui.store.book = BookState(self._book.path, self._writes)

    def read(self, *traded: Pair) -> dict[Pair, list[str]]:
        asyncio.run(self.day.pull(frozenset(traded)))
        return {pair: [str(bar.last) for bar in bars] for pair, bars in self.day.rates.items()}


@pytest.fixture
def recorded(ui: Dashboard, tmp_path: Path) -> Iterator[Recorded]:
    tmp_path.chmod(0o700)
    with closing(BookWriter(tmp_path / "demo.book.sqlite")) as book:
        yield Recorded(ui.app().ui, book)


def test_a_sheet_that_is_recorded_late_takes_its_place(recorded: Recorded) -> None:
    recorded.add(0, aud_usd="0.60")
    recorded.add(20, aud_usd="0.62")
    assert recorded.read(AUD_USD) == {AUD_USD: ["0.60", "0.62"]}
    recorded.add(22, aud_usd="0.63")
    recorded.add(19, aud_usd="0.61")
    assert recorded.read(AUD_USD) == {AUD_USD: ["0.60", "0.61", "0.62", "0.63"]}


def test_a_pair_that_was_not_traded_before_has_its_whole_day(recorded: Recorded) -> None:
    recorded.add(0, aud_usd="0.60", usd_aud="1.6")
    recorded.add(20, aud_usd="0.62")
    assert recorded.read(AUD_USD) == {AUD_USD: ["0.60", "0.62"]}
    assert recorded.read(AUD_USD, USD_AUD) == {AUD_USD: ["0.60", "0.62"], USD_AUD: ["1.6"]}
