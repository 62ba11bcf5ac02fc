"""Invariants after each run, computed independently of the code under test.

Sources: architecture.md; service.md §10; service.md §8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from paytui.domain.intent import Standing
from tests.simulation.dashboard import Dashboard
from tests.simulation.desk import Asked, Desk
from tests.simulation.evidence import Evidence, evidence_of
from tests.simulation.oracle_of_alerts import wrong_alerts
from tests.simulation.oracle_of_matches import wrong_matches
from tests.simulation.oracle_of_requests import wrong_requests
from tests.simulation.oracle_of_store import wrong_in_store
from tests.simulation.site import Site


def what_is_wrong(site: Site, desk: Desk, dashboards: Sequence[Dashboard]) -> list[str]:
    """In words, all that must not be.

    Args:
        dashboards: all of a run; the last was started anew, so that it shows what survived.
    """
    last = dashboards[-1]
    totals = site.service.out_of_balance().items()
    return [
        *(f"the ledger's {currency} sum to {total}" for currency, total in totals),
        *wrong_requests(site, desk, dashboards),
        *wrong_in_store(site, last.store),
        *_wrong_intents(site, desk, dashboards),
    ]


def _wrong_intents(site: Site, desk: Desk, dashboards: Sequence[Dashboard]) -> Iterator[str]:
    rows = dashboards[-1].rows()
    by_id = {row.intent_id: row for row in rows}
    clients = frozenset(dashboard.setup.client_id for dashboard in dashboards)
    can_write = not (site.disk.troubled or any(each.disowned_since for each in dashboards))
    for intent_id, asked in desk.asked.items():
        found: list[str] = []
        if intent_id not in by_id or not by_id[intent_id].alerts:
            found += _changed_its_end(asked, was_written=can_write)
        if intent_id in by_id:
            known = evidence_of(site, asked, by_id[intent_id], rows, clients)
            found += _wrong_outcome(known)
        else:
            found += _wrongly_forgotten(site, asked)
        yield from (f"{intent_id}: {words}" for words in found)


def _wrong_outcome(known: Evidence) -> Iterator[str]:
    yield from wrong_alerts(known)
    yield from wrong_matches(known)
    if len(known.booked) > 1 and not known.may_be_doubled:
        yield f"it was executed {len(known.booked)} times"
    yield from _executed_late(known)
    if known.row.standing is Standing.SENDING:
        yield "it is still on its way"
    elif known.row.standing is Standing.IN_DOUBT:
        if known.is_listed:
            yield from _not_found(known)
    elif not (known.asked.guessed or known.was_misled or known.may_be_doubled):
        yield from _wrong_end(known)


def _executed_late(known: Evidence) -> Iterator[str]:
    """Yield an error if it was executed after a trader settled it as not done."""
    given_up_at = known.asked.given_up_at
    if known.row.standing is not Standing.NOT_DONE or given_up_at is None:
        return
    made_at = known.site.service.made_at
    for identifier in known.booked:
        if identifier in made_at and made_at[identifier] > given_up_at:
            late = (made_at[identifier] - given_up_at).total_seconds()
            yield f"it was executed {late:.1f} s after it was settled as not done"


def _wrong_end(known: Evidence) -> Iterator[str]:
    """Nothing but paytui and a trader who knows the truth has had a say in it."""
    shown = [known.row.object_id] if known.is_executed else []
    if known.asked.repeated and known.row.object_id in known.site.service.by_hand:
        return  # it was sent again after somebody had paid it elsewhere, under its own reference
    if known.booked != shown:
        yield f"it is {known.row.standing} as {shown}, but the ledger has {known.booked}"


def _wrongly_forgotten(site: Site, asked: Asked) -> Iterator[str]:
    kept = [standing for standing in asked.shown if standing is not Standing.NOT_RECORDED]
    if kept:
        yield f"it was shown as {kept[-1]} and is forgotten"
    if site.log.of(asked.intent.key):
        yield "it was sent and is forgotten"
    if booked := site.service.executed(asked.intent):
        yield f"it is forgotten, but the ledger has {booked}"


def _changed_its_end(asked: Asked, *, was_written: bool) -> Iterator[str]:
    """Yield an error if a shown end changed: a trader may have acted on it.

    What could not be written down may be in doubt once more, after the process that knew is gone.
    What an alert contradicts is in doubt again as well.
    """
    for earlier, later in pairwise(asked.shown):
        if (earlier, later) == (Standing.NOT_RECORDED, Standing.NOT_EXECUTED):
            continue  # the disk took it all the same, and nothing was sent
        if not earlier.open and (was_written or not later.open):
            yield f"it was shown as {earlier}, and then as {later}"


def _not_found(known: Evidence) -> Iterator[str]:
    """Yield an error if its object is in a readable list but not found or at least shown."""
    own = [each for each in known.booked if each not in known.claimed]
    same = [each for each in own if not known.is_other(each)]
    is_the_one = same == list(known.carrying) and len(same) == 1 and known.is_dated_right
    if known.can_be_known_again and is_the_one and known.booked == same:
        yield f"it is in doubt, but the service lists {same}"
    expected = own if known.site.scenario.tagged else same
    shown = {*known.row.candidates, known.row.object_id}
    shown |= {each for each in expected if any(each in alert for alert in known.row.alerts)}
    if known.is_dated_right and not shown.issuperset(expected):
        yield f"it may be one of {expected}, and its trader is shown {shown}"
