"""The state machine of a payout or transfer, from the first step to the end of the intent.

Money moves only by `confirm()`: it makes exactly one intent, of the review that was shown, if the
current one is equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from paytui.domain.bank_fingerprint import bank_fingerprint
from paytui.domain.intent import IntentRow, Standing, without_tag
from paytui.domain.models import PayIn, Payment, PaymentAddress, Recipient, Trade, Wallet
from paytui.domain.money import plain
from paytui.platform.text import clean
from paytui.tui.context import UiContext
from paytui.tui.guards.payee_warnings import ends_with, needs_account_check
from paytui.tui.wizards.common_steps import CHANGED, WRONG_ENDING
from paytui.tui.wizards.payment.state import (
    Obstacle,
    PaymentDraft,
    PaymentKind,
    PaymentState,
    PayoutOrder,
    Step,
    options_of,
    order_of,
    paid_address,
    steps_of,
    with_choice,
    with_only_address,
)
from paytui.tui.wizards.payment.view import PaymentReview, has_failed, review_of, row_of, view_of
from paytui.tui.wizards.protocol import StepView
from paytui.tui.wizards.service_fields import ServiceField, answers_before

_ASKED_AT = {
    "source_wallet_id": Step.WALLET,
    "recipient_id": Step.RECIPIENT,
    "payment_address_id": Step.ADDRESS,
    "destination_wallet_id": Step.DESTINATION,
    "amount": Step.AMOUNT,
    "currency": Step.WALLET,
    "reference": Step.REFERENCE,
}
"""The step that asks for a field of a request, by canonical name (service.md)."""


def outcome_words(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt; only the service refuses."""
    return "It was refused" if row.standing is Standing.REFUSED else "Not carried out"


def refusals_by_step(
    row: IntentRow, asked: Sequence[Step | ServiceField]
) -> dict[Step | ServiceField, str]:
    """Return the service's complaints by step; others belong to the last step."""
    problem = row.problem
    if problem is None:
        return {}
    said: dict[Step | ServiceField, list[str]] = {}
    added = {one.field.key: one for one in asked if isinstance(one, ServiceField)}
    for one in problem.fields:
        step = added.get(one.field) or _ASKED_AT.get(_canonical(one.field))
        where = step if step in asked else Step.CONFIRM
        words = f"{one.field}: {one.message}"
        if step is Step.REFERENCE:
            words += _of_the_tag(row)
        said.setdefault(where or Step.CONFIRM, []).append(words)
    if not said:
        said[Step.CONFIRM] = [problem.said or problem.what]
    return {step: f"{outcome_words(row)}: {'; '.join(words)}" for step, words in said.items()}


def _of_the_tag(row: IntentRow) -> str:
    """Return a remark on the tag in a reference that the service refused."""
    sent = row.terms.reference or ""
    added = len(sent) - len(without_tag(sent))
    if not added:
        return ""
    return (
        f" ({added} of its {len(sent)} characters are {row.intent_id}, by which paytui knows it "
        "again: type a shorter one, or leave that out by tag_reference = false)"
    )


