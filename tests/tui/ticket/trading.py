"""A desk that can trade, and the service's response to its requests."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal

from textual.pilot import Pilot

from paytui.domain.intent import IntentMaker, IntentRow, SendPermission
from paytui.domain.models import (
    AccountId,
    BankInformation,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import Quote
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.model import NO_VALUES, Values
from paytui.tui.ticket.trade import Deal, TradeTask
from paytui.tui.ui_context import UiContext
from tests.support.clock import ManualClock
from tests.support.noted_port import NotedPort
from tests.tui.book import ACTIVE, AUD, AUD_USD, JPY, USD, account, sheet, wallet
from tests.tui.dashboard import settings_of, shows
from tests.tui.ticket.paying import paid_before


def fill(store: Store) -> None:
    """Two accounts, wallets in three currencies, and a recipient with an account in USD."""
    store.set_sending(SendPermission(allowed=True, why=""))
    store.accounts.put([account(1, "Acme"), account(2, "Bolt")])
    store.wallets.put(
        [
            wallet(1, "AUD desk", "1204330.15"),
            wallet(2, "AUD payroll", "70000", account=2),
            wallet(3, "JPY desk", "45120900", currency=JPY),
            wallet(4, "USD desk", "88210.4", currency=USD),
            wallet(5, "USD closed", "0", currency=USD, status=State("closed")),
        ]
    )
    store.recipients.put([recipient()])
    store.payments.put([paid_before("adr-1")])


def of_wallet(row: IntentRow, wallet_id: str) -> IntentRow:
    """An intent that takes money from this wallet."""
    return replace(row, terms=replace(row.terms, source_wallet_id=WalletId(wallet_id)))


def recipient(state: State = ACTIVE) -> Recipient:
    return Recipient(
        RecipientId("rec-1"),
        account_id=AccountId("acc-1"),
        company_name="Foundry Inc",
        status=ACTIVE,
        payment_addresses=(
            PaymentAddress(
                PaymentAddressId("adr-1"),
                recipient_id=RecipientId("rec-1"),
                currency=USD,
                account_type="cacc",
                account_name="Foundry Incorporated",
                account_number="000123456789",
                routing_code="021000021",
                status=state,
                bank_information=BankInformation(bank_name="First Bank", country="US"),
            ),
        ),
    )


async def to_amount(pilot: Pilot[None], target: str = "USD desk") -> None:
    """Acme sells out of AUD desk, perhaps to a recipient."""
    await pilot.press("t")
    await shows(pilot, "Trade · sell")
    await pilot.press(*"aud ", *"usd ")
    await shows(pilot, "Trade · sell amount")
    await pilot.press("tab", "tab")
    await shows(pilot, "Trade · from")
    await pilot.press(*"desk", "tab")
    await shows(pilot, "Trade · into")
    await pilot.press(*target, "enter")
    await shows(pilot, "Trade · sell amount")


async def to_confirm(pilot: Pilot[None]) -> None:
    """A quarter of a million at the locked rate."""
    await to_amount(pilot)
    await pilot.press(*"250k", "enter")
    await shows(pilot, "Trade · confirm")


class Trading:
    """A desk without a screen; what it asks the service for is answered by hand."""

    def __init__(self, *, live: bool = False) -> None:
        self.clock = ManualClock()
        self.port = NotedPort()
        self.store = Store()
        fill(self.store)
        self.ui = UiContext(
            store=self.store,
            port=self.port,
            time=ServiceTime(self.clock),
            settings=settings_of(live=live),
            maker=IntentMaker(random.Random(5)),  # noqa: S311 - a test repeats itself
        )

    def limit(self, currency: CurrencyCode, most: str) -> None:
        """The profile sends no more than this of a currency."""
        profile = replace(self.ui.settings.profile, refuse_above={currency: Decimal(most)})
        self.ui = replace(self.ui, settings=replace(self.ui.settings, profile=profile))

    def hold(self, name: str, rates: dict[Pair, str]) -> None:
        """A live sheet that was asked for now."""
        self.store.rate_sheets.put([sheet(name, self.clock, rates)])

    def ticket(self, values: Values = NO_VALUES) -> Ticket[Deal]:
        """A trade with so much filled in."""
        return Ticket(TradeTask(self.ui), values)

    def about_to_pay(self) -> Ticket[Deal]:
        """1,000.00 AUD sold at 0.65123 to pay the recipient, under review."""
        self.hold("one", {AUD_USD: "0.65123"})
        amount = {"sell_amount": "1000", "reference": "Invoice 42"}
        return self.ticket({"from_wallet": "wal-1", "to": payee_key("rec-1"), **amount})

    def answer(self, name: str, rate: str) -> None:
        """The newest wish for a rate is granted."""
        answer_quote(self.store, self.clock, self.port, name, rate)


def answer_quote(store: Store, clock: ManualClock, port: NotedPort, name: str, rate: str) -> None:
    """The newest wish for a rate is granted."""
    quote_id, pair = port.quotes[-1]
    store.quotes.put([Quote(quote_id, pair, sheet(name, clock, {pair: rate}))])
    store.notify()


def booked(state: str = "awaiting_funds") -> Trade:
    """Return the service's booking of 250,000.00 AUD sold at 0.65123."""
    return Trade(
        TradeId("trd-1"),
        account_id=AccountId("acc-1"),
        sell_currency=AUD,
        buy_currency=USD,
        sell_amount=Decimal("250000.00"),
        buy_amount=Decimal("162807.50"),
        dealt_side="sell",
        rate=Decimal("0.65123"),
        status=State(state),
        reference="PT-ABCDEFGH",
    )
