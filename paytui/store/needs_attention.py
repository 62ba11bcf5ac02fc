"""The items that need a trader's attention, the most urgent first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, auto
from typing import Any

from paytui.domain import models
from paytui.domain.colleagues import AttentionKey
from paytui.domain.intent import Action, IntentRow, Standing
from paytui.domain.money import EXACT, MISSING, CurrencyCode, Money, plain, with_currency
from paytui.store.health import Feed
from paytui.store.names import account_of, created, recipient_name, wallet_label, wallets_in_words
from paytui.store.payable import wallet_trouble
from paytui.store.store import GROWING, Store
from paytui.store.table import Subset

HELD_FOR_LONG = timedelta(minutes=30)  # The age from which a transaction in review needs attention
BAD_NEWS_LASTS = timedelta(hours=24)  # How long a failed transaction needs attention

LEFT_UNSENT = timedelta(seconds=10)
"""The age from which an unsent intent needs attention; a younger one is about to be sent."""


Floors = Mapping[str, Decimal]
"""Minimum balances by wallet id or currency; a wallet id takes precedence."""


class Urgency(IntEnum):
    """The urgency of an item; the greater comes first."""

    NOTICE = 1
    WARNING = 2
    ALARM = 3  # A list that fails, or a wallet that cannot fund its trades
    ALERT = 4  # An object that differs from what was confirmed
    DOUBT = 5  # Money that may have moved, or that waits to be sent by the trader


class AttentionTarget(Enum):
    """The screen that deals with an item, and the meaning of its `key`."""

    OBJECT = auto()  # The id of an object of the kind
    INTENT = auto()  # The id of an intent; the kind is the kind of object that it creates
    LIST = auto()  # The list of the kind itself; the key is the problem


class NextStep(Enum):
    """The trader's next step with an item."""

    DECIDE = auto()  # Resolve an intent
    APPROVE = auto()  # Approve a colleague's intent, or refuse it
    COMPARE = auto()  # Compare an object with what was confirmed
    FUND = auto()  # Bring money into a wallet from another
    BUY = auto()  # Buy the currency for a wallet: no other wallet has it
    REPEAT = auto()  # Send it again
    CHECK = auto()  # Correct what the service objects to first
    ASK = auto()  # Ask the service
    WAIT = auto()
    READ = auto()  # Read the lists again
    LOOK = auto()  # Look at the rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """An item that needs a trader's attention.

    Attributes:
        key: identifies it within its place.
        subject: its name: `payout`, `wallet AUD desk`.
        party: the other side: a payee's name, an own wallet's, a payer's; "" if unknown.
        matter: the problem: a state, or words: `in review`, `503`.
        reason: the service's words about it; "" without any.
        basis: what the matter depends on beside its words, such as the floor: another one makes
            it another item.
        since: service time of its beginning, if we saw it begin. The service's own times do not
            count: any change of a row moves them.
        amount: with its currency: what is moved or held; "" if there is none.
        measure: the amount that the matter is about: what is lacking, or the floor. It is no part
            of the item's identity.
        expires_at: the end of the rate that it holds locked.
    """

    urgency: Urgency
    kind: models.Kind
    key: str
    subject: str
    matter: models.State | str
    next_step: NextStep
    place: AttentionTarget = AttentionTarget.OBJECT
    party: str = ""
    reason: str = ""
    basis: str = ""
    account_id: models.AccountId | None = None
    since: datetime | None = None
    amount: str = ""
    measure: Money | None = None
    expires_at: datetime | None = None


def attention_key(item: Attention) -> AttentionKey:
    """Return a key of an item and its matter, without words that only tell the time."""
    matter = item.matter.name if isinstance(item.matter, models.State) else item.matter
    parts = (item.place.name, item.kind, item.key, item.urgency.name, matter, item.basis)
    return AttentionKey("|".join(parts))


_Transaction = models.Payment | models.Trade | models.PayIn
_DOES = {
    Action.BOOK_TRADE: "trade",
    Action.CREATE_PAYOUT: "payout",
    Action.CREATE_TRANSFER: "transfer",
    Action.MANDATE: "mandate",
}
"""The words for actions that move money; others are named by the intent's title."""

_BAD_NEWS = frozenset({"rejected", "failed", "returned"})
_HELD = "compliance_review"


