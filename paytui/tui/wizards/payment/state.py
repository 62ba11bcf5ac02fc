"""The draft, order and state of a payment wizard, and the options of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import Intent, IntentId
from paytui.domain.models import (
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    Record,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.store.views import recipient_title
from paytui.tui.context import UiContext
from paytui.tui.forms.values import AmountError, echo, parse_amount
from paytui.tui.guards.payee_warnings import is_new_account
from paytui.tui.wizards.payment.options import (
    GONE,
    address_of,
    address_trouble,
    addresses,
    destination_trouble,
    destinations,
    recipient_trouble,
    recipients,
    sources,
    unlisted,
    wallet_of,
    wallet_trouble,
)
from paytui.tui.wizards.protocol import Option
from paytui.tui.wizards.service_fields import ServiceField, extra_of, service_fields

LONGEST_REFERENCE = 140
"""Characters without the tag: the size of SWIFT field 70 (4 x 35)."""


class PaymentKind(StrEnum):
    """The two kinds of payment (service.md §1)."""

    PAYOUT = "payout"
    TRANSFER = "transfer"


class Step(StrEnum):
    """The steps of the wizard; the values are words for titles."""

    WALLET = "from"
    RECIPIENT = "to whom"
    ADDRESS = "to which account"
    DESTINATION = "to which wallet"
    AMOUNT = "amount"
    REFERENCE = "reference"
    PROOF = "verify payee"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentDraft:
    """The answers so far; going back keeps the answers of later steps.

    Attributes:
        amount: as typed.
        reference: as typed, without paytui's tag.
        extra: texts of the service's own fields, by name.
    """

    kind: PaymentKind
    wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    destination_wallet_id: WalletId | None = None
    amount: str = ""
    reference: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PayoutOrder:
    """A payout that can be confirmed."""

    source: Wallet
    recipient: Recipient
    address: PaymentAddress
    currency: CurrencyCode
    amount: Decimal
    reference: str
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def request(self) -> PayoutRequest:
        return PayoutRequest(
            account_id=self.source.account_id,
            source_wallet_id=self.source.wallet_id,
            recipient_id=self.recipient.recipient_id,
            payment_address_id=self.address.payment_address_id,
            amount=self.amount,
            currency=self.currency,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        return f"Payout {echo(self.amount, self.currency)} to {recipient_title(self.recipient)}"


@dataclass(frozen=True, slots=True)
class TransferOrder:
    """A transfer that can be confirmed."""

    source: Wallet
    destination: Wallet
    currency: CurrencyCode
    amount: Decimal
    reference: str
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def request(self) -> TransferRequest:
        return TransferRequest(
            account_id=self.source.account_id,
            source_wallet_id=self.source.wallet_id,
            destination_wallet_id=self.destination.wallet_id,
            amount=self.amount,
            currency=self.currency,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        name = self.destination.wallet_name or self.destination.wallet_id
        return f"Transfer {echo(self.amount, self.currency)} to {name}"


Order = PayoutOrder | TransferOrder


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first step with a missing or wrong answer, and the complaint."""

    step: Step | ServiceField
    why: str


def order_of(store: Store, vocabulary: DialectFeatures, draft: PaymentDraft) -> Order | Obstacle:
    """Return the order of a draft, or the first obstacle to it."""
    found = _order(store, draft)
    if isinstance(found, Obstacle):
        return found
    request = request_of(draft.kind)
    if not vocabulary.takes(request, "reference"):
        found = replace(found, reference="")
    elif why := reference_trouble(vocabulary, request, draft.reference):
        return Obstacle(Step.REFERENCE, why)
    asked = service_fields(vocabulary, request)
    for one in asked:
        if why := one.trouble(draft.extra):
            return Obstacle(one, why)
    return replace(found, extra=extra_of(asked, draft.extra))


def request_of(kind: PaymentKind) -> str:
    """Return the dialect's name of the request that a kind of payment makes."""
    return f"{kind.value}_request"


