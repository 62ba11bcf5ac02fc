"""The draft, order and state of a payment wizard, and the options of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial

from paytui.domain import models
from paytui.domain.intent import Intent, IntentId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.store.names import recipient_title
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.tui.forms.common_fields import AmountError, echo, parse_amount
from paytui.tui.guards.payee_warnings import is_new_account
from paytui.tui.step_protocol import Option
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import parties
from paytui.tui.wizards.common_steps import ServiceField, extra_of, service_fields
from paytui.tui.wizards.parties import Payee, Target


class PaymentKind(StrEnum):
    """The two kinds of payment (service.md §1)."""

    PAYOUT = "payout"
    TRANSFER = "transfer"


class Step(StrEnum):
    WALLET = "from wallet"
    RECIPIENT = "recipient"
    ADDRESS = "account"
    DESTINATION = "destination wallet"
    AMOUNT = "amount"
    REFERENCE = "reference"
    PROOF = "verify payee"
    CONFIRM = "confirm"


PaymentStep = Step | ServiceField


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentDraft:
    """The answers so far, as typed, the reference without paytui's tag.

    Going back keeps the answers of later steps. `extra` are the service's own fields, by name.
    """

    kind: PaymentKind
    wallet_id: models.WalletId | None = None
    recipient_id: models.RecipientId | None = None
    payment_address_id: models.PaymentAddressId | None = None
    destination_wallet_id: models.WalletId | None = None
    amount: str = ""
    reference: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Order:
    """A payout or transfer that can be confirmed."""

    source: models.Wallet
    target: Target
    currency: CurrencyCode
    amount: Decimal
    reference: str
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def request(self) -> PayoutRequest | TransferRequest:
        if isinstance(self.target, models.Wallet):
            return TransferRequest(
                account_id=self.source.account_id,
                source_wallet_id=self.source.wallet_id,
                destination_wallet_id=self.target.wallet_id,
                amount=self.amount,
                currency=self.currency,
                reference=self.reference or None,
                extra=dict(self.extra),
            )
        return PayoutRequest(
            account_id=self.source.account_id,
            source_wallet_id=self.source.wallet_id,
            recipient_id=self.target.recipient.recipient_id,
            payment_address_id=self.target.address.payment_address_id,
            amount=self.amount,
            currency=self.currency,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        amount = echo(self.amount, self.currency)
        if isinstance(self.target, models.Wallet):
            return f"Transfer {amount} to {self.target.wallet_name or self.target.wallet_id}"
        return f"Payout {amount} to {recipient_title(self.target.recipient)}"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first step with a missing or wrong answer, and the complaint."""

    step: PaymentStep
    why: str


def order_of(ui: UiContext, draft: PaymentDraft) -> Order | Obstacle:
    vocabulary, request = ui.vocabulary, request_of(draft.kind)
    found = _order(ui.store, draft)
    if isinstance(found, Obstacle):
        return found
    if not vocabulary.takes(request, "reference"):
        found = replace(found, reference="")
    elif why := parties.reference_trouble(vocabulary, request, draft.reference):
        return Obstacle(Step.REFERENCE, why)
    asked = service_fields(vocabulary, request)
    for one in asked:
        if why := one.trouble(draft.extra):
            return Obstacle(one, why)
    return replace(found, extra=extra_of(asked, draft.extra))


def request_of(kind: PaymentKind) -> str:
    """Return the dialect's name of the request that a kind of payment makes."""
    return f"{kind.value}_request"


def _order(store: Store, draft: PaymentDraft) -> Order | Obstacle:
    source = parties.wallet_of(store, draft.wallet_id)
    if source is None:
        return _missing(Step.WALLET, "wallet", draft.wallet_id)
    if trouble := parties.wallet_trouble(source):
        return Obstacle(Step.WALLET, f"{source.wallet_name or source.wallet_id}: {trouble}.")
    is_transfer = draft.kind is PaymentKind.TRANSFER
    target = (_destination if is_transfer else _payee)(store, draft, source)
    if isinstance(target, Obstacle):
        return target
    assert source.currency is not None  # see `wallet_trouble`
    try:
        amount = parse_amount(draft.amount, source.currency)
    except AmountError as error:
        return Obstacle(Step.AMOUNT, str(error))
    return Order(source, target, source.currency, amount, draft.reference)


def _destination(
    store: Store, draft: PaymentDraft, source: models.Wallet
) -> models.Wallet | Obstacle:
    target = parties.wallet_of(store, draft.destination_wallet_id)
    if target is None:
        return _missing(Step.DESTINATION, "wallet", draft.destination_wallet_id)
    if trouble := parties.destination_trouble(source, target):
        return Obstacle(Step.DESTINATION, f"{target.wallet_name or target.wallet_id}: {trouble}.")
    return target


def _payee(store: Store, draft: PaymentDraft, source: models.Wallet) -> Payee | Obstacle:
    recipient = store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is None:
        return _missing(Step.RECIPIENT, "recipient", draft.recipient_id)
    if trouble := parties.recipient_trouble(source, recipient, addresses_of(store, recipient)):
        return Obstacle(Step.RECIPIENT, f"{recipient_title(recipient)}: {trouble}.")
    address = parties.address_of(store, recipient.recipient_id, draft.payment_address_id)
    if address is None:
        return _missing(Step.ADDRESS, "account", draft.payment_address_id)
    if trouble := parties.address_trouble(source, address):
        return Obstacle(Step.ADDRESS, f"This account: {trouble}.")
    return Payee(recipient, address)


