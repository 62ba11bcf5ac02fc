"""What a trader should look at now, the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum

from paytui.api.models import AccountId, Kind, PayIn, Payment, State, Trade
from paytui.intent import Action, IntentRow, Standing
from paytui.money import MISSING, format_amount
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.store.views.names import payin_owner

HELD_FOR_LONG = timedelta(minutes=30)
"""A compliance review that takes longer than this is worth a trader's look."""

BAD_NEWS_LASTS = timedelta(hours=24)
"""How long something that failed stays among the things that need attention."""

LEFT_UNSENT = timedelta(seconds=10)
"""An intent that is still not sent after so long waits for somebody; else it goes out next."""


class Urgency(IntEnum):
    """How much something wants a trader's eye; the greater comes first."""

    NOTICE = 1
    WARNING = 2
    ALARM = 3
    ALERT = 4
    """What an intent became is not what was confirmed."""
    DOUBT = 5
    """Money that may have moved, or waits for somebody to send it."""


@dataclass(frozen=True, slots=True)
class Attention:
    """One thing that a trader should look at.

    Attributes:
        kind: the table it is in, or whose feed it is about.
        key: the id of the object; None where it is about a whole feed.
        subject: what it is, in words: `payout 12,000.00 USD`, `payments`.
        matter: what is the matter with it: its state, or words: `in review`, `503`.
        since: service time since when, if known.
        is_intent: whether `key` is of an intent; `kind` is what that becomes.
    """

    urgency: Urgency
    kind: Kind
    key: str | None
    subject: str
    matter: State | str
    since: datetime | None = None
    is_intent: bool = False


_Transaction = Payment | Trade | PayIn
_DOES = {
    Action.BOOK_TRADE: ("trade", Kind.TRADES),
    Action.CREATE_PAYOUT: ("payout", Kind.PAYMENTS),
    Action.CREATE_TRANSFER: ("transfer", Kind.PAYMENTS),
}
_BAD_NEWS = frozenset({"rejected", "failed", "returned"})
_HELD = "compliance_review"


_RESTS_ON = (Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS)


def attention_is_known(store: Store) -> bool:
    """Whether every list was read in which something that needs attention could be.

    A list that the service does not offer holds nothing to wait for.
    """
    feeds = map(store.feed, _RESTS_ON)
    return all(feed.as_of is not None or not feed.offered for feed in feeds)


def needs_attention(
    store: Store, now: datetime, account_id: AccountId | None = None
) -> list[Attention]:
    """What a trader should look at: the most urgent first, then the newest.

    Args:
        store: what is known.
        now: service time.
        account_id: leave out what belongs to other accounts; feeds concern everybody.
    """
    found = [
        *_intents_open(store, now, account_id),
        *_feeds_failing(store),
        *_wallets_held_up(store, account_id),
        *_transactions_in_trouble(store, now, account_id),
    ]
    found.sort(key=lambda item: (item.urgency, item.since is not None, item.since), reverse=True)
    return found


def _intents_open(store: Store, now: datetime, account_id: AccountId | None) -> Iterator[Attention]:
    """What is in doubt or was never sent, and what differs from what was confirmed; that stays."""
    for row in store.intents.rows():
        if account_id is not None and row.terms.account_id not in (None, account_id):
            continue
        if row.alerts:
            yield _of_intent(row, Urgency.ALERT, row.alerts[-1])
        if row.standing is Standing.IN_DOUBT:
            yield _of_intent(row, Urgency.DOUBT, row.standing)
        elif row.standing is Standing.RECORDED and now - row.since >= LEFT_UNSENT:
            yield _of_intent(row, Urgency.DOUBT, "never sent")


def _of_intent(row: IntentRow, urgency: Urgency, matter: str) -> Attention:
    word, kind = _DOES[row.action]
    terms = row.terms
    if terms.amount is not None and terms.currency is not None:
        word += f" {format_amount(terms.amount, terms.currency)} {terms.currency}"
    return Attention(urgency, kind, row.intent_id, word, matter, row.since, is_intent=True)


def _feeds_failing(store: Store) -> Iterator[Attention]:
    """One alarm a cause: a refused login fails every list, and is one thing to see to."""
    failing: dict[str, list[Feed]] = {}
    for feed in map(store.feed, Kind):
        if feed.problem is not None:
            failing.setdefault(feed.problem.what, []).append(feed)
    for matter, feeds in failing.items():
        first, *others = feeds
        name = first.kind.value.replace("_", " ").replace("payin", "pay-in")
        subject = f"{len(feeds)} lists" if others else name
        since = min((feed.failing_since for feed in feeds if feed.failing_since), default=None)
        yield Attention(Urgency.ALARM, first.kind, None, subject, matter, since)


def _wallets_held_up(store: Store, account_id: AccountId | None) -> Iterator[Attention]:
    """Wallets that are not Active; a closed one stays so and is no news."""
    for wallet in store.wallets.rows():
        state = wallet.status
        if state is None or state.final or state.name == "active":
            continue
        if account_id not in (None, wallet.account_id):
            continue
        urgency = Urgency.WARNING if state.name == "suspended" else Urgency.NOTICE
        subject = f"wallet {wallet.wallet_name or wallet.wallet_id}"
        yield Attention(urgency, Kind.WALLETS, wallet.wallet_id, subject, state, wallet.updated_at)


def _transactions_in_trouble(
    store: Store, now: datetime, account_id: AccountId | None
) -> Iterator[Attention]:
    for payment in store.payments.rows():
        if account_id in (None, payment.account_id):
            yield from _trouble(Kind.PAYMENTS, payment.payment_transaction_id, payment, now)
    for trade in store.trades.rows():
        if account_id in (None, trade.account_id):
            yield from _trouble(Kind.TRADES, trade.trade_transaction_id, trade, now)
    for payin in store.payins.rows():
        if account_id is None or account_id == payin_owner(store, payin):
            yield from _trouble(Kind.PAYINS, payin.pay_in_transaction_id, payin, now)


def _trouble(kind: Kind, key: str, row: _Transaction, now: datetime) -> Iterator[Attention]:
    if row.status is None:
        return
    since = row.updated_at if isinstance(row, Payment) and row.updated_at else row.created_at
    age = now - since if since else None
    if row.status.name in _BAD_NEWS and (age is None or age < BAD_NEWS_LASTS):
        yield Attention(Urgency.WARNING, kind, key, _subject(row), row.status, since)
    elif row.status.name == _HELD and age is not None and age >= HELD_FOR_LONG:
        yield Attention(Urgency.NOTICE, kind, key, _subject(row), "in review", since)


def _subject(row: _Transaction) -> str:
    if isinstance(row, Trade):
        return f"trade {row.sell_currency or MISSING}>{row.buy_currency or MISSING}"
    word = "pay-in" if isinstance(row, PayIn) else (row.payment_type or "payment")
    if row.amount is None or row.currency is None:
        return word
    return f"{word} {format_amount(row.amount, row.currency)} {row.currency}"