def reference_trouble(vocabulary: DialectFeatures, request: str, reference: str) -> str:
    """Return a complaint about a reference; empty if it is good. Our tag does not count."""
    if (over := len(reference) - LONGEST_REFERENCE) > 0:
        return f"It is {over} characters longer than {LONGEST_REFERENCE}."
    if not reference and "reference" in vocabulary.required.get(request, ()):
        return "The service requires a reference."
    return ""


def _order(store: Store, draft: PaymentDraft) -> Order | Obstacle:
    source = wallet_of(store, draft.wallet_id)
    if source is None:
        return _missing(Step.WALLET, "wallet", draft.wallet_id)
    if trouble := wallet_trouble(source):
        return Obstacle(Step.WALLET, f"{_named(source)}: {trouble}.")
    if draft.kind is PaymentKind.TRANSFER:
        return _transfer(store, draft, source)
    return _payout(store, draft, source)


def _transfer(store: Store, draft: PaymentDraft, source: Wallet) -> TransferOrder | Obstacle:
    key = draft.destination_wallet_id
    destination = wallet_of(store, key)
    if destination is None:
        return _missing(Step.DESTINATION, "wallet", key)
    if trouble := destination_trouble(source, destination):
        return Obstacle(Step.DESTINATION, f"{_named(destination)}: {trouble}.")
    amount = _amount(draft, source)
    if isinstance(amount, Obstacle):
        return amount
    return TransferOrder(source, destination, _currency(source), amount, draft.reference)


def _payout(store: Store, draft: PaymentDraft, source: Wallet) -> PayoutOrder | Obstacle:
    recipient = store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is None:
        return _missing(Step.RECIPIENT, "recipient", draft.recipient_id)
    known = addresses_of(store, recipient)
    if trouble := recipient_trouble(source, recipient, known):
        return Obstacle(Step.RECIPIENT, f"{recipient_title(recipient)}: {trouble}.")
    address = address_of(store, recipient.recipient_id, draft.payment_address_id)
    if address is None:
        return _missing(Step.ADDRESS, "account", draft.payment_address_id)
    if trouble := address_trouble(source, address):
        return Obstacle(Step.ADDRESS, f"This account: {trouble}.")
    amount = _amount(draft, source)
    if isinstance(amount, Obstacle):
        return amount
    return PayoutOrder(source, recipient, address, _currency(source), amount, draft.reference)


def _amount(draft: PaymentDraft, source: Wallet) -> Decimal | Obstacle:
    try:
        return parse_amount(draft.amount, _currency(source))
    except AmountError as error:
        return Obstacle(Step.AMOUNT, str(error))


def _currency(wallet: Wallet) -> CurrencyCode:
    assert wallet.currency is not None  # see `wallet_trouble`
    return wallet.currency


def _missing(step: Step, what: str, key: str | None) -> Obstacle:
    return Obstacle(step, f"Choose a {what}." if key is None else f"{key}: {GONE}.")


def _named(wallet: Wallet) -> str:
    return wallet.wallet_name or wallet.wallet_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentState:
    """The state of a payment wizard; immutable.

    Attributes:
        step: the step on view.
        intent_id: of the next intent; the review shows its tag in the reference.
        trouble: the complaint about the current answer; empty if there is none.
        typed: the text to confirm, or the end of an account's number.
        proven: the fingerprint of the new account that was checked.
        refused: the service's complaints about an earlier attempt, by step.
        seen: the deal that was shown.
        intent: the confirmed intent.
    """

    draft: PaymentDraft
    step: Step | ServiceField
    intent_id: IntentId
    trouble: str = ""
    typed: str = ""
    proven: str = ""
    refused: Mapping[Step | ServiceField, str] = field(default_factory=dict)
    seen: object | None = None
    intent: Intent | None = None


