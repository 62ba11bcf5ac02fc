"""The state machine of a payout or transfer, from the first step to the end of the intent.

Money moves only by `confirm()`: it makes exactly one intent, of the review that was shown, if the
current one is equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from paytui.domain.intent import Intent, IntentRow, without_tag
from paytui.domain.models import (
    PayIn,
    Payment,
    PaymentAddress,
    Recipient,
    Trade,
    Wallet,
)
from paytui.domain.money import plain
from paytui.platform.text import clean
from paytui.tui.guards.payee_warnings import needs_account_check
from paytui.tui.step_protocol import StepView, Wizard
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import payment_draft
from paytui.tui.wizards.common_steps import (
    CHANGED,
    WRONG_ENDING,
    Review,
    ServiceField,
    answers_before,
    fingerprint_if_proven,
)
from paytui.tui.wizards.outcome import failed_row, outcome_words
from paytui.tui.wizards.parties import paid_account
from paytui.tui.wizards.payment_view import agreed, review_of, view_of

_ASKED_AT = {
    "source_wallet_id": payment_draft.Step.WALLET,
    "recipient_id": payment_draft.Step.RECIPIENT,
    "payment_address_id": payment_draft.Step.ADDRESS,
    "destination_wallet_id": payment_draft.Step.DESTINATION,
    "amount": payment_draft.Step.AMOUNT,
    "currency": payment_draft.Step.WALLET,
    "reference": payment_draft.Step.REFERENCE,
}
"""The step that asks for a field of a request, by canonical name (service.md)."""


def refusals_by_step(
    row: IntentRow, asked: Sequence[payment_draft.PaymentStep]
) -> dict[payment_draft.PaymentStep, str]:
    """Return the service's complaints by step; others belong to the last step."""
    problem = row.problem
    if problem is None:
        return {}
    said: dict[payment_draft.PaymentStep, list[str]] = {}
    added = {one.field.key: one for one in asked if isinstance(one, ServiceField)}
    for one in problem.fields:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", one.field.rpartition(".")[2]).lower()
        step = added.get(one.field) or _ASKED_AT.get(name)
        where = step if step in asked else payment_draft.Step.CONFIRM
        words = f"{one.field}: {one.message}"
        if step is payment_draft.Step.REFERENCE:
            words += _of_the_tag(row)
        said.setdefault(where or payment_draft.Step.CONFIRM, []).append(words)
    if not said:
        said[payment_draft.Step.CONFIRM] = [problem.said or problem.what]
    return {step: f"{outcome_words(row)}: {'; '.join(words)}" for step, words in said.items()}


def _of_the_tag(row: IntentRow) -> str:
    """Return a remark on the tag in a reference that the service refused."""
    sent = row.terms.reference or ""
    added = len(sent) - len(without_tag(sent))
    if not added:
        return ""
    return (
        f" ({added} of its {len(sent)} characters are the tag {row.intent_id}: shorten the "
        "reference or set tag_reference = false)"
    )


