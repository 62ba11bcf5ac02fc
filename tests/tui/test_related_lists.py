"""One key leads from an account or a wallet to the lists of its objects."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import (
    AccountId,
    Kind,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.store.health import Feed
from tests.tui.book import AUD, USD, failed, payment
from tests.tui.dashboard import Dashboard, shows, tells, text
from tests.tui.details.test_links import go_to

OTHERS = AccountId("acc-2")


@pytest.fixture
def busy(ui: Dashboard) -> Dashboard:
    """A desk with a row of Acme's and Bolt's of each kind, and a payment out of AUD desk."""
    store = ui.store
    paid = replace(payment(4, "75"), source_wallet_id=WalletId("wal-1"), reference="by Acme")
    others = replace(payment(5, "80"), account_id=OTHERS, reference="by Bolt")
    store.payments.remove(store.payments.keys())
    store.payments.put([paid, others])
    trade = Trade(TradeId("trd-1"), AccountId("acc-1"), AUD, USD, sell_wallet_id=WalletId("wal-1"))
    store.trades.put(
        [trade, replace(trade, trade_transaction_id=TradeId("trd-2"), account_id=OTHERS)]
    )
    ada = Recipient(RecipientId("rec-1"), AccountId("acc-1"), first_name="Ada")
    bob = Recipient(RecipientId("rec-2"), OTHERS, first_name="Bob")
    store.recipients.put([ada, bob])
    return ui


def test_a_recipient_leads_to_its_payments(busy: Dashboard) -> None:
    to_ada = replace(payment(6, "60"), recipient_id=RecipientId("rec-1"))
    busy.store.payments.put([to_ada])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7", "enter")
        await go_to(pilot, "Payments › 1")
        await pilot.press("enter")
        await shows(pilot, "1 payment of Ada")
        assert "60.00" in text(pilot)
        assert "75.00" not in text(pilot)

    busy.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "title", "own", "other"),
    [
        ("Wallets › 2", "2 wallets of Acme", "JPY desk", "AUD payroll"),
        ("Payments › 1", "1 payment of Acme", "75.00", "80.00"),
    ],
)
def test_an_account_counts_what_belongs_to_it_and_leads_to_the_list_and_back(
    busy: Dashboard, label: str, title: str, own: str, other: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await go_to(pilot, label)
        await pilot.press("enter")
        await shows(pilot, title)
        assert own in text(pilot)
        assert other not in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "Account Acme")

    busy.play(scenario)


def test_a_list_of_an_account_is_of_that_account_whatever_is_looked_at_elsewhere(
    busy: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await go_to(pilot, "Payments")
        pilot.app.show_account(OTHERS)  # type: ignore[attr-defined]  # the app is ours
        await pilot.press("enter")
        await shows(pilot, "1 payment of Acme")
        assert "75.00" in text(pilot)

    busy.play(scenario)


@pytest.mark.parametrize(
    ("label", "title"),
    [("Trades › 2", "2 trades of AUD desk"), ("Payments › 1", "1 payment of AUD desk")],
)
def test_a_wallet_leads_to_the_lists_of_what_touches_it(
    busy: Dashboard, label: str, title: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await go_to(pilot, label)
        await pilot.press("enter")
        await shows(pilot, title)

    busy.play(scenario)


@pytest.mark.slow
def test_a_count_that_may_lack_something_says_so(busy: Dashboard) -> None:
    failed(busy.store, Kind.PAYMENTS, "503")
    busy.store.set_feed(Feed(Kind.TRADES, offered=False))
    busy.store.set_feed(Feed(Kind.RECIPIENTS))
    busy.store.set_feed(replace(busy.store.feed(Kind.WALLETS), total=9))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "1  possibly more: the newest read failed")
        await shows(pilot, "1  known so far: the service offers no list")
        await shows(pilot, "1  so far: still loading")
        await shows(pilot, "2  of the 4 read of 9")

    busy.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "words", "checks"),
    [
        (
            State("pending_checks"),
            "Identity checks (KYC) are pending",
            "… pending with the operator",
        ),
        (
            State("rejected", final=True),
            "Identity checks failed.",
            "✗ not passed",
        ),
    ],
)
def test_an_account_says_what_its_state_means_while_it_changes(
    ui: Dashboard, state: State, words: str, checks: str
) -> None:
    """service.md §1: the trusted path skips the checks, on the KYC path the operator runs them."""
    (acme,) = (row for row in ui.store.accounts.rows() if row.display_name == "Acme")

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "Account Acme")
        ui.store.accounts.put([replace(acme, status=state)])
        ui.store.notify()
        await shows(pilot, words)
        await tells(pilot, f"identity checks {checks}")

    ui.play(scenario)


def test_a_state_that_no_dialect_lists_is_given_no_meaning(ui: Dashboard) -> None:
    (acme,) = (row for row in ui.store.accounts.rows() if row.display_name == "Acme")
    ui.store.accounts.put([replace(acme, status=State("on_hold", known=False))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "? on_hold")
        assert "Meaning" not in text(pilot)

    ui.play(scenario)
