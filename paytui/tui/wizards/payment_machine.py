"""A payout or transfer from the first question to its end, without a screen.

Money moves only by `confirm()`: it makes an intent of what a screen has shown, if that is still
what would be carried out, and makes one.
"""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.bank_fingerprint import bank_hash
from paytui.domain.intent import without_tag
from paytui.platform.text import clean
from paytui.tui.context import Desk
from paytui.tui.guards.payee_warnings import ends_so, is_unproven
from paytui.tui.wizards.payment_end import is_void, row_of
from paytui.tui.wizards.payment_order import Obstacle, PaymentDraft, PayoutOrder, Step, order_of
from paytui.tui.wizards.payment_refusal import troubles_of
from paytui.tui.wizards.payment_review import Review, review_of
from paytui.tui.wizards.payment_state import (
    PaymentState,
    options_of,
    paid_address,
    steps_of,
    with_choice,
    with_only_address,
)
from paytui.tui.wizards.payment_view import view_of
from paytui.tui.wizards.proof import WRONG_ENDING
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.step import StepView

_TYPED = (Step.AMOUNT, Step.REFERENCE)

CHANGED = "Something of it changed just now: look at it again."


class PaymentWizard:
    """One payout or transfer.

    Args:
        desk: what is known, and the way to the worker.
        draft: what is filled in already; the first question that it leaves open comes up.
    """

    def __init__(self, desk: Desk, draft: PaymentDraft) -> None:
        self._desk = desk
        draft = with_only_address(desk, draft)
        found = order_of(desk.store, desk.vocabulary, draft)
        step = found.step if isinstance(found, Obstacle) else Step.CONFIRM
        self._state = PaymentState(draft=draft, step=step, intent_id=desk.maker.new_id())
        self._go_to(step)

    def view(self) -> StepView:
        """The question that is on view, or what became of what was confirmed."""
        return view_of(self._desk, self._state)

    # --- what a trader does ---

    def chosen(self, key: str) -> None:
        """Answer with one of the options; one that is not offered says why."""
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
        """Take what is typed so far; the wizard goes on only with `go_on()`."""
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
        """Take what was typed, if it will do."""
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
        """It has no keys of its own."""

    def back(self) -> bool:
        """One question back, with all that is filled in; from the end, where it came to nothing."""
        state = self._state
        if state.intent is not None:
            return self._back_from_end()
        steps = steps_of(self._desk, state)
        place = steps.index(state.step)
        if place:
            self._go_to(steps[place - 1])
        return place > 0

    def confirm(self, shown: object) -> None:
        """Submit the deal that was shown, once, if it is still the one that would be sent."""
        state, review = self._state, self._review()
        if state.intent is not None or review is None:
            return
        if review.deal != shown:
            self.store_changed()
        elif words := review.why_not(state.typed):
            self._complain(words)
        else:
            self._submit(review)

    # --- what happens by itself ---

    def tick(self) -> None:
        """No question of it ends with time."""

    def store_changed(self) -> None:
        """Say so where what is about to be confirmed is not what it was."""
        state, review = self._state, self._review()
        if review is None or state.intent is not None or review.deal == state.seen:
            return
        trouble = "" if state.seen is None else CHANGED
        self._state = replace(state, seen=review.deal, trouble=trouble, typed="")

    # --- inner ---

    def _review(self) -> Review | None:
        """Return the review of the confirmation; None if nothing can be confirmed."""
        if self._state.step is not Step.CONFIRM:
            return None
        found = order_of(self._desk.store, self._desk.vocabulary, self._state.draft)
        return None if isinstance(found, Obstacle) else review_of(self._desk, found, self._state)

    def _submit(self, review: Review) -> None:
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
        """Take how a new account ends, if it does end so."""
        address = paid_address(self._desk, self._state.draft)
        if address is None or not ends_so(address, self._state.typed):
            self._complain(WRONG_ENDING)
            return
        self._state = replace(self._state, proven=bank_hash(address))
        self._go_to(Step.CONFIRM)

    def _complain(self, words: str) -> None:
        self._state = replace(self._state, trouble=words)

    def _fill_in(self, draft: PaymentDraft) -> None:
        """An answer replaces what was said of the one before."""
        state = self._state
        refused = {step: words for step, words in state.refused.items() if step is not state.step}
        self._state = replace(state, draft=draft, trouble="", refused=refused)

    def _go_on(self) -> None:
        steps = steps_of(self._desk, self._state)
        self._go_to(steps[steps.index(self._state.step) + 1])

    def _go_to(self, step: Step | ServiceField) -> None:
        address = paid_address(self._desk, self._state.draft)
        if step is Step.CONFIRM and address is not None:
            unproven = is_unproven(self._desk, address, self._state.proven)
            step = Step.PROOF if unproven else step
        words = self._state.refused.get(step, "")
        self._state = replace(self._state, step=step, trouble=words, typed="", seen=None)
        if (review := self._review()) is not None:
            self._state = replace(self._state, seen=review.deal)

    def _back_from_end(self) -> bool:
        """To where it can be put right, if it came to nothing; else it goes on without a screen."""
        row = row_of(self._desk, self._state)
        if row is None or not is_void(row):
            return False
        steps = steps_of(self._desk, self._state)
        refused = troubles_of(row, steps)
        again = self._desk.maker.new_id()
        self._state = replace(self._state, intent=None, intent_id=again, refused=refused)
        self._go_to(next((step for step in steps if step in refused), Step.CONFIRM))
        return True
