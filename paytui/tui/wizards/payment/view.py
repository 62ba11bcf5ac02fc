"""The review, steps and outcome of a payment wizard, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from paytui.domain.intent import Intent, IntentRow, Standing, tags_of
from paytui.domain.models import (
    BankInformation,
    Kind,
    Payment,
    PaymentAddress,
    PaymentId,
    Wallet,
)
from paytui.domain.money import MISSING, CurrencyCode
from paytui.domain.requests import MoneyRequest
from paytui.store.views import account_name, recipient_title
from paytui.tui.context import UiContext
from paytui.tui.details.fields import amount_words
from paytui.tui.details.intent import looked_for
from paytui.tui.details.state_path import PAYMENT, path_of_dialect
from paytui.tui.format.cells import CAREFUL, WRONG, state_cell
from paytui.tui.format.feeds import feed_age, how_old, is_late, is_of_unknown_age
from paytui.tui.format.times import clock_seconds
from paytui.tui.forms.recipient import type_words
from paytui.tui.forms.values import AmountError, echo, parse_amount
from paytui.tui.guards.limits import Demand, RefusedAbove, TypeAmount, demand
from paytui.tui.guards.payee_warnings import duplicate_warnings, name_warnings, needs_account_check
from paytui.tui.guards.sending import (
    accounts_not_read,
    may_create,
    may_send,
    not_yet_read,
    service_warnings,
)
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.common_steps import (
    CONFIRMED,
    UNPROVEN,
    intent_lines,
    proof_entry,
    proof_words,
    unrecorded_view,
)
from paytui.tui.wizards.payment.options import (
    Party,
    address_facts,
    address_title,
    unsure,
    wallet_of,
)
from paytui.tui.wizards.payment.state import (
    Obstacle,
    Order,
    PaymentDraft,
    PaymentState,
    PayoutOrder,
    Step,
    choice_at,
    identifier_templates,
    options_of,
    order_of,
    paid_address,
    steps_of,
)
from paytui.tui.wizards.protocol import Entry, Line, StepView, line, to_confirm
from paytui.tui.wizards.service_fields import ServiceField, extra_lines, required_trouble
from paytui.tui.wizards.trade.draft import without_balances


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentReview:
    """An order with its warnings and obstacles.

    Attributes:
        request: as it is sent, with the tag in its reference.
        demand: the text to type for it, or the reason for a refusal.
        name_warnings: reasons to suspect another payee than is meant, in words.
        unsure: warnings about parties of unknown status and the token's scopes.
        duplicate_warnings: payments and intents that it may be the same as, in words.
        short_by: the amount that the wallet lacks; None if it lacks nothing, or is unknown.
        unread: the reason to read the bank details again; empty if there is none.
        is_hidden: True if the account is to be checked first, so that its number is hidden.
        barred: the reason why nothing can be sent at all; empty if it can.
    """

    order: Order
    request: MoneyRequest
    demand: Demand
    name_warnings: tuple[str, ...]
    unsure: tuple[str, ...]
    duplicate_warnings: tuple[str, ...]
    short_by: Decimal | None
    unread: str
    is_hidden: bool
    barred: str

    @property
    def deal(self) -> object:
        """All facts that the trader agrees to, without balances, which may change."""
        order = self.order
        if isinstance(order, PayoutOrder):
            goes_to: object = (replace(order.recipient, payment_addresses=()), order.address)
        else:
            goes_to = without_balances(order.destination)
        figures = (order.amount, order.currency, self.request.reference, order.extra)
        lacks = self.short_by is not None
        said = (*self.name_warnings, *self.unsure, *self.duplicate_warnings)
        return (without_balances(order.source), goes_to, figures, self.demand, said, lacks)

    @property
    def is_barred(self) -> bool:
        """True if it cannot be sent, whatever is typed."""
        return bool(self.barred) or isinstance(self.demand, RefusedAbove)

    def why_not(self, typed: str) -> str:
        """Return the reason why it cannot be sent with this text typed; empty if it can."""
        if self.barred:
            return self.barred
        match self.demand:
            case RefusedAbove(words):
                return words
            case TypeAmount(text) if typed.strip() != text:
                return f"Type {text} to confirm."
            case _:
                return ""


def review_of(desk: UiContext, order: Order, state: PaymentState) -> PaymentReview:
    """Review an order now."""
    unread, unproven = _unread(desk, order), _unproven(desk, order, state.proven)
    return PaymentReview(
        order=order,
        request=desk.maker.as_sent(order.request, state.intent_id),
        demand=_demand(desk, order),
        name_warnings=tuple(_name_warnings(desk, order)),
        unsure=(*unsure(*_parties(order)), *service_warnings(desk, "payments")),
        duplicate_warnings=duplicate_warnings(desk.store, order.request, desk.time.latest()),
        short_by=short_by(order.source, order.amount),
        unread=unread,
        is_hidden=bool(unproven),
        barred=may_create(desk)
        or not_yet_read(desk, Kind.WALLETS)
        or unread
        or required_trouble(desk.vocabulary, order.request)
        or unproven,
    )


def _unread(desk: UiContext, order: Order) -> str:
    if not isinstance(order, PayoutOrder):
        return ""
    return accounts_not_read(desk, order.recipient, order.address) or ""


def _unproven(desk: UiContext, order: Order, proven: str) -> str:
    if not isinstance(order, PayoutOrder):
        return ""
    return UNPROVEN if needs_account_check(desk, order.address, proven) else ""


def _name_warnings(desk: UiContext, order: Order) -> Iterable[str]:
    return (
        name_warnings(desk, order.recipient, order.address)
        if isinstance(order, PayoutOrder)
        else ()
    )


def _parties(order: Order) -> tuple[Party, ...]:
    if isinstance(order, PayoutOrder):
        return order.source, order.recipient, order.address
    return order.source, order.destination


def _demand(desk: UiContext, order: Order) -> Demand:
    recipient = order.recipient.recipient_id if isinstance(order, PayoutOrder) else None
    return demand(desk.settings.profile, order.amount, order.currency, recipient)


def short_by(wallet: Wallet, amount: Decimal) -> Decimal | None:
    """Return the amount that a wallet lacks; None if it lacks nothing, or is unknown."""
    available = wallet.available_balance
    return amount - available if available is not None and available < amount else None


HIDDEN = "hidden until you type its last 4"
"""Shown in place of the number of an account that is to be checked."""


def answers(desk: UiContext, draft: PaymentDraft, step: Step | ServiceField) -> Iterator[Line]:
    """Yield the answers of the other steps."""
    source = wallet_of(desk.store, draft.wallet_id)
    if source is not None and step is not Step.WALLET:
        yield wallet_line(desk, "From", source)
    recipient = desk.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and step is not Step.RECIPIENT:
        yield line("To", recipient_title(recipient), ", ".join(desk.likeness.of(recipient)))
        if address := paid_address(desk, draft):
            yield line("Account", address_title(desk, address), address_facts(desk, address))
    destination = wallet_of(desk.store, draft.destination_wallet_id)
    if destination is not None and step is not Step.DESTINATION:
        yield wallet_line(desk, "To", destination)


def order_lines(desk: UiContext, review: PaymentReview) -> Iterator[Line]:
    """Yield all facts to confirm, with the bank as the service lists it."""
    order = review.order
    yield Line("Amount", (Cell(echo(order.amount, order.currency), Tone.ACCENT),))
    yield wallet_line(desk, "From", order.source)
    yield from _goes_to(desk, order, hidden=review.is_hidden)
    yield reference_line(review.request.reference)
    yield from extra_lines(desk.vocabulary, review.request)
    yield service_line(desk)


def reference_line(reference: str | None) -> Line:
    """Return a reference as it is sent, with paytui's tag."""
    note = "tag added by paytui" if tags_of(reference) else ""
    return line("Reference", reference or "none", note)


