"""The ticket that settles an open intent: a decision and, if it was done, its result."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from paytui.domain import models
from paytui.domain.intent import (
    Decision,
    IntentId,
    IntentRow,
    IntentTerms,
    Standing,
    Verdict,
    tags_of,
)
from paytui.domain.models import Payment, PaymentAddress, Record, Trade
from paytui.domain.money import Money, Pair, other_amount
from paytui.store.figures import last_known_rate
from paytui.store.names import (
    account_name,
    account_title,
    recipient_name,
    recipient_title,
    wallet_label,
)
from paytui.store.store import Store
from paytui.tui.details.intent import confirmed_by, times_sent
from paytui.tui.format.cells import CAREFUL, WRONG, amount_words, standing_cell, state_cell
from paytui.tui.format.feeds import looked_for
from paytui.tui.format.ticket import request_words
from paytui.tui.guards import send_permission
from paytui.tui.guards.payee_warnings import (
    duplicate_warnings_of,
    name_warnings,
    needs_account_check,
)
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import checks
from paytui.tui.ticket.model import NO_VALUES, Field, Obstacle, Task, TicketView, Values, having
from paytui.tui.ticket.parties import address_of, bank_lines, service_line
from paytui.tui.ticket.parts import Line, Option, line
from paytui.tui.ticket.rate_lock import MARGIN, rate_words
from paytui.tui.times import clock_seconds, full_time
from paytui.tui.ui_context import UiContext

DECISION, RESULT, STATUS = "decision", "result", "status"
"""The keys of the values: both fields, and the status that they were filled in for."""

STATUS_CHANGED = "Its status has changed. Please review."

_OFFERED = {
    Standing.RECORDED: (Verdict.SEND, Verdict.NOT_DONE),
    Standing.IN_DOUBT: (Verdict.DONE, Verdict.NOT_DONE, Verdict.REPEAT),
}
_ACCEPTED_AS_IT_IS = (Verdict.DONE,)

_NAMES = {
    Verdict.SEND: ("Send now", "for the first time"),
    Verdict.REPEAT: ("Send again", "with the same idempotency key"),
    Verdict.DONE: ("Mark as executed", "you choose the result"),
    Verdict.NOT_DONE: ("Mark as not executed", "never sent again"),
}
"""The name and the description of each decision."""


def why_undecided(ui: UiContext, row: IntentRow) -> str:
    if why_not := send_permission.may_create(ui):
        return why_not
    return "" if row.standing in _OFFERED else f"Nothing to decide: already {row.standing}."


def verdict_options(ui: UiContext, row: IntentRow) -> tuple[Option, ...]:
    offered = _ACCEPTED_AS_IT_IS if row.booked_otherwise else _OFFERED.get(row.standing, ())
    return tuple(
        Option(
            key=verdict,
            name=name,
            facts=f"as it is: {row.object_id}" if row.booked_otherwise else facts,
            why_not=_why_not(ui, row, verdict),
        )
        for verdict in offered
        for name, facts in (_NAMES[verdict],)
    )


def _why_not(ui: UiContext, row: IntentRow, verdict: Verdict) -> str:
    if verdict.rests_on_absence and row.may_arrive_until is not None:
        until = _arrives_until(ui, row.may_arrive_until)
        return f"it may still arrive until {until}" if until else "paytui searches once more"
    ends = row.terms.expires_at
    if verdict is Verdict.SEND and ends is not None and ui.time.latest() >= ends - MARGIN:
        return f"its rate expired {full_time(ends, ui.zone)}"
    return ""


def existence_words(row: IntentRow) -> str:
    """Say why it can only be accepted as it is; empty if it need not be."""
    if not row.booked_otherwise:
        return ""
    return (
        f"The service holds {row.object_id}, which carries this reference: it was executed. It can "
        "neither be marked as not executed nor sent again."
    )


def arrival_words(ui: UiContext, row: IntentRow) -> str:
    """Say until when a request that was given up may arrive; empty if it cannot."""
    if row.may_arrive_until is None:
        return ""
    if until := _arrives_until(ui, row.may_arrive_until):
        return f"The request may still arrive until {until}; decide after that."
    return "It can no longer arrive. paytui searches once more; decide after that."


def _arrives_until(ui: UiContext, until: datetime) -> str:
    """Convert a time of the host's clock to that of the screen; empty once it has passed."""
    left = until - ui.time.clock.now()
    return clock_seconds(ui.time.latest() + left, ui.zone) if left > timedelta(0) else ""