def attention_is_known(store: Store) -> bool:
    """Return True if all lists with attention items that the service offers were read."""
    feeds = map(store.feed, (models.Kind.WALLETS, *GROWING))
    return all(feed.was_read or not feed.offered for feed in feeds)


class AttentionCandidates:
    """The rows of the store that may need attention; the rest is not scanned again."""

    def __init__(self, store: Store, floors: Floors) -> None:
        self.store = store
        self.floors = floors
        unsettled = (Standing.IN_DOUBT, Standing.RECORDED, Standing.PROPOSED)
        self.intents = Subset(
            store.intents, lambda row: bool(row.alerts) or row.standing in unsettled
        )
        self.wallets = Subset(
            store.wallets, lambda wallet: _is_held_up(wallet) or is_below(wallet, floors)
        )
        self.payments = Subset(store.payments, _is_suspect)
        self.trades = Subset(store.trades, lambda row: _is_suspect(row) or awaits_funds(row))
        self.payins = Subset(store.payins, _is_suspect)

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        """All subsets, to be kept up to date."""
        return (self.intents, self.wallets, self.payments, self.trades, self.payins)


def needs_attention(
    suspects: AttentionCandidates, now: datetime, account_id: models.AccountId | None = None
) -> list[Attention]:
    """Return the items that need attention: the most urgent first, then the newest.

    Items of other accounts than `account_id` are omitted; feeds belong to all accounts.
    """
    found = [
        *_intents_open(suspects, now, account_id),
        *_feeds_failing(suspects.store),
        *_trades_unfunded(suspects, account_id),
        *_wallets_in_trouble(suspects, account_id),
        *_transactions_in_trouble(suspects, now, account_id),
    ]
    store = suspects.store
    found.sort(key=lambda item: (item.urgency, seen_since(store, item) or now), reverse=True)
    return found


def seen_since(store: Store, item: Attention) -> datetime | None:
    """Return the service time since which an item is known to be so; None if nobody noted it."""
    if item.since is not None:
        return item.since
    note = store.attention.get(attention_key(item))
    return None if note is None else note.first_seen


def _intents_open(
    suspects: AttentionCandidates, now: datetime, account_id: models.AccountId | None
) -> Iterator[Attention]:
    """Yield intents in doubt, never sent or proposed, and those with an alert."""
    store = suspects.store
    for row in suspects.intents.rows():
        if account_id is not None and row.terms.account_id not in (None, account_id):
            continue
        if row.alerts:
            yield _of_intent(store, row, Urgency.ALERT, row.alerts[-1], NextStep.COMPARE)
        if row.is_approved_mandate:
            continue  # its maker books within it, or not
        if row.standing is Standing.IN_DOUBT:
            yield _of_intent(store, row, Urgency.DOUBT, row.standing, NextStep.DECIDE)
        elif row.standing is Standing.PROPOSED and row.is_colleagues:
            yield _of_intent(store, row, Urgency.ALERT, "proposed", NextStep.APPROVE)
        elif row.standing is Standing.PROPOSED:
            yield _of_intent(store, row, Urgency.ALERT, "not approved yet", NextStep.DECIDE)
        elif row.is_approved and not row.is_colleagues:
            yield _of_intent(store, row, Urgency.ALERT, "approved, not sent", NextStep.DECIDE)
        elif row.standing is Standing.RECORDED and now - row.since >= LEFT_UNSENT:
            yield _of_intent(store, row, Urgency.ALERT, "not sent", NextStep.DECIDE)


def _of_intent(
    store: Store, row: IntentRow, urgency: Urgency, matter: str, next_step: NextStep
) -> Attention:
    terms = row.terms
    subject = _DOES.get(row.action, row.title)
    if row.action in (Action.BOOK_TRADE, Action.MANDATE):
        subject = _exchange(terms.sell_currency, terms.buy_currency, _DOES[row.action])
    to_wallet = terms.destination_wallet_id if row.action is Action.CREATE_TRANSFER else None
    return Attention(
        urgency=urgency,
        kind=row.action.becomes,
        key=row.intent_id,
        subject=subject,
        party=_paid(store, terms.recipient_id, to_wallet) if row.action in _DOES else "",
        matter=matter,
        next_step=next_step,
        since=row.since,
        place=AttentionTarget.INTENT,
        account_id=terms.account_id,
        amount=with_currency(terms.amount, terms.currency),
        expires_at=terms.expires_at if row.standing is Standing.RECORDED else None,
    )


