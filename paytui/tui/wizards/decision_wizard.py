"""The wizard that settles an open intent.

Only `confirm()` acts: it passes on the decision that was shown, if the intent is unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from paytui.domain import models
from paytui.domain.intent import Decision, IntentRow, IntentTerms, Standing, Verdict, tags_of
from paytui.domain.models import (
    Payment,
    PaymentAddress,
    Record,
    Trade,
)
from paytui.domain.money import Money, Pair, other_amount
from paytui.platform.text import clean
from paytui.store.figures import last_known_rate
from paytui.store.names import (
    account_name,
    account_title,
    recipient_name,
    recipient_title,
    wallet_label,
)
from paytui.store.store import Store
from paytui.tui.details.intent import confirmed_by
from paytui.tui.format.cells import CAREFUL, WRONG, amount_words, standing_cell, state_cell
from paytui.tui.format.feeds import looked_for
from paytui.tui.format.ticket import request_words
from paytui.tui.guards import send_permission
from paytui.tui.guards.payee_warnings import (
    duplicate_warnings_of,
    name_warnings,
    needs_account_check,
)
from paytui.tui.step_protocol import Entry, Line, Option, StepView, Wizard, line, to_confirm
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.times import clock_seconds, full_time
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import common_steps
from paytui.tui.wizards.parties import address_of, bank_lines, service_line
from paytui.tui.wizards.rate_lock import MARGIN, rate_words

ANOTHER = "another"  # The key of the option for an object that was not found

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
    found = (
        Option(
            key=each,
            name=each,
            facts=object_words(ui, row, each),
            why_not=object_trouble(ui, row, each),
        )
        for each in row.candidates
    )
    return (*found, Option(key=ANOTHER, name="Another one", facts="type its identifier"))


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


def sent_facts(ui: UiContext, row: IntentRow, proven: str) -> Iterator[Line]:
    """Yield the rate, account and service; no number but that of the `proven` hash is shown."""
    terms = row.terms
    if terms.sell_currency is not None and terms.buy_currency is not None:
        pair = Pair(terms.sell_currency, terms.buy_currency)
        market = "market rate at execution, not guaranteed"
        yield line("Rate", market if terms.rate is None else rate_words(pair, terms.rate))
    if address := paid_address(ui.store, terms):
        yield from bank_lines(address, hidden=needs_account_check(ui, address, proven))
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
    sent = (
        "never" if row.attempts == 0 else "once" if row.attempts == 1 else f"{row.attempts} times"
    )
    yield line("Sent", sent)
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
class DecisionReview(common_steps.Checks):
    """The warnings and obstacles of a decision, and the account that it pays."""

    address: PaymentAddress | None = None


def review_of(ui: UiContext, row: IntentRow, verdict: Verdict, proven: str) -> DecisionReview:
    """Review a decision now; `proven` is the hash of an account that was proven."""
    too_early = arrival_words(ui, row) if verdict.rests_on_absence else ""
    exists = existence_words(row) if verdict is not Verdict.DONE else ""
    barred = send_permission.may_create(ui) or too_early or exists
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
            unproven = common_steps.UNPROVEN
    return DecisionReview(
        demand=_demand(ui, terms),
        address=address,
        name_warnings=tuple(name_warnings(ui, payee, address)) if payee and address else (),
        duplicate_warnings=duplicate_warnings_of(ui.store, row, ui.time.latest()),
        unread=unread,
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


STATUS_CHANGED = "Its status has changed. Please review."


class Step(Enum):
    VERDICT = "resolve"
    OBJECT = "result"
    IDENTIFIER = "identifier of the result"
    PROOF = "verify payee"
    CONFIRM = "confirm"
    HANDED_OVER = "handed over"


class DecisionWizard(Wizard):
    """One decision on one intent; `row` is that intent when the wizard is opened."""

    def __init__(self, ui: UiContext, row: IntentRow) -> None:
        self._ui = ui
        self._row = row
        self._verdict: Verdict | None = None
        self._object_id = ""
        self._asked_of: IntentRow | None = None
        self._path = [Step.VERDICT]
        self._trouble = ""
        self._typed = common_steps.TypedText()
        self._proven = row.terms.paid_at or ""

    def view(self) -> StepView:
        review = self._review()
        return StepView(
            title=f"Decide on {self._row.intent_id}",
            name="decided" if self._is_decided else self._path[-1].value,
            lines=tuple(self._lines()),
            options=self._options(),
            entry=self._entry(),
            words=(*self._words(), *common_steps.complaint(self._trouble)),
            confirms=self._confirms(),
            wants_reading=bool(review and review.unread),
        )

    def chosen(self, key: str) -> None:
        option = next((one for one in self._options() if one.key == key), None)
        if option is None:
            return
        if option.why_not:
            self._trouble = f"{option.name}: {option.why_not}."
        elif self._path[-1] is Step.VERDICT:
            object_id = self._row.object_id if self._row.booked_otherwise else None
            self._verdict, self._object_id = Verdict(key), object_id or ""
            self._go_to(self._after_verdict())
        elif key == ANOTHER:
            self._go_to(Step.IDENTIFIER)
        else:
            self._object_id = key
            self._go_to(Step.CONFIRM)

    def typed(self, text: str) -> None:
        match self._path[-1]:
            case Step.IDENTIFIER:
                self._object_id = clean(text).strip()
                self._trouble = ""
            case Step.PROOF | Step.CONFIRM:
                self._typed = common_steps.TypedText(text, self._confirms())
                self._trouble = ""

    def go_on(self) -> None:
        """Take the identifier, or the end of a new account, if it is right."""
        if self._path[-1] is Step.PROOF:
            self._prove()
        if self._path[-1] is not Step.IDENTIFIER:
            return
        self._trouble = object_trouble(self._ui, self._row, self._object_id)
        if not self._trouble:
            self._go_to(Step.CONFIRM)

    def back(self) -> bool:
        """Go one step back; return False at the first step and after the decision."""
        if len(self._path) == 1 or self._path[-1] is Step.HANDED_OVER:
            return False
        self._path.pop()
        self._trouble, self._typed = "", common_steps.TypedText()
        return True

    def confirm(self, shown: object) -> None:
        """Pass on the decision that was shown, once, if it is still open."""
        if self._path[-1] is not Step.CONFIRM:
            return
        self.store_changed()
        review, confirms = self._review(), self._confirms()
        if review is None or confirms is None:
            self._trouble = self._trouble or (review.refusal if review else "")
        elif shown != confirms:
            self._trouble = STATUS_CHANGED
        elif why_not := review.why_not(self._typed.while_shown(confirms)):
            self._trouble = why_not
        else:
            self._ui.port.decide(self._decision())
            self._asked_of = self._row
            self._go_to(Step.HANDED_OVER)

    def store_changed(self) -> None:
        """Follow the intent; a change of status requires a new review."""
        row = self._ui.store.intents.get(self._row.intent_id)
        if row is None or row == self._row:
            return
        before, self._row = self._row, row
        if before.may_arrive_until != row.may_arrive_until:
            self._trouble = ""  # it may have been about that
        if self._path[-1] is Step.HANDED_OVER or _identity(before) == _identity(row):
            return
        if (row.standing, row.object_id) != (before.standing, before.object_id):
            self._path, self._verdict, self._object_id = [Step.VERDICT], None, ""
        self._trouble = STATUS_CHANGED

    def _confirms(self) -> tuple[object, ...] | None:
        """Return the decision, the intent's status and the review of it."""
        review = self._review()
        if review is None or review.refusal:
            return None
        return (self._decision(), _identity(self._row), review)

    def _review(self) -> DecisionReview | None:
        verdict = self._verdict
        if self._path[-1] is not Step.CONFIRM or verdict is None:
            return None
        return review_of(self._ui, self._row, verdict, self._proven)

    @property
    def _is_decided(self) -> bool:
        before, now = self._asked_of, self._row
        match self._verdict:
            case Verdict.DONE if before:
                return now.standing is Standing.DONE
            case Verdict.NOT_DONE if before:
                return now.standing is Standing.NOT_DONE
            case Verdict.SEND | Verdict.REPEAT if before:
                return (now.attempts, now.since) != (before.attempts, before.since)
        return False

    def _decision(self) -> Decision:
        verdict = self._verdict
        assert verdict is not None
        object_id = self._object_id if verdict is Verdict.DONE else None
        return Decision(intent_id=self._row.intent_id, verdict=verdict, object_id=object_id)

    def _after_verdict(self) -> Step:
        if self._verdict in SENDING and self._is_unproven:
            return Step.PROOF
        if self._verdict is not Verdict.DONE or self._row.booked_otherwise:
            return Step.CONFIRM
        return Step.OBJECT if self._row.candidates else Step.IDENTIFIER

    @property
    def _is_unproven(self) -> bool:
        address = paid_address(self._ui.store, self._row.terms)
        return address is not None and needs_account_check(self._ui, address, self._proven)

    def _prove(self) -> None:
        address = paid_address(self._ui.store, self._row.terms)
        if proven := common_steps.fingerprint_if_proven(address, self._typed.text):
            self._proven = proven
            self._go_to(Step.CONFIRM)
        else:
            self._trouble = common_steps.WRONG_ENDING

    def _go_to(self, step: Step) -> None:
        self._path.append(step)
        self._trouble, self._typed = "", common_steps.TypedText()

    def _options(self) -> tuple[Option, ...]:
        match self._path[-1]:
            case Step.VERDICT:
                return verdict_options(self._ui, self._row)
            case Step.OBJECT:
                return object_options(self._ui, self._row)
            case _:
                return ()

    def _entry(self) -> Entry | None:
        if self._path[-1] is Step.IDENTIFIER:
            is_money = self._row.action.moves_money
            hint = (
                f"of {'the payment or trade' if is_money else 'the result'}, exactly as the "
                "service writes it"
            )
            return Entry("Identifier", self._object_id, hint)
        address = paid_address(self._ui.store, self._row.terms)
        if self._path[-1] is Step.PROOF and address is not None:
            return common_steps.proof_entry(address)
        review = self._review()
        if review is None or review.asked is None:
            return None
        return to_confirm(review.asked)

    def _lines(self) -> Iterator[Line]:
        step, row = self._path[-1], self._row
        if step is Step.HANDED_OVER:
            yield status_line(self._ui, row)
        yield from facts_of(self._ui, row)
        if step is Step.CONFIRM and self._verdict in SENDING:
            yield from sent_facts(self._ui, row, self._proven)

    def _words(self) -> Iterator[Cell]:
        verdict, review = self._verdict, self._review()
        address = paid_address(self._ui.store, self._row.terms)
        if self._path[-1] is Step.HANDED_OVER:
            yield from self._words_since()
        elif self._path[-1] is Step.VERDICT:
            if words := existence_words(self._row) or arrival_words(self._ui, self._row):
                yield CAREFUL.cell(words)
        elif self._path[-1] is Step.PROOF and address is not None:
            yield from common_steps.proof_words(self._ui, address)
        elif verdict is not None and review is not None:
            yield from meaning_of(self._ui, self._row, verdict, self._object_id)
            yield from _warnings(review)

    def _words_since(self) -> Iterator[Cell]:
        if self._is_decided:
            return
        if self._row.standing.open:
            why = send_permission.may_send(self._ui)
            words = f"Not done: {why}" if why else "Not done yet."
            yield Cell(words, Tone.DOWN if why else Tone.MUTED)
        else:
            yield Cell("Its status changed before your decision was recorded.", Tone.CLOSING)


def _warnings(review: DecisionReview) -> Iterator[Cell]:
    """Yield warnings about the payee and duplicates, and the effect of enter."""
    for words in review.warnings:
        yield CAREFUL.cell(words)
    if review.refusal:
        yield WRONG.cell(review.refusal)
    else:
        yield Cell("enter: confirm · esc: back", Tone.MUTED)


def _identity(row: IntentRow) -> tuple[object, ...]:
    """Return the parts of the intent that a decision depends on."""
    return row.standing, row.since, row.attempts, row.candidates, row.object_id
