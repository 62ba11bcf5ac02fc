"""The facts for a decision and its meaning, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.intent import IntentRow, Standing, Verdict
from paytui.domain.models import PaymentAddressId, RecipientId
from paytui.domain.money import Pair
from paytui.store.payees import addresses_of
from paytui.store.views import account_name, recipient_name, wallet_label
from paytui.tui.context import Desk
from paytui.tui.details.fields import amount_words
from paytui.tui.details.intent import confirmed_by, looked_for
from paytui.tui.format.cells import CAREFUL, standing_cell
from paytui.tui.format.ticket import asked_words
from paytui.tui.format.times import full_time
from paytui.tui.guards.payee_warnings import is_unproven
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.decision_options import object_words
from paytui.tui.wizards.payment_lines import bank_lines, sent_to
from paytui.tui.wizards.step import Line, line
from paytui.tui.wizards.trade_lines import rate_words


def sent_facts(desk: Desk, row: IntentRow, proven: str) -> Iterator[Line]:
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
            "the service's own at booking" if terms.rate is None else rate_words(pair, terms.rate)
        )
        yield line("Rate", rate)
    if terms.payment_address_id is not None:
        yield from _paid_at(desk, terms.recipient_id, terms.payment_address_id, proven)
    yield sent_to(desk)


def _paid_at(
    desk: Desk, recipient_id: RecipientId | None, address_id: PaymentAddressId, proven: str
) -> Iterator[Line]:
    recipient = desk.store.recipients.get(recipient_id) if recipient_id else None
    known = addresses_of(desk.store, recipient) if recipient else ()
    address = next((one for one in known if one.payment_address_id == address_id), None)
    if address is None:
        yield line("Account", address_id, "not among what was read", Tone.CLOSING)
    else:
        yield from bank_lines(address, hidden=is_unproven(desk, address, proven))


def stands_line(desk: Desk, row: IntentRow) -> Line:
    """Return the status line."""
    since = Cell(f"since {full_time(row.since, desk.zone)}", Tone.MUTED)
    return Line("Stands", (standing_cell(row), since))


def facts_of(desk: Desk, row: IntentRow) -> tuple[Line, ...]:
    """Everything that a decision rests on."""
    return (*_confirmed(desk, row), *_found(desk, row))


def _confirmed(desk: Desk, row: IntentRow) -> Iterator[Line]:
    yield line("What", row.title)
    yield from _money(desk, row) if row.action.moves_money else _asked(desk, row)
    yield line("Confirmed", full_time(row.confirmed_at, desk.zone), confirmed_by(row, desk.zone))


def _asked(desk: Desk, row: IntentRow) -> Iterator[Line]:
    """Yield the owner and the fields of a creation."""
    terms = row.terms
    if terms.account_id is not None:
        yield line("Account", account_name(desk.store, terms.account_id), terms.account_id)
    if terms.destination_wallet_id is not None:
        wallet_id = terms.destination_wallet_id
        yield line("Wallet", wallet_label(desk.store, wallet_id), wallet_id)
    if terms.recipient_id is not None:
        yield line("Recipient", recipient_name(desk.store, terms.recipient_id), terms.recipient_id)
    for label, text in asked_words(row):
        yield line(label, text)


def _money(desk: Desk, row: IntentRow) -> Iterator[Line]:
    terms = row.terms
    if terms.amount is not None:
        yield line("Amount", amount_words(terms.amount, terms.currency))
    yield line("From", wallet_label(desk.store, terms.source_wallet_id), _owner(desk, row))
    if terms.recipient_id is not None:
        yield line("To", recipient_name(desk.store, terms.recipient_id), terms.recipient_id)
    else:
        yield line("To", wallet_label(desk.store, terms.destination_wallet_id))
    yield line("Reference", terms.reference or "none")
    for label, text in asked_words(row):
        yield line(label, text)


def _owner(desk: Desk, row: IntentRow) -> str:
    account_id = row.terms.account_id
    return "" if account_id is None else account_name(desk.store, account_id)


def _found(desk: Desk, row: IntentRow) -> Iterator[Line]:
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


def meaning_of(desk: Desk, row: IntentRow, verdict: Verdict, object_id: str) -> Iterator[Cell]:
    """Yield the effect of the decision, and the cost of an error."""
    is_money = row.action.moves_money
    match verdict:
        case Verdict.SEND:
            yield Cell("It is sent now, for the first time, as it was confirmed.", Tone.ACCENT)
        case Verdict.REPEAT:
            yield Cell("The same bytes go out once more, under the same key.", Tone.ACCENT)
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
