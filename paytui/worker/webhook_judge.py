"""How far a webhook is to be trusted: its signature, its time, and whether it was here before."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import timedelta

from paytui.api.events import Event
from paytui.domain.exact_json import CannotReadError
from paytui.platform.clock import ServiceTime
from paytui.store.reports import Trust
from paytui.worker.webhook_seal import Seal

TOLERANCE = timedelta(minutes=5)
"""How far a message's time may be from ours (Standard Webhooks), which is the service's."""

REMEMBERED = 10_000
"""Messages that are known again; who knows the secret sends no more within the tolerance."""

_TIMESTAMP = re.compile(r"[0-9]{1,11}")


@dataclass(frozen=True, slots=True)
class Message:
    """A webhook as it came over HTTP; headers are empty where they were not sent.

    Attributes:
        message_id: the header `webhook-id`: the same each time that an event is sent.
        timestamp: the header `webhook-timestamp`: epoch seconds of this attempt.
        signatures: the header `webhook-signature`.
    """

    body: bytes
    message_id: str = ""
    timestamp: str = ""
    signatures: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is thought of a message.

    Attributes:
        event: what it says; None where it was not looked at.
        why: what is wrong with it, in words.
    """

    trust: Trust
    event: Event | None = None
    why: str = ""


class Judge:
    """Judges messages one after the other, and knows again what was heeded.

    Args:
        seal: None where no secret is set: then every readable message is heeded once.
        read: what a body says. Raises CannotReadError.
        service_time: what times are judged by, however wrong the host's clock is.
    """

    def __init__(
        self, seal: Seal | None, read: Callable[[bytes], Event], service_time: ServiceTime
    ) -> None:
        self._seal = seal
        self._read = read
        self._time = service_time
        self._events = Remembered(REMEMBERED)
        self._messages = Remembered(REMEMBERED)

    def judge(self, message: Message) -> Judgement:
        """What to think of a message; one that is heeded is a duplicate from then on."""
        if self._seal is not None and (doubted := self._doubted(self._seal, message)):
            return doubted
        try:
            event = self._read(message.body)
        except CannotReadError as error:
            return Judgement(Trust.UNREADABLE, why=f"It cannot be read: {error}.")
        return self._repeated(message, event) or Judgement(
            Trust.UNSIGNED if self._seal is None else Trust.VERIFIED, event
        )

    def renew(self, seal: Seal) -> None:
        """Judge by another secret from now on."""
        self._seal = seal

    def _doubted(self, seal: Seal, message: Message) -> Judgement | None:
        """What is wrong with its signature or its time; the body is not looked at."""
        if not (message.message_id and message.timestamp and message.signatures):
            return Judgement(Trust.FORGED, why="It is not signed, and a secret is set.")
        stamp = int(message.timestamp) if _TIMESTAMP.fullmatch(message.timestamp) else None
        if stamp is None or not seal.fits(
            message.message_id, stamp, message.signatures, message.body
        ):
            return Judgement(Trust.FORGED, why="No signature fits the secret that is set.")
        return self._untimely(stamp)

    def _untimely(self, stamp: int) -> Judgement | None:
        tolerance = TOLERANCE.total_seconds()
        if stamp < self._time.earliest().timestamp() - tolerance:
            return Judgement(Trust.TOO_OLD, why="It was signed more than 5 minutes ago.")
        if stamp > self._time.latest().timestamp() + tolerance:
            ahead = "It was signed at a time that is more than 5 minutes ahead."
            return Judgement(Trust.TOO_OLD, why=ahead)
        return None

    def _repeated(self, message: Message, event: Event) -> Judgement | None:
        identifier = message.message_id or event.event_id
        if not identifier:
            return None
        is_known = self._events.has_seen(identifier)
        if message.timestamp and self._messages.has_seen((identifier, message.timestamp)):
            return Judgement(Trust.REPLAYED, event, "This very message came before.")
        if is_known:
            return Judgement(Trust.DUPLICATE, event, "The same event came before.")
        return None


class Remembered:
    """The newest of what was seen, so many of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: dict[Hashable, None] = {}

    def has_seen(self, what: Hashable) -> bool:
        """Whether it was seen before; it is from now on."""
        if what in self._seen:
            return True
        self._seen[what] = None
        if len(self._seen) > self._most:
            del self._seen[next(iter(self._seen))]
        return False
