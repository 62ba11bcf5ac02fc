"""Confirmed intents and their outcomes (architecture.md).

A screen creates an `Intent` on confirmation and submits it to the port. The outbox stores it, the
worker carries it out, and screens follow it as an `IntentRow` in the store.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NewType
from uuid import UUID

from paytui.domain import models, requests
from paytui.domain.mandate import Mandate
from paytui.domain.money import CurrencyCode, Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentTerms:
    """The amounts and parties of an intent; look-ups and responses are compared with them.

    Attributes:
        source_wallet_id: the wallet that the money leaves; of a trade, the wallet that sells.
        destination_wallet_id: the wallet that the money reaches; of a trade, the wallet that buys;
            of a pay-in address, its wallet.
        amount: the fixed amount, in `currency`.
        sell_currency, buy_currency: of a trade.
        rate: the locked rate, in units bought per unit sold; None without a lock. Of a mandate, the
            worst one.
        expires_at: the end of the lock, or of a mandate, by the service's clock.
        reference: as it is sent, with the intent's own tag.
        asked: the fields of a creation by canonical path: `payment_addresses.0.iban`. Of a money
            request, only the service's own fields: `extra.purpose`. Empty for an account, whose
            fields are personal data.
        before: identifiers of similar objects that existed before it was sent; None if unknown.
        paid_at: the fingerprint of the recipient's account as last read; None if it was not read.
        mandate_id: of a trade, the mandate that it is booked within.
    """

    amount: Decimal | None = None
    currency: CurrencyCode | None = None
    source_wallet_id: models.WalletId | None = None
    destination_wallet_id: models.WalletId | None = None
    recipient_id: models.RecipientId | None = None
    payment_address_id: models.PaymentAddressId | None = None
    account_id: models.AccountId | None = None
    sell_currency: CurrencyCode | None = None
    buy_currency: CurrencyCode | None = None
    rate: Decimal | None = None
    rate_sheet_id: models.RateSheetId | None = None
    expires_at: datetime | None = None
    reference: str | None = None
    asked: tuple[tuple[str, str], ...] = ()
    before: tuple[str, ...] | None = None
    paid_at: str | None = None
    mandate_id: IntentId | None = None


def intent_terms(
    request: requests.Request | Mandate, quote: models.RateSheet | None
) -> IntentTerms:
    """Return the terms of a request, with the rate that a quote locks for it."""
    match request:
        case Mandate():
            return IntentTerms(
                amount=request.up_to.amount,
                currency=request.up_to.currency,
                sell_currency=request.pair.sell,
                buy_currency=request.pair.buy,
                rate=request.worst,
            )
        case requests.TradeRequest():
            return _trade_terms(request, quote)
        case requests.PayoutRequest() | requests.TransferRequest():
            terms = IntentTerms(
                amount=request.amount,
                currency=request.currency,
                account_id=request.account_id,
                source_wallet_id=request.source_wallet_id,
                reference=request.reference,
                asked=_added(request),
            )
            if isinstance(request, requests.TransferRequest):
                return replace(terms, destination_wallet_id=request.destination_wallet_id)
            address_id = request.payment_address_id
            return replace(terms, recipient_id=request.recipient_id, payment_address_id=address_id)
        case _:
            return _creation_terms(request)


def _creation_terms(request: requests.CreationRequest) -> IntentTerms:
    asked = tuple(requests.request_values(request))
    match request:
        case requests.WalletRequest(account_id=account_id, currency=currency):
            return IntentTerms(currency=currency, account_id=account_id, asked=asked)
        case requests.PayInAddressRequest():
            return IntentTerms(destination_wallet_id=request.wallet_id, asked=asked)
        case requests.RecipientRequest():
            return IntentTerms(account_id=request.account_id, asked=asked)
        case requests.PaymentAddressRequest():
            return IntentTerms(recipient_id=request.recipient_id, asked=asked)
        case _:
            return IntentTerms()


def _trade_terms(request: requests.TradeRequest, quote: models.RateSheet | None) -> IntentTerms:
    sells = request.sell_amount is not None
    rates = quote.by_pair if quote else {}
    return IntentTerms(
        amount=request.sell_amount if sells else request.buy_amount,
        currency=request.sell_currency if sells else request.buy_currency,
        account_id=request.account_id,
        source_wallet_id=request.sell_wallet_id,
        destination_wallet_id=request.buy_wallet_id,
        recipient_id=request.recipient_id,
        payment_address_id=request.payment_address_id,
        sell_currency=request.sell_currency,
        buy_currency=request.buy_currency,
        rate=rates.get(Pair(request.sell_currency, request.buy_currency)),
        rate_sheet_id=request.rate_sheet_id,
        expires_at=quote.expires_at if quote else None,
        reference=request.reference,
        asked=_added(request),
    )


def _added(request: requests.MoneyRequest) -> tuple[tuple[str, str], ...]:
    """Return the service's own fields of a request, by path."""
    return tuple((f"extra.{name}", text) for name, text in request.extra.items())


