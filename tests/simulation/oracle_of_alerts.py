"""An alert is raised for each contradiction to an intent, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.intent import Standing
from tests.simulation.evidence import Evidence
from tests.simulation.fates import BARE, Fate

NOT_THERE = frozenset({Standing.NOT_DONE, Standing.REFUSED, Standing.NOT_EXECUTED})

MAY_BE_BARE = BARE | {Fate.MISTAKEN}
"""Answers that may hold an identifier alone."""


def wrong_alerts(known: Evidence) -> Iterator[str]:
    """In words, an alert that is missing, or that nothing is behind."""
    other_figures = [*_other_figures(known)]
    reasons = [*_contradictions(known), *other_figures]
    if other_figures and known.row.standing is Standing.ACCEPTED:
        yield f"it is accepted, although {' and '.join(other_figures)}"
    if reasons and not known.row.alerts:
        yield f"it has no alert, although {' and '.join(reasons)}"
    yield from _wrongly_doubted(known)
    if known.row.alerts and not reasons and not _is_excused(known):
        yield f"a false alarm: {known.row.alerts}"


def _contradictions(known: Evidence) -> Iterator[str]:
    """Yield contradictions between an intent and the lists."""
    if not known.can_be_known_again or not known.carrying:
        return
    if len(known.carrying) > 1:
        yield f"{known.carrying} carry its identifier"
    elif known.row.standing in NOT_THERE:
        yield f"it is {known.row.standing} and the service has {known.carrying}"
    elif known.is_executed and known.row.object_id not in known.carrying:
        yield f"it is shown as {known.row.object_id}, and {known.carrying} carry its identifier"


def _other_figures(known: Evidence) -> Iterator[str]:
    """Yield objects with other terms that a response or a list reported."""
    object_id = known.row.object_id
    told = known.is_listed or not any(post.fate in MAY_BE_BARE for post in known.posts)
    if object_id is not None and told and known.is_other(object_id):
        yield f"{object_id} is not what was confirmed"


def _wrongly_doubted(known: Evidence) -> Iterator[str]:
    """Yield an error if it is in doubt about an object of its own with the confirmed terms."""
    object_id = known.row.object_id
    if not known.row.booked_otherwise or object_id is None:
        return
    if object_id not in known.carrying or not known.is_other(object_id):
        yield f"it is in doubt about {object_id}, which is not its own or is as confirmed"


def _was_contradicted(known: Evidence) -> bool:
    """Return True if it had counted as not done and the service has an object of it."""
    ended = any(turn.what in NOT_THERE for turn in known.row.turns)
    return ended and bool(known.carrying)


def _is_excused(known: Evidence) -> bool:
    """Return True if an alert is right, though not needed."""
    is_anothers_to_send = bool(known.asked.sent_anew) and len(known.clients) > 1
    return (
        known.was_misled
        or _was_contradicted(known)
        or known.row.object_id in known.claimed  # a trader took one object for two
        or any(each in known.told_of_others for each in known.booked)  # an answer lied of it
        or any(map(known.is_other, {*known.carrying, *known.booked}))
        or is_anothers_to_send
    )
