"""The draft of a trade, and the legs that it makes once it is complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from paytui.domain.dialect_features import Vocabulary
from paytui.domain.models import (
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.store.views import recipient_title
from paytui.tui.forms.amount import AmountError, parse_amount
from paytui.tui.wizards.payment_options import GONE, wallet_trouble
from paytui.tui.wizards.payment_order import reference_trouble
from paytui.tui.wizards.service_fields import ServiceField, extra_of, service_fields
from paytui.tui.wizards.trade_trouble import payee_trouble, target_trouble


class Step(StrEnum):
    """The steps of the wizard; the values are words for titles."""

    ACCOUNT = "whose money"
    SELL = "which wallet sells"
    BUY = "where it goes"
    ADDRESS = "which of its accounts"
    AMOUNT = "how much"
    REFERENCE = "reference"
    PROOF = "whose account it is"
    RATE = "at which rate"
    CONFIRM = "confirm"


PARTIES = (Step.ACCOUNT, Step.SELL, Step.BUY, Step.ADDRESS)
"""The questions before there are legs."""

REQUEST = "trade_request"
"""The dialect's name of the request that a trade makes."""

NO_REFERENCE = "A trade that pays a recipient needs one, by which they know what it is for."


class Side(StrEnum):
    """The side whose amount is fixed; the service computes the other."""

    SELL = "sell"
    BUY = "buy"

    @property
    def other(self) -> Side:
        """The side that is not fixed."""
        return Side.BUY if self is Side.SELL else Side.SELL


class Pricing(StrEnum):
    """The way a rate is set (api.md §1)."""

    LOCKED = "locked"
    REAL_TIME = "real-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeDraft:
    """As far as it is filled in. A step that is gone back over keeps what the later ones hold.

    Attributes:
        buy_wallet_id: where what is bought goes; or a recipient with one of its addresses.
        amount: as it was typed.
        side: the one that `amount` is of.
        reference: as it was typed, without the tag of an intent.
        extra: what was typed of the fields that the service adds, by name.
        wanted: the pair that it started from; several wallets may be meant.
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

    Else a recipient is chosen first, perhaps by its identifier, and then one of its accounts.
    """
    return store.feed(Kind.RECIPIENTS).offered


@dataclass(frozen=True, slots=True)
class Payee:
    """A recipient, and where it is paid."""

    recipient: Recipient
    address: PaymentAddress


@dataclass(frozen=True, slots=True)
class Legs:
    """The source and target of a trade."""

    source: Wallet
    target: Wallet | Payee
    pair: Pair

    def currency(self, side: Side) -> CurrencyCode:
        """Return the currency of this side."""
        return self.pair.sell if side is Side.SELL else self.pair.buy


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first step at which a draft is not fit to be confirmed, and why."""

    step: Step | ServiceField
    why: str


def legs_of(store: Store, draft: TradeDraft) -> Legs | Obstacle:
    """The legs of a draft by what the store knows now, or what is in their way."""
    key = draft.sell_wallet_id
    source = store.wallets.get(key) if key else None
    if source is None or source.currency is None:
        return _missing(Step.SELL, "the wallet that sells", key)
    if trouble := wallet_trouble(source):
        return Obstacle(Step.SELL, f"{source.wallet_name or source.wallet_id}: {trouble}.")
    if draft.recipient_id is not None:
        return _to_payee(store, draft, source, source.currency)
    return _to_wallet(store, draft, source, source.currency)


def amount_of(draft: TradeDraft, legs: Legs) -> Decimal | Obstacle:
    """The fixed amount, or what is wrong with it."""
    try:
        return parse_amount(draft.amount, legs.currency(draft.side))
    except AmountError as error:
        return Obstacle(Step.AMOUNT, str(error))


def written_of(
    vocabulary: Vocabulary, draft: TradeDraft, legs: Legs
) -> tuple[tuple[str, str], ...] | Obstacle:
    """Return the service's own fields as they go out, or what is wrong with what was written."""
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
    target = store.wallets.get(key) if key else None
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
    known = {address.payment_address_id: address for address in addresses_of(store, recipient)}
    address = known.get(draft.payment_address_id) if draft.payment_address_id else None
    if address is None or address.currency is None:
        return _missing(where, "an account of the recipient", draft.payment_address_id)
    if trouble := payee_trouble(source, recipient, address):
        return Obstacle(where, f"{recipient_title(recipient)}: {trouble}.")
    return Legs(source, Payee(recipient, address), Pair(sold, address.currency))


def _missing(step: Step, what: str, key: str | None) -> Obstacle:
    return Obstacle(step, f"Choose {what}." if key is None else f"{key}: {GONE}.")
