"""Rows for screens that are no objects of the service: webhook events and raw reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from paytui.domain.models import Kind, Problem, RawObject

EventKey = NewType("EventKey", str)
"""A slot in the ring of kept events; the newest event takes the slot of the oldest."""


class Trust(StrEnum):
    """The trust in an event's origin."""

    VERIFIED = "verified"
    UNSIGNED = "unsigned"
    """No secret is set: any sender that knows the path can have sent it."""
    FORGED = "forged"
    TOO_OLD = "too old"
    """Its time is too far from the service's, in the past or the future."""
    REPLAYED = "replayed"
    """The identical message was received before."""
    DUPLICATE = "duplicate"
    """A repetition by the service, which delivers each event at least once."""
    UNREADABLE = "unreadable"

    @property
    def heeded(self) -> bool:
        """True if the object that the event names is read."""
        return self in (Trust.VERIFIED, Trust.UNSIGNED)


@dataclass(frozen=True, slots=True)
class EventRow:
    """A received webhook. It is only a hint: its object is read from the service.

    Attributes:
        number: counts received events, so that a reused key is noticed.
        received_at: service time of receipt; of several identical ones, the newest.
        times: how many identical ignored events arrived.
        event_type: the sender's word: `payment.released`; None if it was not parsed.
        object_kind: the kind of the object that it names.
        created_at: the time of the event according to the sender.
        caused: the effect, in words: `processing → released`; empty if there was none.
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
    """The state of the webhook listener.

    Attributes:
        address: host and port; empty while it does not listen.
        signed: events are verified with a secret.
        problem: why it does not listen although it should.
    """

    address: str = ""
    signed: bool = False
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class RawRead:
    """The newest read of one object as the service sends it.

    Attributes:
        key: the identifier of the object.
        sent_at: service time just before the request: the response is not older.
        raw: the response; None if there was none.
        problem: why there was none.
    """

    kind: Kind
    key: str
    sent_at: datetime
    raw: RawObject | None = None
    problem: Problem | None = None