def _canonical(field: str) -> str:
    """Convert `body.paymentAddressId` to `payment_address_id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field.rpartition(".")[2]).lower()


_TYPED = (Step.AMOUNT, Step.REFERENCE)


class PaymentWizard:
    """One payout or transfer.

    Args:
        desk: the store, the settings and the port to the worker.
        draft: the answers so far; the wizard starts at the first open step.
    """

    def __init__(self, desk: UiContext, draft: PaymentDraft) -> None:
        self._desk = desk
        draft = with_only_address(desk, draft)
        found = order_of(desk.store, desk.vocabulary, draft)
        step = found.step if isinstance(found, Obstacle) else Step.CONFIRM
        self._state = PaymentState(draft=draft, step=step, intent_id=desk.maker.new_id())
        self._go_to(step)

    def view(self) -> StepView:
        """Return the current step, or the outcome of the confirmed intent."""
        return view_of(self._desk, self._state)

    def chosen(self, key: str) -> None:
        """Answer with an option, or say why it cannot be chosen."""
        state = self._state
        options = options_of(self._desk, state.draft, state.step)
        option = next((one for one in options if one.key == key), None)
        if option is None or state.intent is not None:
            return
        if option.why_not:
            self._complain(f"{option.name}: {option.why_not}.")
            return
        self._fill_in(with_choice(self._desk, state.draft, state.step, key))
        self._go_on()

    def typed(self, text: str) -> None:
        """Take the text so far; only `go_on()` leaves the step."""
        state = self._state
        if state.intent is not None:
            return
        match state.step:
            case Step.AMOUNT:
                self._fill_in(replace(state.draft, amount=text))
            case Step.REFERENCE:
                self._fill_in(replace(state.draft, reference=without_tag(clean(text))))
            case ServiceField():
                self._fill_in(with_choice(self._desk, state.draft, state.step, clean(text)))
            case Step.PROOF | Step.CONFIRM:
                self._state = replace(state, typed=text, trouble="")

    def go_on(self) -> None:
        """Go to the next step if the typed text is valid."""
        state = self._state
        if state.intent is None and state.step is Step.PROOF:
            self._prove()
        is_typed = isinstance(state.step, ServiceField) or state.step in _TYPED
        if state.intent is not None or not is_typed:
            return
        if isinstance(state.step, ServiceField) and state.step.name not in state.draft.extra:
            self.typed("")
        found = order_of(self._desk.store, self._desk.vocabulary, self._state.draft)
        if isinstance(found, Obstacle) and found.step == state.step:
            self._complain(found.why)
        else:
            self._go_on()

    def act(self, action: str) -> None:
        """Do nothing: it has no actions."""

    def back(self) -> bool:
        """Go one step back with all answers; from the end only after a failure."""
        state = self._state
        if state.intent is not None:
            return self._back_from_end()
        steps = steps_of(self._desk, state)
        place = steps.index(state.step)
        if place:
            self._go_to(steps[place - 1])
        return place > 0

    def confirm(self, shown: object) -> None:
        """Submit the deal that was shown, once, if the current one is equal."""
        state, review = self._state, self._review()
        if state.intent is not None or review is None:
            return
        if review.deal != shown:
            self.store_changed()
        elif words := review.why_not(state.typed):
            self._complain(words)
        else:
            self._submit(review)

    def tick(self) -> None:
        """Do nothing: no step expires."""

    def store_changed(self) -> None:
        """Require a new review if the deal has changed."""
        state, review = self._state, self._review()
        if review is None or state.intent is not None or review.deal == state.seen:
            return
        trouble = "" if state.seen is None else CHANGED
        self._state = replace(state, seen=review.deal, trouble=trouble, typed="")

    def _review(self) -> PaymentReview | None:
        """Return the review of the confirmation; None if nothing can be confirmed."""
        if self._state.step is not Step.CONFIRM:
            return None
        found = order_of(self._desk.store, self._desk.vocabulary, self._state.draft)
        return None if isinstance(found, Obstacle) else review_of(self._desk, found, self._state)

    def _submit(self, review: PaymentReview) -> None:
        order = review.order
        intent = self._desk.maker.make(
            order.request,
            title=order.title,
            confirmed_at=self._desk.time.latest(),
            account_id=order.source.account_id,
            paid=order.address if isinstance(order, PayoutOrder) else None,
            intent_id=self._state.intent_id,
        )
        self._state = replace(self._state, intent=intent, trouble="")
        self._desk.port.submit(intent)

    def _prove(self) -> None:
        """Take the end of a new account's number, if it matches."""
        address = paid_address(self._desk, self._state.draft)
        if address is None or not ends_with(address, self._state.typed):
            self._complain(WRONG_ENDING)
            return
        self._state = replace(self._state, proven=bank_fingerprint(address))
        self._go_to(Step.CONFIRM)

    def _complain(self, words: str) -> None:
        self._state = replace(self._state, trouble=words)

    def _fill_in(self, draft: PaymentDraft) -> None:
        """Set the answers, and clear the complaints about the current step."""
        state = self._state
        refused = {step: words for step, words in state.refused.items() if step is not state.step}
        self._state = replace(state, draft=draft, trouble="", refused=refused)

    def _go_on(self) -> None:
        steps = steps_of(self._desk, self._state)
        self._go_to(steps[steps.index(self._state.step) + 1])

    def _go_to(self, step: Step | ServiceField) -> None:
        address = paid_address(self._desk, self._state.draft)
        if step is Step.CONFIRM and address is not None:
            unproven = needs_account_check(self._desk, address, self._state.proven)
            step = Step.PROOF if unproven else step
        words = self._state.refused.get(step, "")
        self._state = replace(self._state, step=step, trouble=words, typed="", seen=None)
        if (review := self._review()) is not None:
            self._state = replace(self._state, seen=review.deal)

    def _back_from_end(self) -> bool:
        """Go to the refused step after a failure; else return False, to close the screen."""
        row = row_of(self._desk, self._state)
        if row is None or not has_failed(row):
            return False
        steps = steps_of(self._desk, self._state)
        refused = refusals_by_step(row, steps)
        again = self._desk.maker.new_id()
        self._state = replace(self._state, intent=None, intent_id=again, refused=refused)
        self._go_to(next((step for step in steps if step in refused), Step.CONFIRM))
        return True


