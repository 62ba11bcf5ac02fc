"""The detail views of an intent and of a webhook."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from paytui.domain.intent import IntentRow, IntentTerms, Standing
from paytui.domain.models import Kind, Problem
from paytui.domain.money import plain
from paytui.platform.clock import Zone
from paytui.store.reports import EventRow, Trust
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Fact, Group, amount_fact, fact, group, link_fact, text_fact
from paytui.tui.details.objects import TITLES
from paytui.tui.format.cells import ALARM, standing_cell, trust_cell
from paytui.tui.format.feeds import noun
from paytui.tui.format.ticket import path_words, request_words
from paytui.tui.format.times import age, clock_seconds, full_time
from paytui.tui.guards.sending import may_send

_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be written down, so nothing was sent.",
    Standing.RECORDED: "It is on disk and was not sent: d sends it, or settles it as not done.",
    Standing.SENDING: "It is on its way; what comes of it is not known yet.",
    Standing.ACCEPTED: "The service took it.",
    Standing.REFUSED: "The service refused it: {nothing}.",
    Standing.NOT_EXECUTED: "It was not carried out: {nothing}.",
    Standing.IN_DOUBT: "It may have been carried out, or not. If it stays open, press d to decide.",
    Standing.DONE: "Somebody found that it was carried out.",
    Standing.NOT_DONE: "Somebody decided that it was not carried out, and will not be.",
}


def confirmed_by(row: IntentRow, zone: Zone) -> str:
    """Return `by ann on desk-1`, as far as known, and the host's time if it differs."""
    by = " on ".join(part for part in (row.user, row.host) if part)
    return _with_host_time(by and f"by {by}", row.host_time, zone)


def _with_host_time(words: str, host_time: datetime | None, zone: Zone) -> str:
    told = f"host clock {full_time(host_time, zone)}" if host_time else ""
    return ", ".join(part for part in (words, told) if part)


def times_sent(row: IntentRow) -> str:
    """Return how often the request was sent, or may have been."""
    words = {0: "never", 1: "once"}
    return words.get(row.attempts, f"{row.attempts} times")


def looked_for(desk: UiContext, row: IntentRow) -> str:
    """Return the progress of looking for an intent in doubt, or why paytui cannot look."""
    kind = row.action.becomes
    listed = noun(kind)
    if not desk.store.feed(kind).offered:
        return f"paytui cannot look for it, as the service has no list of {listed}: ask there."
    looked = desk.store.looked.get(row.intent_id)
    if looked is None:
        return f"paytui looks for it among the {listed}, and settles it if it is found."
    times = "once" if looked.times == 1 else f"{looked.times:,} times"
    missing = "it was not there"
    if row.may_arrive_until is not None:
        missing += " yet, and may still arrive"
    found = "only possible matches" if row.candidates else missing
    last = clock_seconds(looked.at, desk.zone)
    return f"paytui looked through all {listed} {times}, last at {last}: {found}."


def intent_groups(desk: UiContext, row: IntentRow) -> list[Group]:
    """Return the facts of an intent; matters that need the trader come first."""
    groups = [_standing(desk, row)]
    if row.alerts:
        groups.append(group("Look at this", *(_alarm(words) for words in row.alerts)))
    if row.problem is not None:
        groups.append(group("Why", *_problem(row.problem)))
    if row.candidates and row.standing.open:
        kind = row.action.becomes
        found = (link_fact(desk, "May be", kind, each) for each in row.candidates)
        groups.append(group("What it may have become", *found))
    confirmed = _confirmed(desk, row) if row.action.moves_money else _asked(desk, row)
    groups += [confirmed, _course(desk, row)]
    return groups


def _standing(desk: UiContext, row: IntentRow) -> Group:
    cell = standing_cell(row)
    in_doubt = row.standing is Standing.IN_DOUBT
    return group(
        "Intent",
        Fact("Status", cell, row.standing, f"since {full_time(row.since, desk.zone)}"),
        text_fact("What", row.title),
        text_fact("Meaning", _meaning(desk, row)),
        *((text_fact("Looked for", looked_for(desk, row)),) if in_doubt else ()),
        link_fact(desk, "Result", row.action.becomes, row.object_id),
    )


def _meaning(desk: UiContext, row: IntentRow) -> str:
    why_not = may_send(desk) if row.standing is Standing.RECORDED else None
    nothing = "no money moved" if row.action.moves_money else "nothing was created"
    if row.alerts:
        nothing = "see the alert"
    meaning = _MEANINGS[row.standing].format(nothing=nothing)
    return f"It was not sent: {why_not}" if why_not else meaning


def _alarm(words: str) -> Fact:
    return Fact("Alert", ALARM.cell(words), words)


def _problem(problem: Problem) -> Iterator[Fact]:
    yield text_fact("Tried to", problem.attempted)
    yield text_fact("What happened", problem.what)
    if problem.said:
        yield text_fact("The service says", problem.said)
    if problem.code:
        yield text_fact("Code", problem.code)
    for one in problem.fields:
        yield text_fact(f"  {path_words(one.field)}", one.message)
    if problem.remedy:
        yield text_fact("What to do", problem.remedy)
    yield fact("Trace", problem.trace_id)