def service_line(desk: UiContext) -> Line:
    """Return the line of the service, and whether money is real there."""
    profile = desk.settings.profile
    return line("Sent to", profile.host, f"{profile.name}{', LIVE: real money' * profile.live}")


def wallet_line(desk: UiContext, label: str, wallet: Wallet) -> Line:
    """Return a wallet with its owner and balance."""
    owner = account_name(desk.store, wallet.account_id)
    name = wallet.wallet_name or wallet.wallet_id
    return line(label, name, f"{owner}, {balance_words(desk, wallet)}")


def balance_words(desk: UiContext, wallet: Wallet) -> str:
    """Return a wallet's balance, with its age in minutes if wallets are late."""
    if wallet.available_balance is None:
        return "balance not known"
    words = f"{amount_words(wallet.available_balance, wallet.currency)} available"
    feed = desk.store.feed(Kind.WALLETS)
    is_young = feed_age(desk, feed) < timedelta(minutes=1) and not is_of_unknown_age(feed)
    is_old = is_late(desk, Kind.WALLETS) and not is_young
    return f"{words}, {how_old(desk, feed)}" if is_old else words


def shortfall_warning(short_by: Decimal | None, currency: CurrencyCode) -> Iterator[Cell]:
    """Yield a warning if the wallet is short; a pay-in may come first, so it is not barred."""
    if short_by is not None:
        lacks = f"! exceeds available by {echo(short_by, currency)}: the service may reject it"
        yield Cell(lacks, Tone.CLOSING)


