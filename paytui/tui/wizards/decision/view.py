"""The options, facts and guards of a decision about an open intent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from paytui.domain.intent import IntentRow, IntentTerms, Standing, Verdict
from paytui.domain.models import (
    Account,
    PayInAddress,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    Record,
    Trade,
    Wallet,
)
from paytui.domain.money import Money, Pair, other_amount
from paytui.store.store import Store
from paytui.store.views import account_name, recipient_name, wallet_label
from paytui.store.views.names import account_title, recipient_title
from paytui.store.views.rates import last_known_rate
from paytui.tui.context import UiContext
from paytui.tui.details.fields import amount_words
from paytui.tui.details.intent import confirmed_by, looked_for
from paytui.tui.format.cells import CAREFUL, standing_cell, state_cell
from paytui.tui.format.ticket import request_words
from paytui.tui.format.times import clock_seconds, full_time
from paytui.tui.guards.limits import (
    Demand,
    NoDemand,
    RefusedAbove,
    TypeAmount,
    demand,
    demand_of_exchange,
)
from paytui.tui.guards.payee_warnings import (
    duplicate_warnings_of,
    name_warnings,
    needs_account_check,
)
from paytui.tui.guards.sending import TELL_ACCOUNTS, accounts_not_read, is_complete, may_create
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.common_steps import UNPROVEN
from paytui.tui.wizards.payment.options import address_of
from paytui.tui.wizards.payment.view import bank_lines, service_line
from paytui.tui.wizards.protocol import Line, Option, line
from paytui.tui.wizards.rate_lock import MARGIN
from paytui.tui.wizards.trade.view import rate_words

ANOTHER = "another"
"""The key of the option for an object that was not found."""

_OFFERED = {
    Standing.RECORDED: (Verdict.SEND, Verdict.NOT_DONE),
    Standing.IN_DOUBT: (Verdict.DONE, Verdict.NOT_DONE, Verdict.REPEAT),
}

_NAMES = {
    Verdict.SEND: ("Send it now", "for the first time"),
    Verdict.REPEAT: ("Send it again", "under the same key"),
    Verdict.DONE: ("Mark as executed", "you enter what it became"),
    Verdict.NOT_DONE: ("Mark as not executed", "never sent again"),
}
"""The name and the description of each decision."""


def why_undecided(desk: UiContext, row: IntentRow) -> str:
    """Return the reason why nothing can be decided now; empty if something can."""
    if why_not := may_create(desk):
        return why_not
    return "" if row.standing in _OFFERED else f"Nothing to decide: already {row.standing}."


def verdict_options(desk: UiContext, row: IntentRow) -> tuple[Option, ...]:
    """Return the possible decisions in its status."""
    return tuple(
        Option(key=verdict, name=name, facts=facts, why_not=_why_not(desk, row, verdict))
        for verdict in _OFFERED.get(row.standing, ())
        for name, facts in (_NAMES[verdict],)
    )


def _why_not(desk: UiContext, row: IntentRow, verdict: Verdict) -> str:
    if verdict.rests_on_absence and row.may_arrive_until is not None:
        until = _arrives_until(desk, row.may_arrive_until)
        return f"it may still arrive until {until}" if until else "paytui looks for it once more"
    ends = row.terms.expires_at
    if verdict is Verdict.SEND and ends is not None and desk.time.latest() >= ends - MARGIN:
        return f"its rate ended {full_time(ends, desk.zone)}"
    return ""


def arrival_words(desk: UiContext, row: IntentRow) -> str:
    """Say until when a request that was given up may arrive; empty if it cannot."""
    if row.may_arrive_until is None:
        return ""
    if until := _arrives_until(desk, row.may_arrive_until):
        return f"The request may still arrive until {until}; decide after that."
    return "It can no longer arrive. paytui looks for it once more; decide after that."


def _arrives_until(desk: UiContext, until: datetime) -> str:
    """Convert a time of the host's clock to that of the screen; empty once it has passed."""
    left = until - desk.time.clock.now()
    return clock_seconds(desk.time.latest() + left, desk.zone) if left > timedelta(0) else ""