def object_options(ui: UiContext, row: IntentRow) -> tuple[Option, ...]:
    return tuple(
        Option(
            key=each,
            name=each,
            facts=object_words(ui, row, each),
            why_not=object_trouble(ui, row, each),
        )
        for each in row.candidates
    )


def object_trouble(ui: UiContext, row: IntentRow, object_id: str) -> str:
    """Return why an identifier cannot be what an intent became; empty if it can."""
    if not object_id:
        return "type the identifier of the result"
    if any(character.isspace() for character in object_id):
        return "an identifier has no spaces"
    for other in ui.store.intents.rows():
        of_its_kind = other.action.becomes is row.action.becomes
        if of_its_kind and other.object_id == object_id and other.intent_id != row.intent_id:
            return f"that is the result of {other.intent_id}"
    return ""


def object_words(ui: UiContext, row: IntentRow, object_id: str) -> str:
    """Return the facts that distinguish an object from others."""
    record = ui.store.table(row.action.becomes).get(object_id)
    if record is None:
        return "not among the rows read"
    if not isinstance(record, Payment | Trade):
        return ", ".join(_names(ui, record))
    parts = [_amounts(record), state_cell(record.status).text]
    if record.created_at is not None:
        parts.append(full_time(record.created_at, ui.zone))
    return ", ".join([*parts, *filter(None, [record.reference])])


def _names(ui: UiContext, record: Record) -> Iterator[str]:
    """Yield its identifiers and its status, and since when."""
    match record:
        case models.Account():
            yield account_title(record)
        case models.Recipient():
            yield recipient_title(record)
        case models.Wallet():
            yield f"{record.wallet_name or record.wallet_id} {record.currency or ''}".strip()
        case models.PaymentAddress():
            yield record.iban or record.account_number or record.payment_address_id
        case models.PayInAddress():
            yield f"{record.bsb or record.bic or ''} {record.account_number or ''}".strip()
    if not isinstance(record, models.PayInAddress):
        yield state_cell(record.status).text
    if isinstance(record, models.Account | models.Wallet) and record.created_at is not None:
        yield full_time(record.created_at, ui.zone)


def _amounts(record: Payment | Trade) -> str:
    if isinstance(record, Payment):
        return amount_words(record.amount, record.currency) if record.amount else "amount unknown"
    sides = (
        (record.sell_amount, record.sell_currency),
        (record.buy_amount, record.buy_currency),
    )
    told = [amount_words(amount, currency) for amount, currency in sides if amount is not None]
    return " > ".join(told) or "amounts unknown"


def sent_facts(ui: UiContext, row: IntentRow, *, hidden: bool) -> Iterator[Line]:
    """Yield the rate, the account, with its number unless `hidden`, and the service."""
    terms = row.terms
    if terms.sell_currency is not None and terms.buy_currency is not None:
        pair = Pair(terms.sell_currency, terms.buy_currency)
        market = "market rate at execution, not guaranteed"
        yield line("Rate", market if terms.rate is None else rate_words(pair, terms.rate))
    if address := paid_address(ui.store, terms):
        yield from bank_lines(address, hidden=hidden)
    elif terms.payment_address_id is not None:
        yield line("Account", terms.payment_address_id, "not among the rows read", Tone.CLOSING)
    yield service_line(ui)


def status_line(ui: UiContext, row: IntentRow) -> Line:
    since = Cell(f"since {full_time(row.since, ui.zone)}", Tone.MUTED)
    return Line("Status", (standing_cell(row), since))


