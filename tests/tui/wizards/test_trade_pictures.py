"""Each step of the trade wizard as a picture, and each way in which it can end.

After a change of looks: `pytest tests/tui/wizards --snapshot-update`, then look at each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Problem
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, USD_AUD, sheet
from tests.tui.dashboard import Dashboard, settings_of, shows, tick
from tests.tui.pictures import SIZES, Compare, pictured
from tests.tui.wizards.trading import answer_quote, booked, fill, to_amount, to_confirm

Walk = Callable[[Dashboard, Pilot[None]], Awaitable[None]]


def trading(*, live: bool = False) -> Dashboard:
    desk = Dashboard(settings=settings_of(live=live))
    fill(desk.store)
    rates = {AUD_USD: "0.65123", USD_AUD: "1.53421"}
    desk.store.rate_sheets.put([sheet("one", desk.clock, rates)])
    return desk


async def account(_: Dashboard, pilot: Pilot[None]) -> None:
    await pilot.press("t")
    await shows(pilot, "1 of 7")


async def sell(desk: Dashboard, pilot: Pilot[None]) -> None:
    await account(desk, pilot)
    await pilot.press("enter")
    await shows(pilot, "2 of 7")


async def buy(desk: Dashboard, pilot: Pilot[None]) -> None:
    await sell(desk, pilot)
    await pilot.press("enter")
    await shows(pilot, "3 of 7")


async def amount(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press(*"1.5m")
    await shows(pilot, "exceeds available by 295,669.85 AUD")


async def amount_refused(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press("tab", *"1,5")
    await shows(pilot, "ambiguous")


async def rate(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot)
    await pilot.press(*"250k", "enter")
    await shows(pilot, "5 of 7")
    await pilot.press("enter")
    await shows(pilot, "6 of 7")


async def confirm(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_confirm(pilot)


async def real_time(desk: Dashboard, pilot: Pilot[None]) -> None:
    await rate(desk, pilot)
    await pilot.press("down", "enter")
    await shows(pilot, "7 of 7")


async def expired(desk: Dashboard, pilot: Pilot[None]) -> None:
    await confirm(desk, pilot)
    desk.clock.advance(150)
    await tick(pilot)
    await shows(pilot, "expired")


async def requoted(desk: Dashboard, pilot: Pilot[None]) -> None:
    await expired(desk, pilot)
    await pilot.press("r")
    answer_quote(desk.store, desk.clock, desk.port, "two", "0.65125")
    await shows(pilot, "was 0.65123")


async def to_recipient(_: Dashboard, pilot: Pilot[None]) -> None:
    await to_amount(pilot, "Foundry Inc")
    await pilot.press("tab", *"250k", "enter")
    await shows(pilot, "5 of 7")
    await pilot.press(*"Invoice 42", "enter")
    await shows(pilot, "6 of 7")
    await pilot.press("enter")
    await shows(pilot, "to confirm")


async def _ends(desk: Dashboard, pilot: Pilot[None], standing: Standing, **changes: object) -> None:
    await confirm(desk, pilot)
    desk.clock.advance(1)
    await pilot.press("enter")
    await shows(pilot, "written down")
    [intent] = desk.port.submitted
    desk.store.intents.put([row_of(intent, standing, **changes)])
    desk.store.notify()
    await shows(pilot, f"Status       {standing}")


async def accepted(desk: Dashboard, pilot: Pilot[None]) -> None:
    desk.store.trades.put([booked("compliance_review")])
    await _ends(desk, pilot, Standing.ACCEPTED, object_id="trd-1")


async def in_doubt(desk: Dashboard, pilot: Pilot[None]) -> None:
    problem = Problem("book a trade", "no answer within 10 s", remedy="It is looked for.")
    until = desk.clock.now() + timedelta(seconds=60)
    await _ends(desk, pilot, Standing.IN_DOUBT, problem=problem, repeat_until=until)


STEPS: dict[str, Walk] = {
    walk.__name__: walk
    for walk in (
        account,
        buy,
        amount,
        amount_refused,
        rate,
        confirm,
        real_time,
        expired,
        requoted,
        accepted,
        in_doubt,
    )
}


@pictured("walk", STEPS, wide=("confirm",))
def test_a_step_looks_as_it_did(snap_compare: Compare, walk: str, size: str) -> None:
    assert looks(snap_compare, trading(), STEPS[walk], size)


def test_real_money_to_a_bank_looks_as_it_did(snap_compare: Compare) -> None:
    assert looks(snap_compare, trading(live=True), to_recipient, "80x24")


def looks(snap_compare: Compare, desk: Dashboard, walk: Walk, size: str) -> bool:
    async def walked(pilot: Pilot[None]) -> None:
        await walk(desk, pilot)

    return snap_compare(desk.app(), run_before=walked, terminal_size=SIZES[size])
