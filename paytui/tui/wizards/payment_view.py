"""The questions of a payment wizard, and its end, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from paytui.domain.intent import Intent
from paytui.domain.models import PaymentAddress
from paytui.domain.money import CurrencyCode
from paytui.tui.context import Desk
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms.amount import AmountError, echo, parse_amount
from paytui.tui.guards.limits import RefusedAbove, TypeIt, demand
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.payment_end import end_lines, end_words, payment_of, row_of
from paytui.tui.wizards.payment_lines import answers, order_lines, reference_line, short_words
from paytui.tui.wizards.payment_order import Obstacle, Step, order_of
from paytui.tui.wizards.payment_review import Review, review_of, short_by
from paytui.tui.wizards.payment_state import (
    PaymentState,
    choice_at,
    named_at,
    options_of,
    paid_address,
    steps_of,
)
from paytui.tui.wizards.proof import proof_entry, proof_words
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.step import Entry, Line, StepView, line, to_confirm

_NOTHING = {
    Step.WALLET: "There is no wallet yet.",
    Step.RECIPIENT: "There is no recipient yet.",
    Step.ADDRESS: "No account of this recipient is known yet.",
    Step.DESTINATION: "There is no other wallet.",
}


def view_of(desk: Desk, state: PaymentState) -> StepView:
    """A payment wizard as it is now."""
    if state.intent is not None:
        return _end(desk, state)
    if state.step is Step.CONFIRM:
        return _confirm(desk, state)
    address = paid_address(desk, state.draft)
    if state.step is Step.PROOF and address is not None:
        return _proof(desk, state, address)
    return _question(desk, state)


def _question(desk: Desk, state: PaymentState) -> StepView:
    options = options_of(desk, state.draft, state.step)
    return StepView(
        title=_title(state),
        name=state.step.value,
        place=_place(desk, state),
        lines=tuple(answers(desk, state.draft, state.step)),
        options=options,
        chosen=choice_at(state.draft, state.step) or next((one.key for one in options), None),
        names=named_at(desk, state.draft, state.step),
        entry=_entry(desk, state),
        words=tuple(_trouble(state) if state.trouble else _judged(desk, state)),
    )


def _proof(desk: Desk, state: PaymentState, address: PaymentAddress) -> StepView:
    """Return the step that asks for the end of the account's number."""
    without = replace(state.draft, payment_address_id=None)
    return StepView(
        title=_title(state),
        name=state.step.value,
        place=_place(desk, state),
        lines=tuple(answers(desk, without, state.step)),
        entry=proof_entry(address),
        words=(*_trouble(state), *proof_words(desk, address)),
    )


def _entry(desk: Desk, state: PaymentState) -> Entry | None:
    match state.step:
        case Step.AMOUNT:
            label = f"Amount in {_currency(desk, state)}"
            return Entry(label, state.draft.amount, "2,500.00, 1k or 1.5m")
        case Step.REFERENCE:
            return Entry("Reference", state.draft.reference, "none")
        case ServiceField():
            return state.step.entry(state.draft.extra)
        case _:
            return None


def _judged(desk: Desk, state: PaymentState) -> Iterator[Cell]:
    """Yield remarks on the current input."""
    if state.step is Step.AMOUNT and state.draft.amount:
        yield from _amount(desk, state)
    options = options_of(desk, state.draft, state.step)
    is_listed = not named_at(desk, state.draft, state.step)
    if isinstance(state.step, Step) and state.step in _NOTHING and is_listed and not options:
        yield Cell(_NOTHING[state.step], Tone.CLOSING)
    elif options and all(one.why_not for one in options):
        yield Cell("None of these can be chosen; esc goes back.", Tone.CLOSING)


def _amount(desk: Desk, state: PaymentState) -> Iterator[Cell]:
    currency = _currency(desk, state)
    try:
        amount = parse_amount(state.draft.amount, currency)
    except AmountError as error:
        yield Cell(str(error), Tone.CLOSING)
        return
    yield Cell(f"= {echo(amount, currency)}", Tone.ACCENT)
    key = state.draft.wallet_id
    source = desk.store.wallets.get(key) if key else None
    if source is not None:
        yield from short_words(short_by(source, amount), currency)
    asked = demand(desk.settings.profile, amount, currency, state.draft.recipient_id)
    if isinstance(asked, RefusedAbove):
        yield WRONG.cell(asked.words)


def _confirm(desk: Desk, state: PaymentState) -> StepView:
    found = order_of(desk.store, desk.vocabulary, state.draft)
    if isinstance(found, Obstacle):
        words = (
            WRONG.cell(found.why),
            Cell("esc goes back to put it right.", Tone.MUTED),
        )
        return StepView(
            title=_title(state), name=state.step.value, place=_place(desk, state), words=words
        )
    review = review_of(desk, found, state)
    return StepView(
        title=_title(state),
        name=state.step.value,
        place=_place(desk, state),
        lines=tuple(order_lines(desk, review)),
        entry=_typed_to_confirm(review, state.typed),
        words=(*_warnings(review), *_trouble(state), *_what_enter_does(review)),
        confirms=None if review.is_barred else review.deal,
        wants_reading=bool(review.unread),
    )


def _typed_to_confirm(review: Review, typed: str) -> Entry | None:
    match review.demand:
        case TypeIt(text) if not review.is_barred:
            return to_confirm(text, typed)
        case _:
            return None


def _warnings(review: Review) -> Iterator[Cell]:
    yield from short_words(review.short_by, review.order.currency)
    for words in (*review.deceit, *review.unsure, *review.lookalikes):
        yield CAREFUL.cell(words)
    if review.barred:
        yield WRONG.cell(review.barred)
    if isinstance(review.demand, RefusedAbove):
        yield WRONG.cell(review.demand.words)


def _what_enter_does(review: Review) -> Iterator[Cell]:
    if not review.is_barred:
        yield Cell("enter sends it, esc goes back", Tone.MUTED)


def _end(desk: Desk, state: PaymentState) -> StepView:
    row = row_of(desk, state)
    what = tuple(_confirmed(state.intent)) if state.intent else ()
    if row is None:
        words: tuple[Cell, ...] = (Cell("It is being written down.", Tone.MUTED),)
        return StepView(title=_title(state), name="confirmed", lines=what, words=words)
    return StepView(
        title=_title(state),
        name="confirmed",
        lines=(*what, *end_lines(desk, row)),
        words=tuple(end_words(desk, row)),
        became=payment_of(desk, row),
    )


def _confirmed(intent: Intent) -> Iterator[Line]:
    yield line("What", intent.title)
    yield reference_line(intent.terms.reference)


def _trouble(state: PaymentState) -> Iterator[Cell]:
    if state.trouble:
        yield WRONG.cell(state.trouble)


def _title(state: PaymentState) -> str:
    return state.draft.kind.value.capitalize()


def _place(desk: Desk, state: PaymentState) -> str:
    steps = steps_of(desk, state)
    return f"{steps.index(state.step) + 1} of {len(steps)}"


def _currency(desk: Desk, state: PaymentState) -> CurrencyCode:
    key = state.draft.wallet_id
    source = desk.store.wallets.get(key) if key else None
    return (source and source.currency) or CurrencyCode("")
