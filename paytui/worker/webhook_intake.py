"""Verification of webhooks, their log, and the reads that they cause."""

from __future__ import annotations

import asyncio
import binascii
import hmac
import re
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain

from standardwebhooks import Webhook

from paytui.api.errors import ApiError, NotFound, NotOffered, NotSeen, NotSent, Refused
from paytui.api.resources import READS
from paytui.api.wire.codec import Event
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import Kind, Record, State
from paytui.domain.money import MISSING
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import Secret
from paytui.store.screen_rows import EventRow, Trust
from paytui.store.store import GROWING, Store
from paytui.worker.sync.shared import REST_FACTOR, Backoff, Shared, failure_of, reading, unexpected

PREFIX = "whsec_"


class InvalidSecret(ValueError):
    """A webhook secret that is not usable. The message never contains it."""


class SignatureVerifier:
    """A verifier of signatures by Standard Webhooks, of a base64 secret, with or without `whsec_`.

    It does not check times: the library would use the host's clock. Raises InvalidSecret.
    """

    def __init__(self, secret: Secret) -> None:
        text = secret.reveal().strip().removeprefix(PREFIX)
        try:
            key = b64decode(text + "=" * (-len(text) % 4), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidSecret("is not whsec_ and base64") from None
        if not key:
            raise InvalidSecret("is empty")
        self._webhook = Webhook(key)

    def verify(self, message_id: str, timestamp: int, signatures: str, body: bytes) -> bool:
        """Return True if one of the signatures (`v1,BASE64`, separated by spaces) is valid."""
        try:
            at = datetime.fromtimestamp(timestamp, UTC)
            wanted = self._webhook.sign(message_id, at, body.decode()).encode()
        except (ValueError, OverflowError, OSError):
            return False
        given = (signature.encode() for signature in signatures.split(" "))
        return any(hmac.compare_digest(wanted, each) for each in given)


TOLERANCE = timedelta(minutes=5)
"""Maximum distance of a message's time from the service's time (Standard Webhooks)."""

REMEMBERED = 10_000
"""Messages remembered for the detection of duplicates: more than a service sends in `TOLERANCE`."""

_TIMESTAMP = re.compile(r"[0-9]{1,11}")


@dataclass(frozen=True, slots=True)
class Message:
    """A webhook as received over HTTP. A missing header is empty.

    Attributes:
        message_id: the header `webhook-id`: the same for each attempt to send an event.
        timestamp: the header `webhook-timestamp`: epoch seconds of this attempt.
        signatures: the header `webhook-signature`.
    """

    body: bytes
    message_id: str = ""
    timestamp: str = ""
    signatures: str = ""


@dataclass(frozen=True, slots=True)
class Classification:
    """The trust in a message, its event if the body was read, and why it is distrusted."""

    trust: Trust
    event: Event | None = None
    why: str = ""


class WebhookClassifier:
    """A classifier of messages that remembers the accepted ones.

    Args:
        verifier: None if no secret is set: then every readable message is accepted once.
        read: parses a body. Raises CannotReadError.
        service_time: checks timestamps, since the host's clock may be wrong.
    """

    def __init__(
        self,
        verifier: SignatureVerifier | None,
        read: Callable[[bytes], Event],
        service_time: ServiceTime,
    ) -> None:
        self.verifier = verifier
        self._read = read
        self._time = service_time
        self._events = SeenKeys(REMEMBERED)
        self._messages = SeenKeys(REMEMBERED)

    def classify(self, message: Message) -> Classification:
        """Classify a message. An accepted one is a duplicate when it comes again."""
        verifier = self.verifier
        if verifier is not None and (rejected := self._check_signature(verifier, message)):
            return rejected
        try:
            event = self._read(message.body)
        except CannotReadError as error:
            return Classification(Trust.UNREADABLE, why=f"Unreadable: {error}.")
        return self._repeated(message, event) or Classification(
            Trust.UNSIGNED if verifier is None else Trust.VERIFIED, event
        )

    def _check_signature(
        self, verifier: SignatureVerifier, message: Message
    ) -> Classification | None:
        """Check signature and time, without parsing the body; None if both are valid."""
        if not (message.message_id and message.timestamp and message.signatures):
            return Classification(Trust.FORGED, why="Not signed, although a secret is set.")
        stamp = int(message.timestamp) if _TIMESTAMP.fullmatch(message.timestamp) else None
        if stamp is None or not verifier.verify(
            message.message_id, stamp, message.signatures, message.body
        ):
            return Classification(Trust.FORGED, why="No signature matches the secret.")
        tolerance = TOLERANCE.total_seconds()
        if stamp < self._time.earliest().timestamp() - tolerance:
            return Classification(Trust.TOO_OLD, why="Signed more than 5 minutes ago.")
        if stamp > self._time.latest().timestamp() + tolerance:
            ahead = "Signed more than 5 minutes in the future."
            return Classification(Trust.TOO_OLD, why=ahead)
        return None

    def _repeated(self, message: Message, event: Event) -> Classification | None:
        identifier = message.message_id or event.event_id
        if not identifier:
            return None
        is_known = self._events.has_seen(identifier)
        if message.timestamp and self._messages.has_seen((identifier, message.timestamp)):
            return Classification(
                Trust.REPLAYED, event, "The identical message was received before."
            )
        if is_known:
            return Classification(Trust.DUPLICATE, event, "The same event was received before.")
        return None


class SeenKeys:
    """A bounded set of the newest keys."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: dict[Hashable, None] = {}

    def has_seen(self, what: Hashable) -> bool:
        if what in self._seen:
            return True
        self._seen[what] = None
        if len(self._seen) > self._most:
            del self._seen[next(iter(self._seen))]
        return False


MAX_ACCEPTED = 800
MAX_REJECTED = 200
"""Separate bounds, so that a flood of forgeries does not displace accepted events."""


class EventLog:
    """A bounded log of webhooks in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._number = 0
        self._accepted = deque[int](maxlen=MAX_ACCEPTED)
        self._rejected = deque[int](maxlen=MAX_REJECTED)

    def add(self, classification: Classification, at: datetime, caused: str) -> EventRow:
        """Add a webhook and its effect. One rejected like the one before increments its count."""
        row = self._row(classification, at, caused)
        self._store.events.put([row])
        self._store.notify()
        return row

    def caused(self, row: EventRow, words: str) -> None:
        if (kept := self._store.events.get(row.number)) is not None:
            self._store.events.put([replace(kept, caused=words)])
            self._store.notify()

    def _row(self, classification: Classification, at: datetime, caused: str) -> EventRow:
        event = classification.event or Event(None, None)
        self._number += 1
        row = EventRow(
            self._number,
            at,
            classification.trust,
            event_type=event.event_type,
            object_kind=event.kind,
            object_id=event.object_id,
            event_id=event.event_id,
            created_at=event.created_at,
            caused=caused,
            why=classification.why,
        )
        kept = self._accepted if row.trust.heeded else self._rejected
        before = self._store.events.get(kept[-1]) if kept is self._rejected and kept else None
        if before is not None and (before.trust, before.event_id, before.why) == (
            row.trust,
            row.event_id,
            row.why,
        ):
            return replace(before, received_at=at, times=before.times + 1)
        if len(kept) == kept.maxlen:
            self._store.events.remove([kept[0]])
        kept.append(row.number)
        return row


GAP = 0.2  # Minimum seconds between two reads caused by webhooks
LISTS_GAP = 2.0  # Minimum seconds between two reads of lists caused by webhooks

MAX_WAITING = 25
"""Objects that may wait for a single read; beyond that, the list of their kind is read."""

WAITS = "not read yet"
LISTED = "its list is read again"


class EventReads:
    """A queue of reads of the objects that events name.

    Reads are merged and limited in rate. The log shows the outcome of each; `read_now` reads the
    list of a kind.
    """

    def __init__(self, shared: Shared, log: EventLog, read_now: Callable[[Kind], None]) -> None:
        self._shared = shared
        self._clock = shared.service_time.clock
        self._log = log
        self._read_now = read_now
        self._backoff = Backoff(shared.rng)
        self._waiting: dict[tuple[Kind, str], list[EventRow]] = {}
        self._stale: set[Kind] = set()
        self._lists_read_at = float("-inf")
        self._wake = asyncio.Event()

    def ask(self, row: EventRow) -> None:
        if row.object_kind is None or row.object_id is None:
            self._log.caused(row, "names no readable object")
            return
        named = row.object_kind, row.object_id
        if named in self._waiting or len(self._waiting) < MAX_WAITING:
            self._waiting.setdefault(named, []).append(row)
        else:
            self._touch(row.object_kind)
            self._log.caused(row, LISTED)
        self._wake.set()

    async def run(self) -> None:
        while True:
            until = max(0.0, self._lists_read_at + LISTS_GAP - self._clock.monotonic())
            with suppress(TimeoutError):
                async with asyncio.timeout(until if self._stale else None):
                    await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                pause = await self._next()
                self._read_lists()
                await asyncio.sleep(pause)
            self._read_lists()

    async def _next(self) -> float:
        """Read the object that waits longest; return the seconds until the next read."""
        kind, identifier = named = next(iter(self._waiting))
        # Removed first: an event that arrives during this read may need another one.
        rows = self._waiting.pop(named)
        began = self._clock.monotonic()
        try:
            words = await self._outcome(kind, identifier)
        except ApiError as error:
            return self._give_up(rows, error)
        for row in rows:
            self._log.caused(row, words)
        self._backoff.reset()
        return max(GAP, REST_FACTOR * (self._clock.monotonic() - began))

    def _give_up(self, rows: list[EventRow], error: ApiError) -> float:
        """Leave all waiting objects to polling, which retries failures by itself."""
        self._shared.link.failed(error)
        failure = failure_of(error)
        for row in chain(rows, *self._waiting.values()):
            self._log.caused(row, f"not read: {failure.problem.what}")
        self._waiting.clear()
        return self._backoff.after_failure(failure.retry_after)

    async def _outcome(self, kind: Kind, identifier: str) -> str:
        """Read an object and return the outcome. Raises ApiError if others would fail too."""
        try:
            return await self._read(kind, identifier)
        except (NotFound, NotOffered, NotSeen) as error:
            # A plain 404 does not tell a missing object from a missing path.
            self._touch(kind)
            return f"not found, {LISTED}" if isinstance(error, NotFound) else LISTED
        except (NotSent, Refused) as error:
            return f"not read: {error.problem.what}"
        except ApiError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug must not stop other reads
            return f"not read: {unexpected(reading(kind), error).problem.what}"

    async def _read(self, kind: Kind, identifier: str) -> str:
        """Put an object into the store and return its changes, in words."""
        shared, table = self._shared, self._shared.store.table(kind)
        before = table.get(identifier)
        async with shared.slots:
            row = await shared.client.get(kind, identifier)
        shared.link.succeeded()
        if table.key(row) != identifier:
            return "the service sent another object"
        parent = READS[kind].parameter  # only the list may tell it
        if parent and before is not None and getattr(row, parent) is None:
            row = replace(row, **{parent: getattr(before, parent)})
        table.put([row])
        shared.store.notify()
        if row != before:
            self._touch(kind)
        return _news(before, row)

    def _touch(self, kind: Kind) -> None:
        self._stale.add(kind)
        if kind in GROWING:
            self._stale.add(Kind.WALLETS)  # money moves between them

    def _read_lists(self) -> None:
        """Read stale lists, at most every `LISTS_GAP`. A failing list is left to its poller."""
        if self._clock.monotonic() < self._lists_read_at + LISTS_GAP:
            return
        self._lists_read_at = self._clock.monotonic()
        for kind in self._stale:
            if self._shared.store.feed(kind).problem is None:
                self._read_now(kind)
        self._stale.clear()


def _news(before: Record | None, row: Record) -> str:
    after = _state(row)
    if before is None:
        return f"new: {after}"
    if row == before:
        return "no change"
    return "changed" if (old := _state(before)) == after else f"{old} → {after}"


def _state(row: Record) -> str:
    status: State | None = getattr(row, "status", None)
    return status.name.replace("_", " ") if status else MISSING
