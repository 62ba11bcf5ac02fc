"""A new wallet by keys alone, on a terminal of 80x24."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import AccountId, FieldProblem, Kind
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import WalletRequest
from paytui.store.health import Feed
from paytui.tui.forms.declarations import wallet_form
from tests.tui.book import wallet
from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.forms.filling import filling, opened, send, stands

DETAILS = (*"bo", "enter", *"usd", "tab", *"USD desk", "tab", *"For payouts")


@pytest.mark.slow
@pytest.mark.covers("create-wallet")
def test_a_wallet_is_made_and_followed_until_it_is_active() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*DETAILS, "enter")
        await shows(pilot, "enter: send")
        for words in ("Bolt", "acc-2", "USD desk", "For payouts"):
            assert words in text(pilot)
        await send(ui, pilot)
        ui.store.wallets.put([wallet(9, "USD desk", "0")])
        stands(ui, Standing.ACCEPTED, object_id="wal-9")
        await shows(pilot, "wal-9")
        assert "active" in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "1 Overview")

    ui = filling()
    ui.play(scenario)
    (intent,) = ui.port.submitted
    assert intent.title == "Wallet USD desk"
    assert intent.request == WalletRequest(
        account_id=AccountId("acc-2"),
        currency=CurrencyCode("USD"),
        wallet_name="USD desk",
        wallet_description="For payouts",
    )


def test_where_accounts_are_not_listed_an_identifier_can_be_typed() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"x-77", "tab", *"usd", "tab")
        await shows(pilot, "! x-77 is not a known value. It is sent as typed.")
        await pilot.press("f2")
        await shows(pilot, "! Account: x-77 is not a known value")
        await send(ui, pilot)

    ui = filling()
    ui.store.set_feed(Feed(Kind.ACCOUNTS, offered=False))
    ui.play(scenario)
    (intent,) = ui.port.submitted
    assert isinstance(intent.request, WalletRequest)
    assert intent.request.account_id == "x-77"


def test_where_accounts_are_listed_no_other_is_taken() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"x-77", "tab", *"usd", "tab", "f2", "f2")
        await shows(pilot, "✗ Choose one from the list.")
        assert "▌ Account       x-77" in text(pilot)
        assert ui.port.submitted == []

    filling().play(scenario)


@pytest.mark.slow
def test_what_the_service_says_of_a_field_stands_at_it_with_all_that_was_typed() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*DETAILS, "enter")
        await send(ui, pilot)
        taken = FieldProblem("wallet_name", "is taken")
        stands(ui, Standing.REFUSED, said="invalid request", fields=(taken,))
        await shows(pilot, "enter: correct it")
        await shows(pilot, "invalid request")
        await pilot.press("enter")
        await shows(pilot, "✗ Refused: wallet name: is taken")
        for words in ("▌ Name", "Bolt", "USD desk", "For payouts"):
            assert words in text(pilot)
        await pilot.press(*" 2", "f2")
        await send(ui, pilot)

    ui = filling()
    ui.play(scenario)
    first, second = ui.port.submitted
    assert first.key != second.key
    assert second.title == "Wallet USD desk 2"


@pytest.mark.slow
def test_the_only_account_there_is_need_not_be_chosen() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"usd", "tab", *"USD desk", "f2")
        await shows(pilot, "enter: send")
        assert "Bolt" in text(pilot)
        await pilot.press("shift+tab", "ctrl+l", *"eur", "f2")
        await shows(pilot, "enter: send")
        assert "Bolt" in text(pilot)

    ui = filling()
    ui.store.accounts.remove([AccountId("acc-1")])
    ui.play(scenario)


def test_of_several_accounts_none_is_taken_by_itself() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press("f2")
        await shows(pilot, "✗ Required.")
        assert "▌ Account" in text(pilot)

    filling().play(scenario)
