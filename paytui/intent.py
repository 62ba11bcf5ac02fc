"""What a trader confirmed, and what became of it (design.md, "Money moves exactly once").

A screen makes an `Intent` at the moment of confirming and gives it to the port; the outbox keeps
it, the worker carries it out, and screens follow it as an `IntentRow` in the store.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NewType
from uuid import UUID

from paytui.api.models import (
    AccountId,
    IdempotencyKey,
    Kind,
    PaymentAddressId,
    Problem,
    RateSheet,
    RateSheetId,
    RecipientId,
    WalletId,
)
from paytui.api.requests import PayoutRequest, TradeRequest, TransferRequest
from paytui.money import CurrencyCode

IntentId = NewType("IntentId", str)
"""Short, said aloud and typed by people, and part of the reference that is sent: `PT-7K3QX9WD`."""

Request = TradeRequest | PayoutRequest | TransferRequest
"""What moves money."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that reads as another."""

_TAG = re.compile(rf"\s*\bPT-[{_ALPHABET}]{{8}}\b")


class Action(StrEnum):
    """What an intent does; the values are operations of the dialect's `[paths]`."""

    BOOK_TRADE = "book_trade"
    CREATE_PAYOUT = "create_payout"
    CREATE_TRANSFER = "create_transfer"

    @property
    def becomes(self) -> Kind:
        """The list in which what an intent becomes is found."""
        return Kind.TRADES if self is Action.BOOK_TRADE else Kind.PAYMENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was confirmed: by this a look-up knows the object, and an answer is compared with it.

    Attributes:
        source_wallet_id: what the money leaves; of a trade, the wallet that sells.
        destination_wallet_id: what it goes to; of a trade, the wallet that buys.
        amount: the one that is fixed, in `currency`.
        sell_currency, buy_currency: of a trade.
        rate: the locked one, 1 sold = so many bought; None without a lock.
        expires_at: the end of the lock, by the service's clock.
        reference: as it is sent, with the intent's own tag.
    """

    amount: Decimal | None = None
    currency: CurrencyCode | None = None
    source_wallet_id: WalletId | None = None
    destination_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    account_id: AccountId | None = None
    sell_currency: CurrencyCode | None = None
    buy_currency: CurrencyCode | None = None
    rate: Decimal | None = None
    rate_sheet_id: RateSheetId | None = None
    expires_at: datetime | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a trader confirmed, once.

    Attributes:
        intent_id: part of the reference that is sent, where that is set.
        key: of the intention, the same at every repeat.
        request: what is asked of the service, as confirmed.
        title: it in words: `Payout 1,200.00 USD to Acme Pty Ltd`.
        confirmed_at: service time.
        quote: the sheet whose rate was confirmed; None where no rate is locked.
        terms: what was confirmed, in figures.
    """

    intent_id: IntentId
    key: IdempotencyKey
    request: Request
    title: str
    confirmed_at: datetime
    terms: Terms
    quote: RateSheet | None = None

    @property
    def action(self) -> Action:
        """The operation that it needs."""
        match self.request:
            case TradeRequest():
                return Action.BOOK_TRADE
            case PayoutRequest():
                return Action.CREATE_PAYOUT
            case TransferRequest():
                return Action.CREATE_TRANSFER


class Standing(StrEnum):
    """What is known of an intent; the values are the words that a trader reads."""

    NOT_RECORDED = "not recorded"
    """It could not be written down, so nothing was sent."""
    RECORDED = "recorded"
    """On disk; nothing was sent yet."""
    SENDING = "sending"
    """On its way; what comes of it is not known yet."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_EXECUTED = "not executed"
    """Nothing reached the service, or it said that it did nothing."""
    IN_DOUBT = "in doubt"
    """It may have been executed. Never shown as failed, never sent under a new key."""
    DONE = "settled as done"
    """A trader found that it was executed."""
    NOT_DONE = "settled as not done"
    """A trader decided that it was not, and will not be."""

    @property
    def open(self) -> bool:
        """Whether something is still to come of it."""
        return self in (Standing.RECORDED, Standing.SENDING, Standing.IN_DOUBT)


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that happened to an intent.

    Attributes:
        at: service time.
        what: in a word or two: `sending`, `in doubt`, `found`.
        words: the particulars: what was sent where, what came back, who decided.
    """

    at: datetime
    what: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRow:
    """An intent as screens show it.

    Attributes:
        since: service time at which it came to stand as it does.
        attempts: how often its bytes were sent, or may have been.
        object_id: the payment or trade that it became.
        problem: why it is in doubt, refused or not executed.
        candidates: objects that could be it, for a trader to judge.
        alerts: what differs from what was confirmed, or contradicts what was settled; these stay.
        repeat_until: service time until which the same bytes may go out again by themselves.
        user, host: who confirmed it, and where.
        turns: what happened to it since it was confirmed, oldest first.
    """

    intent_id: IntentId
    action: Action
    title: str
    confirmed_at: datetime
    terms: Terms
    standing: Standing
    since: datetime
    attempts: int = 0
    object_id: str | None = None
    problem: Problem | None = None
    candidates: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    repeat_until: datetime | None = None
    user: str = ""
    host: str = ""
    turns: tuple[Turn, ...] = ()