def _paid(
    store: Store, recipient_id: models.RecipientId | None, wallet_id: models.WalletId | None
) -> str:
    """Return `to` with the name of a recipient or an own wallet; "" if neither is known."""
    if recipient_id is not None:
        return f"to {recipient_name(store, recipient_id)}"
    return f"to {wallet_label(store, wallet_id)}" if wallet_id is not None else ""


def _feeds_failing(store: Store) -> Iterator[Attention]:
    """Yield one alarm for each cause: a refused login makes every list fail."""
    failing: dict[str, list[Feed]] = {}
    for feed in map(store.feed, models.Kind):
        if feed.problem is not None:
            failing.setdefault(feed.problem.what, []).append(feed)
    for matter, feeds in failing.items():
        first, *others = feeds
        name = first.kind.noun
        yield Attention(
            urgency=Urgency.ALARM,
            kind=first.kind,
            key=matter,
            subject=f"{len(feeds)} lists" if others else name,
            matter=matter,
            next_step=NextStep.READ,
            since=min((feed.failing_since for feed in feeds if feed.failing_since), default=None),
            place=AttentionTarget.LIST,
        )


def awaits_funds(trade: models.Trade) -> bool:
    return trade.status is not None and trade.status.name == "awaiting_funds"


def _trades_unfunded(
    suspects: AttentionCandidates, account_id: models.AccountId | None
) -> Iterator[Attention]:
    """Yield each wallet's trades that await funds together, if it has less than they sell.

    The oldest trade stands for them. A wallet whose balance is unknown lacks nothing for sure.
    """
    waiting: defaultdict[models.WalletId, list[models.Trade]] = defaultdict(list)
    for trade in suspects.trades.rows():
        if awaits_funds(trade) and trade.sell_wallet_id and trade.sell_amount is not None:
            waiting[trade.sell_wallet_id].append(trade)
    for wallet_id, trades in waiting.items():
        wallet = suspects.store.wallets.get(wallet_id)
        if wallet is None or wallet.available_balance is None or wallet.currency is None:
            continue
        if account_id not in (None, wallet.account_id):
            continue
        sold = Decimal(0)
        for trade in trades:
            sold = EXACT.add(sold, trade.sell_amount or Decimal(0))
        short = EXACT.subtract(sold, wallet.available_balance)
        if short <= 0:
            continue
        oldest, *others = sorted(trades, key=created)
        subject = (
            f"{len(trades)} trades sell {wallet.currency}"
            if others
            else _exchange(oldest.sell_currency, oldest.buy_currency)
        )
        yield Attention(
            urgency=Urgency.ALARM,
            kind=models.Kind.TRADES,
            key=oldest.trade_transaction_id,
            subject=subject,
            party=f"from {wallet_label(suspects.store, wallet_id)}",
            matter="short",
            basis=",".join(sorted(trade.trade_transaction_id for trade in trades)),
            next_step=_funding(suspects.store, wallet),
            account_id=wallet.account_id,
            amount=with_currency(sold, wallet.currency),
            measure=Money(short, wallet.currency),
        )


def _funding(store: Store, wallet: models.Wallet) -> NextStep:
    """Return BUY if no other wallet that could pay into this one is known of, else FUND."""
    can_pay = (
        other.wallet_id != wallet.wallet_id and not wallet_trouble(other, wallet.currency)
        for other in store.wallets.rows()
    )
    is_only = store.feed(models.Kind.WALLETS).offered and not any(can_pay)
    return NextStep.BUY if is_only else NextStep.FUND


def _exchange(sell: CurrencyCode | None, buy: CurrencyCode | None, what: str = "trade") -> str:
    return f"{what} {sell or MISSING} > {buy or MISSING}"


def _is_held_up(wallet: models.Wallet) -> bool:
    state = wallet.status
    if state is None or state.as_created:
        return False
    return not state.final and state.name != "active"


def floor_of(wallet: models.Wallet, floors: Floors) -> Decimal | None:
    """Return the minimum balance of a wallet; None without one."""
    return floors.get(wallet.wallet_id, floors.get(wallet.currency or ""))