def _goes_to(desk: UiContext, order: Order, *, hidden: bool) -> Iterator[Line]:
    if isinstance(order, PayoutOrder):
        yield line("To", recipient_title(order.recipient))
        yield line("Recipient id", order.recipient.recipient_id)
        yield from bank_lines(order.address, hidden=hidden)
    else:
        yield wallet_line(desk, "To", order.destination)
        yield line("Wallet id", order.destination.wallet_id)


def bank_lines(address: PaymentAddress, *, hidden: bool) -> Iterator[Line]:
    """Yield the account and its bank, as far as the service sent them.

    Args:
        address: the account.
        hidden: True to hide the number, because its end is still to be typed.
    """
    if hidden:
        bank = address.bank_information or BankInformation()
        yield line("Account", HIDDEN)
        yield line("Bank", bank.bank_name or MISSING, bank.country or address.country or "")
        return
    yield line("Account name", address.account_name or MISSING)
    numbers = [number for number in (address.iban, address.account_number) if number]
    yield line("Account", ", ".join(numbers) or MISSING, type_words(address.account_type or ""))
    codes = (("BIC", address.bic), ("routing", address.routing_code))
    if told := [f"{name} {code}" for name, code in codes if code]:
        yield line("Bank code", ", ".join(told))
    yield from _bank(address)


def _bank(address: PaymentAddress) -> Iterator[Line]:
    bank = address.bank_information or BankInformation()
    street = (bank.bank_address_line1, bank.bank_address_line2)
    town = (bank.postal_code, bank.locality, bank.region, bank.country or address.country)
    yield line("Bank", bank.bank_name or MISSING, ", ".join(part for part in town if part))
    if told := ", ".join(part for part in street if part):
        yield line("Bank address", told)


