"""The ticket that settles an open intent: a decision and, if it was done, its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from paytui.config.spending_limits import day_limit, sides_of
from paytui.domain import models
from paytui.domain.colleagues import OpenTicket
from paytui.domain.intent import Decision, IntentRow, Standing, Verdict, standing_words, tags_of
from paytui.domain.money import Money
from paytui.store import payable
from paytui.tui import confirmation
from paytui.tui.confirmation import Checks, unlike, values_of
from paytui.tui.details.common_facts import object_words
from paytui.tui.details.intent import confirmed_facts, never_sent, sent_facts
from paytui.tui.format.cells import CAREFUL, WRONG, Cell, Ref, Tone, standing_cell
from paytui.tui.ticket import choices, model
from paytui.tui.ticket.rate_lock import MARGIN
from paytui.tui.ticket.task import Task, approval_line, day_lines, day_words
from paytui.tui.times import clock_seconds, full_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import looked_for

DECISION, RESULT, STATUS = "decision", "result", "status"
"""The keys of the values: both fields, and the status that they were filled in for."""

STATUS_CHANGED = "Its status has changed. Please review."

SENDING = (Verdict.SEND, Verdict.REPEAT)
MOVING = (*SENDING, Verdict.APPROVE)  # The decisions that can move money

_OFFERED = {
    Standing.RECORDED: (Verdict.SEND, Verdict.NOT_DONE),
    Standing.PROPOSED: (Verdict.APPROVE, Verdict.NOT_DONE),
    Standing.IN_DOUBT: (Verdict.DONE, Verdict.NOT_DONE, Verdict.REPEAT),
}

_NAMES = {
    Verdict.SEND: ("Send now", "for the first time"),
    Verdict.APPROVE: ("Approve", "{} sends it then"),
    Verdict.REPEAT: ("Send again", "with the same idempotency key"),
    Verdict.DONE: ("Mark as executed", "you choose the result"),
    Verdict.NOT_DONE: ("Mark as not executed", "{}"),
}
"""The name and the description of each decision."""

_EFFECTS = {
    Verdict.SEND: "Sends it now, for the first time, as confirmed.",
    Verdict.APPROVE: "Lets {} send exactly this request. Approving sends nothing.",
    Verdict.REPEAT: "Sends the identical request again, with the same idempotency key.",
    Verdict.DONE: "Marks it as executed, with the result {}.",
    Verdict.NOT_DONE: "{}",
}
_OF_MANDATES = {
    Verdict.APPROVE: "Lets {} book trades within it until it ends, without asking again.",
    Verdict.NOT_DONE: "Ends it. What was booked within it stays.",
}


def why_undecided(ui: UiContext, row: IntentRow) -> str:
    if why_not := confirmation.may_create(ui):
        return why_not
    if row.standing in _OFFERED:
        return ""
    return f"Nothing to decide: already {standing_words(row.standing)}."


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

    @property
    def _address(self) -> models.PaymentAddress | None:
        """The account that the intent pays, as the service lists it now; None if it does not."""
        terms = self._row.terms
        return payable.address_of(self.ui.store, terms.recipient_id, terms.payment_address_id)

    # The fields

    def filled(self, values: model.Values) -> model.Values:
        """Return the values, without the choices if the status has changed since."""
        return {STATUS: values[STATUS]} if self._is_void(values) else values

    def _is_void(self, values: model.Values) -> bool:
        return values.get(STATUS, self._status) != self._status

    def with_choice(self, values: model.Values, key: str, choice: str) -> model.Values:
        """Return the values with a choice; a decision is made for this status, without a result."""
        if key == DECISION:
            return {DECISION: choice, STATUS: self._status}
        return super().with_choice(values, key, choice)

    def fields(self, values: model.Values, filled: model.Values) -> tuple[model.Field, ...]:
        row, chosen, object_id = self._row, filled.get(DECISION), filled.get(RESULT, "")
        name, about = self._name(Verdict(chosen)) if chosen else ("", "")
        decision = model.Field(
            key=DECISION,
            label="Decision",
            text=name,
            note=about,
            options=self._verdict_options,
            ranked=False,
            judged=lambda: self._limits(is_void=self._is_void(filled)),
        )
        if chosen != Verdict.DONE or row.booked_otherwise:
            return (decision,)
        what = "the payment or trade" if row.action.moves_money else "the result"
        result = model.Field(
            key=RESULT,
            label="Result",
            text=object_id,
            note=self.object_words(object_id) if object_id else "",
            hint=f"identifier of {what}",
            options=self.object_options,
            ranked=False,
            free=True,
            exact=True,
        )
        return (decision, result)

    def _verdict_options(self) -> tuple[model.Option, ...]:
        row = self._row
        as_it_is = f"as it is: {row.object_id}" if row.booked_otherwise else ""
        offered = (Verdict.DONE,) if as_it_is else _OFFERED.get(row.standing, ())
        return tuple(
            model.Option(key=one, name=name, facts=as_it_is or about, why_not=self._why_not(one))
            for one in offered
            if not (one in SENDING and (row.is_colleagues or row.is_mandate))
            if one is not Verdict.APPROVE or row.proposal is not None
            for name, about in (self._name(one),)
        )

    def _name(self, verdict: Verdict) -> tuple[str, str]:
        row = self._row
        if verdict is Verdict.NOT_DONE and (row.is_unsent_proposal or row.is_mandate):
            about = "no trade is booked within it then" if row.is_mandate else never_sent(row)
            return ("Refuse" if row.is_colleagues else "Withdraw", about)
        name, about = _NAMES[verdict]
        about = "{} books trades within it then" if row.is_mandate else about
        return name, about.format(never_sent(row) if verdict is Verdict.NOT_DONE else row.user)

    def _why_not(self, verdict: Verdict) -> str:
        ui, until, ends = self.ui, self._row.may_arrive_until, self._row.terms.expires_at
        if verdict.rests_on_absence and until is not None:
            left = until - ui.time.clock.now()  # of the host's clock
            at = clock_seconds(ui.time.latest() + left, ui.zone)
            is_over = left <= timedelta(0)
            return "paytui searches once more" if is_over else f"it may still arrive until {at}"
        if verdict is Verdict.SEND and ends is not None and ui.time.latest() >= ends - MARGIN:
            return f"its rate expired {full_time(ends, ui.zone)}"
        return ""

    def _limits(self, *, is_void: bool) -> Iterator[Cell]:
        """Yield what limits the choice: a change, an object that exists, or a late arrival."""
        row = self._row
        if is_void:
            yield WRONG.cell(STATUS_CHANGED)
        if row.booked_otherwise:
            yield CAREFUL.cell(
                f"The service holds {row.object_id}, which carries this reference: it was executed."
                " It can neither be marked as not executed nor sent again."
            )
        elif row.may_arrive_until is not None:
            why_not = self._why_not(Verdict.NOT_DONE)
            yield CAREFUL.cell(f"Not yet: {why_not}; decide after that.")

    def object_options(self) -> tuple[model.Option, ...]:
        return tuple(
            model.Option(
                key=one, name=one, facts=self.object_words(one), why_not=self.object_trouble(one)
            )
            for one in self._row.candidates
        )

    def object_trouble(self, object_id: str) -> str:
        """Return why an identifier cannot be what the intent became; empty if it can."""
        row = self._row
        if not object_id:
            return "type the identifier of the result"
        if object_id.split() != [object_id]:
            return "an identifier has no spaces"
        became = (row.action.becomes, object_id)
        for other in self.ui.store.intents.rows():
            is_same = (other.action.becomes, other.object_id) == became
            if is_same and other.intent_id != row.intent_id:
                return f"that is the result of {other.intent_id}"
        return ""

    def object_words(self, object_id: str) -> str:
        return object_words(self.ui, Ref(self._row.action.becomes, object_id))

    def lines(self, filled: model.Values) -> Iterator[model.Line]:
        """Yield what was confirmed, by whom, and what is known of it since."""
        ui, row = self.ui, self._row
        yield model.line("Intent", row.title)
        for fact in (*confirmed_facts(ui, row, bank=False), *sent_facts(ui, row)):
            key = fact.link.key if isinstance(fact.link, Ref) else ""
            yield model.line(fact.label, fact.value.text, fact.note or key)
        if row.standing is Standing.PROPOSED:
            yield approval_line(ui, row)
        if row.problem is not None:
            yield model.line("Problem", row.problem.what, row.problem.said)
        if row.booked_otherwise and row.object_id is not None:
            yield model.line("Booked as", row.object_id, self.object_words(row.object_id))
        elif row.standing is Standing.IN_DOUBT:
            yield model.line("Search", looked_for(ui, row))
        for alert in row.alerts:
            yield model.line("Alert", f"!! {alert}", tone=Tone.DOWN)
        for each in row.candidates if row.standing.open else ():
            yield model.line("Candidate", each, self.object_words(each))

    def paid(self, filled: model.Values) -> models.PaymentAddress | None:
        is_sent = filled.get(DECISION) in MOVING and self._row.action.moves_money
        return self._address if is_sent else None

    def told(self, filled: model.Values) -> OpenTicket:
        terms = self._row.terms
        wallets = filter(None, (terms.source_wallet_id, terms.destination_wallet_id))
        return OpenTicket(self.key, terms.recipient_id, tuple(wallets))

    # The order and its review

    def order(self, filled: model.Values) -> Decision:
        row, object_id = self._row, None
        if self._is_void(filled):
            raise model.Obstacle(DECISION, STATUS_CHANGED)
        offered = self._verdict_options()
        option = next((one for one in offered if one.key == filled.get(DECISION)), None)
        if option is None:
            raise model.Obstacle(DECISION, "Choose a decision.")
        if option.why_not:
            raise model.Obstacle(DECISION, f"{option.name}: {option.why_not}.")
        if option.key == Verdict.DONE and row.booked_otherwise:
            object_id = row.object_id
        elif option.key == Verdict.DONE:
            object_id = filled.get(RESULT, "")
            if trouble := self.object_trouble(object_id):
                raise model.Obstacle(RESULT, trouble)
        return Decision(
            intent_id=row.intent_id,
            verdict=Verdict(option.key),
            object_id=object_id,
            body=row.proposal.body if row.proposal and option.key == Verdict.APPROVE else "",
        )

    def review(self, order: Decision) -> Checks:
        ui, terms = self.ui, self._row.terms
        barred = confirmation.may_create(ui) or ""
        if order.verdict not in MOVING or not self._row.action.moves_money:
            return Checks(demand=confirmation.Demand(), barred=barred)
        needs, address = confirmation.Demand(refusal="The amount is not known."), self._address
        if terms.amount is not None and terms.currency is not None:
            _, *others = sides_of(ui.store, terms)
            fixed = Money(terms.amount, terms.currency)
            needs = confirmation.demand(ui.settings.profile, terms.recipient_id, fixed, *others)
        if order.verdict is Verdict.APPROVE:
            barred = barred or unlike(self._row, order.body)
            needs = confirmation.typed(needs, terms.amount)
        checks = Checks(demand=needs, barred="")
        if terms.payment_address_id is not None:
            payee = ui.store.recipients.get(terms.recipient_id or models.RecipientId(""))
            checks = confirmation.check_payee(ui, payee, address, proven=self.proven, needs=needs)
        duplicates = confirmation.duplicate_warnings(ui.store, self._row, ui.time.latest())
        warnings = (*checks.warnings, *duplicates)
        return replace(checks, warnings=warnings, barred=barred or checks.barred)

    def agreed(self, order: Decision, review: Checks) -> object:
        row = self._row
        payee = self.ui.store.recipients.get(row.terms.recipient_id or models.RecipientId(""))
        known = replace(payee, payment_addresses=()) if payee else None
        status = (row.standing, row.since, row.attempts, row.candidates, row.object_id)
        words = tuple(self.review_words(order, review))
        return (order, status, review, self.paid({DECISION: order.verdict}), words, known)

    def review_lines(self, order: Decision, review: Checks) -> Iterator[model.Line]:
        yield from self.lines(model.NO_VALUES)
        if order.verdict not in MOVING:
            return
        yield from day_lines(self._day_limit(order))
        if address := self._address:
            yield from choices.bank_lines(address, hidden=review.is_hidden)
        elif address_id := self._row.terms.payment_address_id:
            yield model.line("Bank account", address_id, "not among the rows read", Tone.CLOSING)
        yield choices.service_line(self.ui)
        for path, text in values_of(order.body):
            yield model.line("Request", f"{path}: {text}")

    def review_words(self, order: Decision, review: Checks) -> Iterator[Cell]:
        """Yield the effect of the decision, and the cost of an error."""
        row, verdict, object_id = self._row, order.verdict, order.object_id or ""
        is_money = row.action.moves_money
        named = row.user if verdict is Verdict.APPROVE else object_id
        if verdict is Verdict.NOT_DONE:
            verb, _, rest = self._name(verdict)[0].partition(" ")
            named = f"{f'{verb}s it {rest}'.strip()}. It is {never_sent(row)}."
        effects = _EFFECTS | _OF_MANDATES if row.is_mandate else _EFFECTS
        yield Cell(effects[verdict].format(named), Tone.ACCENT)
        yield from day_words(self._day_limit(order))
        if verdict is Verdict.DONE:
            yield Cell(self.object_words(object_id), Tone.MUTED)
        if verdict is Verdict.REPEAT:
            what = "the money moves" if is_money else "it is created"
            risk = f"If the service ignores idempotency keys and already executed it, {what} twice."
            yield CAREFUL.cell(risk)
        if verdict is Verdict.NOT_DONE and row.attempts:
            what = "moves the money" if is_money else "creates it"
            risk = f"If the service did execute it, creating it again {what} twice."
            yield CAREFUL.cell(risk)
        for each in row.candidates if verdict.rests_on_absence else ():
            record = self.ui.store.table(row.action.becomes).get(each)
            reference = getattr(record, "reference", None)
            if row.intent_id in tags_of(reference):
                yield CAREFUL.cell(f"{each} carries this reference: it was probably executed.")

    def _day_limit(self, order: Decision) -> tuple[bool, str] | None:
        row = self._row
        if row.is_mandate or order.verdict not in (Verdict.APPROVE, Verdict.SEND):
            return None
        maker = row.user if row.is_colleagues else ""
        return day_limit(self.ui.store, row.terms, self.ui.time.latest(), maker)

    # The end

    def send(self, order: Decision) -> None:
        self._decided = (self._row, order.verdict)
        self.ui.port.decide(order)

    def end(self) -> model.TicketView | None:
        """Return the intent as it is; decided only once it shows that."""
        if self._decided is None:
            return None
        row, (before, verdict) = self._row, self._decided
        wanted = {Verdict.DONE: Standing.DONE, Verdict.NOT_DONE: Standing.NOT_DONE}.get(verdict)
        is_sent = (row.attempts, row.since) != (before.attempts, before.since)
        is_decided = row.standing is wanted or (wanted is None and is_sent)
        words = Cell("Its status changed before your decision was recorded.", Tone.CLOSING)
        if row.standing.open and (why := confirmation.may_send(self.ui)):
            words = Cell(f"Not done: {why}", Tone.DOWN)
        elif row.standing.open:
            words = Cell("Not done yet.", Tone.MUTED)
        since = Cell(f"since {full_time(row.since, self.ui.zone)}", Tone.MUTED)
        return model.TicketView(
            name="decided" if is_decided else "handed over",
            lines=(model.Line("Status", (standing_cell(row), since)), *self.lines(model.NO_VALUES)),
            words=() if is_decided else (words,),
        )
