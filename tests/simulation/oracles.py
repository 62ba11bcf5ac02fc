"""What must be true after each run. Nothing here is computed by what it judges.

Sources: design.md, "Money moves exactly once"; contract.md, "Idempotency"; api.md §8.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from paytui.intent import IntentRow, Standing
from tests.simulation.dashboard import Dashboard
from tests.simulation.desk import Asked, Desk
from tests.simulation.oracle_of_requests import YOUNG, wrong_requests
from tests.simulation.oracle_of_store import wrong_in_store
from tests.simulation.site import Site

ENDED = frozenset(
    {
        Standing.NOT_RECORDED,
        Standing.ACCEPTED,
        Standing.REFUSED,
        Standing.NOT_EXECUTED,
        Standing.DONE,
        Standing.NOT_DONE,
    }
)
A_WHILE = timedelta(seconds=90)
"""In which a repeat must have been tried: the longest pause between two is a minute."""

FOREVER = datetime.max.replace(tzinfo=UTC)
EXECUTED = frozenset({Standing.ACCEPTED, Standing.DONE})


def what_is_wrong(site: Site, desk: Desk, dashboard: Dashboard, well_since: datetime) -> list[str]:
    """In words, all that must not be.

    Args:
        dashboard: started anew, so that it shows what survived.
        well_since: when the network became well again.
    """
    rows = {row.intent_id: row for row in dashboard.rows()}
    totals = site.service.out_of_balance().items()
    return [
        *(f"the ledger's {currency} sum to {total}" for currency, total in totals),
        *wrong_requests(site, desk),
        *wrong_in_store(site, dashboard.store),
        *(
            f"{intent_id}: {words}"
            for intent_id, asked in desk.asked.items()
            for words in _wrong_outcome(site, asked, rows.get(intent_id), well_since)
        ),
    ]


def _wrong_outcome(
    site: Site, asked: Asked, row: IntentRow | None, well_since: datetime
) -> Iterator[str]:
    booked = site.service.executed(asked.intent)
    if len(booked) > 1:
        yield f"it was executed {len(booked)} times"
    yield from _changed_its_end(asked)
    if row is None:
        yield from _wrongly_forgotten(site, asked)
        return
    if row.alerts:
        yield f"a false alarm: {row.alerts}"
    if row.standing is Standing.SENDING:
        yield "it is still on its way"
    elif row.standing is Standing.IN_DOUBT:
        yield from _wrongly_in_doubt(site, asked, row, booked, well_since)
    elif booked != ([row.object_id] if row.standing in EXECUTED else []):
        yield f"it is {row.standing} as {row.object_id}, but the ledger has {booked}"


def _wrongly_forgotten(site: Site, asked: Asked) -> Iterator[str]:
    kept = [standing for standing in asked.shown if standing is not Standing.NOT_RECORDED]
    if kept:
        yield f"it was shown as {kept[-1]} and is forgotten"
    if site.log.of(asked.intent.key):
        yield "it was sent and is forgotten"
    if booked := site.service.executed(asked.intent):
        yield f"it is forgotten, but the ledger has {booked}"


def _changed_its_end(asked: Asked) -> Iterator[str]:
    """What was shown as the end must stay it: somebody may have acted on it."""
    for earlier, later in pairwise(asked.shown):
        if earlier in ENDED:
            yield f"it was shown as {earlier}, and then as {later}"


def _wrongly_in_doubt(
    site: Site, asked: Asked, row: IntentRow, booked: list[str], well_since: datetime
) -> Iterator[str]:
    terms = asked.intent.terms
    is_trade = terms.sell_currency is not None
    if booked and (site.scenario.lists_all or not is_trade):  # api.md §4 lists payments alone
        if site.scenario.tagged:
            yield f"it is in doubt, but the service lists {booked}"
        elif not set(booked) <= set(row.candidates):
            yield f"it may be one of {booked}, and its trader is shown {row.candidates}"
    at_real_time = is_trade and terms.expires_at is None
    until = min(asked.intent.confirmed_at + YOUNG, terms.expires_at or FOREVER)
    is_safe = site.scenario.replay_safe and not at_real_time
    # What looks like it, a twin of the trader's own, is his to judge: then nothing is repeated.
    if is_safe and not row.candidates and well_since + A_WHILE < until:
        yield "it is in doubt, but could be repeated"
