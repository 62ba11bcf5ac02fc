"""The ticket that settles an open intent: a decision and, if it was done, its result."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from paytui.domain.models import Payment, PaymentAddress, RecipientId, Record, Trade
from paytui.domain.money import Pair
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
from paytui.tui.guards import payee_warnings, send_permission
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import checks
from paytui.tui.ticket.deal import Exchange, Side
from paytui.tui.ticket.model import (
    NO_VALUES,
    Checks,
    Field,
    Line,
    Obstacle,
    Option,
    Task,
    TicketView,
    Values,
    having,
    line,
)
from paytui.tui.ticket.parties import address_of, bank_lines, service_line
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
    as_it_is = f"as it is: {row.object_id}" if row.booked_otherwise else ""
    offered = _ACCEPTED_AS_IT_IS if as_it_is else _OFFERED.get(row.standing, ())
    return tuple(
        Option(
            key=verdict,
            name=_NAMES[verdict][0],
            facts=as_it_is or _NAMES[verdict][1],
            why_not=_why_not(ui, row, verdict),
        )
        for verdict in offered
    )


def _why_not(ui: UiContext, row: IntentRow, verdict: Verdict) -> str:
    if verdict.rests_on_absence and row.may_arrive_until is not None:
        until = _arrives_until(ui, row.may_arrive_until)
        return f"it may still arrive until {until}" if until else "paytui searches once more"
    ends = row.terms.expires_at
    if verdict is Verdict.SEND and ends is not None and ui.time.latest() >= ends - MARGIN:
        return f"its rate expired {full_time(ends, ui.zone)}"
    return ""


def _arrives_until(ui: UiContext, until: datetime) -> str:
    """Convert a time of the host's clock to that of the screen; empty once it has passed."""
    left = until - ui.time.clock.now()
    return clock_seconds(ui.time.latest() + left, ui.zone) if left > timedelta(0) else ""


def object_options(ui: UiContext, row: IntentRow) -> tuple[Option, ...]:
    return tuple(
        Option(
            key=one,
            name=one,
            facts=object_words(ui, row, one),
            why_not=object_trouble(ui, row, one),
        )
        for one in row.candidates
    )


def object_trouble(ui: UiContext, row: IntentRow, object_id: str) -> str:
    """Return why an identifier cannot be what an intent became; empty if it can."""
    if not object_id:
        return "type the identifier of the result"
    if any(character.isspace() for character in object_id):
        return "an identifier has no spaces"
    became = (row.action.becomes, object_id)
    for other in ui.store.intents.rows():
        is_same = (other.action.becomes, other.object_id) == became
        if is_same and other.intent_id != row.intent_id:
            return f"that is the result of {other.intent_id}"
    return ""


def object_words(ui: UiContext, row: IntentRow, object_id: str) -> str:
    """Return the facts that distinguish an object from others."""
    record = ui.store.table(row.action.becomes).get(object_id)
    return "not among the rows read" if record is None else ", ".join(_facts(ui, record))


def _facts(ui: UiContext, record: Record) -> Iterator[str]:
    """Yield its amounts or identifiers, its status, its time and its reference."""
    match record:
        case Payment():
            amount, currency = record.amount, record.currency
            yield amount_words(amount, currency) if amount else "amount unknown"
        case Trade():
            sold, bought = record.sell_amount, record.buy_amount
            sides = ((sold, record.sell_currency), (bought, record.buy_currency))
            told = [amount_words(amount, code) for amount, code in sides if amount is not None]
            yield " > ".join(told) or "amounts unknown"
        case models.Account():
            yield account_title(record)
        case models.Recipient():
            yield recipient_title(record)
        case models.Wallet():
            yield f"{record.wallet_name or record.wallet_id} {record.currency or ''}".strip()
        case PaymentAddress():
            yield record.iban or record.account_number or record.payment_address_id
        case models.PayInAddress():
            yield f"{record.bsb or record.bic or ''} {record.account_number or ''}".strip()
            return  # it has no status
    yield state_cell(record.status).text
    match record:
        case Payment() | Trade() | models.Account() | models.Wallet() if record.created_at:
            yield full_time(record.created_at, ui.zone)
    if isinstance(record, Payment | Trade) and record.reference:
        yield record.reference


