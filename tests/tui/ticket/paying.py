"""A small book of a payer: wallets, recipients of every status, and a desk on it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

from textual.pilot import Pilot

from paytui.domain.intent import IntentMaker, SendPermission, Standing
from paytui.domain.models import (
    AccountId,
    BankInformation,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    Recipient,
    RecipientId,
    State,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import AMOUNT, FROM, REFERENCE, TO
from paytui.tui.ticket.model import Values, having
from paytui.tui.ticket.money import Order
from paytui.tui.ticket.payment import PaymentTask
from paytui.tui.ui_context import UiContext
from tests.support.clock import NOON, ManualClock
from tests.support.intents import row_of
from tests.support.noted_port import NotedPort
from tests.tui.book import ACTIVE, USD, account, wallet
from tests.tui.dashboard import settings_of, shows

EUR = CurrencyCode("EUR")
PENDING, REJECTED = State("pending"), State("rejected", final=True)
USD_DESK, USD_SPARE, USD_BOLT = WalletId("wal-2"), WalletId("wal-3"), WalletId("wal-5")
GLOBEX, WAYNE = RecipientId("rec-1"), RecipientId("rec-6")
BANK = BankInformation(
    bank_name="First National",
    bank_address_line1="1 Main St",
    locality="Springfield",
    postal_code="12345",
    country="US",
)


def address(
    number: int,
    recipient: int,
    *,
    currency: CurrencyCode = USD,
    status: State = ACTIVE,
    account_type: str = "cacc",
) -> PaymentAddress:
    return PaymentAddress(
        PaymentAddressId(f"adr-{number}"),
        recipient_id=RecipientId(f"rec-{recipient}"),
        currency=currency,
        account_type=account_type,
        account_name="Globex Corporation",
        account_number=f"00012345{number}",
        bic="FNBAUS33",
        routing_code="021000021",
        status=status,
        bank_information=BANK,
    )


def recipient(
    number: int, name: str, *addresses: PaymentAddress, status: State = ACTIVE, account: int = 1
) -> Recipient:
    return Recipient(
        RecipientId(f"rec-{number}"),
        account_id=AccountId(f"acc-{account}"),
        company_name=name,
        status=status,
        payment_addresses=addresses,
    )


def book() -> Store:
    """Two accounts; of one, recipients that can be paid in USD and such that cannot."""
    store = Store()
    store.accounts.put([account(1, "Acme"), account(2, "Bolt")])
    store.wallets.put(
        [
            wallet(1, "AUD desk", "1204330.15"),
            wallet(2, "USD desk", "5000", currency=USD),
            wallet(3, "USD spare", "10", currency=USD),
            wallet(4, "USD frozen", "10", currency=USD, status=State("suspended")),
            wallet(5, "USD Bolt", "10", currency=USD, account=2),
        ]
    )
    store.recipients.put(
        [
            recipient(1, "Globex", address(1, 1)),
            recipient(2, "Initech", address(2, 2), status=PENDING),
            recipient(3, "Hooli", address(3, 3), status=REJECTED),
            recipient(4, "Umbrella", address(4, 4, currency=EUR)),
            recipient(5, "Stark", address(5, 5, account_type="electronic_deposit")),
            recipient(6, "Wayne", address(6, 6), address(7, 6), address(8, 6, currency=EUR)),
            recipient(7, "Cyberdyne", address(9, 7, status=PENDING)),
            recipient(8, "Soylent", address(10, 8), account=2),
        ]
    )
    store.payments.put([paid_before(f"adr-{number}") for number in range(1, 11)])
    store.set_sending(SendPermission(allowed=True, why=""))
    return store


def paid_before(address_id: str) -> Payment:
    """A payment that has reached an account, so that it is not new."""
    return Payment(
        PaymentId(f"before-{address_id}"),
        payment_address_id=PaymentAddressId(address_id),
        status=State("completed", final=True),
    )


def forget(store: Store) -> None:
    """Nothing was ever paid to anybody."""
    before = store.payments.rows()
    store.payments.put([replace(row, status=REJECTED) for row in before])


@dataclass
class Paying:
    """A payment ticket on a book, and what it submitted.

    Attributes:
        live: whether the profile says that real money moves.
    """

    live: bool = False
    read_only: bool = False
    store: Store = field(default_factory=book)
    clock: ManualClock = field(default_factory=ManualClock)
    port: NotedPort = field(default_factory=NotedPort)

    def __post_init__(self) -> None:
        self.ui = UiContext(
            store=self.store,
            port=self.port,
            time=ServiceTime(self.clock),
            settings=settings_of(live=self.live, read_only=self.read_only),
            maker=IntentMaker(random.Random(7)),  # noqa: S311 - the same in every run
        )

    def payout(
        self, wallet_id: WalletId | None = None, recipient_id: RecipientId | None = None
    ) -> Ticket[Order]:
        """A payout with so much filled in."""
        to = payee_key(recipient_id) if recipient_id else None
        values = having({}, **{FROM: wallet_id, TO: to})
        return self.ticket("payout", values)

    def transfer(
        self, wallet_id: WalletId | None = None, to_id: WalletId | None = None
    ) -> Ticket[Order]:
        """A transfer with so much filled in."""
        values = having({}, **{FROM: wallet_id, TO: to_id})
        return self.ticket("transfer", values)

    def ticket(self, kind: str, values: Values) -> Ticket[Order]:
        return Ticket(PaymentTask(self.ui, kind), values)

    def ready_payout(self, amount: str = "1200", reference: str = "INV 7") -> Ticket[Order]:
        """A payout that is about to be confirmed."""
        values = {FROM: USD_DESK, TO: payee_key(GLOBEX), AMOUNT: amount, REFERENCE: reference}
        return self.ticket("payout", values)

    def stands(self, standing: Standing, **changes: object) -> None:
        """The worker says how the newest intent stands."""
        self.store.intents.put([row_of(self.port.submitted[-1], standing, since=NOON, **changes)])

    def becomes(self, state: str, *, end_to_end_id: str | None = None) -> None:
        """The payment of the newest intent is in a state."""
        self.store.payments.put(
            [
                Payment(
                    PaymentId("pay-9"),
                    status=State(state, final=state == "completed"),
                    end_to_end_id=end_to_end_id,
                )
            ]
        )


async def to_amount(pilot: Pilot[None]) -> None:
    """USD desk is to pay Globex."""
    await pilot.press("p")
    await shows(pilot, "Payout · to")
    await pilot.press(*"globex", "enter")
    await shows(pilot, "Payout · from")
    await pilot.press("enter")
    await shows(pilot, "Payout · amount")


async def fill_in(pilot: Pilot[None], amount: str = "12") -> None:
    """A payout to Globex, up to its review."""
    await to_amount(pilot)
    await pilot.press(*amount, "tab", *"INV 7", "enter")
    await shows(pilot, "Payout · confirm")


def confirm(ticket: Ticket[Any]) -> None:
    """Confirm what is on view."""
    ticket.confirm(ticket.view().confirms)


def typed_so_far(ticket: Ticket[Any]) -> str:
    """Return the text of the field with the cursor."""
    field = ticket.view().field
    assert field is not None
    return field.text


def said(ticket: Ticket[Any]) -> str:
    """All that is on view, in words."""
    view = ticket.view()
    shown = [ticket.task.title, view.name]
    shown += [" ".join(filter(None, (one.label, one.text, one.note))) for one in view.fields]
    shown += [f"{line.label} {'  '.join(cell.text for cell in line.cells)}" for line in view.lines]
    shown += [f"{one.name} | {one.facts} | {one.amount} | {one.why_not}" for one in view.options]
    return "\n".join(shown + [cell.text for cell in view.words])
