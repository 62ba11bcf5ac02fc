"""Notes on what needs attention, and the colleagues at a desk: their tickets and shared notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NewType

from paytui.domain.models import Kind, RecipientId, WalletId

AttentionKey = NewType("AttentionKey", str)
"""Identifies an item and its matter: an item whose matter changes has another key."""


@dataclass(frozen=True, slots=True)
class AttentionNote:
    """A note on one item that needs attention.

    Attributes:
        first_seen: service time at which the item was first seen so.
        acknowledged: the trader knows of it; it counts until the matter changes.
        snoozed_until: service time until which the trader puts it aside.
        by, at: on a desk, the trader who did the last of that, and the service time.
    """

    key: AttentionKey
    first_seen: datetime
    acknowledged: bool = False
    snoozed_until: datetime | None = None
    by: str = ""
    at: datetime | None = None

    def is_set_aside(self, now: datetime) -> bool:
        """Return True if the item is acknowledged, or snoozed at this service time."""
        return self.acknowledged or (self.snoozed_until is not None and now < self.snoozed_until)


LONGEST_NOTE = 280  # Characters
LONGEST_SUBJECT = 4_000  # Characters


@dataclass(frozen=True, slots=True)
class OpenTicket:
    """A ticket that is being filled in or reviewed; nothing rests on it.

    Attributes:
        kind: `payout`, `transfer`, `trade` or `decision`; that of a later version may be another.
        wallet_ids: those that pay or are paid.
    """

    kind: str
    recipient_id: RecipientId | None = None
    wallet_ids: tuple[WalletId, ...] = ()


@dataclass(frozen=True, slots=True)
class Colleague:
    """A dashboard that is open on the same desk.

    Attributes:
        seat: its number.
        who: the trader's database role.
        is_own: it is another dashboard of the same trader.
        since: service time.
    """

    seat: int
    who: str
    is_own: bool
    host: str
    since: datetime
    ticket: OpenTicket | None = None

    @property
    def name(self) -> str:
        return f"{self.who} on {self.host}" if self.host else self.who


class NoteKind(StrEnum):
    """The kinds of shared notes; the values are in the database."""

    NOTE = "note"  # Words on an object
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"
    OPEN = "open"  # It needs attention again
    OVER = "over"  # The item is gone: what was said of it does not count if it comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedNote:
    """A note that all traders of a desk see.

    Attributes:
        note_id: chosen here, so that it can be handed in twice.
        subject: an item's `AttentionKey`, or that of `subject_of` for words on an object.
        at: service time.
        until: service time until which an item is snoozed.
        number: its place among all notes of the desk; None while it is not handed in.
        who: the trader's database role; "" while it is not handed in.
        ends: the number of the note that `OVER` ends.
    """

    note_id: str
    kind: NoteKind
    subject: str
    at: datetime
    words: str = ""
    until: datetime | None = None
    number: int | None = None
    who: str = ""
    host: str = ""
    ends: int | None = None

    @property
    def fits(self) -> bool:
        """Return True if the database takes it."""
        return len(self.words) <= LONGEST_NOTE and len(self.subject) <= LONGEST_SUBJECT

    def on(self, note: AttentionNote) -> AttentionNote:
        """Return the note of an item, set aside or not as this one says."""
        return replace(
            note,
            acknowledged=self.kind is NoteKind.ACKNOWLEDGED,
            snoozed_until=self.until if self.kind is NoteKind.SNOOZED else None,
            by=self.who,
            at=self.at if self.who else None,
        )


def subject_of(kind: Kind | str, key: str) -> str:
    """Return the subject of notes on an object; `kind` is that of the object, or `intent`."""
    return f"{kind}/{key}"


def as_shared(note: AttentionNote, note_id: str, at: datetime) -> SharedNote:
    """Return what a trader did with an item, for all."""
    kind = NoteKind.OPEN
    if note.acknowledged:
        kind = NoteKind.ACKNOWLEDGED
    elif note.snoozed_until is not None:
        kind = NoteKind.SNOOZED
    until = note.snoozed_until if kind is NoteKind.SNOOZED else None
    return SharedNote(note_id=note_id, kind=kind, subject=note.key, at=at, until=until)


def key_of(note: SharedNote) -> AttentionKey | None:
    """Return the key of the item that a note is about; None for words on an object."""
    return None if note.kind is NoteKind.NOTE else AttentionKey(note.subject)
