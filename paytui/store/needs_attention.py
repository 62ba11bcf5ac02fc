"""The items that need a trader's attention, the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, auto
from typing import Any

from paytui.domain.attention import AttentionKey
from paytui.domain.intent import Action, IntentRow, Standing
from paytui.domain.models import AccountId, Kind, PayIn, Payment, State, Trade, Wallet
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.store.health import Feed
from paytui.store.names import account_of, wallets_in_words
from paytui.store.store import Store
from paytui.store.table import Subset

HELD_FOR_LONG = timedelta(minutes=30)  # The duration from which a compliance review needs attention
BAD_NEWS_LASTS = timedelta(hours=24)  # How long a failed transaction needs attention

LEFT_UNSENT = timedelta(seconds=10)
"""The age from which an unsent intent needs attention; a younger one is about to be sent."""


Floors = Mapping[str, Decimal]
"""Minimum balances by wallet id or currency; a wallet id takes precedence."""


class Urgency(IntEnum):
    """The urgency of an item; the greater comes first."""

    NOTICE = 1
    WARNING = 2
    ALARM = 3
    ALERT = 4  # An object that differs from what was confirmed
    DOUBT = 5  # Money that may have moved, or that waits to be sent by the trader


class AttentionTarget(Enum):
    """The screen that deals with an item, and the meaning of its `key`."""

    OBJECT = auto()  # The id of an object of the kind
    INTENT = auto()  # The id of an intent; the kind is the kind of object that it creates
    LIST = auto()  # The list of the kind itself; the key is the problem


@dataclass(frozen=True, slots=True)
class Attention:
    """An item that needs a trader's attention.

    Attributes:
        key: identifies it within its place.
        subject: its name: `payout`, `wallet AUD desk`.
        matter: the problem: a state, or words: `in review`, `503`.
        since: service time of its beginning, if known.
        amount: with its currency; empty if there is none.
    """

    urgency: Urgency
    kind: Kind
    key: str
    subject: str
    matter: State | str
    since: datetime | None = None
    place: AttentionTarget = AttentionTarget.OBJECT
    amount: str = ""


def attention_key(item: Attention) -> AttentionKey:
    """Return a key of an item and its matter, without words that only tell the time."""
    return AttentionKey(
        "|".join((item.place.name, item.kind, item.key, item.urgency.name, str(item.matter)))
    )


_Transaction = Payment | Trade | PayIn
_DOES = {
    Action.BOOK_TRADE: "trade",
    Action.CREATE_PAYOUT: "payout",
    Action.CREATE_TRANSFER: "transfer",
}
"""The words for actions that move money; others are named by the intent's title."""

_BAD_NEWS = frozenset({"rejected", "failed", "returned"})
_HELD = "compliance_review"


_RESTS_ON = (Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS)


def attention_is_known(store: Store) -> bool:
    """Return True if all lists with attention items that the service offers were read."""
    feeds = map(store.feed, _RESTS_ON)
    return all(feed.was_read or not feed.offered for feed in feeds)


class AttentionCandidates:
    """The rows of the store that may need attention; the rest is not scanned again."""

    def __init__(self, store: Store, floors: Floors) -> None:
        self.store = store
        self.floors = floors
        self.intents = Subset(store.intents, _is_open)
        self.wallets = Subset(
            store.wallets, lambda wallet: _is_held_up(wallet) or is_below(wallet, floors)
        )
        self.payments = Subset(store.payments, _is_suspect)
        self.trades = Subset(store.trades, _is_suspect)
        self.payins = Subset(store.payins, _is_suspect)

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        """All subsets, to be kept up to date."""
        return (self.intents, self.wallets, self.payments, self.trades, self.payins)


def needs_attention(
    suspects: AttentionCandidates, now: datetime, account_id: AccountId | None = None
) -> list[Attention]:
    """Return the items that need attention: the most urgent first, then the newest.

    Items of other accounts than `account_id` are omitted; feeds belong to all accounts.
    """
    found = [
        *_intents_open(suspects, now, account_id),
        *_feeds_failing(suspects.store),
        *_wallets_in_trouble(suspects, account_id),
        *_transactions_in_trouble(suspects, now, account_id),
    ]
    found.sort(key=lambda item: (item.urgency, item.since is not None, item.since), reverse=True)
    return found


def _is_open(row: IntentRow) -> bool:
    return bool(row.alerts) or row.standing in (Standing.IN_DOUBT, Standing.RECORDED)


def _intents_open(
    suspects: AttentionCandidates, now: datetime, account_id: AccountId | None
) -> Iterator[Attention]:
    """Yield intents in doubt or never sent, and those with an alert."""
    for row in suspects.intents.rows():
        if account_id is not None and row.terms.account_id not in (None, account_id):
            continue
        if row.alerts:
            yield _of_intent(row, Urgency.ALERT, row.alerts[-1])
        if row.standing is Standing.IN_DOUBT:
            yield _of_intent(row, Urgency.DOUBT, row.standing)
        elif row.standing is Standing.RECORDED and now - row.since >= LEFT_UNSENT:
            yield _of_intent(row, Urgency.DOUBT, "not sent")


