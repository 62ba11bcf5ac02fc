"""What the service's webhooks said, how far they are to be trusted, and what they caused."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from paytui.domain.models import Kind, Problem, RawObject

EventKey = NewType("EventKey", str)
"""A place among the events that are kept; the oldest one's is taken by the newest."""


class Trust(StrEnum):
    """What is known of where an event comes from."""

    VERIFIED = "verified"
    UNSIGNED = "unsigned"
    """No secret is set: anybody who knows the path can have sent it."""
    FORGED = "forged"
    TOO_OLD = "too old"
    """Or from the future: its time is too far from the service's."""
    REPLAYED = "replayed"
    """The very message was here before."""
    DUPLICATE = "duplicate"
    """Sent once more by who sends them at least once."""
    UNREADABLE = "unreadable"

    @property
    def heeded(self) -> bool:
        """Whether what it names is read."""
        return self in (Trust.VERIFIED, Trust.UNSIGNED)


@dataclass(frozen=True, slots=True)
class EventRow:
    """A webhook that arrived; nothing in it is believed but that there may be news.

    Attributes:
        number: counts what arrived, so that a key which was taken over is noticed.
        received_at: service time at which it came; of several alike, the newest.
        times: how many came that were alike and of no account.
        event_type: the sender's word: `payment.released`; None where it was not looked at.
        object_kind: of the object that it names.
        created_at: when it happened, as the sender says.
        caused: what came of it, in words: `processing → released`; empty where nothing was done.
        why: what is wrong with it, in words.
    """

    event_key: EventKey
    number: int
    received_at: datetime
    trust: Trust
    times: int = 1
    event_type: str | None = None
    object_kind: Kind | None = None
    object_id: str | None = None
    event_id: str | None = None
    created_at: datetime | None = None
    caused: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ListenerStatus:
    """Whether webhooks are listened for.

    Attributes:
        address: host and port; empty while nothing listens.
        signed: whether they are verified by a secret.
        problem: why nothing listens, where something should.
    """

    address: str = ""
    signed: bool = False
    problem: Problem | None = None


# What came of the wish to see an object as the service sends it.


@dataclass(frozen=True, slots=True)
class RawRead:
    """The newest read of one object for a person to see; nothing is kept of those before.

    Attributes:
        key: the identifier of the object.
        sent_at: service time just before it was asked for: what came is not older.
        raw: what came; None where nothing did.
        problem: why nothing came.
    """

    kind: Kind
    key: str
    sent_at: datetime
    raw: RawObject | None = None
    problem: Problem | None = None
