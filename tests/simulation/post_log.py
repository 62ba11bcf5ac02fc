"""Every request that moves money as it left, and every list that was fully read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paytui.domain.models import IdempotencyKey
from tests.simulation.fates import Fate

_MONEY = ("/payments/payout", "/payments/transfer", "/tradess", "/trades")
KEY_HEADER = "idempotency"


def moves_money(method: str, path: str) -> bool:
    """Return True if a request creates a payment or a trade (service.md §4)."""
    return method == "POST" and path.endswith(_MONEY)


@dataclass(slots=True)
class Post:
    """A request.

    Attributes:
        at: the service's true time when its first byte left.
        process: whose it was.
        client_id: as whom it was sent.
        fate: what became of it.
        departures: the paths of all attempts of its intent that were on disk at that moment.
        ended: when its client had an answer, or gave up.
        status: what the client was answered, if it was.
    """

    at: datetime
    process: int
    client_id: str
    key: IdempotencyKey
    path: str
    body: bytes
    fate: Fate
    departures: list[str]
    ended: datetime | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A list was read.

    Attributes:
        path: of the list.
        asked, told: the service's true time when it was asked for, and when the answer was there.
    """

    process: int
    path: str
    asked: datetime
    told: datetime


class PostLog:
    """All of a run, in order."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.looks: list[Look] = []

    def of(self, key: IdempotencyKey) -> list[Post]:
        """The requests under one key."""
        return [post for post in self.posts if post.key == key]

    def keys(self) -> list[IdempotencyKey]:
        """Each key once, in the order in which they were first used."""
        return list(dict.fromkeys(post.key for post in self.posts))