def facts_of(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    """Yield what was confirmed, by whom, and what is known of it since."""
    yield line("Intent", row.title)
    yield from _money(ui, row) if row.action.moves_money else _owners(ui, row)
    for label, text in request_words(row):
        yield line(label, text)
    yield line("Confirmed", full_time(row.confirmed_at, ui.zone), confirmed_by(row, ui.zone))
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


def _owners(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.account_id is not None:
        yield line("Account", account_name(ui.store, terms.account_id), terms.account_id)
    if (wallet_id := terms.destination_wallet_id) is not None:
        yield line("Wallet", wallet_label(ui.store, wallet_id), wallet_id)
    if terms.recipient_id is not None:
        yield line("Recipient", recipient_name(ui.store, terms.recipient_id), terms.recipient_id)


def _money(ui: UiContext, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.amount is not None:
        yield line("Amount", amount_words(terms.amount, terms.currency))
    owner = "" if terms.account_id is None else account_name(ui.store, terms.account_id)
    yield line("From", wallet_label(ui.store, terms.source_wallet_id), owner)
    if terms.recipient_id is not None:
        yield line("To", recipient_name(ui.store, terms.recipient_id))
    else:
        yield line("To", wallet_label(ui.store, terms.destination_wallet_id))
    yield line("Reference", terms.reference or "none")


def meaning_of(ui: UiContext, row: IntentRow, verdict: Verdict, object_id: str) -> Iterator[Cell]:
    """Yield the effect of the decision, and the cost of an error."""
    is_money = row.action.moves_money
    match verdict:
        case Verdict.SEND:
            yield Cell("Sends it now, for the first time, as confirmed.", Tone.ACCENT)
        case Verdict.REPEAT:
            again = "Sends the identical request again, with the same idempotency key."
            yield Cell(again, Tone.ACCENT)
            what = "the money moves" if is_money else "it is created"
            risk = f"If the service ignores idempotency keys and already executed it, {what} twice."
            yield CAREFUL.cell(risk)
        case Verdict.DONE:
            yield Cell(f"Settles it as executed, with the result {object_id}.", Tone.ACCENT)
            yield Cell(object_words(ui, row, object_id), Tone.MUTED)
        case Verdict.NOT_DONE:
            yield Cell("Settles it as not executed. It is never sent again.", Tone.ACCENT)
            if row.attempts:
                what = "moves the money" if is_money else "creates it"
                risk = f"If the service did execute it, creating it again {what} twice."
                yield CAREFUL.cell(risk)
    if verdict.rests_on_absence:
        yield from _tagged_words(ui, row)


def _tagged_words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield a warning for each candidate that carries the intent's identifier."""
    for each in row.candidates:
        record = ui.store.table(row.action.becomes).get(each)
        if not isinstance(record, Payment | Trade):
            continue
        if row.intent_id in tags_of(record.reference):
            yield CAREFUL.cell(f"{each} carries this reference: it was probably executed.")


SENDING = (Verdict.SEND, Verdict.REPEAT)  # The decisions that can move money

UNREAD = "The payee's account was not read yet: decide once it is read."


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReview(Checks):
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
            is_read = send_permission.is_complete(ui, *send_permission.TELL_ACCOUNTS)
            unproven = "" if is_read else UNREAD
        elif payee_warnings.needs_account_check(ui, address, proven):
            unproven = checks.UNPROVEN
    names = payee_warnings.name_warnings(ui, payee, address) if payee and address else ()
    return DecisionReview(
        demand=_demand(ui, terms),
        address=address,
        name_warnings=tuple(names),
        duplicate_warnings=payee_warnings.duplicate_warnings_of(ui.store, row, ui.time.latest()),
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
    side = Side.SELL if terms.currency == pair.sell else Side.BUY
    rate = terms.rate or last_known_rate(ui.store, pair)
    return Exchange(pair, side, terms.amount, rate).demand(profile, terms.recipient_id)


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
        name, about = _NAMES[Verdict(filled[DECISION])] if DECISION in filled else ("", "")
        decision = Field(
            key=DECISION,
            label="Decision",
            text=name,
            note=about,
            options=partial(verdict_options, ui, row),
            ranked=False,
            judged=partial(_decision_words, ui, row, is_void=self._is_void(filled)),
        )
        if filled.get(DECISION) != Verdict.DONE or row.booked_otherwise:
            return (decision,)
        object_id = filled.get(RESULT, "")
        what = "the payment or trade" if row.action.moves_money else "the result"
        result = Field(
            key=RESULT,
            label="Result",
            text=object_id,
            note=object_words(ui, row, object_id) if object_id else "",
            hint=f"identifier of {what}",
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
        if option is None:
            return Obstacle(DECISION, "Choose a decision.")
        if option.why_not:
            return Obstacle(DECISION, f"{option.name}: {option.why_not}.")
        object_id = None
        if option.key == Verdict.DONE and row.booked_otherwise:
            object_id = row.object_id
        elif option.key == Verdict.DONE:
            object_id = filled.get(RESULT, "")
            if trouble := object_trouble(self.ui, row, object_id):
                return Obstacle(RESULT, trouble)
        return Decision(intent_id=row.intent_id, verdict=Verdict(option.key), object_id=object_id)

    def review(self, order: Decision, *, intent_id: IntentId, proven: str) -> DecisionReview:
        return review_of(self.ui, self._row, order.verdict, proven)

    def agreed(self, order: Decision, review: Checks) -> object:
        payee = self.ui.store.recipients.get(self._row.terms.recipient_id or RecipientId(""))
        known = replace(payee, payment_addresses=()) if payee else None
        words = tuple(self.review_words(order, review))
        return (order, _identity(self._row), review, words, known)

    def review_lines(self, order: Decision, review: Checks) -> Iterator[Line]:
        """Yield the facts; of what is sent, also its rate, its account and the service."""
        yield from facts_of(self.ui, self._row)
        if order.verdict not in SENDING:
            return
        terms = self._row.terms
        if terms.sell_currency is not None and terms.buy_currency is not None:
            pair = Pair(terms.sell_currency, terms.buy_currency)
            market = "market rate at execution, not guaranteed"
            yield line("Rate", market if terms.rate is None else rate_words(pair, terms.rate))
        if address := paid_address(self.ui.store, terms):
            yield from bank_lines(address, hidden=review.is_hidden)
        elif terms.payment_address_id is not None:
            unread = "not among the rows read"
            yield line("Account", terms.payment_address_id, unread, Tone.CLOSING)
        yield service_line(self.ui)

    def review_words(self, order: Decision, review: Checks) -> Iterator[Cell]:
        yield from meaning_of(self.ui, self._row, order.verdict, order.object_id or "")

    # The end

    def send(self, order: Decision, intent_id: IntentId) -> None:
        self._decided = (self._row, order.verdict)
        self.ui.port.decide(order)

    def end(self) -> TicketView | None:
        if self._decided is None:
            return None
        ui, row, is_decided = self.ui, self._row, _is_decided(*self._decided, self._row)
        since = Cell(f"since {full_time(row.since, ui.zone)}", Tone.MUTED)
        return TicketView(
            title=self.title,
            name="decided" if is_decided else "handed over",
            lines=(Line("Status", (standing_cell(row), since)), *facts_of(ui, row)),
            words=() if is_decided else (_undecided_words(ui, row),),
        )


def _decision_words(ui: UiContext, row: IntentRow, *, is_void: bool) -> Iterator[Cell]:
    """Yield what limits the choice: a change, an object that exists, or a late arrival."""
    if is_void:
        yield WRONG.cell(STATUS_CHANGED)
    if row.booked_otherwise:
        yield CAREFUL.cell(
            f"The service holds {row.object_id}, which carries this reference: it was executed. It "
            "can neither be marked as not executed nor sent again."
        )
    elif row.may_arrive_until is not None:
        until = _arrives_until(ui, row.may_arrive_until)
        yield CAREFUL.cell(
            f"The request may still arrive until {until}; decide after that."
            if until
            else "It can no longer arrive. paytui searches once more; decide after that."
        )


def _is_decided(before: IntentRow, verdict: Verdict, now: IntentRow) -> bool:
    """Return True if the intent shows that a decision was carried out."""
    if verdict in SENDING:
        return (now.attempts, now.since) != (before.attempts, before.since)
    return now.standing is (Standing.DONE if verdict is Verdict.DONE else Standing.NOT_DONE)


def _undecided_words(ui: UiContext, row: IntentRow) -> Cell:
    if not row.standing.open:
        return Cell("Its status changed before your decision was recorded.", Tone.CLOSING)
    why = send_permission.may_send(ui)
    return Cell(f"Not done: {why}" if why else "Not done yet.", Tone.DOWN if why else Tone.MUTED)


def _identity(row: IntentRow) -> tuple[object, ...]:
    """Return the parts of the intent that a decision depends on."""
    return row.standing, row.since, row.attempts, row.candidates, row.object_id