class Verdict(StrEnum):
    """What a trader decides of an intent that nothing else can settle."""

    SEND = "send it now"
    """It was recorded and never sent."""
    REPEAT = "send the same again, under the same key"
    DONE = "it was done"
    NOT_DONE = "it was not done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A trader's word on one intent; `object_id` where it was done."""

    intent_id: IntentId
    verdict: Verdict
    object_id: str | None = None


@dataclass(frozen=True, slots=True)
class Sending:
    """Whether this process may send intents at all, and if not, why: one place for all screens."""

    allowed: bool = False
    why: str = "The outbox is not open yet."


@dataclass(frozen=True, slots=True)
class IntentMaker:
    """Makes intents of what is confirmed.

    Attributes:
        rng: for identifiers and keys; never a predictable one outside tests.
        tagged: whether the reference that is sent carries the intent's identifier, by which a
            look-up knows the object again.
    """

    rng: random.Random = field(repr=False)
    tagged: bool = True

    def make(
        self,
        request: Request,
        *,
        title: str,
        confirmed_at: datetime,
        account_id: AccountId | None = None,
        quote: RateSheet | None = None,
    ) -> Intent:
        """An intent with an identifier and a key of its own."""
        intent_id = IntentId("PT-" + "".join(self.rng.choices(_ALPHABET, k=8)))
        if self.tagged:
            plain = without_tag(request.reference)
            request = replace(request, reference=f"{plain} {intent_id}".strip())
        return Intent(
            intent_id=intent_id,
            key=IdempotencyKey(str(UUID(int=self.rng.getrandbits(128), version=4))),
            request=request,
            title=title,
            confirmed_at=confirmed_at,
            quote=quote,
            terms=replace(terms_of(request, quote), account_id=account_id),
        )


def without_tag(reference: str | None) -> str:
    """A reference as its author typed it, without the tags of intents."""
    return _TAG.sub("", reference or "").strip()


def tags_of(reference: str | None) -> tuple[IntentId, ...]:
    """The identifiers of intents that a reference carries."""
    return tuple(IntentId(tag.strip()) for tag in _TAG.findall(reference or ""))


def terms_of(request: Request, quote: RateSheet | None) -> Terms:
    """The figures and parties of a request, and the rate that a quote locks for it."""
    match request:
        case TradeRequest():
            return _trade_terms(request, quote)
        case PayoutRequest():
            return Terms(
                amount=request.amount,
                currency=request.currency,
                source_wallet_id=request.source_wallet_id,
                recipient_id=request.recipient_id,
                payment_address_id=request.payment_address_id,
                reference=request.reference,
            )
        case TransferRequest():
            return Terms(
                amount=request.amount,
                currency=request.currency,
                source_wallet_id=request.source_wallet_id,
                destination_wallet_id=request.destination_wallet_id,
                reference=request.reference,
            )


def _trade_terms(request: TradeRequest, quote: RateSheet | None) -> Terms:
    sells = request.sell_amount is not None
    pairs = {rate.pair: rate.rate for rate in quote.rates} if quote else {}
    rate = next(
        (
            rate
            for pair, rate in pairs.items()
            if (pair.sell, pair.buy) == (request.sell_currency, request.buy_currency)
        ),
        None,
    )
    return Terms(
        amount=request.sell_amount if sells else request.buy_amount,
        currency=request.sell_currency if sells else request.buy_currency,
        source_wallet_id=request.sell_wallet_id,
        destination_wallet_id=request.buy_wallet_id,
        recipient_id=request.recipient_id,
        payment_address_id=request.payment_address_id,
        sell_currency=request.sell_currency,
        buy_currency=request.buy_currency,
        rate=rate,
        rate_sheet_id=request.rate_sheet_id,
        expires_at=quote.expires_at if quote else None,
        reference=request.reference,
    )
