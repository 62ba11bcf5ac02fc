"""The detail views of an intent and of a webhook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from paytui.config.key_bindings import first_key
from paytui.domain.desk_limits import OVER_REMEDY
from paytui.domain.intent import NOTHING_IS_SENT, IntentRow, IntentTerms, Standing, standing_words
from paytui.domain.models import Kind, Problem
from paytui.domain.money import Pair, plain
from paytui.platform.clock import Zone
from paytui.store.mandates import open_mandate
from paytui.store.rate_board import last_known_rate
from paytui.store.screen_rows import EventRow, Trust
from paytui.tui.confirmation import may_send
from paytui.tui.details.common_facts import link_fact, object_words
from paytui.tui.format.cells import (
    ALARM,
    Cell,
    Fact,
    Group,
    Ref,
    Tone,
    amount_fact,
    distance_words,
    fact,
    group,
    path_words,
    request_words,
    standing_cell,
    text_fact,
    trust_cell,
)
from paytui.tui.times import age, clock_seconds, full_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import BOOKED_OTHERWISE, kind_title, looked_for

_SEND = "Press {keys} to send it, or to mark it as not executed."
_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be recorded, so nothing was sent.",
    Standing.RECORDED: f"Recorded, not sent. {_SEND}",
    Standing.PROPOSED: "Proposed, not sent. Once a colleague has approved it, press d on Activity "
    "to send it. Until then, d withdraws it.",
    Standing.SENDING: "Being sent. The result is not known yet.",
    Standing.ACCEPTED: "Accepted by the service.",
    Standing.REFUSED: "Refused by the service: {nothing}.",
    Standing.NOT_EXECUTED: "Not executed: {nothing}.",
    Standing.IN_DOUBT: "It may have been executed. If it is not found, press d to decide.",
    Standing.DONE: "A user marked it as executed.",
    Standing.NOT_DONE: "A user marked it as not executed. It is {never}.",
}

_APPROVED_MANDATE = "Approved: {} can book trades within it, from the trade ticket."
_OF_MANDATES = {
    Standing.PROPOSED: "Proposed. Once a colleague has approved it, book from the trade ticket.",
    Standing.NOT_EXECUTED: "Ended: nothing more is booked within it.",
    Standing.NOT_DONE: "Revoked: nothing more is booked within it.",
}

_EVENTS = {each.value: standing_words(each) for each in (Standing.DONE, Standing.NOT_DONE)}

FAILED = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""The statuses in which an intent has certainly failed and may be repeated."""

TOKEN_WAIT = timedelta(seconds=5)  # An intent that is recorded for longer is waiting for a token


def never_sent(row: IntentRow) -> str:
    return "never sent again" if row.attempts else "never sent"


def _with_host_time(words: str, host_time: datetime | None, zone: Zone) -> str:
    told = f"host clock {full_time(host_time, zone)}" if host_time else ""
    return ", ".join(filter(None, (words, told)))


def sent_facts(ui: UiContext, row: IntentRow) -> Iterator[Fact]:
    """Yield when and by whom it was confirmed, `by ann on desk-1`, and how often it was sent."""
    by = " on ".join(filter(None, (row.user, row.host)))
    whom = _with_host_time(by and f"by {by}", row.host_time, ui.zone)
    yield text_fact("Confirmed", full_time(row.confirmed_at, ui.zone), whom)
    if not row.is_mandate:
        yield text_fact("Sent", {0: "never", 1: "once"}.get(row.attempts, f"{row.attempts} times"))


def intent_groups(ui: UiContext, row: IntentRow) -> list[Group]:
    """Return the facts of an intent; matters that need the trader come first."""
    groups = [_standing(ui, row)]
    if row.alerts:
        groups.append(
            group("Alerts", *(Fact("Alert", ALARM.cell(words), words) for words in row.alerts))
        )
    if row.problem is not None:
        groups.append(group("Problem", *_problem(row.problem)))
    if row.candidates and row.standing.open:
        found, kind = [], row.action.becomes
        for key in row.candidates:
            link, words = link_fact(ui, "Candidate", kind, key), object_words(ui, Ref(kind, key))
            found.append(replace(link, value=Cell(key), plain=key, note=words))
        groups.append(group("Possible results", *found))
    return [*groups, group("Instruction", *confirmed_facts(ui, row, bank=True)), _course(ui, row)]