def object_options(desk: UiContext, row: IntentRow) -> tuple[Option, ...]:
    """Return the objects that a look-up found, and the option to name another."""
    found = (
        Option(
            key=each,
            name=each,
            facts=object_words(desk, row, each),
            why_not=object_trouble(desk, row, each),
        )
        for each in row.candidates
    )
    return (*found, Option(key=ANOTHER, name="None of these", facts="type its identifier"))


def object_trouble(desk: UiContext, row: IntentRow, object_id: str) -> str:
    """Return why an identifier cannot be what an intent became; empty if it can."""
    if not object_id:
        return "type the identifier of what it became"
    if any(character.isspace() for character in object_id):
        return "an identifier has no spaces"
    for other in desk.store.intents.rows():
        of_its_kind = other.action.becomes is row.action.becomes
        if of_its_kind and other.object_id == object_id and other.intent_id != row.intent_id:
            return f"that is what {other.intent_id} became"
    return ""


def object_words(desk: UiContext, row: IntentRow, object_id: str) -> str:
    """Return the facts that distinguish an object from others."""
    record = desk.store.table(row.action.becomes).get(object_id)
    if record is None:
        return "not among what was read"
    if not isinstance(record, Payment | Trade):
        return ", ".join(_names(desk, record))
    parts = [_amounts(record), state_cell(record.status).text]
    if record.created_at is not None:
        parts.append(full_time(record.created_at, desk.zone))
    return ", ".join([*parts, *filter(None, [record.reference])])


def _names(desk: UiContext, record: Record) -> Iterator[str]:
    """Yield its identifiers and its status, and since when."""
    match record:
        case Account():
            yield account_title(record)
        case Recipient():
            yield recipient_title(record)
        case Wallet():
            yield f"{record.wallet_name or record.wallet_id} {record.currency or ''}".strip()
        case PaymentAddress():
            yield record.iban or record.account_number or record.payment_address_id
        case PayInAddress():
            yield f"{record.bsb or record.bic or ''} {record.account_number or ''}".strip()
    if not isinstance(record, PayInAddress):
        yield state_cell(record.status).text
    if isinstance(record, Account | Wallet) and record.created_at is not None:
        yield full_time(record.created_at, desk.zone)


def _amounts(record: Payment | Trade) -> str:
    if isinstance(record, Payment):
        return amount_words(record.amount, record.currency) if record.amount else "amount not told"
    sides = (
        (record.sell_amount, record.sell_currency),
        (record.buy_amount, record.buy_currency),
    )
    told = [amount_words(amount, currency) for amount, currency in sides if amount is not None]
    return " > ".join(told) or "amounts not told"


def sent_facts(desk: UiContext, row: IntentRow, proven: str) -> Iterator[Line]:
    """Yield what else is shown before it is sent: rate, payee, account, service.

    Args:
        desk: what is known.
        row: the intent.
        proven: the hash of the account whose end was typed; the number of another is not shown.
    """
    terms = row.terms
    if terms.sell_currency is not None and terms.buy_currency is not None:
        pair = Pair(terms.sell_currency, terms.buy_currency)
        rate = (
            "market rate at execution, not guaranteed"
            if terms.rate is None
            else rate_words(pair, terms.rate)
        )
        yield line("Rate", rate)
    if terms.payment_address_id is not None:
        yield from _paid_at(desk, terms.recipient_id, terms.payment_address_id, proven)
    yield service_line(desk)


def _paid_at(
    desk: UiContext, recipient_id: RecipientId | None, address_id: PaymentAddressId, proven: str
) -> Iterator[Line]:
    address = address_of(desk.store, recipient_id, address_id)
    if address is None:
        yield line("Account", address_id, "not among what was read", Tone.CLOSING)
    else:
        yield from bank_lines(address, hidden=needs_account_check(desk, address, proven))


def status_line(desk: UiContext, row: IntentRow) -> Line:
    """Return the status line."""
    since = Cell(f"since {full_time(row.since, desk.zone)}", Tone.MUTED)
    return Line("Status", (standing_cell(row), since))


def facts_of(desk: UiContext, row: IntentRow) -> tuple[Line, ...]:
    """Return all facts for a decision."""
    return (*_confirmed(desk, row), *_found(desk, row))


