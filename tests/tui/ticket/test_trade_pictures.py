"""The trade ticket at its fields, its review and its ends, as pictures.

After a change of looks: `pytest tests/tui/ticket --snapshot-update`, then look at each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Problem
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, USD_AUD, sheet
from tests.tui.dashboard import Dashboard, settings_of, shows, tick
from tests.tui.pictures import SIZES, Compare, pictured
from tests.tui.ticket.trading import answer_quote, booked, fill, to_amount, to_confirm

Walk = Callable[[Dashboard, Pilot[None]], Awaitable[None]]


def trading(*, live: bool = False) -> Dashboard:
    ui = Dashboard(settings=settings_of(live=live))
    fill(ui.store)
    rates = {AUD_USD: "0.65123", USD_AUD: "1.53421"}
    ui.store.rate_sheets.put([sheet("one", ui.clock, rates)])
    return ui


async def empty(_: Dashboard, pilot: Pilot[None]) -> None:
    await pilot.press("t")
    await shows(pilot, "Trade · sell")


async def buy(_: Dashboard, pilot: Pilot[None]) -> None:
    await pilot.press("t", *"aud ")
    await shows(pilot, "Trade · buy")


async def amount(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press(*"1.5m")
    await shows(pilot, "Exceeds available by 295,669.85 AUD")


async def amount_refused(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press("tab", *"1,5")
    await shows(pilot, "ambiguous")


async def source(_: Dashboard, pilot: Pilot[None]) -> None:
    await pilot.press("t", *"aud ", *"usd ", *"5", "enter")
    await shows(pilot, "Trade · from")


async def target(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press("tab", "tab", "tab")
    await shows(pilot, "Trade · into")


async def confirm(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_confirm(pilot)


async def real_time(ui: Dashboard, pilot: Pilot[None]) -> None:
    await confirm(ui, pilot)
    await pilot.press("shift+tab")
    await shows(pilot, "Trade · rate")
    await pilot.press("down", "enter")
    await shows(pilot, "market rate at execution")


async def expired(ui: Dashboard, pilot: Pilot[None]) -> None:
    await confirm(ui, pilot)
    ui.clock.advance(150)
    await tick(pilot)
    await shows(pilot, "expired")


async def requoted(ui: Dashboard, pilot: Pilot[None]) -> None:
    await expired(ui, pilot)
    await pilot.press("r")
    answer_quote(ui.store, ui.clock, ui.port, "two", "0.65125")
    await shows(pilot, "was 0.65123")


async def to_recipient(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot, "Foundry Inc")
    await pilot.press("tab", *"250k", "enter")
    await shows(pilot, "Trade · reference")
    await pilot.press(*"Invoice 42", "enter")
    await shows(pilot, "to confirm")


async def _ends(ui: Dashboard, pilot: Pilot[None], standing: Standing, **changes: object) -> None:
    await confirm(ui, pilot)
    ui.clock.advance(1)
    await pilot.press("enter")
    await shows(pilot, "Being recorded")
    [intent] = ui.port.submitted
    ui.store.intents.put([row_of(intent, standing, **changes)])
    ui.store.notify()
    await shows(pilot, f"{standing}  since")


async def accepted(ui: Dashboard, pilot: Pilot[None]) -> None:
    ui.store.trades.put([booked("compliance_review")])
    await _ends(ui, pilot, Standing.ACCEPTED, object_id="trd-1")


async def in_doubt(ui: Dashboard, pilot: Pilot[None]) -> None:
    problem = Problem("book a trade", "no answer within 10 s", remedy="Searching for it.")
    until = ui.clock.now() + timedelta(seconds=60)
    await _ends(ui, pilot, Standing.IN_DOUBT, problem=problem, repeat_until=until)


STEPS: dict[str, Walk] = {
    walk.__name__: walk
    for walk in (
        empty,
        buy,
        amount,
        amount_refused,
        source,
        target,
        confirm,
        real_time,
        expired,
        requoted,
        accepted,
        in_doubt,
    )
}


@pytest.mark.slow
@pictured(
    "walk", STEPS, wide=("empty", "amount", "amount_refused", "confirm", "expired", "in_doubt")
)
def test_a_step_looks_as_it_did(snap_compare: Compare, walk: str, size: str) -> None:
    assert looks(snap_compare, trading(), STEPS[walk], size)


@pytest.mark.slow
def test_real_money_to_a_bank_looks_as_it_did(snap_compare: Compare) -> None:
    assert looks(snap_compare, trading(live=True), to_recipient, "80x24")


def looks(snap_compare: Compare, ui: Dashboard, walk: Walk, size: str) -> bool:
    async def walked(pilot: Pilot[None]) -> None:
        await walk(ui, pilot)

    return snap_compare(ui.app(), run_before=walked, terminal_size=SIZES[size])