IntentId = NewType("IntentId", str)
"""A short id that people read aloud and type, part of the sent reference: `PT-7K3QX9WD`."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that look alike."""

_TAG = re.compile(rf"\s*\bPT-[{_ALPHABET}]{{8}}\b")


class Action(StrEnum):
    """The operation of an intent, as in the dialect's `[paths]`; a mandate is never sent."""

    BOOK_TRADE = "book_trade"
    CREATE_PAYOUT = "create_payout"
    CREATE_TRANSFER = "create_transfer"
    CREATE_INDIVIDUAL_ACCOUNT = "create_individual_account"
    CREATE_CORPORATE_ACCOUNT = "create_corporate_account"
    CREATE_WALLET = "create_wallet"
    CREATE_PAYIN_ADDRESS = "create_payin_address"
    CREATE_RECIPIENT = "create_recipient"
    CREATE_PAYMENT_ADDRESS = "add_payment_address"
    MANDATE = "mandate"

    @property
    def moves_money(self) -> bool:
        """Return True if it moves money or lets money move, and so is guarded."""
        return self.becomes in (models.Kind.TRADES, models.Kind.PAYMENTS)

    @property
    def is_personal(self) -> bool:
        """Return True if its request holds personal data, which is purged after settlement."""
        return self.becomes is models.Kind.ACCOUNTS

    @property
    def becomes(self) -> models.Kind:
        return _BECOMES[self]


ACTIONS: Mapping[type[requests.Request], tuple[Action, models.Kind]] = {
    requests.TradeRequest: (Action.BOOK_TRADE, models.Kind.TRADES),
    requests.PayoutRequest: (Action.CREATE_PAYOUT, models.Kind.PAYMENTS),
    requests.TransferRequest: (Action.CREATE_TRANSFER, models.Kind.PAYMENTS),
    requests.IndividualAccountRequest: (Action.CREATE_INDIVIDUAL_ACCOUNT, models.Kind.ACCOUNTS),
    requests.CorporateAccountRequest: (Action.CREATE_CORPORATE_ACCOUNT, models.Kind.ACCOUNTS),
    requests.WalletRequest: (Action.CREATE_WALLET, models.Kind.WALLETS),
    requests.PayInAddressRequest: (Action.CREATE_PAYIN_ADDRESS, models.Kind.PAYIN_ADDRESSES),
    requests.RecipientRequest: (Action.CREATE_RECIPIENT, models.Kind.RECIPIENTS),
    requests.PaymentAddressRequest: (Action.CREATE_PAYMENT_ADDRESS, models.Kind.PAYMENT_ADDRESSES),
}
"""The action of each request, and the kind of object that it creates."""

