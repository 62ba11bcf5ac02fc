"""The details for a deposit into a wallet: shown, spelled out, copied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Kind, PayInAddressId
from paytui.store.health import Feed
from paytui.tui.forms.declarations import payin_address_form
from paytui.tui.forms.form import Form
from paytui.tui.ui_context import UiContext
from tests.tui.book import local_address, wallet
from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.forms.filling import filling, opened, send, stands

LOCAL = local_address(1)
INTERNATIONAL = replace(
    LOCAL,
    pay_in_address_id=PayInAddressId("pia-2"),
    pay_in_address_type="international",
    bsb=None,
    bic="SBOXAU2SXXX",
)
LOCAL_TEXT = """Type: local
Account name: Acme Client Funds
BSB: 802-985
Account number: 123456789
Bank: Sandbox Bank of Australia
Country: AU
NPP: yes"""
INTERNATIONAL_TEXT = LOCAL_TEXT.replace("local", "international").replace(
    "BSB: 802-985", "BIC: SBOXAU2SXXX"
)


@pytest.fixture
def fed(ui: Dashboard) -> Dashboard:
    """AUD desk, the first of four wallets, has two addresses."""
    ui.store.payin_addresses.put([LOCAL, INTERNATIONAL])
    return ui


@pytest.mark.slow
@pytest.mark.covers("npp-enabled")
@pytest.mark.parametrize(
    ("way", "copied"),
    [
        (("3", "c"), f"{LOCAL_TEXT}\n\n{INTERNATIONAL_TEXT}"),
        (("3", "d", "j", "enter", "c"), INTERNATIONAL_TEXT),
    ],
    ids=["wallet in its list", "address"],
)
def test_one_key_copies_all_that_a_deposit_needs(
    fed: Dashboard, way: tuple[str, ...], copied: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*way)
        await shows(pilot, "copied all deposit details")
        assert pilot.app.clipboard == copied

    fed.play(scenario)


@pytest.mark.slow
@pytest.mark.covers("payin-account-name")
def test_an_account_name_that_nobody_set_is_said_to_be_missing(fed: Dashboard) -> None:
    profile = replace(fed.settings.profile, payin_account_name=None)
    fed.settings = replace(fed.settings, profile=profile)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "d", "enter")
        await shows(pilot, "not set: payin_account_name")
        await pilot.press("c")
        await shows(pilot, "without the account name")
        assert "Account name" not in pilot.app.clipboard

    fed.play(scenario)


@pytest.mark.slow
def test_a_wallet_without_an_address_says_so_and_copies_nothing(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "c")
        await shows(pilot, "No pay-in address of this wallet")
        assert pilot.app.clipboard == ""

    ui.play(scenario)


def test_where_nothing_can_be_deposited_the_key_is_not_hinted_and_says_so(
    ui: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "Account Acme")
        assert "Copy deposit" not in text(pilot)
        await pilot.press("c")
        await shows(pilot, "There is no wallet or pay-in address under the cursor.")

    ui.play(scenario)


def test_numbers_are_shown_in_groups_and_spelled_and_copied_as_they_came(fed: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "d", "j", "enter")
        await shows(pilot, "› Pay-in address of ")
        shown = text(pilot)
        assert "SBOX AU 2S XXX" in shown
        assert "123 456 789" in shown
        assert "one two three, four five six, seven eight nine" in shown
        await pilot.press("j", "j", "j", "j", "y")
        assert pilot.app.clipboard == "123456789"

    fed.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("is_listed", [True, False])
def test_bank_details_that_the_service_cannot_show_again_are_to_be_copied_now(
    is_listed: bool,
) -> None:
    def form(ui: UiContext) -> Form:
        return payin_address_form(ui, wallet(1, "AUD desk", "0"))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, form)
        await pilot.press(*"local", "enter", "f2")
        await send(ui, pilot)
        ui.store.payin_addresses.put([local_address(1)])
        stands(ui, Standing.ACCEPTED, object_id=local_address(1).pay_in_address_id)
        await shows(pilot, "Created.")
        assert ("Copy it now (o, then c)" in text(pilot)) is not is_listed

    ui = filling()
    ui.store.wallets.put([wallet(1, "AUD desk", "0")])
    ui.store.set_feed(Feed(Kind.PAYIN_ADDRESSES, offered=is_listed))
    ui.play(scenario)
