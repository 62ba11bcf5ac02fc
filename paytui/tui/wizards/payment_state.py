"""The state of a payment wizard, and the options of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

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
from paytui.store.payees import addresses_of
from paytui.tui.context import Desk
from paytui.tui.guards.payee_warnings import is_strange
from paytui.tui.wizards.payment_options import (
    address_trouble,
    addresses,
    destinations,
    recipients,
    sources,
    unlisted,
)
from paytui.tui.wizards.payment_order import (
    PaymentDraft,
    PaymentKind,
    Step,
    request_of,
)
from paytui.tui.wizards.service_fields import ServiceField, service_fields
from paytui.tui.wizards.step import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentState:
    """A payment wizard between two keys.

    Attributes:
        draft: what is filled in.
        step: the question that is on view.
        intent_id: of the intent that a confirmation makes, so that its review shows the reference
            as it goes out.
        trouble: what is wrong with the answer to it; empty while nothing is.
        typed: what is typed to confirm, or of how an account ends.
        proven: the hash of the new account that was confirmed to be the recipient's.
        refused: what the service said of an earlier try, by question.
        seen: the deal that is shown to be confirmed.
        intent: what was confirmed; it is followed from then on.
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


def steps_of(desk: Desk, state: PaymentState) -> tuple[Step | ServiceField, ...]:
    """The questions of a payment, in order; which account is none where there is but one."""
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
    strange = address is not None and is_strange(desk, address)
    whose = (Step.PROOF,) if strange or state.step is Step.PROOF else ()
    return (Step.WALLET, Step.RECIPIENT, *which, Step.AMOUNT, *written, *whose, Step.CONFIRM)


def paid_address(desk: Desk, draft: PaymentDraft) -> PaymentAddress | None:
    """The account that would be paid, as the service tells it now."""
    recipient = desk.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    known = addresses_of(desk.store, recipient) if recipient else ()
    chosen = (one for one in known if one.payment_address_id == draft.payment_address_id)
    return next(chosen, None)


def options_of(desk: Desk, draft: PaymentDraft, step: Step | ServiceField) -> tuple[Option, ...]:
    """Return the options of a step; empty if something is typed."""
    if isinstance(step, ServiceField):
        return step.options()
    source = desk.store.wallets.get(draft.wallet_id) if draft.wallet_id else None
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


def named_at(desk: Desk, draft: PaymentDraft, step: Step | ServiceField) -> tuple[Record, ...]:
    """Return templates of the objects whose identifier may be typed at a step."""
    source = desk.store.wallets.get(draft.wallet_id) if draft.wallet_id else None
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
    """The identifier that is filled in at a question."""
    if isinstance(step, ServiceField):
        return step.text(draft.extra) or None
    return {
        Step.WALLET: draft.wallet_id,
        Step.RECIPIENT: draft.recipient_id,
        Step.ADDRESS: draft.payment_address_id,
        Step.DESTINATION: draft.destination_wallet_id,
    }.get(step)


def with_choice(
    desk: Desk, draft: PaymentDraft, step: Step | ServiceField, key: str
) -> PaymentDraft:
    """A draft with one question answered."""
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


def with_only_address(desk: Desk, draft: PaymentDraft) -> PaymentDraft:
    """A draft with the account filled in where there is no choice; a choice that is good stays."""
    offered = _payable(desk, draft)
    if draft.payment_address_id in offered:
        return draft
    only = PaymentAddressId(offered[0]) if len(offered) == 1 else None
    return replace(draft, payment_address_id=only)


def _payable(desk: Desk, draft: PaymentDraft) -> list[str]:
    return [one.key for one in options_of(desk, draft, Step.ADDRESS) if not one.why_not]
