"""A small book, written by hand, so that tests can state what they expect."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayInAddress,
    PayInAddressId,
    Payment,
    PaymentId,
    Problem,
    Rate,
    RateSheet,
    RateSheetId,
    Record,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.health import Feed, Link, LinkState
from paytui.store.names import related_in_memory
from paytui.store.store import Store
from paytui.tui.details.objects import RELATED, groups_of
from paytui.tui.format.cells import Group
from paytui.tui.ui_context import UiContext
from tests.support.clock import NOON, ManualClock

AUD, USD, JPY = CurrencyCode("AUD"), CurrencyCode("USD"), CurrencyCode("JPY")
AUD_USD, USD_AUD = Pair(AUD, USD), Pair(USD, AUD)
ACTIVE = State("active")


def account(number: int, name: str) -> Account:
    return Account(AccountId(f"acc-{number}"), display_name=name, status=State("registered"))


def wallet(
    number: int,
    name: str,
    available: str,
    *,
    currency: CurrencyCode = AUD,
    account: int = 1,
    status: State = ACTIVE,
) -> Wallet:
    return Wallet(
        WalletId(f"wal-{number}"),
        account_id=AccountId(f"acc-{account}"),
        currency=currency,
        wallet_name=name,
        status=status,
        available_balance=Decimal(available),
        reserved_balance=Decimal(0),
        pending_balance=Decimal(0),
    )


def local_address(number: int, *, wallet: int = 1) -> PayInAddress:
    """A pay-in address that has all that there is to one."""
    return PayInAddress(
        PayInAddressId(f"pia-{number}"),
        WalletId(f"wal-{wallet}"),
        pay_in_address_type="local",
        bsb="802-985",
        account_number="123456789",
        bank_name="Sandbox Bank of Australia",
        country="AU",
        npp_enabled=True,
    )


def payment(number: int, amount: str, state: str = "completed", *, minutes_ago: int = 0) -> Payment:
    return Payment(
        PaymentId(f"pay-{number}"),
        payment_type="payout",
        account_id=AccountId("acc-1"),
        amount=Decimal(amount),
        currency=AUD,
        status=State(state),
        reference=f"ref {number}",
        created_at=NOON - timedelta(minutes=minutes_ago),
    )


def sheet(name: str, clock: ManualClock, rates: dict[Pair, str]) -> RateSheet:
    """A rate sheet asked for now."""
    now = clock.now()
    return RateSheet(
        RateSheetId(name),
        expires_at=now + timedelta(seconds=150),
        sent_at=clock.boot(),
        created_at=now,
        rates=tuple(Rate(pair, Decimal(rate)) for pair, rate in rates.items()),
    )


def read(store: Store, clock: ManualClock, *kinds: Kind) -> None:
    """These lists were read just now, and the link is up."""
    for kind in kinds or Kind:
        store.set_feed(Feed(kind, as_of=clock.now(), read_at=clock.boot()))
    store.set_link(Link(LinkState.UP, since=clock.now()))
    store.notify()


def failed(store: Store, kind: Kind, what: str) -> None:
    """The newest read of a list failed at 14:02."""
    before = store.feed(kind)
    store.set_feed(
        Feed(
            kind,
            as_of=before.as_of,
            read_at=before.read_at,
            problem=Problem(f"read {kind.value.replace('_', ' ')}", what),
            failing_since=NOON + timedelta(hours=2, minutes=2),
        )
    )
    store.notify()


def groups_in_memory(ui: UiContext, row: Record) -> list[Group]:
    """The facts of an object, with those of its rows that are in memory."""
    kind, key = KIND_OF[type(row)], identifier_of(row)
    kinds = RELATED.get(kind, ())
    related = {one: related_in_memory(ui.store, (kind, key), one, 50) for one in kinds}
    return groups_of(ui, row, related)
