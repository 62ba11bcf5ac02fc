"""Forms of accounts, wallets and pay-in addresses as pictures.

After a change of looks: `pytest tests/tui/forms/test_account_pictures.py --snapshot-update`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from tests.tui.book import account, local_address, wallet
from tests.tui.dashboard import Dashboard, shows
from tests.tui.forms.filling import filling, seen, stands
from tests.tui.forms.served import fill
from tests.tui.pictures import SIZES, Compare, pictured

TO_THE_TRUST = ("pagedown",) * 4

Walk = Callable[[Dashboard, Pilot[None]], Awaitable[None]]


@pytest.fixture
def ui() -> Dashboard:
    """Two accounts, and a wallet that has an address of one type."""
    ui = filling()
    ui.store.wallets.put([wallet(1, "AUD desk", "1204330.15")])
    ui.store.payin_addresses.put([local_address(1)])
    return ui


async def person(_: Dashboard, pilot: Pilot[None]) -> None:
    """A date that is none was left, and nobody is nagged of what is typed now."""
    await pilot.press("2", "n")
    await fill(pilot, "Ada", "", "Lovelace", "1980-13-01", "ada")


async def country(_: Dashboard, pilot: Pilot[None]) -> None:
    """A country is looked for by its name."""
    await pilot.press("2", "n", "pagedown")
    await fill(pilot, "Suite 7", "", "12A", "5", "Main", "St", "Sydney", "NSW", "0200", "aus")


async def representative(_: Dashboard, pilot: Pilot[None]) -> None:
    """The second of two."""
    await pilot.press("2", "n", *("pagedown",) * 3, "ctrl+n", *"Bea", "ctrl+n")
    await fill(pilot, "Cy", "", "Byron", "director")


async def trust(_: Dashboard, pilot: Pilot[None]) -> None:
    """The name of a trust is asked of a trustee alone."""
    await pilot.press("2", "n", *TO_THE_TRUST)
    await fill(pilot, "yes", "Lace Trust")


async def beneficiary(_: Dashboard, pilot: Pilot[None]) -> None:
    """A beneficiary, with an address."""
    await pilot.press("2", "n", *TO_THE_TRUST, *"yes", "pagedown", "ctrl+n")
    await fill(pilot, "Dee", "", "King", "2001-02-03", "1 Elm Ave")


async def review(_: Dashboard, pilot: Pilot[None]) -> None:
    """All that goes out, by section."""
    await pilot.press("2", "n")
    await fill(pilot, "Ada", "", "Lovelace", "1980-05-31")
    await pilot.press("pagedown", *"Suite 7", *("pagedown",) * 3, *"no", "pagedown", *"yes", "f2")
    await shows(pilot, "enter: send")


async def company(_: Dashboard, pilot: Pilot[None]) -> None:
    """A corporate account."""
    await pilot.press("2", "N")
    await fill(pilot, "Acme Pty Ltd", "Acme", "ACN 004", "new z")


async def currency(_: Dashboard, pilot: Pilot[None]) -> None:
    """A wallet's currency, of those that the dialect lists."""
    await pilot.press("3", "n", *"acm", "enter", "down")


async def pay_in(_: Dashboard, pilot: Pilot[None]) -> None:
    """A type of address that the wallet has already."""
    await pilot.press("3", "d", "n")
    await shows(pilot, "enter: send")
    await pilot.press("shift+tab", *"local", "f2")
    await shows(pilot, "✗ local: this wallet already has")


async def made(ui: Dashboard, pilot: Pilot[None]) -> None:
    """An account, once the service has it."""
    await pilot.press("2", "n", *"Ada", "f2")
    await shows(pilot, "enter: send")
    await seen(ui, pilot)
    await pilot.press("enter")
    ui.store.accounts.put([account(9, "Ada")])
    stands(ui, Standing.ACCEPTED, object_id="acc-9")
    await shows(pilot, "o Open")


WALKS: dict[str, Walk] = {
    walk.__name__: walk
    for walk in (
        person,
        country,
        representative,
        trust,
        beneficiary,
        review,
        company,
        currency,
        pay_in,
        made,
    )
}


@pytest.mark.slow
@pictured("walk", WALKS)
def test_a_form_looks_as_it_did(snap_compare: Compare, ui: Dashboard, walk: str, size: str) -> None:
    async def walked(pilot: Pilot[None]) -> None:
        await WALKS[walk](ui, pilot)
        await pilot.pause()

    assert snap_compare(ui.app(), run_before=walked, terminal_size=SIZES[size])