def steps_of(desk: UiContext, state: PaymentState) -> tuple[Step | ServiceField, ...]:
    """Return the steps in order; `ADDRESS` only if there is a choice, `PROOF` for new accounts."""
    request = request_of(state.draft.kind)
    reference = (Step.REFERENCE,) if desk.vocabulary.takes(request, "reference") else ()
    written = (*reference, *service_fields(desk.vocabulary, request))
    if state.draft.kind is PaymentKind.TRANSFER:
        return (Step.WALLET, Step.DESTINATION, Step.AMOUNT, *written, Step.CONFIRM)
    payable = len(_payable(desk, state.draft))
    unknown = state.draft.recipient_id is not None and not payable
    asked = payable > 1 or unknown or state.step is Step.ADDRESS
    which = (Step.ADDRESS,) if asked else ()
    address = paid_address(desk, state.draft)
    strange = address is not None and is_new_account(desk, address)
    whose = (Step.PROOF,) if strange or state.step is Step.PROOF else ()
    return (Step.WALLET, Step.RECIPIENT, *which, Step.AMOUNT, *written, *whose, Step.CONFIRM)


def paid_address(desk: UiContext, draft: PaymentDraft) -> PaymentAddress | None:
    """Return the account that would be paid, as the service lists it now."""
    return address_of(desk.store, draft.recipient_id, draft.payment_address_id)


def options_of(
    desk: UiContext, draft: PaymentDraft, step: Step | ServiceField
) -> tuple[Option, ...]:
    """Return the options of a step; empty if something is typed."""
    if isinstance(step, ServiceField):
        return step.options()
    source = wallet_of(desk.store, draft.wallet_id)
    match step:
        case Step.WALLET:
            return sources(desk.store, desk.scope)
        case Step.RECIPIENT if source:
            return recipients(desk.store, source, desk.likeness)
        case Step.ADDRESS if source and draft.recipient_id:
            recipient = desk.store.recipients.get(draft.recipient_id)
            trouble = partial(address_trouble, source)
            return addresses(desk, recipient, trouble) if recipient else ()
        case Step.DESTINATION if source:
            return destinations(desk.store, source)
        case _:
            return ()


def identifier_templates(
    desk: UiContext, draft: PaymentDraft, step: Step | ServiceField
) -> tuple[Record, ...]:
    """Return templates of the objects whose identifier may be typed at a step."""
    source = wallet_of(desk.store, draft.wallet_id)
    named: dict[Step | ServiceField, Record] = {
        Step.WALLET: Wallet(WalletId(""), account_id=desk.scope),
        Step.DESTINATION: Wallet(WalletId("")),
        Step.RECIPIENT: Recipient(RecipientId("")),
        Step.ADDRESS: PaymentAddress(
            PaymentAddressId(""),
            recipient_id=draft.recipient_id,
            currency=source.currency if source else None,
        ),
    }
    return unlisted(desk.store, named[step]) if step in named else ()


def choice_at(draft: PaymentDraft, step: Step | ServiceField) -> str | None:
    """Return the chosen key of a step."""
    if isinstance(step, ServiceField):
        return step.text(draft.extra) or None
    return {
        Step.WALLET: draft.wallet_id,
        Step.RECIPIENT: draft.recipient_id,
        Step.ADDRESS: draft.payment_address_id,
        Step.DESTINATION: draft.destination_wallet_id,
    }.get(step)


def with_choice(
    desk: UiContext, draft: PaymentDraft, step: Step | ServiceField, key: str
) -> PaymentDraft:
    """Return the draft with the answer of a step."""
    match step:
        case ServiceField():
            return replace(draft, extra={**draft.extra, step.name: key})
        case Step.WALLET:
            draft = replace(draft, wallet_id=WalletId(key))
        case Step.RECIPIENT:
            draft = replace(draft, recipient_id=RecipientId(key))
        case Step.ADDRESS:
            draft = replace(draft, payment_address_id=PaymentAddressId(key))
        case _:
            draft = replace(draft, destination_wallet_id=WalletId(key))
    return with_only_address(desk, draft)


def with_only_address(desk: UiContext, draft: PaymentDraft) -> PaymentDraft:
    """Return the draft with the recipient's only payable account; a valid choice stays."""
    offered = _payable(desk, draft)
    if draft.payment_address_id in offered:
        return draft
    only = PaymentAddressId(offered[0]) if len(offered) == 1 else None
    return replace(draft, payment_address_id=only)


def _payable(desk: UiContext, draft: PaymentDraft) -> list[str]:
    return [one.key for one in options_of(desk, draft, Step.ADDRESS) if not one.why_not]
