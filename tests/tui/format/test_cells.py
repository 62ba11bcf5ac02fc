"""Amounts in a list: complete, or a hint to the complete amount."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.money import CurrencyCode
from paytui.tui.format.cells import amount_cell
from tests.tui.book import AUD, JPY, payment
from tests.tui.dashboard import Dashboard, lines, shows, tells


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [
        ("999999999999999.99", AUD, "999,999,999,999,999.99"),
        ("-1E+15", JPY, "-1,000,000,000,000,000"),
        ("1E+50", AUD, "too long, open it"),
        ("0." + "1" * 39, AUD, "too long, open it"),
        ("-0", AUD, "-0.00"),
    ],
)
def test_an_amount_is_written_out_or_said_to_be_too_long(
    amount: str, currency: CurrencyCode | None, shown: str
) -> None:
    assert amount_cell(Decimal(amount), currency).text == shown


def test_an_amount_beyond_all_money_takes_no_other_column_away_and_is_whole_in_its_detail(
    ui: Dashboard,
) -> None:
    ui.store.payments.put([replace(payment(9, "1"), amount=Decimal("1E+50"))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "too long, open it")
        row = next(line for line in lines(pilot) if "too long" in line)
        assert "AUD" in row
        assert "completed" in row
        await pilot.press("slash", *"pay-9", "enter", "enter")
        await tells(pilot, "Amount 100,000,000,000")
        await tells(pilot, "000,000,000.00 AUD")

    ui.play(scenario)
