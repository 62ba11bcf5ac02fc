"""The review, steps and outcome of a payment wizard, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from paytui.domain.models import Kind, Payment, Record, Wallet
from paytui.domain.money import CurrencyCode
from paytui.store.names import account_name, recipient_title
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import CAREFUL, WRONG, state_cell
from paytui.tui.forms.common_fields import AmountError, echo, parse_amount
from paytui.tui.guards.send_permission import demand
from paytui.tui.step_protocol import Entry, Line, Option, StepView, line, to_confirm
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import common_steps, parties, payment_draft
from paytui.tui.wizards.common_steps import Review, ServiceField, complaint, refusal_of
from paytui.tui.wizards.outcome import end_view
from paytui.tui.wizards.parties import (
    Payee,
    address_facts,
    address_title,
    short_by,
    shortfall_warning,
)


def agreed(review: Review[payment_draft.Order]) -> object:
    """Return all facts that the trader agrees to, without balances, which may change."""
    order, target = review.order, review.order.target
    if isinstance(target, Wallet):
        goes_to: object = parties.without_balances(target)
    else:
        goes_to = (replace(target.recipient, payment_addresses=()), target.address)
    figures = (order.amount, order.currency, review.request.reference, order.extra)
    lacks = short_by(order.source, order.amount) is not None
    source = parties.without_balances(order.source)
    return (source, goes_to, figures, review.demand, review.warnings, lacks)


def review_of(
    ui: UiContext, order: payment_draft.Order, state: payment_draft.PaymentState
) -> Review[payment_draft.Order]:
    target = order.target
    payee = target.recipient.recipient_id if isinstance(target, Payee) else None
    return common_steps.review_of(
        ui,
        order,
        order.request,
        demand(ui.settings.profile, order.amount, order.currency, payee),
        source=order.source,
        target=target,
        service="payments",
        intent_id=state.intent_id,
        proven=state.proven,
    )


def answers(
    ui: UiContext, draft: payment_draft.PaymentDraft, step: payment_draft.PaymentStep
) -> Iterator[Line]:
    source = parties.wallet_of(ui.store, draft.wallet_id)
    if source is not None and step is not payment_draft.Step.WALLET:
        yield wallet_line(ui, "From", source)
    recipient = ui.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and step is not payment_draft.Step.RECIPIENT:
        yield line("To", recipient_title(recipient), ", ".join(ui.likeness.of(recipient)))
        if address := payment_draft.paid_address(ui, draft):
            yield line("Account", address_title(ui, address), address_facts(ui, address))
    destination = parties.wallet_of(ui.store, draft.destination_wallet_id)
    if destination is not None and step is not payment_draft.Step.DESTINATION:
        yield wallet_line(ui, "To", destination)


def order_lines(ui: UiContext, review: Review[payment_draft.Order]) -> Iterator[Line]:
    """Yield all facts to confirm, with the bank as the service lists it."""
    order, target = review.order, review.order.target
    yield Line("Amount", (Cell(echo(order.amount, order.currency), Tone.ACCENT),))
    yield wallet_line(ui, "From", order.source)
    if isinstance(target, Wallet):
        yield wallet_line(ui, "To", target)
        yield line("Wallet id", target.wallet_id)
    else:
        yield line("To", recipient_title(target.recipient))
        yield line("Recipient id", target.recipient.recipient_id)
        yield from parties.bank_lines(target.address, hidden=review.is_hidden)
    yield parties.reference_line(review.request.reference)
    yield from common_steps.extra_lines(ui.vocabulary, review.request)
    yield parties.service_line(ui)


def wallet_line(ui: UiContext, label: str, wallet: Wallet) -> Line:
    owner = account_name(ui.store, wallet.account_id)
    name = wallet.wallet_name or wallet.wallet_id
    return line(label, name, f"{owner}, {parties.balance_words(ui, wallet)}")


def _payment_lines(ui: UiContext, payment: Record | None) -> Iterator[Line]:
    if not isinstance(payment, Payment) or payment.status is None:
        yield line("Payment status", "not read yet")
        return
    yield Line("Payment status", (state_cell(payment.status),))
    if ahead := path_of_dialect(ui, Kind.PAYMENTS).ahead(payment.status.name):
        yield line("Next", ", ".join(ahead).replace("_", " "), tone=Tone.MUTED)
    if payment.failure_reason:
        yield line("Failure reason", payment.failure_reason)
    if payment.end_to_end_id:
        yield line("End-to-end", payment.end_to_end_id, tone=Tone.ACCENT)
    elif not payment.status.final:
        yield line("End-to-end", "assigned on release", tone=Tone.MUTED)


_NOTHING = {
    payment_draft.Step.WALLET: "There is no wallet yet.",
    payment_draft.Step.RECIPIENT: "There is no recipient yet.",
    payment_draft.Step.ADDRESS: "No account of this recipient is known yet.",
    payment_draft.Step.DESTINATION: "There is no other wallet.",
}


def view_of(ui: UiContext, state: payment_draft.PaymentState) -> StepView:
    title, intent = state.draft.kind.value.capitalize(), state.intent
    if intent is not None:
        what = (line("Intent", intent.title), parties.reference_line(intent.terms.reference))
        return end_view(ui, title, intent, what, noun="Payment", became=partial(_payment_lines, ui))
    steps = payment_draft.steps_of(ui, state)
    place = f"{steps.index(state.step) + 1} of {len(steps)}"
    view = StepView(title=title, name=state.step.value, place=place)
    if state.step is payment_draft.Step.CONFIRM:
        return _confirm(ui, state, view)
    address = payment_draft.paid_address(ui, state.draft)
    if state.step is payment_draft.Step.PROOF and address is not None:
        without = replace(state.draft, payment_address_id=None)
        return replace(
            view,
            lines=tuple(answers(ui, without, state.step)),
            entry=common_steps.proof_entry(address),
            words=(*complaint(state.trouble), *common_steps.proof_words(ui, address)),
        )
    options = payment_draft.options_of(ui, state.draft, state.step)
    names = payment_draft.identifier_templates(ui, state.draft, state.step)
    is_empty = not options and not names
    return replace(
        view,
        lines=tuple(answers(ui, state.draft, state.step)),
        options=options,
        chosen=payment_draft.choice_at(state.draft, state.step)
        or next((one.key for one in options), None),
        names=names,
        entry=_entry(ui, state),
        words=tuple(complaint(state.trouble))
        or tuple(_judged(ui, state, options, is_empty=is_empty)),
    )


def _entry(ui: UiContext, state: payment_draft.PaymentState) -> Entry | None:
    match state.step:
        case payment_draft.Step.AMOUNT:
            label = f"Amount in {_currency(ui, state)}"
            return Entry(label, state.draft.amount, "2,500.00, 1k or 1.5m")
        case payment_draft.Step.REFERENCE:
            return Entry("Reference", state.draft.reference, "none")
        case ServiceField():
            return state.step.entry(state.draft.extra)
        case _:
            return None


def _judged(
    ui: UiContext,
    state: payment_draft.PaymentState,
    options: tuple[Option, ...],
    *,
    is_empty: bool,
) -> Iterator[Cell]:
    if state.step is payment_draft.Step.AMOUNT and state.draft.amount:
        yield from _amount(ui, state)
    if isinstance(state.step, payment_draft.Step) and state.step in _NOTHING and is_empty:
        yield Cell(_NOTHING[state.step], Tone.CLOSING)
    elif options and all(one.why_not for one in options):
        yield Cell("None of these can be chosen. esc: back.", Tone.CLOSING)


def _amount(ui: UiContext, state: payment_draft.PaymentState) -> Iterator[Cell]:
    currency = _currency(ui, state)
    try:
        amount = parse_amount(state.draft.amount, currency)
    except AmountError as error:
        yield Cell(str(error), Tone.CLOSING)
        return
    yield Cell(f"= {echo(amount, currency)}", Tone.ACCENT)
    source = parties.wallet_of(ui.store, state.draft.wallet_id)
    if source is not None:
        yield from shortfall_warning(short_by(source, amount), currency)
    asked = demand(ui.settings.profile, amount, currency, state.draft.recipient_id)
    yield from complaint(refusal_of(asked))


def _confirm(ui: UiContext, state: payment_draft.PaymentState, view: StepView) -> StepView:
    found = payment_draft.order_of(ui, state.draft)
    if isinstance(found, payment_draft.Obstacle):
        words = (
            WRONG.cell(found.why),
            Cell("esc: back to correct it.", Tone.MUTED),
        )
        return replace(view, words=words)
    review = review_of(ui, found, state)
    return replace(
        view,
        lines=tuple(order_lines(ui, review)),
        entry=to_confirm(review.asked, state.typed) if review.asked is not None else None,
        words=tuple(_words(review, state.trouble)),
        confirms=None if review.refusal else agreed(review),
        wants_reading=bool(review.unread),
    )


def _words(review: Review[payment_draft.Order], trouble: str) -> Iterator[Cell]:
    """Yield warnings, obstacles, and the effect of enter."""
    order = review.order
    yield from shortfall_warning(short_by(order.source, order.amount), order.currency)
    for words in review.warnings:
        yield CAREFUL.cell(words)
    for words in (review.barred, refusal_of(review.demand), trouble):
        yield from complaint(words)
    if not review.refusal:
        yield Cell("enter: send · esc: back", Tone.MUTED)


def _currency(ui: UiContext, state: payment_draft.PaymentState) -> CurrencyCode:
    source = parties.wallet_of(ui.store, state.draft.wallet_id)
    return (source and source.currency) or CurrencyCode("")
