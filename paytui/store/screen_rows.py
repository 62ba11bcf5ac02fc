"""Rows for screens that are no objects of the service: webhook events and raw reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from paytui.domain.models import Kind, Problem, RawObject, State
from paytui.domain.money import CurrencyCode


class Trust(StrEnum):
    VERIFIED = "verified"
    UNSIGNED = "unsigned"  # No secret is set: any sender that knows the path can have sent it
    FORGED = "forged"
    TOO_OLD = "too old"  # Its time is too far from the service's, in the past or the future
    REPLAYED = "replayed"  # The identical message was received before
    DUPLICATE = "duplicate"  # A repetition by the service, which delivers each event at least once
    UNREADABLE = "unreadable"

    @property
    def heeded(self) -> bool:
        """True if the object that the event names is read."""
        return self in (Trust.VERIFIED, Trust.UNSIGNED)


@dataclass(frozen=True, slots=True)
class EventRow:
    """A received webhook. It is only a hint: its object is read from the service.

    Attributes:
        number: counts received events.
        received_at: service time of receipt; of several identical ones, the newest.
        times: how many identical ignored events arrived.
        event_type: the sender's word: `payment.released`; None if it was not parsed.
        created_at: the time of the event according to the sender.
        caused: the effect, in words: `processing → released`; empty if there was none.
    """

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
    """The state of the webhook listener; without an address it does not listen."""

    address: str = ""
    signed: bool = False
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class RawRead:
    """The newest read of one object as the service sends it, or the problem why there is none.

    `sent_at` is service time just before the request: the response is not older.
    """

    kind: Kind
    key: str
    sent_at: datetime
    raw: RawObject | None = None
    problem: Problem | None = None


_BOOKED = frozenset({"credited", "exchanged", "released", "completed"})


@dataclass(frozen=True, slots=True)
class Movement:
    """One transaction, as seen from a wallet.

    Attributes:
        at: its time of creation, if the service sends it.
        amount: into the wallet if positive, out of it if negative; None if not known yet.
        what: a description from the wallet's side: `payout to Acme Pty Ltd`.
    """

    kind: Kind
    key: str
    at: datetime | None
    amount: Decimal | None
    currency: CurrencyCode | None
    status: State | None
    what: str
    reference: str | None

    @property
    def is_booked(self) -> bool:
        return self.status is not None and self.status.name in _BOOKED

    @property
    def came_to_nothing(self) -> bool:
        """Return True if no money moved, or all of it came back."""
        return self.status is not None and self.status.came_to_nothing