def is_below(wallet: models.Wallet, floors: Floors) -> bool:
    """Return True if a wallet is below its floor; a closed one has none."""
    floor = floor_of(wallet, floors)
    is_closed = wallet.status is not None and wallet.status.final
    if floor is None or wallet.available_balance is None or is_closed:
        return False
    return wallet.available_balance < floor


def _wallets_in_trouble(
    suspects: AttentionCandidates, account_id: models.AccountId | None
) -> Iterator[Attention]:
    wallets = [w for w in suspects.wallets.rows() if account_id in (None, w.account_id)]
    called = wallets_in_words(suspects.store, wallets) if wallets else {}
    for wallet in wallets:
        if wallet.status is not None and _is_held_up(wallet):
            is_pending = wallet.status.name == "pending"
            yield Attention(
                urgency=Urgency.WARNING if wallet.status.name == "suspended" else Urgency.NOTICE,
                kind=models.Kind.WALLETS,
                key=wallet.wallet_id,
                subject=called[wallet.wallet_id],
                matter=wallet.status,
                next_step=NextStep.WAIT if is_pending else NextStep.ASK,
                account_id=wallet.account_id,
            )
        floor = floor_of(wallet, suspects.floors)
        if floor is not None and is_below(wallet, suspects.floors):
            yield Attention(
                urgency=Urgency.WARNING,
                kind=models.Kind.WALLETS,
                key=wallet.wallet_id,
                subject=called[wallet.wallet_id],
                matter="below floor",
                basis=plain(floor),
                next_step=_funding(suspects.store, wallet),
                account_id=wallet.account_id,
                amount=with_currency(wallet.available_balance, wallet.currency),
                measure=Money(floor, wallet.currency) if wallet.currency else None,
            )


def _is_suspect(row: _Transaction) -> bool:
    return row.status is not None and row.status.name in (_HELD, *_BAD_NEWS)


def _transactions_in_trouble(
    suspects: AttentionCandidates, now: datetime, account_id: models.AccountId | None
) -> Iterator[Attention]:
    rows: list[_Transaction] = [
        *suspects.payments.rows(),
        *suspects.trades.rows(),
        *suspects.payins.rows(),
    ]
    for row in rows:
        owner = account_of(suspects.store, row)
        if account_id in (None, owner) and (urgency := _urgency(row, now)) is not None:
            yield _of_transaction(suspects.store, row, urgency, owner)


def _urgency(row: _Transaction, now: datetime) -> Urgency | None:
    """Return the urgency of a failed transaction, or of one that is held for long; else None.

    Any change moves `updated_at`: a review is as old as its transaction.
    """
    if row.status is None:
        return None
    changed = row.updated_at if isinstance(row, models.Payment) else None
    if row.status.name in _BAD_NEWS:
        news = changed or row.created_at
        return Urgency.WARNING if news is None or now - news < BAD_NEWS_LASTS else None
    began = row.created_at or changed or now
    return Urgency.NOTICE if row.status.name == _HELD and now - began >= HELD_FOR_LONG else None


def _of_transaction(
    store: Store, row: _Transaction, urgency: Urgency, owner: models.AccountId | None
) -> Attention:
    assert row.status is not None
    is_held = row.status.name == _HELD
    reason, next_step = "", NextStep.ASK if is_held else NextStep.REPEAT
    match row:
        case models.Trade():
            kind, key = models.Kind.TRADES, str(row.trade_transaction_id)
            subject = _exchange(row.sell_currency, row.buy_currency)
            party = _paid(store, row.recipient_id, None)
            amount = with_currency(row.sell_amount, row.sell_currency)
        case models.Payment():
            kind, key = models.Kind.PAYMENTS, row.payment_transaction_id
            subject = row.payment_type or "payment"
            party = _paid(store, row.recipient_id, row.destination_wallet_id)
            reason = row.failure_reason or ""
            next_step = NextStep.CHECK if reason and not is_held else next_step
            amount = with_currency(row.amount, row.currency)
        case models.PayIn():
            kind, key = models.Kind.PAYINS, row.pay_in_transaction_id
            subject, party = "pay-in", f"from {row.sender_name}" if row.sender_name else ""
            amount, next_step = with_currency(row.amount, row.currency), NextStep.ASK
    return Attention(
        urgency=urgency,
        kind=kind,
        key=key,
        subject=subject,
        party=party,
        matter="in review" if is_held else row.status,
        reason=reason,
        next_step=next_step,
        account_id=owner,
        amount=amount,
    )