def _confirmed(desk: UiContext, row: IntentRow) -> Iterator[Line]:
    yield line("What", row.title)
    yield from _money(desk, row) if row.action.moves_money else _asked(desk, row)
    yield line("Confirmed", full_time(row.confirmed_at, desk.zone), confirmed_by(row, desk.zone))


def _asked(desk: UiContext, row: IntentRow) -> Iterator[Line]:
    """Yield the owner and the fields of a creation."""
    terms = row.terms
    if terms.account_id is not None:
        yield line("Account", account_name(desk.store, terms.account_id), terms.account_id)
    if terms.destination_wallet_id is not None:
        wallet_id = terms.destination_wallet_id
        yield line("Wallet", wallet_label(desk.store, wallet_id), wallet_id)
    if terms.recipient_id is not None:
        yield line("Recipient", recipient_name(desk.store, terms.recipient_id), terms.recipient_id)
    for label, text in request_words(row):
        yield line(label, text)


def _money(desk: UiContext, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.amount is not None:
        yield line("Amount", amount_words(terms.amount, terms.currency))
    owner = "" if terms.account_id is None else account_name(desk.store, terms.account_id)
    yield line("From", wallet_label(desk.store, terms.source_wallet_id), owner)
    if terms.recipient_id is not None:
        yield line("To", recipient_name(desk.store, terms.recipient_id), terms.recipient_id)
    else:
        yield line("To", wallet_label(desk.store, terms.destination_wallet_id))
    yield line("Reference", terms.reference or "none")
    for label, text in request_words(row):
        yield line(label, text)


def _found(desk: UiContext, row: IntentRow) -> Iterator[Line]:
    sent = (
        "never" if row.attempts == 0 else "once" if row.attempts == 1 else f"{row.attempts} times"
    )
    yield line("Sent", sent)
    if row.problem is not None:
        yield line("Why", row.problem.what, row.problem.said)
    if row.standing is Standing.IN_DOUBT:
        yield line("Looked for", looked_for(desk, row))
    for alert in row.alerts:
        yield line("Alert", f"!! {alert}", tone=Tone.DOWN)
    for each in row.candidates if row.standing.open else ():
        yield line("May be", each, object_words(desk, row, each))


def meaning_of(desk: UiContext, row: IntentRow, verdict: Verdict, object_id: str) -> Iterator[Cell]:
    """Yield the effect of the decision, and the cost of an error."""
    is_money = row.action.moves_money
    match verdict:
        case Verdict.SEND:
            yield Cell("It is sent now, for the first time, as it was confirmed.", Tone.ACCENT)
        case Verdict.REPEAT:
            yield Cell("The identical request is sent again, under the same key.", Tone.ACCENT)
            what = "the money moves" if is_money else "it is created"
            risk = f"If the service does not honour keys and had done it, {what} twice."
            yield CAREFUL.cell(risk)
        case Verdict.DONE:
            yield Cell(f"It is settled as done: it became {object_id}.", Tone.ACCENT)
            yield Cell(object_words(desk, row, object_id), Tone.MUTED)
        case Verdict.NOT_DONE:
            yield Cell("It is settled as not done, and never sent again.", Tone.ACCENT)
            if row.attempts:
                what = "moves the money" if is_money else "creates it"
                risk = f"If the service did carry it out, making it anew {what} twice."
                yield CAREFUL.cell(risk)


SENDING = (Verdict.SEND, Verdict.REPEAT)
"""The decisions that can move money."""

UNREAD = "The account that it pays was not read yet: this can be decided once it was."


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReview:
    """The warnings and obstacles of a decision.

    Attributes:
        demand: the text to type for it, or the reason for a refusal.
        address: the account that it pays.
        name_warnings: reasons to suspect another payee than is meant, in words.
        duplicate_warnings: payments and other intents that it may be the same as, in words.
        unread: the reason to read the bank details again; empty if there is none.
        barred: the reason why nothing can be decided at all; empty if it can.
    """

    demand: Demand = field(default_factory=NoDemand)
    address: PaymentAddress | None = None
    name_warnings: tuple[str, ...] = ()
    duplicate_warnings: tuple[str, ...] = ()
    unread: str = ""
    barred: str

    @property
    def refusal(self) -> str:
        """Return why it is not done whatever is typed; empty if it can be."""
        refused = self.demand.words if isinstance(self.demand, RefusedAbove) else ""
        return self.barred or refused

    @property
    def asked(self) -> str | None:
        """Return the text to type; None for nothing."""
        if self.barred or not isinstance(self.demand, TypeAmount):
            return None
        return self.demand.text

    def why_not(self, typed: str) -> str:
        """Return why it cannot be done with so much typed to confirm it; empty if it can."""
        if self.refusal or self.asked in (None, typed.strip()):
            return self.refusal
        return f"Type {self.asked} to confirm."


def review_of(desk: UiContext, row: IntentRow, verdict: Verdict, proven: str) -> DecisionReview:
    """Review a decision now; `proven` is the hash of an account that was proven."""
    too_early = arrival_words(desk, row) if verdict.rests_on_absence else ""
    barred = may_create(desk) or too_early
    if verdict not in SENDING or not row.action.moves_money:
        return DecisionReview(barred=barred)
    unread = _unread(desk, row.terms)
    return DecisionReview(
        demand=_demand(desk, row.terms),
        address=paid_address(desk.store, row.terms),
        name_warnings=tuple(_name_warnings(desk, row.terms)),
        duplicate_warnings=duplicate_warnings_of(desk.store, row, desk.time.latest()),
        unread=unread,
        barred=barred or unread or _bar_of_account(desk, row.terms, proven),
    )


def _name_warnings(desk: UiContext, terms: IntentTerms) -> Iterable[str]:
    payee, address = _payee(desk.store, terms), paid_address(desk.store, terms)
    return name_warnings(desk, payee, address) if payee is not None and address is not None else ()


def _unread(desk: UiContext, terms: IntentTerms) -> str:
    if terms.payment_address_id is None:
        return ""
    payee, address = _payee(desk.store, terms), paid_address(desk.store, terms)
    return accounts_not_read(desk, payee, address) or ""


def _bar_of_account(desk: UiContext, terms: IntentTerms, proven: str) -> str:
    """Return the reason to read or check the account first; empty if there is none."""
    if terms.payment_address_id is None:
        return ""
    address = paid_address(desk.store, terms)
    if address is None:
        return "" if is_complete(desk, *TELL_ACCOUNTS) else UNREAD
    return UNPROVEN if needs_account_check(desk, address, proven) else ""


def paid_address(store: Store, terms: IntentTerms) -> PaymentAddress | None:
    """Return the account that it pays, as the service lists it now; None if it does not."""
    return address_of(store, terms.recipient_id, terms.payment_address_id)


def _payee(store: Store, terms: IntentTerms) -> Recipient | None:
    return store.recipients.get(terms.recipient_id) if terms.recipient_id else None


def is_decided(before: IntentRow, now: IntentRow, verdict: Verdict) -> bool:
    """Return True if an intent shows that the decision was carried out."""
    match verdict:
        case Verdict.DONE:
            return now.standing is Standing.DONE
        case Verdict.NOT_DONE:
            return now.standing is Standing.NOT_DONE
        case Verdict.SEND | Verdict.REPEAT:
            return (now.attempts, now.since) != (before.attempts, before.since)


def _demand(desk: UiContext, terms: IntentTerms) -> Demand:
    profile = desk.settings.profile
    if terms.amount is None or terms.currency is None:
        return RefusedAbove("How much it is is not known.")
    if terms.sell_currency is None or terms.buy_currency is None:
        return demand(profile, terms.amount, terms.currency, terms.recipient_id)
    pair = Pair(terms.sell_currency, terms.buy_currency)
    rate = terms.rate or last_known_rate(desk.store, pair)
    other = other_amount(pair, terms.currency, terms.amount, rate)
    fixed = Money(terms.amount, terms.currency)
    turned = pair.buy if terms.currency == pair.sell else pair.sell
    return demand_of_exchange(profile, fixed, other, turned, terms.recipient_id)
