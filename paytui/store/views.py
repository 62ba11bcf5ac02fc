"""Derived figures: what screens and `status` show that no single object says.

Pure functions of what the store holds and of a time that is given. Amounts of different currencies
are never added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Context, Decimal
from enum import IntEnum, StrEnum

from paytui.api.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInAddress,
    Payment,
    RateSheet,
    Recipient,
    RecipientId,
    State,
    Trade,
    Wallet,
    WalletId,
)
from paytui.intent import Action, IntentRow, Standing
from paytui.money import (
    DESK_ORDER,
    MISSING,
    CurrencyCode,
    Pair,
    format_amount,
    inverse,
)
from paytui.store.health import Feed
from paytui.store.store import Store

HELD_FOR_LONG = timedelta(minutes=30)
"""A compliance review that takes longer than this is worth a trader's look."""

BAD_NEWS_LASTS = timedelta(hours=24)
"""How long something that failed stays among the things that need attention."""

LEFT_UNSENT = timedelta(seconds=10)
"""An intent that is still not sent after so long waits for somebody; else it goes out next."""

_EXACT = Context(prec=120)


# --- names -----------------------------------------------------------------------------------


def account_name(store: Store, account_id: AccountId | None) -> str:
    """What a person calls an account; its id where nothing better is known."""
    if account_id is None:
        return MISSING
    account = store.accounts.get(account_id)
    return (account and account_title(account)) or account_id


def account_title(account: Account) -> str:
    """The account's own name, or its id."""
    person = _joined(account.first_name, account.middle_name, account.last_name)
    known = account.display_name or account.company_name or account.trading_name or person
    return known or account.account_id


def wallet_label(store: Store, wallet_id: WalletId | None) -> str:
    """What a person calls a wallet; its id where nothing better is known."""
    if wallet_id is None:
        return MISSING
    wallet = store.wallets.get(wallet_id)
    return (wallet and wallet.wallet_name) or wallet_id


def recipient_name(store: Store, recipient_id: RecipientId | None) -> str:
    """What a person calls a recipient; its id where nothing better is known."""
    if recipient_id is None:
        return MISSING
    recipient = store.recipients.get(recipient_id)
    return (recipient and recipient_title(recipient)) or recipient_id


def recipient_title(recipient: Recipient) -> str:
    """The recipient's own name, or its id."""
    person = _joined(recipient.first_name, recipient.last_name)
    return recipient.company_name or person or recipient.recipient_id


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


# --- totals ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CurrencyTotal:
    """The balances of all wallets of one currency, added.

    Attributes:
        available, reserved, pending: sums of what the wallets say; None where none says it.
        wallets: how many wallets there are.
        untold: how many of them do not say what is available, so that the sum lacks them.
    """

    currency: CurrencyCode
    available: Decimal | None
    reserved: Decimal | None
    pending: Decimal | None
    wallets: int
    untold: int


def totals(wallets: Iterable[Wallet], account_id: AccountId | None = None) -> list[CurrencyTotal]:
    """Totals by currency, in order of their codes, of one account's wallets or of all.

    A wallet whose currency the service does not say is in no total.
    """
    by_currency: dict[CurrencyCode, list[Wallet]] = {}
    for wallet in wallets:
        if wallet.currency is not None and account_id in (None, wallet.account_id):
            by_currency.setdefault(wallet.currency, []).append(wallet)
    return [_total(currency, by_currency[currency]) for currency in sorted(by_currency)]


def _total(currency: CurrencyCode, wallets: list[Wallet]) -> CurrencyTotal:
    return CurrencyTotal(
        currency,
        available=_sum(wallet.available_balance for wallet in wallets),
        reserved=_sum(wallet.reserved_balance for wallet in wallets),
        pending=_sum(wallet.pending_balance for wallet in wallets),
        wallets=len(wallets),
        untold=sum(wallet.available_balance is None for wallet in wallets),
    )


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    told = [amount for amount in amounts if amount is not None]
    total = Decimal(0)
    for amount in told:
        total = _EXACT.add(total, amount)
    return total if told else None


# --- what needs attention --------------------------------------------------------------------


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


def payin_owner(store: Store, payin: PayIn | PayInAddress) -> AccountId | None:
    """The account of the wallet that a pay-in goes into, or that an address leads to, if known."""
    wallet = store.wallets.get(payin.wallet_id) if payin.wallet_id else None
    return wallet.account_id if wallet else None


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


# --- rates -----------------------------------------------------------------------------------


class Side(StrEnum):
    """Which of the market's two prices a rate is; the client sells the base at the bid."""

    BID = "bid"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class RateRow:
    """One rate of a sheet, beside the market's way of writing it.

    Attributes:
        rate: 1 sold = so many bought, every digit that the wire gave (api.md §2).
        market: the market's pair, base first: `AUD/USD`.
        market_rate: the rate in the market's direction: `rate`, or its inverse.
        side: bid or offer, only where the sheet holds both directions.
        inverse: 1 bought = so many sold; None where there is none.
        change: against the sheet before; 0 = unchanged, None = it did not hold the pair.
    """

    pair: Pair
    rate: Decimal
    market: str
    market_rate: Decimal | None
    side: Side | None
    inverse: Decimal | None
    change: Decimal | None


def newest_sheets(store: Store) -> tuple[RateSheet | None, RateSheet | None]:
    """The newest rate sheet, which may have ended, and the one before it."""
    sheets = sorted(store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)
    *_, before, newest = (None, None, *sheets)
    return newest, before


def rate_rows(
    sheet: RateSheet,
    before: RateSheet | None,
    order: tuple[CurrencyCode, ...] = DESK_ORDER,
) -> list[RateRow]:
    """The rates of a sheet in its own order, compared with the sheet before it."""
    earlier = {rate.pair: rate.rate for rate in before.rates} if before else {}
    held = {rate.pair for rate in sheet.rates}
    return [
        _rate_row(rate.pair, rate.rate, earlier.get(rate.pair), held, order) for rate in sheet.rates
    ]


def _rate_row(
    pair: Pair,
    rate: Decimal,
    earlier: Decimal | None,
    held: set[Pair],
    order: tuple[CurrencyCode, ...],
) -> RateRow:
    sells_base, turned = pair.sells_base(order), inverse(rate)
    side = (Side.BID if sells_base else Side.OFFER) if pair.reverse in held else None
    return RateRow(
        pair=pair,
        rate=rate,
        market=pair.market(order),
        market_rate=rate if sells_base else turned,
        side=side,
        inverse=turned,
        change=None if earlier is None else _EXACT.subtract(rate, earlier),
    )