def facts_of(ui: UiContext, row: IntentRow) -> tuple[Line, ...]:
    return (
        line("Intent", row.title),
        *(_money(ui, row) if row.action.moves_money else _asked(ui, row)),
        line("Confirmed", full_time(row.confirmed_at, ui.zone), confirmed_by(row, ui.zone)),
        *_found(ui, row),
    )


def _asked(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.account_id is not None:
        yield line("Account", account_name(ui.store, terms.account_id), terms.account_id)
    if terms.destination_wallet_id is not None:
        wallet_id = terms.destination_wallet_id
        yield line("Wallet", wallet_label(ui.store, wallet_id), wallet_id)
    if terms.recipient_id is not None:
        yield line("Recipient", recipient_name(ui.store, terms.recipient_id), terms.recipient_id)
    for label, text in request_words(row):
        yield line(label, text)


def _money(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.amount is not None:
        yield line("Amount", amount_words(terms.amount, terms.currency))
    owner = "" if terms.account_id is None else account_name(ui.store, terms.account_id)
    yield line("From", wallet_label(ui.store, terms.source_wallet_id), owner)
    if terms.recipient_id is not None:
        yield line("To", recipient_name(ui.store, terms.recipient_id), terms.recipient_id)
    else:
        yield line("To", wallet_label(ui.store, terms.destination_wallet_id))
    yield line("Reference", terms.reference or "none")
    for label, text in request_words(row):
        yield line(label, text)


def _found(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    yield line("Sent", times_sent(row))
    if row.problem is not None:
        yield line("Problem", row.problem.what, row.problem.said)
    if row.booked_otherwise and row.object_id is not None:
        yield line("Booked as", row.object_id, object_words(ui, row, row.object_id))
    elif row.standing is Standing.IN_DOUBT:
        yield line("Search", looked_for(ui, row))
    for alert in row.alerts:
        yield line("Alert", f"!! {alert}", tone=Tone.DOWN)
    for each in row.candidates if row.standing.open else ():
        yield line("Candidate", each, object_words(ui, row, each))


def meaning_of(ui: UiContext, row: IntentRow, verdict: Verdict, object_id: str) -> Iterator[Cell]:
    """Yield the effect of the decision, and the cost of an error."""
    is_money = row.action.moves_money
    match verdict:
        case Verdict.SEND:
            yield Cell("Sends it now, for the first time, as confirmed.", Tone.ACCENT)
        case Verdict.REPEAT:
            yield Cell(
                "Sends the identical request again, with the same idempotency key.", Tone.ACCENT
            )
            what = "the money moves" if is_money else "it is created"
            risk = f"If the service ignores idempotency keys and already executed it, {what} twice."
            yield CAREFUL.cell(risk)
            yield from _tagged_words(ui, row)
        case Verdict.DONE:
            yield Cell(f"Settles it as executed, with the result {object_id}.", Tone.ACCENT)
            yield Cell(object_words(ui, row, object_id), Tone.MUTED)
        case Verdict.NOT_DONE:
            yield Cell("Settles it as not executed. It is never sent again.", Tone.ACCENT)
            if row.attempts:
                what = "moves the money" if is_money else "creates it"
                risk = f"If the service did execute it, creating it again {what} twice."
                yield CAREFUL.cell(risk)
            yield from _tagged_words(ui, row)


def _tagged_words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield a warning for each candidate that carries the intent's identifier."""
    for each in row.candidates:
        record = ui.store.table(row.action.becomes).get(each)
        if isinstance(record, models.Payment | models.Trade) and row.intent_id in tags_of(
            record.reference
        ):
            yield CAREFUL.cell(f"{each} carries this reference: it was probably executed.")


SENDING = (Verdict.SEND, Verdict.REPEAT)  # The decisions that can move money

UNREAD = "The payee's account was not read yet: decide once it is read."


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReview(checks.Checks):
    """The warnings and obstacles of a decision, and the account that it pays."""

    address: PaymentAddress | None = None


def review_of(ui: UiContext, row: IntentRow, verdict: Verdict, proven: str) -> DecisionReview:
    """Review a decision now; `proven` is the hash of an account that was proven."""
    barred = send_permission.may_create(ui) or ""
    if verdict not in SENDING or not row.action.moves_money:
        return DecisionReview(demand=send_permission.NoDemand(), barred=barred)
    terms = row.terms
    payee = ui.store.recipients.get(terms.recipient_id) if terms.recipient_id else None
    address = paid_address(ui.store, terms)
    unread, unproven = "", ""
    if terms.payment_address_id is not None:
        unread = send_permission.accounts_not_read(ui, payee, address) or ""
        if address is None:
            unproven = (
                "" if send_permission.is_complete(ui, *send_permission.TELL_ACCOUNTS) else UNREAD
            )
        elif needs_account_check(ui, address, proven):
            unproven = checks.UNPROVEN
    return DecisionReview(
        demand=_demand(ui, terms),
        address=address,
        name_warnings=tuple(name_warnings(ui, payee, address)) if payee and address else (),
        duplicate_warnings=duplicate_warnings_of(ui.store, row, ui.time.latest()),
        unread=unread,
        is_hidden=bool(unproven) and address is not None,
        barred=barred or unread or unproven,
    )


def paid_address(store: Store, terms: IntentTerms) -> PaymentAddress | None:
    """Return the account that it pays, as the service lists it now; None if it does not."""
    return address_of(store, terms.recipient_id, terms.payment_address_id)


def _demand(ui: UiContext, terms: IntentTerms) -> send_permission.Demand:
    profile = ui.settings.profile
    if terms.amount is None or terms.currency is None:
        return send_permission.RefusedAbove("The amount is not known.")
    if terms.sell_currency is None or terms.buy_currency is None:
        return send_permission.demand(profile, terms.amount, terms.currency, terms.recipient_id)
    pair = Pair(terms.sell_currency, terms.buy_currency)
    rate = terms.rate or last_known_rate(ui.store, pair)
    other = other_amount(pair, terms.currency, terms.amount, rate)
    fixed = Money(terms.amount, terms.currency)
    turned = pair.buy if terms.currency == pair.sell else pair.sell
    return send_permission.demand_of_exchange(profile, fixed, other, turned, terms.recipient_id)


class DecisionTask(Task[Decision]):
    """One decision on one intent; `row` is that intent when the ticket is opened."""

    keeps_draft = False
    changed = STATUS_CHANGED
    verb = "confirm"

    def __init__(self, ui: UiContext, row: IntentRow) -> None:
        super().__init__(ui)
        self.key = DECISION
        self.title = f"Decide on {row.intent_id}"
        self.proven = row.terms.paid_at or ""
        self._opened_with = row
        self._decided: tuple[IntentRow, Verdict] | None = None

    @property
    def _row(self) -> IntentRow:
        return self.ui.store.intents.get(self._opened_with.intent_id) or self._opened_with

    @property
    def _status(self) -> str:
        """The status that the choices depend on; a change makes them void."""
        return f"{self._row.standing} {self._row.object_id}"

    # The fields

    def filled(self, values: Values) -> Values:
        """Return the values, without the choices if the status has changed since."""
        return {STATUS: values[STATUS]} if self._is_void(values) else values

    def _is_void(self, values: Values) -> bool:
        return values.get(STATUS, self._status) != self._status

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with a choice; another decision drops the result."""
        kept = self.filled(values) if key == RESULT else NO_VALUES
        return having(kept, **{key: choice, STATUS: self._status})

    def with_text(self, values: Values, key: str, text: str) -> Values:
        return self.with_choice(values, key, text)

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        ui, row = self.ui, self._row
        chosen = _NAMES[Verdict(filled[DECISION])] if DECISION in filled else ("", "")
        decision = Field(
            key=DECISION,
            label="Decision",
            text=chosen[0],
            note=chosen[1],
            options=partial(verdict_options, ui, row),
            ranked=False,
            judged=partial(_decision_words, ui, row, is_void=self._is_void(filled)),
        )
        if filled.get(DECISION) != Verdict.DONE or row.booked_otherwise:
            return (decision,)
        object_id = filled.get(RESULT, "")
        is_money = row.action.moves_money
        result = Field(
            key=RESULT,
            label="Result",
            text=object_id,
            note=object_words(ui, row, object_id) if object_id else "",
            hint=f"identifier of {'the payment or trade' if is_money else 'the result'}",
            options=partial(object_options, ui, row),
            ranked=False,
            free=True,
            exact=True,
        )
        return (decision, result)

    def lines(self, filled: Values) -> Iterator[Line]:
        yield from facts_of(self.ui, self._row)

    def paid(self, filled: Values) -> PaymentAddress | None:
        is_sent = filled.get(DECISION) in SENDING and self._row.action.moves_money
        return paid_address(self.ui.store, self._row.terms) if is_sent else None

    # The order and its review

    def order(self, filled: Values) -> Decision | Obstacle:
        row = self._row
        if self._is_void(filled):
            return Obstacle(DECISION, STATUS_CHANGED)
        offered = verdict_options(self.ui, row)
        option = next((one for one in offered if one.key == filled.get(DECISION)), None)
        if option is None or option.why_not:
            why = f"{option.name}: {option.why_not}." if option else "Choose a decision."
            return Obstacle(DECISION, why)
        object_id = None
        if option.key == Verdict.DONE:
            object_id = row.object_id if row.booked_otherwise else filled.get(RESULT, "")
            trouble = "" if row.booked_otherwise else object_trouble(self.ui, row, object_id or "")
            if trouble:
                return Obstacle(RESULT, trouble)
        return Decision(intent_id=row.intent_id, verdict=Verdict(option.key), object_id=object_id)

    def review(self, order: Decision, *, intent_id: IntentId, proven: str) -> DecisionReview:
        return review_of(self.ui, self._row, order.verdict, proven)

    def agreed(self, order: Decision, review: checks.Checks) -> object:
        return (order, _identity(self._row), review)

    def review_lines(self, order: Decision, review: checks.Checks) -> Iterator[Line]:
        yield from facts_of(self.ui, self._row)
        if order.verdict in SENDING:
            yield from sent_facts(self.ui, self._row, hidden=review.is_hidden)

    def review_words(self, order: Decision, review: checks.Checks) -> Iterator[Cell]:
        yield from meaning_of(self.ui, self._row, order.verdict, order.object_id or "")

    # The end

    def send(self, order: Decision, intent_id: IntentId) -> None:
        self._decided = (self._row, order.verdict)
        self.ui.port.decide(order)

    def end(self) -> TicketView | None:
        if self._decided is None:
            return None
        row, is_decided = self._row, _is_decided(*self._decided, self._row)
        return TicketView(
            title=self.title,
            name="decided" if is_decided else "handed over",
            lines=(status_line(self.ui, row), *facts_of(self.ui, row)),
            words=() if is_decided else (_undecided_words(self.ui, row),),
        )


def _decision_words(ui: UiContext, row: IntentRow, *, is_void: bool) -> Iterator[Cell]:
    if is_void:
        yield WRONG.cell(STATUS_CHANGED)
    if words := existence_words(row) or arrival_words(ui, row):
        yield CAREFUL.cell(words)


def _is_decided(before: IntentRow, verdict: Verdict, now: IntentRow) -> bool:
    """Return True if the intent shows that a decision was carried out."""
    match verdict:
        case Verdict.DONE:
            return now.standing is Standing.DONE
        case Verdict.NOT_DONE:
            return now.standing is Standing.NOT_DONE
        case _:
            return (now.attempts, now.since) != (before.attempts, before.since)


def _undecided_words(ui: UiContext, row: IntentRow) -> Cell:
    if not row.standing.open:
        return Cell("Its status changed before your decision was recorded.", Tone.CLOSING)
    why = send_permission.may_send(ui)
    return Cell(f"Not done: {why}" if why else "Not done yet.", Tone.DOWN if why else Tone.MUTED)


def _identity(row: IntentRow) -> tuple[object, ...]:
    """Return the parts of the intent that a decision depends on."""
    return row.standing, row.since, row.attempts, row.candidates, row.object_id