def _of_intent(row: IntentRow, urgency: Urgency, matter: str) -> Attention:
    subject = _DOES.get(row.action, row.title)
    amount = _money(row.terms.amount, row.terms.currency)
    return Attention(
        urgency,
        row.action.becomes,
        row.intent_id,
        subject,
        matter,
        row.since,
        AttentionTarget.INTENT,
        amount,
    )


def _feeds_failing(store: Store) -> Iterator[Attention]:
    """Yield one alarm for each cause: a refused login makes every list fail."""
    failing: dict[str, list[Feed]] = {}
    for feed in map(store.feed, Kind):
        if feed.problem is not None:
            failing.setdefault(feed.problem.what, []).append(feed)
    for matter, feeds in failing.items():
        first, *others = feeds
        name = first.kind.value.replace("_", " ").replace("payin", "pay-in")
        subject = f"{len(feeds)} lists" if others else name
        since = min((feed.failing_since for feed in feeds if feed.failing_since), default=None)
        yield Attention(
            Urgency.ALARM, first.kind, matter, subject, matter, since, AttentionTarget.LIST
        )


def _is_held_up(wallet: Wallet) -> bool:
    state = wallet.status
    if state is None or state.as_created:
        return False
    return not state.final and state.name != "active"


def is_below(wallet: Wallet, floors: Floors) -> bool:
    """Return True if a wallet is below its floor; a closed one has none."""
    floor = floors.get(wallet.wallet_id, floors.get(wallet.currency or ""))
    is_closed = wallet.status is not None and wallet.status.final
    if floor is None or wallet.available_balance is None or is_closed:
        return False
    return wallet.available_balance < floor


def _wallets_in_trouble(
    suspects: AttentionCandidates, account_id: AccountId | None
) -> Iterator[Attention]:
    wallets = [w for w in suspects.wallets.rows() if account_id in (None, w.account_id)]
    called = wallets_in_words(suspects.store, wallets) if wallets else {}
    for wallet in wallets:
        key, since, name = wallet.wallet_id, wallet.updated_at, called[wallet.wallet_id]
        if wallet.status is not None and _is_held_up(wallet):
            is_suspended = wallet.status.name == "suspended"
            urgency = Urgency.WARNING if is_suspended else Urgency.NOTICE
            yield Attention(urgency, Kind.WALLETS, key, name, wallet.status, since)
        if is_below(wallet, suspects.floors):
            held, warning = _money(wallet.available_balance, wallet.currency), Urgency.WARNING
            yield Attention(warning, Kind.WALLETS, key, name, "below floor", since, amount=held)


def _is_suspect(row: _Transaction) -> bool:
    return row.status is not None and row.status.name in (_HELD, *_BAD_NEWS)


def _transactions_in_trouble(
    suspects: AttentionCandidates, now: datetime, account_id: AccountId | None
) -> Iterator[Attention]:
    rows: list[_Transaction] = [
        *suspects.payments.rows(),
        *suspects.trades.rows(),
        *suspects.payins.rows(),
    ]
    for row in rows:
        if account_id is None or account_id == account_of(suspects.store, row):
            yield from _trouble(row, now)


def _trouble(row: _Transaction, now: datetime) -> Iterator[Attention]:
    if row.status is None:
        return
    since = row.updated_at if isinstance(row, Payment) and row.updated_at else row.created_at
    age = now - since if since else None
    if row.status.name in _BAD_NEWS and (age is None or age < BAD_NEWS_LASTS):
        yield _of_transaction(row, Urgency.WARNING, row.status, since)
    elif row.status.name == _HELD and age is not None and age >= HELD_FOR_LONG:
        yield _of_transaction(row, Urgency.NOTICE, "in review", since)


def _of_transaction(
    row: _Transaction, urgency: Urgency, matter: State | str, since: datetime | None
) -> Attention:
    match row:
        case Trade():
            kind, key = Kind.TRADES, str(row.trade_transaction_id)
            subject = f"trade {row.sell_currency or MISSING} > {row.buy_currency or MISSING}"
            amount = _money(row.sell_amount, row.sell_currency)
        case Payment():
            kind, key = Kind.PAYMENTS, row.payment_transaction_id
            subject, amount = row.payment_type or "payment", _money(row.amount, row.currency)
        case PayIn():
            kind, key = Kind.PAYINS, row.pay_in_transaction_id
            subject, amount = "pay-in", _money(row.amount, row.currency)
    return Attention(urgency, kind, key, subject, matter, since, amount=amount)


def _money(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    if amount is None or currency is None:
        return ""
    return f"{format_amount(amount, currency)} {currency}"