def _confirmed(desk: UiContext, row: IntentRow) -> Group:
    terms = row.terms
    facts = [
        amount_fact("Amount", terms.amount, terms.currency),
        *_deal(desk, terms),
        link_fact(desk, "Account", Kind.ACCOUNTS, terms.account_id),
        link_fact(desk, "From wallet", Kind.WALLETS, terms.source_wallet_id),
    ]
    if terms.recipient_id is None:
        facts.append(link_fact(desk, "To wallet", Kind.WALLETS, terms.destination_wallet_id))
    else:
        address = terms.payment_address_id
        facts.append(link_fact(desk, "To recipient", Kind.RECIPIENTS, terms.recipient_id))
        facts.append(link_fact(desk, "At", Kind.PAYMENT_ADDRESSES, address))
    asked = (text_fact(label, text) for label, text in request_words(row))
    return group("Confirmed", *facts, fact("Reference", terms.reference), *asked)


def _asked(desk: UiContext, row: IntentRow) -> Group:
    """Return the filled-in fields and the owner."""
    terms = row.terms
    owners = (
        link_fact(desk, "Account", Kind.ACCOUNTS, terms.account_id),
        link_fact(desk, "Wallet", Kind.WALLETS, terms.destination_wallet_id),
        link_fact(desk, "Recipient", Kind.RECIPIENTS, terms.recipient_id),
    )
    facts = (text_fact(label, text) for label, text in request_words(row))
    return group("Confirmed", *(one for one in owners if one.plain), *facts)


def _deal(desk: UiContext, terms: IntentTerms) -> Iterator[Fact]:
    """Yield the facts of a trade; the amount is in the group already."""
    if terms.sell_currency is None:
        return
    yield text_fact("Sells, buys", f"{terms.sell_currency} > {terms.buy_currency}")
    if terms.rate is None:
        yield text_fact("Rate", "the service's, at booking")
        return
    yield text_fact("Rate", f"1 {terms.sell_currency} = {plain(terms.rate)} {terms.buy_currency}")
    yield text_fact("Locked until", full_time(terms.expires_at, desk.zone))
    yield fact("Rate sheet", terms.rate_sheet_id)


def _course(desk: UiContext, row: IntentRow) -> Group:
    """Return the events with their times, and the next automatic step."""
    facts = [
        text_fact(
            "Confirmed", full_time(row.confirmed_at, desk.zone), confirmed_by(row, desk.zone)
        ),
        text_fact("Sent", times_sent(row)),
        *(
            text_fact(
                turn.what.capitalize(),
                full_time(turn.at, desk.zone),
                _with_host_time(turn.words, turn.host_time, desk.zone),
            )
            for turn in row.turns
        ),
    ]
    if row.standing is Standing.IN_DOUBT and row.repeat_until is not None:
        until = full_time(row.repeat_until, desk.zone)
        facts.append(text_fact("Repeats by itself", f"until {until}, under the same key"))
    return group("Course", *facts)


_TRUST_MEANINGS = {
    Trust.VERIFIED: "It was signed with the secret that is set. What it names is read.",
    Trust.UNSIGNED: "No secret is set, so anybody who knows the path can have sent it. What it "
    "names is read.",
    Trust.FORGED: "Whoever sent it does not know the secret. It was not looked at.",
    Trust.TOO_OLD: "It may have been recorded and sent again. Nothing was read.",
    Trust.REPLAYED: "Somebody recorded it and sent it again, or the service did. Nothing was read.",
    Trust.DUPLICATE: "The service sends events at least once. Nothing was read again.",
    Trust.UNREADABLE: "Unreadable event. Nothing was read.",
}


def event_groups(desk: UiContext, row: EventRow) -> list[Group]:
    """Return the facts of a webhook; none of its claims appears as a fact of the object."""
    return [_arrival(desk, row), _claim(desk, row)]


def _arrival(desk: UiContext, row: EventRow) -> Group:
    old = age(desk.time.latest() - row.received_at)
    trust = trust_cell(row)
    facts = [
        text_fact("Received", full_time(row.received_at, desk.zone), f"{old} ago"),
        Fact("Verified", trust, row.trust),
        text_fact("Meaning", _TRUST_MEANINGS[row.trust]),
    ]
    if row.why:
        facts.append(text_fact("Why", row.why))
    return group("Webhook", *facts, fact("Effect", row.caused or "nothing"))


def _claim(desk: UiContext, row: EventRow) -> Group:
    facts = [fact("Type", row.event_type), fact("Event id", row.event_id)]
    if row.created_at is not None:
        late = row.received_at - row.created_at
        took = f"came {age(late)} later" if late >= timedelta(seconds=1) else ""
        facts.append(text_fact("Happened", full_time(row.created_at, desk.zone), took))
    if row.object_kind is not None:
        label = TITLES[row.object_kind]
        facts.append(link_fact(desk, label, row.object_kind, row.object_id))
    return group("What it says, which is not taken as true", *facts)