def _standing(ui: UiContext, row: IntentRow) -> Group:
    cell = standing_cell(row)
    is_looked_for = row.standing is Standing.IN_DOUBT and not row.booked_otherwise
    approval = approval_words(ui, row)
    return group(
        "Intent",
        Fact("Status", cell, row.standing_words, f"since {full_time(row.since, ui.zone)}"),
        *((text_fact("Approval", approval),) if approval else ()),
        text_fact("Intent", row.title),
        text_fact("Meaning", meaning_words(ui, row)),
        *((text_fact("Search", looked_for(ui, row)),) if is_looked_for else ()),
        *(() if row.is_mandate else (link_fact(ui, "Result", row.action.becomes, row.object_id),)),
    )


def approval_words(ui: UiContext, row: IntentRow) -> str:
    """Return `1 of 2, by bob`: who of how many has approved an open proposal; empty if nobody."""
    given = ui.store.approvals.get(row.intent_id, ()) if row.standing.open else ()
    needs = ui.store.desk_limits.needs
    return f"{len(given)} of {needs}, by {' and '.join(given)}" if given else ""


def meaning_words(ui: UiContext, row: IntentRow, keys: str = "d") -> str:
    """Return the meaning of its status, or the reason why it is not sent; `keys` decide on it."""
    why_not = (may_send(ui) or "") if row.standing is Standing.RECORDED else ""
    why_not = why_not.removeprefix(f"{NOTHING_IS_SENT}: ")
    nothing = "no money moved" if row.action.moves_money else "nothing was created"
    if row.alerts:
        nothing = "see the alert"
    meaning = _MEANINGS[row.standing].format(nothing=nothing, never=never_sent(row), keys=keys)
    if row.is_mandate and not (row.is_colleagues and row.standing is Standing.PROPOSED):
        approved = _APPROVED_MANDATE.format(row.user if row.is_colleagues else "you")
        return approved if row.is_approved else _OF_MANDATES.get(row.standing, meaning)
    if row.turned_down:
        meaning = f"{row.turned_down.capitalize()}: it is {never_sent(row)}."
    if row.is_approved:
        sent = f"{row.user} sends it." if row.is_colleagues else _SEND.format(keys=keys)
        if why_not and not row.is_colleagues:
            sent = f"{why_not} It is not sent by itself: press {keys} after that."
        return f"Approved, not sent. {sent[:1].upper()}{sent[1:]}"
    if row.is_colleagues and row.standing is Standing.RECORDED:
        return "Recorded by a colleague, not sent. Once their program has ended, d marks it."
    if row.is_colleagues and row.standing is Standing.PROPOSED:
        return _proposed(ui, row)
    if row.booked_otherwise:
        meaning = BOOKED_OTHERWISE
    return f"Not sent: {why_not}" if why_not else meaning


def _proposed(ui: UiContext, row: IntentRow) -> str:
    if row.proposal is None:
        return "Proposed by a colleague, not sent. The time to approve it is over."
    left = row.proposal.until - ui.time.clock.now()  # of the host's clock
    until = full_time(ui.time.latest() + left, ui.zone)
    return f"Proposed by a colleague, not sent. Press d to approve or refuse it, until {until}."


