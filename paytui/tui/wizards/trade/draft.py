"""The draft of a trade, its legs, and the deal that can be confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.models import (
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    RateSheet,
    Recipient,
    RecipientId,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair, other_amount
from paytui.domain.requests import TradeRequest
from paytui.store.store import Store
from paytui.store.views import recipient_title
from paytui.store.views.rates import rate_of
from paytui.tui.context import UiContext
from paytui.tui.forms.values import AmountError, echo, parse_amount
from paytui.tui.guards.payee_warnings import is_new_account, needs_account_check
from paytui.tui.wizards.payment.options import (
    GONE,
    address_of,
    recipient_trouble,
    wallet_of,
    wallet_trouble,
)
from paytui.tui.wizards.payment.state import reference_trouble
from paytui.tui.wizards.service_fields import ServiceField, extra_of, service_fields


def target_trouble(source: Wallet, wallet: Wallet) -> str:
    """Return the reason why a wallet cannot take the bought money; empty if it can."""
    if wallet.currency is not None and wallet.currency == source.currency:
        return f"{wallet.currency} as well"
    return wallet_trouble(wallet)


def payee_trouble(source: Wallet, recipient: Recipient, address: PaymentAddress) -> str:
    """Return the reason why an account cannot take the bought money; empty if it can."""
    if address.currency is not None and address.currency == source.currency:
        return f"{address.currency} as well"
    # The payout is made in the bought currency, not in the sold one.
    return recipient_trouble(replace(source, currency=address.currency), recipient, [address])


class Step(StrEnum):
    """The steps of the wizard; the values are words for titles."""

    ACCOUNT = "account"
    SELL = "sell from"
    BUY = "buy into"
    ADDRESS = "account of the recipient"
    AMOUNT = "amount"
    REFERENCE = "reference"
    PROOF = "verify payee"
    RATE = "rate"
    CONFIRM = "confirm"


PARTIES = (Step.ACCOUNT, Step.SELL, Step.BUY, Step.ADDRESS)
"""The steps that choose the legs."""

REQUEST = "trade_request"
"""The dialect's name of a trade's request."""

NO_REFERENCE = "A trade that pays a recipient needs one, by which they know what it is for."


class Side(StrEnum):
    """The side whose amount is fixed; the service computes the other."""

    SELL = "sell"
    BUY = "buy"

    @property
    def other(self) -> Side:
        return Side.BUY if self is Side.SELL else Side.SELL


class Pricing(StrEnum):
    """The ways to set a rate (service.md §1)."""

    LOCKED = "locked"
    REAL_TIME = "real-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeDraft:
    """The answers so far; going back keeps the answers of later steps.

    Attributes:
        buy_wallet_id: the target of the bought money; else a recipient with an account.
        amount: as typed.
        side: of `amount`.
        reference: as typed, without paytui's tag.
        extra: texts of the service's own fields, by name.
        wanted: the pair that it started from, if several wallets fit.
    """

    account_id: AccountId | None = None
    sell_wallet_id: WalletId | None = None
    buy_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    amount: str = ""
    side: Side = Side.SELL
    reference: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    pricing: Pricing = Pricing.LOCKED
    wanted: Pair | None = None


def lists_payees(store: Store) -> bool:
    """Return True if the service lists recipients: then each of their accounts is an option.

    Else you choose a recipient first, perhaps by its identifier, and then one of its accounts.
    """
    return store.feed(Kind.RECIPIENTS).offered


@dataclass(frozen=True, slots=True)
class Payee:
    """A recipient with one of its accounts."""

    recipient: Recipient
    address: PaymentAddress


@dataclass(frozen=True, slots=True)
class Legs:
    """The source and target of a trade."""

    source: Wallet
    target: Wallet | Payee
    pair: Pair

    def currency(self, side: Side) -> CurrencyCode:
        return self.pair.sell if side is Side.SELL else self.pair.buy


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first step with a missing or wrong answer, and the complaint."""

    step: Step | ServiceField
    why: str


def legs_of(store: Store, draft: TradeDraft) -> Legs | Obstacle:
    """Return the legs of a draft, or the first obstacle to them."""
    key = draft.sell_wallet_id
    source = wallet_of(store, key)
    if source is None or source.currency is None:
        return _missing(Step.SELL, "the wallet that sells", key)
    if trouble := wallet_trouble(source):
        return Obstacle(Step.SELL, f"{source.wallet_name or source.wallet_id}: {trouble}.")
    if draft.recipient_id is not None:
        return _to_payee(store, draft, source, source.currency)
    return _to_wallet(store, draft, source, source.currency)


def amount_of(draft: TradeDraft, legs: Legs) -> Decimal | Obstacle:
    """Return the fixed amount, or the obstacle."""
    try:
        return parse_amount(draft.amount, legs.currency(draft.side))
    except AmountError as error:
        return Obstacle(Step.AMOUNT, str(error))


def checked_extra(
    vocabulary: DialectFeatures, draft: TradeDraft, legs: Legs
) -> tuple[tuple[str, str], ...] | Obstacle:
    """Return the service's own fields as they are sent, or the first obstacle in a typed text."""
    if vocabulary.takes(REQUEST, "reference"):
        why = reference_trouble(vocabulary, REQUEST, draft.reference)
        if not draft.reference and isinstance(legs.target, Payee):
            why = why or NO_REFERENCE
        if why:
            return Obstacle(Step.REFERENCE, why)
    asked = service_fields(vocabulary, REQUEST)
    for one in asked:
        if why := one.trouble(draft.extra):
            return Obstacle(one, why)
    return extra_of(asked, draft.extra)