def payout_from(desk: UiContext, selected: object) -> PaymentWizard:
    """Return the wizard of a payout from or to the selected object."""
    kind = PaymentKind.PAYOUT
    match selected:
        case Recipient():
            draft = PaymentDraft(kind=kind, recipient_id=selected.recipient_id)
        case PaymentAddress():
            draft = PaymentDraft(
                kind=kind,
                recipient_id=selected.recipient_id,
                payment_address_id=selected.payment_address_id,
            )
        case Payment():
            draft = PaymentDraft(
                kind=kind,
                wallet_id=selected.source_wallet_id,
                recipient_id=selected.recipient_id,
                payment_address_id=selected.payment_address_id,
            )
        case _:
            draft = _from_wallet(kind, selected)
    return PaymentWizard(desk, draft)


def transfer_from(desk: UiContext, selected: object) -> PaymentWizard:
    """Return the wizard of a transfer out of the selected wallet."""
    kind = PaymentKind.TRANSFER
    match selected:
        case Payment():
            draft = PaymentDraft(
                kind=kind,
                wallet_id=selected.source_wallet_id,
                destination_wallet_id=selected.destination_wallet_id,
            )
        case _:
            draft = _from_wallet(kind, selected)
    return PaymentWizard(desk, draft)


def repeat_of(desk: UiContext, payment: Payment) -> PaymentWizard:
    """Return the wizard of a new payment like an earlier one, without its tag."""
    kind = PaymentKind.TRANSFER if payment.destination_wallet_id else PaymentKind.PAYOUT
    draft = PaymentDraft(
        kind=kind,
        wallet_id=payment.source_wallet_id,
        recipient_id=payment.recipient_id,
        payment_address_id=payment.payment_address_id,
        destination_wallet_id=payment.destination_wallet_id,
        amount="" if payment.amount is None else plain(payment.amount),
        reference=without_tag(payment.reference),
        extra=answers_before(desk.store, payment.payment_transaction_id),
    )
    return PaymentWizard(desk, draft)


def _from_wallet(kind: PaymentKind, selected: object) -> PaymentDraft:
    match selected:
        case Wallet() | PayIn():
            return PaymentDraft(kind=kind, wallet_id=selected.wallet_id)
        case Trade():
            return PaymentDraft(kind=kind, wallet_id=selected.buy_wallet_id)
        case _:
            return PaymentDraft(kind=kind)
