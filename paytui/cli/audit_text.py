"""An intent of the outbox in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from paytui.cli.jsonable import utc
from paytui.domain.intent import IntentRow, Standing, Terms
from paytui.domain.money import format_amount, plain
from paytui.outbox.entry import Entry, Event, Purged, Recorded, if_apart, standing
from paytui.platform.text import clean
from paytui.worker.intents.rows import particulars


def as_text(recorded: Recorded, row: IntentRow) -> str:
    """Format an intent and its status, and below them its events, the oldest first."""
    entry = recorded.entry
    head = f"{entry.intent_id}  {row.standing}  {entry.title}"
    lines = [head, *(f"    {line}" for line in _facts(entry, row))]
    lines += [f"    {_happened(event)}" for event in recorded.events]
    if row.problem is not None and row.standing is not standing(recorded.events):
        lines.append(f"    {row.problem.happened}")
    return "\n".join(clean(line) for line in lines)


def _facts(entry: Entry, row: IntentRow) -> Iterator[str]:
    times = "1 attempt" if row.attempts == 1 else f"{row.attempts} attempts"
    known = f"it became {row.object_id}" if row.object_id else "no object is known"
    yield ", ".join([*_figures(entry.terms), times, known])
    whom = f" as {entry.client_id}" if entry.client_id else ""
    if entry.terms.asked:
        yield f"asked for: {', '.join(f'{path} {said}' for path, said in entry.terms.asked)}"
    yield f"for {entry.profile} at {entry.base_url}{whom}"
    confirmed_at = _time(entry.confirmed_at, entry.host_time)
    yield f"{confirmed_at}  confirmed by {entry.user} on {entry.host}"
    if isinstance(entry.body, Purged):
        yield f"what was sent held personal data: purged once {row.standing}"


def _figures(terms: Terms) -> Iterator[str]:
    if terms.amount is not None and terms.currency is not None:
        yield f"{format_amount(terms.amount, terms.currency)} {terms.currency}"
    if terms.rate is not None:
        yield f"1 {terms.sell_currency} = {plain(terms.rate)} {terms.buy_currency}"


def _happened(event: Event) -> str:
    time = _time(event.at, event.host_time)
    return "  ".join([time, event.kind, *particulars(event), *_why(event)])


def _time(at: datetime, host_time: datetime | None) -> str:
    apart = if_apart(host_time, at)
    return utc(at) if apart is None else f"{utc(at)} (host {utc(apart)})"


def _why(event: Event) -> Iterator[str]:
    if event.problem is not None:
        yield event.problem.happened


_OPEN = {
    Standing.IN_DOUBT: "in doubt, and may have been executed",
    Standing.SENDING: "on the way, and may have been executed",
    Standing.RECORDED: "recorded and never sent",
}


def open_words(rows: Iterable[IntentRow]) -> Iterator[str]:
    """Yield the open intents, one line for each status."""
    found = list(rows)
    for stands, words in _OPEN.items():
        those = [row.intent_id for row in found if row.standing is stands]
        if those:
            yield f"{len(those)} {words}: {', '.join(those)}"