def _to_wallet(
    store: Store, draft: TradeDraft, source: Wallet, sold: CurrencyCode
) -> Legs | Obstacle:
    key = draft.buy_wallet_id
    target = wallet_of(store, key)
    if target is None or target.currency is None:
        return _missing(Step.BUY, "where what is bought goes", key)
    if trouble := target_trouble(source, target):
        return Obstacle(Step.BUY, f"{target.wallet_name or target.wallet_id}: {trouble}.")
    return Legs(source, target, Pair(sold, target.currency))


def _to_payee(
    store: Store, draft: TradeDraft, source: Wallet, sold: CurrencyCode
) -> Legs | Obstacle:
    recipient = store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is None:
        return _missing(Step.BUY, "a recipient", draft.recipient_id)
    where = Step.BUY if lists_payees(store) else Step.ADDRESS
    address = address_of(store, recipient.recipient_id, draft.payment_address_id)
    if address is None or address.currency is None:
        return _missing(where, "an account of the recipient", draft.payment_address_id)
    if trouble := payee_trouble(source, recipient, address):
        return Obstacle(where, f"{recipient_title(recipient)}: {trouble}.")
    return Legs(source, Payee(recipient, address), Pair(sold, address.currency))


def _missing(step: Step, what: str, key: str | None) -> Obstacle:
    return Obstacle(step, f"Choose {what}." if key is None else f"{key}: {GONE}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A trade that can be confirmed; equal deals look the same and book the same.

    Attributes:
        legs: without balances, which may change.
        side: the fixed side, of `amount`.
        quote: the sheet of the locked rate; None for the service's rate at booking.
        reference: as typed, without paytui's tag.
        extra: the service's own fields, by name, as they are sent.
        indication: without a locked rate, the last known one, to estimate the other amount.
    """

    legs: Legs
    side: Side
    amount: Decimal
    quote: RateSheet | None = None
    reference: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    indication: Decimal | None = None

    @property
    def rate(self) -> Decimal | None:
        """The locked rate, or the last known one."""
        return self.indication if self.quote is None else rate_of(self.quote, self.legs.pair)

    @property
    def other_amount(self) -> Decimal | None:
        """The estimated amount of the other side."""
        fixed = self.legs.currency(self.side)
        return other_amount(self.legs.pair, fixed, self.amount, self.rate)

    @property
    def sold(self) -> Decimal | None:
        """The amount that leaves the wallet, perhaps estimated."""
        return self.amount if self.side is Side.SELL else self.other_amount

    @property
    def request(self) -> TradeRequest:
        target, sells = self.legs.target, self.side is Side.SELL
        payee = target if isinstance(target, Payee) else None
        return TradeRequest(
            account_id=self.legs.source.account_id,
            sell_currency=self.legs.pair.sell,
            buy_currency=self.legs.pair.buy,
            sell_wallet_id=self.legs.source.wallet_id,
            sell_amount=self.amount if sells else None,
            buy_amount=None if sells else self.amount,
            buy_wallet_id=target.wallet_id if isinstance(target, Wallet) else None,
            recipient_id=payee.recipient.recipient_id if payee else None,
            payment_address_id=payee.address.payment_address_id if payee else None,
            rate_sheet_id=self.quote.rate_sheet_id if self.quote else None,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        """The title: `Trade sells 250,000.00 AUD for USD`."""
        pair, fixed = self.legs.pair, echo(self.amount, self.legs.currency(self.side))
        if self.side is Side.SELL:
            return f"Trade sells {fixed} for {pair.buy}"
        return f"Trade buys {fixed} for {pair.sell}"


def legs_without_balances(legs: Legs) -> Legs:
    """Return legs without the balances of their wallets."""
    target = legs.target
    return replace(
        legs,
        source=without_balances(legs.source),
        target=without_balances(target) if isinstance(target, Wallet) else target,
    )


def without_balances(wallet: Wallet) -> Wallet:
    """Return a wallet without its balances and the time of its last change."""
    return replace(
        wallet,
        available_balance=None,
        reserved_balance=None,
        pending_balance=None,
        updated_at=None,
    )


def steps_of(
    desk: UiContext, draft: TradeDraft, legs: Legs | Obstacle, at: Step | ServiceField
) -> tuple[Step | ServiceField, ...]:
    """Return the steps in order; `PROOF` only for a new or changed account."""
    is_payee = draft.recipient_id is not None and not lists_payees(desk.store)
    has_address = is_payee or at is Step.ADDRESS
    parties = (step for step in PARTIES if step is not Step.ADDRESS or has_address)
    address = paid_address(legs)
    asked = at is Step.PROOF or (address is not None and is_new_account(desk, address))
    whose = (Step.PROOF,) if asked else ()
    reference = (Step.REFERENCE,) if desk.vocabulary.takes(REQUEST, "reference") else ()
    written = (*reference, *service_fields(desk.vocabulary, REQUEST))
    return (*parties, Step.AMOUNT, *written, *whose, Step.RATE, Step.CONFIRM)


def paid_address(legs: Legs | Obstacle) -> PaymentAddress | None:
    """Return the recipient's account that is paid; None if a wallet is."""
    match legs:
        case Legs(target=Payee(address=address)):
            return address
        case _:
            return None


def legs_need_account_check(desk: UiContext, legs: Legs | Obstacle, proven: str) -> bool:
    """Return True if the account is to be checked; `proven` is a checked account's fingerprint."""
    address = paid_address(legs)
    return address is not None and needs_account_check(desk, address, proven)
