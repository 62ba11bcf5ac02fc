"""Lists of pay-ins and pay-in addresses, opened from a wallet or by name."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import (
    AccountId,
    PayIn,
    PayInAddress,
    PayInAddressId,
    PayInId,
    State,
    WalletId,
)
from tests.support.clock import NOON
from tests.tui.book import AUD
from tests.tui.dashboard import Dashboard, shows, text, until


def payin(number: int, wallet: int, sender: str) -> PayIn:
    return PayIn(
        PayInId(f"pin-{number}"),
        wallet_id=WalletId(f"wal-{wallet}"),
        amount=Decimal(number),
        currency=AUD,
        status=State("credited"),
        sender_name=sender,
        created_at=NOON - timedelta(minutes=number),
    )


@pytest.fixture
def fed(ui: Dashboard) -> Dashboard:
    """The small book, with a pay-in and an address each for two wallets of two accounts."""
    ui.store.payins.put([payin(1, 1, "Alpha Pty"), payin(2, 2, "Beta Ltd")])
    ui.store.payin_addresses.put(
        [
            PayInAddress(PayInAddressId("a-1"), WalletId("wal-1"), account_number="10001"),
            PayInAddress(PayInAddressId("a-2"), WalletId("wal-2"), account_number="20002"),
        ]
    )
    return ui


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "own", "other", "count"),
    [
        ("i", "Alpha Pty", "Beta Ltd", "1 pay-in of AUD desk"),
        ("d", "10001", "20002", "1 pay-in address of AUD desk"),
    ],
)
def test_a_wallet_leads_to_what_comes_into_it_and_esc_comes_back_to_that_wallet(
    fed: Dashboard, key: str, own: str, other: str, count: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", key)
        await shows(pilot, own)
        assert count in text(pilot)
        assert other not in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "1,204,330.15")

    fed.play(scenario)


@pytest.mark.slow
def test_esc_takes_the_filter_away_first_and_goes_back_next(fed: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "i", "slash", *"nobody", "enter")
        await until(pilot, lambda: "Alpha Pty" not in text(pilot))
        await pilot.press("escape")
        await shows(pilot, "Alpha Pty")
        await pilot.press("escape")
        await shows(pilot, "1,204,330.15")

    fed.play(scenario)


def test_esc_on_a_numbered_list_leads_nowhere(fed: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "escape", "escape")
        await shows(pilot, "1,204,330.15")

    fed.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "first", "second"),
    [("show pay-ins", "Alpha Pty", "Beta Ltd"), ("show pay-in addresses", "10001", "20002")],
)
def test_the_palette_leads_to_those_of_all_wallets(
    fed: Dashboard, command: str, first: str, second: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p", *(" " if char == " " else char for char in command))
        await shows(pilot, "Show Pay-in")
        await pilot.press("enter")
        await shows(pilot, first)
        assert second in text(pilot)

    fed.play(scenario)


@pytest.mark.slow
def test_pay_ins_of_other_accounts_are_not_shown_once_their_wallet_is_known(
    fed: Dashboard,
) -> None:
    mine = fed.store.wallets.get(WalletId("wal-1"))
    assert mine is not None
    fed.store.wallets.remove([mine.wallet_id])

    async def scenario(fed: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "j", "i")
        dashboard = pilot.app
        dashboard.show_account(AccountId("acc-1"))  # type: ignore[attr-defined]  # the app is ours
        await pilot.press("escape", "ctrl+p", *"show pay-ins", "enter")
        await shows(pilot, "0 pay-ins")
        fed.store.wallets.put([mine])
        fed.store.notify()
        await shows(pilot, "Alpha Pty")
        assert "Beta Ltd" not in text(pilot)

    fed.play(scenario)