def outcome_cells(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield the meaning of the status of an intent just confirmed, and the next step."""
    meaning = meaning_words(ui, row, _keys_to_decide(ui))
    is_created = not row.action.moves_money
    if row.standing is Standing.IN_DOUBT and not row.booked_otherwise:
        yield from _doubt(ui, row)
    elif row.standing is Standing.IN_DOUBT:
        yield Cell(meaning, Tone.DOUBT)
    elif row.standing is Standing.RECORDED and not row.is_approved:
        is_late = ui.time.latest() - row.since > TOKEN_WAIT
        waits = "Recorded, waiting for a token." if is_late else "Recorded, about to be sent."
        is_barred = may_send(ui) is not None
        tone = Tone.CLOSING if is_barred or is_late else Tone.MUTED
        yield Cell(meaning if is_barred else waits, tone)
    elif row.standing in FAILED and row.alerts:
        activity = f"Activity ({first_key(ui.settings.keys, 'screen.activity')})"
        contradicted = f"An alert contradicts this: see {activity} before you send it again."
        yield Cell(contradicted, Tone.DOUBT)
    elif row.standing in FAILED:
        is_over = row.problem is not None and row.problem.remedy == OVER_REMEDY
        again = "correct it" if row.standing is Standing.REFUSED or is_over else "try again"
        yield Cell(f"{meaning} enter: {again}.", Tone.MUTED)
    else:
        is_made = row.standing is Standing.ACCEPTED and is_created
        yield Cell("Created." if is_made else meaning, Tone.MUTED)
    for alert in row.alerts:
        yield Cell(f"! {alert}", Tone.DOWN)


def _keys_to_decide(ui: UiContext) -> str:
    """Return the keys that lead to an intent's decision from another screen: `8, then d`."""
    keys = ui.settings.keys
    return f"{first_key(keys, 'screen.activity')}, then {first_key(keys, 'intent.decide')}"


def _doubt(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield what happened, what paytui does about it, and what the trader can do."""
    done = "executed" if row.action.moves_money else "created"
    yield Cell(f"? It may have been {done}: the service gave no clear answer.", Tone.DOUBT)
    yield Cell(looked_for(ui, row), Tone.MUTED)
    if row.repeat_until is not None:
        until = clock_seconds(row.repeat_until, ui.zone)
        again = "paytui may send the same request again, with its idempotency key"
        yield Cell(f"{again}, until {until}.", Tone.MUTED)
    remedy = f"If it is not found, ask the service, then press {_keys_to_decide(ui)} to decide."
    yield Cell(f"Do not enter a new one. {remedy}", Tone.INK)


def _problem(problem: Problem) -> Iterator[Fact]:
    yield text_fact("Request", problem.attempted)
    yield text_fact("Error", problem.what)
    if problem.said:
        yield text_fact("Service message", problem.said)
    if problem.code:
        yield text_fact("Code", problem.code)
    for one in problem.fields:
        yield text_fact(f"  {path_words(one.field)}", one.message)
    if problem.remedy:
        yield text_fact("What to do", problem.remedy)
    yield fact("Trace", problem.trace_id)


def confirmed_facts(ui: UiContext, row: IntentRow, *, bank: bool) -> Iterator[Fact]:
    """Yield the amounts and parties that were confirmed, or what a created object belongs to.

    The recipient's `bank` account is one of them, unless its number may have to be hidden.
    """
    terms, payee = row.terms, row.terms.recipient_id
    account = link_fact(ui, "Account", Kind.ACCOUNTS, terms.account_id)
    wallet = link_fact(ui, "Wallet", Kind.WALLETS, terms.destination_wallet_id)
    recipient = link_fact(ui, "Recipient", Kind.RECIPIENTS, payee)
    if row.is_mandate:
        yield from _mandate(ui, row)
    elif row.action.moves_money:
        yield amount_fact("Amount", terms.amount, terms.currency)
        yield from _deal(ui, terms)
        yield account
        yield link_fact(ui, "From wallet", Kind.WALLETS, terms.source_wallet_id)
        to = wallet if payee is None else recipient
        yield replace(to, label=f"To {to.label.lower()}")
        if payee is not None and bank:
            address = terms.payment_address_id
            yield link_fact(ui, "Payment address", Kind.PAYMENT_ADDRESSES, address)
        yield fact("Reference", terms.reference)
    else:
        yield from (one for one in (account, wallet, recipient) if one.plain)
    for label, text in request_words(row):
        yield text_fact(label, text)


def _mandate(ui: UiContext, row: IntentRow) -> Iterator[Fact]:
    terms, one = row.terms, open_mandate(ui.store, row)
    yield amount_fact("Up to", terms.amount, terms.currency)
    if one is not None and one.left != terms.amount:
        yield amount_fact("Left", one.left, terms.currency)
    yield text_fact("Pair", f"{terms.sell_currency} > {terms.buy_currency}")
    rate = "" if terms.rate is None else plain(terms.rate)
    rate = f"1 {terms.sell_currency} = {rate} {terms.buy_currency} or better"
    yield text_fact("Rate", rate, _distance(ui, terms) if row.standing.open else "")
    yield text_fact("Ends", full_time(terms.expires_at, ui.zone))
    yield text_fact("Wallets", "any, of any account; no recipient")


def _distance(ui: UiContext, terms: IntentTerms) -> str:
    """Return the distance of a mandate's rate from the last known one; empty if none is known."""
    if terms.sell_currency is None or terms.buy_currency is None or terms.rate is None:
        return ""
    known = last_known_rate(ui.store, Pair(terms.sell_currency, terms.buy_currency))
    return distance_words(terms.rate, known, "the last known") if known else ""


def _deal(ui: UiContext, terms: IntentTerms) -> Iterator[Fact]:
    if terms.sell_currency is None:
        return
    yield text_fact("Pair", f"{terms.sell_currency} > {terms.buy_currency}")
    if terms.rate is None:
        yield text_fact("Rate", "market rate at execution, not guaranteed")
        return
    yield text_fact("Rate", f"1 {terms.sell_currency} = {plain(terms.rate)} {terms.buy_currency}")
    yield text_fact("Locked until", full_time(terms.expires_at, ui.zone))
    yield fact("Rate sheet", terms.rate_sheet_id)
    if terms.mandate_id is not None:
        yield fact("Mandate", terms.mandate_id)


def _course(ui: UiContext, row: IntentRow) -> Group:
    facts = [*sent_facts(ui, row)]
    for turn in row.turns:
        label = _EVENTS.get(turn.what, turn.what).capitalize()
        words = _with_host_time(turn.words, turn.host_time, ui.zone)
        facts.append(text_fact(label, full_time(turn.at, ui.zone), words))
    if row.standing is Standing.IN_DOUBT and row.repeat_until is not None:
        until = full_time(row.repeat_until, ui.zone)
        facts.append(text_fact("Automatic resend", f"until {until}, with the same idempotency key"))
    return group("History", *facts)


_TRUST_MEANINGS = {
    Trust.VERIFIED: "Signature valid. paytui reads the object that it names.",
    Trust.UNSIGNED: "Not verified: no secret is set, so anyone who knows the path could have sent "
    "it. paytui reads the object that it names.",
    Trust.FORGED: "Signature invalid. Ignored.",
    Trust.TOO_OLD: "Its time is too far from the service's: possibly a replay. Ignored.",
    Trust.REPLAYED: "The identical message was received before. Ignored.",
    Trust.DUPLICATE: "The service delivers each event at least once. Ignored.",
    Trust.UNREADABLE: "Unreadable event. Ignored.",
}


def event_groups(ui: UiContext, row: EventRow) -> list[Group]:
    """Return the facts of a webhook; none of its claims appears as a fact of the object."""
    old = age(ui.time.latest() - row.received_at)
    arrival = group(
        "Webhook",
        text_fact("Received", full_time(row.received_at, ui.zone), f"{old} ago"),
        Fact("Verified", trust_cell(row), row.trust),
        text_fact("Meaning", _TRUST_MEANINGS[row.trust]),
        *((text_fact("Reason", row.why),) if row.why else ()),
        fact("Effect", row.caused or "nothing"),
    )
    facts = [fact("Type", row.event_type), fact("Event id", row.event_id)]
    if row.created_at is not None:
        late = row.received_at - row.created_at
        took = f"received {age(late)} later" if late >= timedelta(seconds=1) else ""
        facts.append(text_fact("Event time", full_time(row.created_at, ui.zone), took))
    if row.object_kind is not None:
        label = kind_title(row.object_kind)
        facts.append(link_fact(ui, label, row.object_kind, row.object_id))
    return [arrival, group("Content (unconfirmed)", *facts)]