_BECOMES = {**dict(ACTIONS.values()), Action.MANDATE: models.Kind.TRADES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One confirmed request.

    Attributes:
        intent_id: part of the sent reference, unless tagging is off.
        key: the same for every repeat.
        title: its description: `Payout 1,200.00 USD to Acme Pty Ltd`.
        confirmed_at: service time.
        quote: the sheet whose rate was confirmed; None without a locked rate.
    """

    intent_id: IntentId
    key: models.IdempotencyKey
    request: requests.Request | Mandate
    title: str
    confirmed_at: datetime
    terms: IntentTerms
    quote: models.RateSheet | None = None

    @property
    def action(self) -> Action:
        request = self.request
        return Action.MANDATE if isinstance(request, Mandate) else ACTIONS[type(request)][0]


class Standing(StrEnum):
    """The status of an intent; the values are written to files, see also `standing_words`."""

    NOT_RECORDED = "not recorded"  # It could not be recorded, so nothing was sent
    RECORDED = "recorded"  # On disk; nothing was sent yet
    PROPOSED = "proposed"  # A colleague must approve it before it is sent
    SENDING = "sending"  # On its way; the outcome is not known yet
    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_EXECUTED = "not executed"
    """Nothing reached the service, or the service said that it did nothing."""
    IN_DOUBT = "in doubt"
    """It may have been executed. Never shown as failed, never sent under a new key."""
    DONE = "settled as done"  # A trader found that it was executed
    NOT_DONE = "settled as not done"  # A trader decided that it was not executed, and will not be

    @property
    def open(self) -> bool:
        """Return True if it is not settled."""
        return self in _OPEN_STANDINGS


_OPEN_STANDINGS = (Standing.RECORDED, Standing.PROPOSED, Standing.SENDING, Standing.IN_DOUBT)
_STANDINGS = {
    Standing.RECORDED: "not sent",
    Standing.DONE: "marked executed",
    Standing.NOT_DONE: "marked not executed",
}


_OF_MANDATES = {
    Standing.NOT_EXECUTED: "ended",
    Standing.NOT_DONE: "revoked",
}


def standing_words(standing: Standing) -> str:
    """Return a status as screens show it; files and JSON say *settled*, which reads as *paid*."""
    return _STANDINGS.get(standing, standing.value)


@dataclass(frozen=True, slots=True)
class IntentEvent:
    """One event in the history of an intent.

    Attributes:
        at: service time.
        what: its name: `sending`, `in doubt`, `found`.
        words: the details: the request, the response, the user who decided.
        host_time: the host's own time, if it is more than a minute off.
    """

    at: datetime
    what: str
    words: str
    host_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The exact body of a colleague's intent, to be approved.

    Attributes:
        until: host time until which it must be approved and sent.
    """

    body: str = field(repr=False)
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRow:
    """An intent as screens show it.

    Attributes:
        since: service time since which it has its current status.
        attempts: the number of times its bytes were, or may have been, sent.
        object_id: the object that it created: a payment, a trade, a wallet. See also
            `booked_otherwise`.
        problem: the reason why it is in doubt, refused or not executed.
        candidates: objects that it may have created, for a trader to judge.
        alerts: differences from the confirmed terms and contradictions of a settlement; they stay.
        repeat_until: service time until which the same bytes may be resent automatically.
        may_arrive_until: host time until which an abandoned request may still reach the service.
            None once that has passed and one more look-up was made.
        user, host: the user who confirmed it, and the host.
        turns: its events since confirmation, oldest first.
        host_time: the host's own time of `confirmed_at`, if it is more than a minute off.
        is_colleagues: another outbox of the desk holds it; `user` is a role of the database.
        proposal: of a colleague, what can be approved now.
    """

    intent_id: IntentId
    action: Action
    title: str
    confirmed_at: datetime
    terms: IntentTerms
    standing: Standing
    since: datetime
    attempts: int = 0
    object_id: str | None = None
    problem: models.Problem | None = None
    candidates: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    repeat_until: datetime | None = None
    may_arrive_until: datetime | None = None
    user: str = ""
    host: str = ""
    turns: tuple[IntentEvent, ...] = ()
    host_time: datetime | None = None
    is_colleagues: bool = False
    proposal: Proposal | None = None

    @property
    def booked_otherwise(self) -> bool:
        """Return True if it is in doubt because its object is not what was confirmed.

        A response named the object, which carries the intent's identifier: it was executed.
        """
        return self.standing is Standing.IN_DOUBT and self.object_id is not None

    @property
    def is_approved(self) -> bool:
        """Return True if colleagues have approved it, and it was not sent yet."""
        is_approved = any(turn.what in ("partly approved", "approved") for turn in self.turns)
        return self.standing is Standing.RECORDED and is_approved

    @property
    def is_unsent_proposal(self) -> bool:
        was_proposed = any(turn.what == "proposed" for turn in self.turns)
        return self.standing is Standing.PROPOSED or (was_proposed and not self.attempts)

    @property
    def turned_down(self) -> str:
        """Return `refused by bob` or `withdrawn` for a payment that was only proposed; else ""."""
        ends = [turn.words for turn in self.turns if turn.what == Standing.NOT_DONE]
        is_ended = self.standing is Standing.NOT_DONE and self.is_unsent_proposal
        if not (is_ended and ends) or self.is_mandate:
            return ""
        who, is_colleague, _ = ends[-1].removeprefix("by ").partition(" on ")
        return f"refused by {who}" if is_colleague else "withdrawn"

    @property
    def is_mandate(self) -> bool:
        return self.action is Action.MANDATE

    @property
    def is_approved_mandate(self) -> bool:
        """Return True if trades can be booked within it: it is open, and needs nobody."""
        return self.is_mandate and self.is_approved

    @property
    def standing_words(self) -> str:
        """The status as screens show it."""
        if self.is_mandate and self.standing in _OF_MANDATES:
            return _OF_MANDATES[self.standing]
        approved = "approved" if self.is_mandate else "approved, not sent"
        return approved if self.is_approved else self.turned_down or standing_words(self.standing)


class Verdict(StrEnum):
    """A trader's decision about an intent that nothing else can settle."""

    SEND = "send it now"  # It was recorded and never sent
    APPROVE = "it may be sent"  # A colleague proposed it
    REPEAT = "send the same again, under the same key"
    DONE = "it was done"
    NOT_DONE = "it was not done"

    @property
    def rests_on_absence(self) -> bool:
        """Return True if it is safe only when no earlier request can still be executed."""
        return self in (Verdict.REPEAT, Verdict.NOT_DONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A trader's decision on one intent.

    Attributes:
        object_id: of one that was done.
        body: of one that is approved, as it was reviewed.
    """

    intent_id: IntentId
    verdict: Verdict
    object_id: str | None = None
    body: str = field(default="", repr=False)


NOTHING_IS_SENT = "Nothing is sent"  # The beginning of why a desk sends nothing


@dataclass(frozen=True, slots=True)
class SendPermission:
    """The permission of this process to send intents, for all screens.

    It is `damaged` if the outbox was changed or truncated and needs attention now. `short` is why
    in a word or two, if that passes by itself, `brief` what to do in a few words, if that is known.
    """

    allowed: bool = False
    why: str = "The outbox is not open yet."
    damaged: bool = False
    short: str = ""
    brief: str = ""


@dataclass(frozen=True, slots=True)
class FruitlessReads:
    """The number of complete reads without an intent in doubt; the last at this service time."""

    times: int
    at: datetime


@dataclass(frozen=True, slots=True)
class IntentMaker:
    """A factory of intents.

    Attributes:
        rng: the source of identifiers and keys; predictable only in tests.
        tagged: add the intent's id to the reference of money requests, by which a look-up
            identifies the object.
        untagged: the dialect's names of requests in which the service accepts no reference.
    """

    rng: random.Random = field(repr=False)
    tagged: bool = True
    untagged: frozenset[str] = frozenset()

    def new_id(self) -> IntentId:
        return IntentId("PT-" + "".join(self.rng.choices(_ALPHABET, k=8)))

    def as_sent(self, request: requests.MoneyRequest, intent_id: IntentId) -> requests.MoneyRequest:
        """Return a request as it is sent: with the tag in its reference, if it carries one."""
        if not self.tagged or requests.section_of(type(request)) in self.untagged:
            return request
        plain = without_tag(request.reference)
        return replace(request, reference=f"{plain} {intent_id}".strip())

    def make(
        self,
        request: requests.Request | Mandate,
        *,
        title: str,
        confirmed_at: datetime,
        account_id: models.AccountId | None = None,
        quote: models.RateSheet | None = None,
        paid: models.PaymentAddress | None = None,
        intent_id: IntentId | None = None,
    ) -> Intent:
        """Return an intent with a key of its own.

        Args:
            request: without a tag.
            confirmed_at: service time.
            account_id: the owner of the money, if the request does not name it.
            quote: the sheet whose rate was confirmed.
            paid: the recipient's account as last read.
            intent_id: the id that the review showed; None for a new one.
        """
        intent_id = intent_id or self.new_id()
        if isinstance(request, requests.MoneyRequest):
            request = self.as_sent(request, intent_id)
        terms = intent_terms(request, quote)
        if isinstance(request, Mandate):
            terms = replace(terms, expires_at=confirmed_at + request.lasts)
        paid_at = None if paid is None else models.bank_fingerprint(paid)
        return Intent(
            intent_id=intent_id,
            key=models.IdempotencyKey(str(UUID(int=self.rng.getrandbits(128), version=4))),
            request=request,
            title=title,
            confirmed_at=confirmed_at,
            quote=quote,
            terms=replace(terms, account_id=account_id or terms.account_id, paid_at=paid_at),
        )


def without_tag(reference: str | None) -> str:
    """Return a reference as its author typed it, without the tags of intents."""
    return _TAG.sub("", reference or "").strip()


def tags_of(reference: str | None) -> tuple[IntentId, ...]:
    """Return the intent ids that a reference carries."""
    return tuple(IntentId(tag.strip()) for tag in _TAG.findall(reference or ""))
