"""`n` creates an object where it would be listed, with known values filled in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import SendPermission
from paytui.domain.models import AccountId, Recipient, RecipientId, State
from paytui.tui.base_screens import BaseScreen
from paytui.tui.ticket.screen import TicketScreen
from tests.tui.book import account, local_address, payment, wallet
from tests.tui.dashboard import Dashboard, shows, text


@pytest.fixture
def sending(ui: Dashboard) -> Dashboard:
    """The small book, from which things are sent."""
    ui.store.set_sending(SendPermission(allowed=True, why=""))
    ui.store.payin_addresses.put([local_address(1)])
    return ui


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "title", "known"),
    [
        (("3", "n"), "New wallet", "required"),
        (("2", "enter", "n"), "New wallet", "Acme"),
        (("3", "d", "n"), "New pay-in address", "AUD desk"),
    ],
)
def test_a_form_is_two_keys_from_its_list_and_knows_where_it_was_opened(
    sending: Dashboard, way: tuple[str, ...], title: str, known: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*way)
        await shows(pilot, f" {title} ·")
        assert known in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "q Quit")
        assert f" {title} ·" not in text(pilot)

    sending.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "operation"),
    [
        (("7", "enter", "n"), "add_payment_address"),
        (("3", "p"), "create_payout"),
        (("3", "t"), "book_trade"),
    ],
)
def test_what_the_dialect_says_is_not_there_is_said_before_the_first_key(
    sending: Dashboard, way: tuple[str, ...], operation: str
) -> None:
    sending.vocabulary = replace(sending.vocabulary, missing=frozenset({operation}))
    sending.store.recipients.put([Recipient(RecipientId("rec-9"), company_name="Bolt")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*way)
        await shows(pilot, f"[paths] {operation}")
        assert isinstance(pilot.app.screen, BaseScreen)
        assert not isinstance(pilot.app.screen, TicketScreen)

    sending.play(scenario, size=(120, 40))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "offered", "title"),
    [
        ("new corporate", "New corporate (N on Accounts)", "New corporate account"),
        ("new recipient", "New recipient (n on Recipients)", "New recipient"),
    ],
)
def test_the_palette_makes_what_is_new_from_anywhere(
    sending: Dashboard, typed: str, offered: str, title: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter", "ctrl+p", *typed)
        await shows(pilot, offered)
        await pilot.press("enter")
        await shows(pilot, f" {title} ·")

    sending.play(scenario)


@pytest.mark.slow
def test_the_palette_names_what_is_new_here_once(sending: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "ctrl+p", *"new wallet")
        await shows(pilot, "New wallet (n)")
        assert "on Wallets" not in text(pilot)

    sending.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "title", "way"),
    [
        ("new pay-in", "4 wallets", "Choose the wallet, then d and n."),
        ("new payment addr", "recipients, by", "Open the recipient, then press n."),
    ],
)
def test_the_palette_leads_to_where_an_address_is_made(
    sending: Dashboard, typed: str, title: str, way: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("1", "ctrl+p", *typed)
        await shows(pilot, "address (of a")
        await pilot.press("enter")
        await shows(pilot, title)
        await shows(pilot, way)

    sending.play(scenario)


@pytest.mark.slow
def test_a_form_that_lies_there_already_is_not_lost(sending: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "n", *"x", "ctrl+p", *"new corporate")
        await shows(pilot, "New corporate (N on Accounts)")
        await pilot.press("enter")
        await shows(pilot, " New corporate account ·")
        await pilot.press("escape")
        await shows(pilot, " New individual account ·")

    sending.play(scenario)


def test_a_wallet_is_of_the_account_that_is_looked_at(sending: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.show_account(AccountId("acc-2"))  # type: ignore[attr-defined]  # the app is ours
        await pilot.press("3", "n")
        await shows(pilot, "New wallet")
        assert "Bolt" in text(pilot)

    sending.play(scenario)


@pytest.mark.slow
def test_a_type_of_address_that_the_wallet_has_cannot_be_had_again(sending: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter", "n")
        await shows(pilot, "enter: send")  # the other type is the only one left
        await pilot.press("shift+tab", *"local", "f2")
        await shows(pilot, "✗ local: this wallet already has 802-985 123456789.")
        assert "enter: send" not in text(pilot)

    sending.play(scenario)


def test_where_nothing_can_be_added_the_key_is_not_hinted_and_says_so(sending: Dashboard) -> None:
    sending.store.payments.put([payment(9, "1")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payout 1.00 AUD")
        assert "Add…" not in text(pilot)
        await pilot.press("n")
        await shows(pilot, "Nothing can be added to this.")

    sending.play(scenario)


def test_an_account_that_is_not_registered_yet_is_warned_of_and_may_be_tried(
    sending: Dashboard,
) -> None:
    acme = account(1, "Acme")
    sending.store.accounts.put([replace(acme, status=State("pending_checks"))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter", "n", *"aud", "f2")
        await shows(pilot, "! Account: The account is in pending checks")
        await shows(pilot, "enter: send")

    sending.play(scenario)


def test_of_a_wallet_that_is_not_active_yet_it_is_said_that_no_money_goes_to_it(
    sending: Dashboard,
) -> None:
    """service.md §3: "A wallet must be Active before a pay-in is made to it"."""
    pending = wallet(1, "AUD desk", "0", status=State("pending"))
    sending.store.wallets.put([pending])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter", "n")
        await shows(pilot, "AUD of Acme, pending: cannot receive money")
        await shows(pilot, "enter: send")

    sending.play(scenario)