def _missing(step: Step, what: str, key: str | None) -> Obstacle:
    return Obstacle(step, f"Choose a {what}." if key is None else f"{key}: {parties.GONE}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentState:
    """The state of a payment wizard; immutable.

    Attributes:
        intent_id: of the next intent; the review shows its tag in the reference.
        trouble: the complaint about the current answer; empty if there is none.
        typed: the text to confirm, or the end of an account's number.
        proven: the fingerprint of the new account that was checked.
        refused: the service's complaints about an earlier attempt, by step.
    """

    draft: PaymentDraft
    step: PaymentStep
    intent_id: IntentId
    trouble: str = ""
    typed: str = ""
    proven: str = ""
    refused: Mapping[PaymentStep, str] = field(default_factory=dict)
    seen: object | None = None
    intent: Intent | None = None


def steps_of(ui: UiContext, state: PaymentState) -> tuple[PaymentStep, ...]:
    """Return the steps in order; `ADDRESS` only if there is a choice, `PROOF` for new accounts."""
    request = request_of(state.draft.kind)
    reference = (Step.REFERENCE,) if ui.vocabulary.takes(request, "reference") else ()
    written = (*reference, *service_fields(ui.vocabulary, request))
    if state.draft.kind is PaymentKind.TRANSFER:
        return (Step.WALLET, Step.DESTINATION, Step.AMOUNT, *written, Step.CONFIRM)
    payable = len(_payable(ui, state.draft))
    unknown = state.draft.recipient_id is not None and not payable
    asked = payable > 1 or unknown or state.step is Step.ADDRESS
    which = (Step.ADDRESS,) if asked else ()
    address = paid_address(ui, state.draft)
    strange = address is not None and is_new_account(ui, address)
    whose = (Step.PROOF,) if strange or state.step is Step.PROOF else ()
    return (Step.WALLET, Step.RECIPIENT, *which, Step.AMOUNT, *written, *whose, Step.CONFIRM)


def paid_address(ui: UiContext, draft: PaymentDraft) -> models.PaymentAddress | None:
    """Return the account that would be paid, as the service lists it now."""
    return parties.address_of(ui.store, draft.recipient_id, draft.payment_address_id)


def options_of(ui: UiContext, draft: PaymentDraft, step: PaymentStep) -> tuple[Option, ...]:
    if isinstance(step, ServiceField):
        return step.options()
    source = parties.wallet_of(ui.store, draft.wallet_id)
    match step:
        case Step.WALLET:
            return parties.sources(ui.store, ui.scope)
        case Step.RECIPIENT if source:
            return parties.recipients(ui.store, source, ui.likeness)
        case Step.ADDRESS if source and draft.recipient_id:
            recipient = ui.store.recipients.get(draft.recipient_id)
            trouble = partial(parties.address_trouble, source)
            return parties.addresses(ui, recipient, trouble) if recipient else ()
        case Step.DESTINATION if source:
            return parties.destinations(ui.store, source)
        case _:
            return ()


def identifier_templates(
    ui: UiContext, draft: PaymentDraft, step: PaymentStep
) -> tuple[models.Record, ...]:
    source = parties.wallet_of(ui.store, draft.wallet_id)
    named: dict[PaymentStep, models.Record] = {
        Step.WALLET: models.Wallet(models.WalletId(""), account_id=ui.scope),
        Step.DESTINATION: models.Wallet(models.WalletId("")),
        Step.RECIPIENT: models.Recipient(models.RecipientId("")),
        Step.ADDRESS: models.PaymentAddress(
            models.PaymentAddressId(""),
            recipient_id=draft.recipient_id,
            currency=source.currency if source else None,
        ),
    }
    return parties.unlisted(ui.store, named[step]) if step in named else ()


def choice_at(draft: PaymentDraft, step: PaymentStep) -> str | None:
    if isinstance(step, ServiceField):
        return step.text(draft.extra) or None
    return {
        Step.WALLET: draft.wallet_id,
        Step.RECIPIENT: draft.recipient_id,
        Step.ADDRESS: draft.payment_address_id,
        Step.DESTINATION: draft.destination_wallet_id,
    }.get(step)


def with_choice(ui: UiContext, draft: PaymentDraft, step: PaymentStep, key: str) -> PaymentDraft:
    match step:
        case ServiceField():
            return replace(draft, extra={**draft.extra, step.name: key})
        case Step.WALLET:
            draft = replace(draft, wallet_id=models.WalletId(key))
        case Step.RECIPIENT:
            draft = replace(draft, recipient_id=models.RecipientId(key))
        case Step.ADDRESS:
            draft = replace(draft, payment_address_id=models.PaymentAddressId(key))
        case _:
            draft = replace(draft, destination_wallet_id=models.WalletId(key))
    return with_only_address(ui, draft)


def with_only_address(ui: UiContext, draft: PaymentDraft) -> PaymentDraft:
    """Return the draft with the recipient's only payable account; a valid choice stays."""
    offered = _payable(ui, draft)
    if draft.payment_address_id in offered:
        return draft
    only = models.PaymentAddressId(offered[0]) if len(offered) == 1 else None
    return replace(draft, payment_address_id=only)


def _payable(ui: UiContext, draft: PaymentDraft) -> list[str]:
    return [one.key for one in options_of(ui, draft, Step.ADDRESS) if not one.why_not]