class PaymentWizard(Wizard):
    """One payout or transfer, from the first open step of its draft."""

    def __init__(self, ui: UiContext, draft: payment_draft.PaymentDraft) -> None:
        self._ui = ui
        draft = payment_draft.with_only_address(ui, draft)
        found = payment_draft.order_of(ui, draft)
        step = (
            found.step if isinstance(found, payment_draft.Obstacle) else payment_draft.Step.CONFIRM
        )
        self._state = payment_draft.PaymentState(
            draft=draft, step=step, intent_id=ui.maker.new_id()
        )
        self._go_to(step)

    def view(self) -> StepView:
        return view_of(self._ui, self._state)

    def chosen(self, key: str) -> None:
        state = self._state
        options = payment_draft.options_of(self._ui, state.draft, state.step)
        option = next((one for one in options if one.key == key), None)
        if option is None or state.intent is not None:
            return
        if option.why_not:
            self._complain(f"{option.name}: {option.why_not}.")
            return
        self._fill_in(payment_draft.with_choice(self._ui, state.draft, state.step, key))
        self._go_on()

    def typed(self, text: str) -> None:
        state = self._state
        if state.intent is not None:
            return
        match state.step:
            case payment_draft.Step.AMOUNT:
                self._fill_in(replace(state.draft, amount=text))
            case payment_draft.Step.REFERENCE:
                self._fill_in(replace(state.draft, reference=without_tag(clean(text))))
            case ServiceField():
                self._fill_in(
                    payment_draft.with_choice(self._ui, state.draft, state.step, clean(text))
                )
            case payment_draft.Step.PROOF | payment_draft.Step.CONFIRM:
                self._state = replace(state, typed=text, trouble="")

    def go_on(self) -> None:
        state = self._state
        if state.intent is None and state.step is payment_draft.Step.PROOF:
            self._prove()
        is_field = isinstance(state.step, ServiceField)
        is_typed = is_field or state.step in (
            payment_draft.Step.AMOUNT,
            payment_draft.Step.REFERENCE,
        )
        if state.intent is not None or not is_typed:
            return
        if isinstance(state.step, ServiceField) and state.step.name not in state.draft.extra:
            self.typed("")
        found = payment_draft.order_of(self._ui, self._state.draft)
        if isinstance(found, payment_draft.Obstacle) and found.step == state.step:
            self._complain(found.why)
        else:
            self._go_on()

    def back(self) -> bool:
        """Go one step back with all answers; from the end only after a failure."""
        state = self._state
        if state.intent is not None:
            return self._back_from_end(state.intent)
        steps = payment_draft.steps_of(self._ui, state)
        place = steps.index(state.step)
        if place:
            self._go_to(steps[place - 1])
        return place > 0

    def confirm(self, shown: object) -> None:
        """Submit the deal that was shown, once, if the current one is equal."""
        state, review = self._state, self._review()
        if state.intent is not None or review is None:
            return
        if agreed(review) != shown:
            self.store_changed()
        elif words := review.why_not(state.typed):
            self._complain(words)
        else:
            self._submit(review.order)

    def store_changed(self) -> None:
        """Require a new review if the deal has changed."""
        state, review = self._state, self._review()
        if review is None or state.intent is not None or agreed(review) == state.seen:
            return
        trouble = "" if state.seen is None else CHANGED
        self._state = replace(state, seen=agreed(review), trouble=trouble, typed="")

    def _review(self) -> Review[payment_draft.Order] | None:
        if self._state.step is not payment_draft.Step.CONFIRM:
            return None
        found = payment_draft.order_of(self._ui, self._state.draft)
        return (
            None
            if isinstance(found, payment_draft.Obstacle)
            else review_of(self._ui, found, self._state)
        )

    def _submit(self, order: payment_draft.Order) -> None:
        intent = self._ui.maker.make(
            order.request,
            title=order.title,
            confirmed_at=self._ui.time.latest(),
            account_id=order.source.account_id,
            paid=paid_account(order.target),
            intent_id=self._state.intent_id,
        )
        self._state = replace(self._state, intent=intent, trouble="")
        self._ui.port.submit(intent)

    def _prove(self) -> None:
        address = payment_draft.paid_address(self._ui, self._state.draft)
        if proven := fingerprint_if_proven(address, self._state.typed):
            self._state = replace(self._state, proven=proven)
            self._go_to(payment_draft.Step.CONFIRM)
        else:
            self._complain(WRONG_ENDING)

    def _complain(self, words: str) -> None:
        self._state = replace(self._state, trouble=words)

    def _fill_in(self, draft: payment_draft.PaymentDraft) -> None:
        state = self._state
        refused = {step: words for step, words in state.refused.items() if step is not state.step}
        self._state = replace(state, draft=draft, trouble="", refused=refused)

    def _go_on(self) -> None:
        steps = payment_draft.steps_of(self._ui, self._state)
        self._go_to(steps[steps.index(self._state.step) + 1])

    def _go_to(self, step: payment_draft.PaymentStep) -> None:
        address = payment_draft.paid_address(self._ui, self._state.draft)
        if step is payment_draft.Step.CONFIRM and address is not None:
            unproven = needs_account_check(self._ui, address, self._state.proven)
            step = payment_draft.Step.PROOF if unproven else step
        words = self._state.refused.get(step, "")
        self._state = replace(self._state, step=step, trouble=words, typed="", seen=None)
        if (review := self._review()) is not None:
            self._state = replace(self._state, seen=agreed(review))

    def _back_from_end(self, intent: Intent) -> bool:
        """Go to the refused step after a failure; else return False, to close the screen."""
        row = failed_row(self._ui, intent)
        if row is None:
            return False
        steps = payment_draft.steps_of(self._ui, self._state)
        refused = refusals_by_step(row, steps)
        again = self._ui.maker.new_id()
        self._state = replace(self._state, intent=None, intent_id=again, refused=refused)
        self._go_to(next((step for step in steps if step in refused), payment_draft.Step.CONFIRM))
        return True


def payout_from(ui: UiContext, selected: object) -> PaymentWizard:
    draft = _from_wallet(payment_draft.PaymentKind.PAYOUT, selected)
    match selected:
        case Recipient():
            draft = replace(draft, recipient_id=selected.recipient_id)
        case PaymentAddress() | Payment():
            payee, account = selected.recipient_id, selected.payment_address_id
            draft = replace(draft, recipient_id=payee, payment_address_id=account)
    return PaymentWizard(ui, draft)


def transfer_from(ui: UiContext, selected: object) -> PaymentWizard:
    draft = _from_wallet(payment_draft.PaymentKind.TRANSFER, selected)
    if isinstance(selected, Payment):
        draft = replace(draft, destination_wallet_id=selected.destination_wallet_id)
    return PaymentWizard(ui, draft)


def repeat_of(ui: UiContext, payment: Payment) -> PaymentWizard:
    """Return the wizard of a new payment like an earlier one, without its tag."""
    kind = (
        payment_draft.PaymentKind.TRANSFER
        if payment.destination_wallet_id
        else payment_draft.PaymentKind.PAYOUT
    )
    draft = payment_draft.PaymentDraft(
        kind=kind,
        wallet_id=payment.source_wallet_id,
        recipient_id=payment.recipient_id,
        payment_address_id=payment.payment_address_id,
        destination_wallet_id=payment.destination_wallet_id,
        amount="" if payment.amount is None else plain(payment.amount),
        reference=without_tag(payment.reference),
        extra=answers_before(ui.store, payment.payment_transaction_id),
    )
    return PaymentWizard(ui, draft)


def _from_wallet(kind: payment_draft.PaymentKind, selected: object) -> payment_draft.PaymentDraft:
    match selected:
        case Wallet() | PayIn():
            return payment_draft.PaymentDraft(kind=kind, wallet_id=selected.wallet_id)
        case Trade():
            return payment_draft.PaymentDraft(kind=kind, wallet_id=selected.buy_wallet_id)
        case Payment():
            return payment_draft.PaymentDraft(kind=kind, wallet_id=selected.source_wallet_id)
        case _:
            return payment_draft.PaymentDraft(kind=kind)