FAILED = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""The statuses in which an intent has certainly failed and may be repeated."""

TOKEN_WAIT = timedelta(seconds=5)
"""An intent that is recorded for longer is waiting for a token."""

_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be written down, so nothing was sent. esc goes back.",
    Standing.SENDING: "It is on its way; what comes of it is not known yet.",
    Standing.REFUSED: "The service refused it: no money moved. esc goes back to put it right.",
    Standing.NOT_EXECUTED: "It was not carried out: no money moved. esc goes back to try again.",
    Standing.DONE: "A trader found that it was carried out.",
    Standing.NOT_DONE: "A trader decided that it was not carried out, and will not be.",
}


_CONTRADICTED = "An alert contradicts this: see Activity (8) before you send it again."


def row_of(desk: UiContext, state: PaymentState) -> IntentRow | None:
    """Return the row of the confirmed intent; None until the worker has taken it."""
    return desk.store.intents.get(state.intent.intent_id) if state.intent else None


def has_failed(row: IntentRow) -> bool:
    """Return True if an intent has certainly failed and may be repeated.

    An alert may contradict that.
    """
    return row.standing in FAILED and not row.alerts


def payment_of(desk: UiContext, row: IntentRow) -> Payment | None:
    """Return the payment of an intent; None until it was read."""
    return desk.store.payments.get(PaymentId(row.object_id)) if row.object_id else None


def end_lines(desk: UiContext, row: IntentRow) -> Iterator[Line]:
    """Return the status of an intent, and the payment that it became."""
    return intent_lines(desk, row, "Payment", _payment_lines(desk, payment_of(desk, row)))


def end_words(desk: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield the meaning of the status, and the next step."""
    if row.standing is Standing.IN_DOUBT:
        yield from _doubt(desk, row)
    elif row.standing is Standing.RECORDED:
        yield _waiting(desk, row)
    elif row.standing in FAILED and row.alerts:
        yield Cell(_CONTRADICTED, Tone.DOUBT)
    elif words := _MEANINGS.get(row.standing):
        yield Cell(words, Tone.MUTED)
    for alert in row.alerts:
        yield Cell(f"! {alert}", Tone.DOWN)


def _waiting(desk: UiContext, row: IntentRow) -> Cell:
    """Return the reason why it is not on its way yet."""
    if why_not := may_send(desk):
        return Cell(f"It was not sent: {why_not}", Tone.CLOSING)
    if desk.time.latest() - row.since > TOKEN_WAIT:
        return Cell("It is on disk, and waiting for a token.", Tone.CLOSING)
    return Cell("It is on disk, and is sent next.", Tone.MUTED)


def _doubt(desk: UiContext, row: IntentRow) -> Iterator[Cell]:
    yield Cell("? It may have been carried out, or not: nobody knows yet.", Tone.DOUBT)
    yield Cell(looked_for(desk, row), Tone.MUTED)
    if row.repeat_until is not None:
        until = clock_seconds(row.repeat_until, desk.zone)
        again = f"It may send the same again, under the same key, until {until}."
        yield Cell(again, Tone.MUTED)
    decide = "Do not send it again. You may have to resolve it in Activity (8)."
    yield Cell(decide, Tone.INK)


def _payment_lines(desk: UiContext, payment: Payment | None) -> Iterator[Line]:
    if payment is None or payment.status is None:
        yield line("State", "not read yet")
        return
    yield Line("State", (state_cell(payment.status),))
    if ahead := path_of_dialect(desk, PAYMENT, Kind.PAYMENTS).ahead(payment.status.name):
        yield line("Next", ", ".join(ahead).replace("_", " "), tone=Tone.MUTED)
    if payment.failure_reason:
        yield line("Reason", payment.failure_reason)
    if payment.end_to_end_id:
        yield line("End-to-end", payment.end_to_end_id, tone=Tone.ACCENT)
    elif not payment.status.final:
        yield line("End-to-end", "assigned on release", tone=Tone.MUTED)


_NOTHING = {
    Step.WALLET: "There is no wallet yet.",
    Step.RECIPIENT: "There is no recipient yet.",
    Step.ADDRESS: "No account of this recipient is known yet.",
    Step.DESTINATION: "There is no other wallet.",
}


def view_of(desk: UiContext, state: PaymentState) -> StepView:
    """Return the view of a payment wizard."""
    if state.intent is not None:
        return _end(desk, state)
    if state.step is Step.CONFIRM:
        return _confirm(desk, state)
    address = paid_address(desk, state.draft)
    if state.step is Step.PROOF and address is not None:
        return _proof(desk, state, address)
    return _question(desk, state)


def _question(desk: UiContext, state: PaymentState) -> StepView:
    options = options_of(desk, state.draft, state.step)
    return StepView(
        title=_title(state),
        name=state.step.value,
        place=_place(desk, state),
        lines=tuple(answers(desk, state.draft, state.step)),
        options=options,
        chosen=choice_at(state.draft, state.step) or next((one.key for one in options), None),
        names=identifier_templates(desk, state.draft, state.step),
        entry=_entry(desk, state),
        words=tuple(_trouble(state) if state.trouble else _judged(desk, state)),
    )


def _proof(desk: UiContext, state: PaymentState, address: PaymentAddress) -> StepView:
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


def _entry(desk: UiContext, state: PaymentState) -> Entry | None:
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


def _judged(desk: UiContext, state: PaymentState) -> Iterator[Cell]:
    """Yield remarks on the current input."""
    if state.step is Step.AMOUNT and state.draft.amount:
        yield from _amount(desk, state)
    options = options_of(desk, state.draft, state.step)
    is_listed = not identifier_templates(desk, state.draft, state.step)
    if isinstance(state.step, Step) and state.step in _NOTHING and is_listed and not options:
        yield Cell(_NOTHING[state.step], Tone.CLOSING)
    elif options and all(one.why_not for one in options):
        yield Cell("None of these can be chosen; esc goes back.", Tone.CLOSING)


def _amount(desk: UiContext, state: PaymentState) -> Iterator[Cell]:
    currency = _currency(desk, state)
    try:
        amount = parse_amount(state.draft.amount, currency)
    except AmountError as error:
        yield Cell(str(error), Tone.CLOSING)
        return
    yield Cell(f"= {echo(amount, currency)}", Tone.ACCENT)
    source = wallet_of(desk.store, state.draft.wallet_id)
    if source is not None:
        yield from shortfall_warning(short_by(source, amount), currency)
    asked = demand(desk.settings.profile, amount, currency, state.draft.recipient_id)
    if isinstance(asked, RefusedAbove):
        yield WRONG.cell(asked.words)


def _confirm(desk: UiContext, state: PaymentState) -> StepView:
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


def _typed_to_confirm(review: PaymentReview, typed: str) -> Entry | None:
    match review.demand:
        case TypeAmount(text) if not review.is_barred:
            return to_confirm(text, typed)
        case _:
            return None


def _warnings(review: PaymentReview) -> Iterator[Cell]:
    yield from shortfall_warning(review.short_by, review.order.currency)
    for words in (*review.name_warnings, *review.unsure, *review.duplicate_warnings):
        yield CAREFUL.cell(words)
    if review.barred:
        yield WRONG.cell(review.barred)
    if isinstance(review.demand, RefusedAbove):
        yield WRONG.cell(review.demand.words)


def _what_enter_does(review: PaymentReview) -> Iterator[Cell]:
    if not review.is_barred:
        yield Cell("enter: send · esc: back", Tone.MUTED)


def _end(desk: UiContext, state: PaymentState) -> StepView:
    row = row_of(desk, state)
    what = tuple(_confirmed(state.intent)) if state.intent else ()
    if row is None:
        return unrecorded_view(_title(state), what)
    return StepView(
        title=_title(state),
        name=CONFIRMED,
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


def _place(desk: UiContext, state: PaymentState) -> str:
    steps = steps_of(desk, state)
    return f"{steps.index(state.step) + 1} of {len(steps)}"


def _currency(desk: UiContext, state: PaymentState) -> CurrencyCode:
    source = wallet_of(desk.store, state.draft.wallet_id)
    return (source and source.currency) or CurrencyCode("")
