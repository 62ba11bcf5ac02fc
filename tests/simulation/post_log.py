"""Every request that moves money, as it left a process."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paytui.api.models import IdempotencyKey

_MONEY = ("/payments/payout", "/payments/transfer", "/tradess", "/trades")
KEY_HEADER = "idempotency"


def moves_money(method: str, path: str) -> bool:
    """Whether a request creates a payment or a trade (api.md §4)."""
    return method == "POST" and path.endswith(_MONEY)


@dataclass(slots=True)
class Post:
    """One request.

    Attributes:
        at: the service's true time when it left.
        process: whose it was.
        status: what the client was answered, if it was.
    """

    at: datetime
    process: int
    key: IdempotencyKey
    path: str
    body: bytes
    status: int | None = None


class PostLog:
    """All of a run, in order."""

    def __init__(self) -> None:
        self.posts: list[Post] = []

    def of(self, key: IdempotencyKey) -> list[Post]:
        """The requests under one key."""
        return [post for post in self.posts if post.key == key]

    def keys(self) -> list[IdempotencyKey]:
        """Each key once, in the order in which they were first used."""
        return list(dict.fromkeys(post.key for post in self.posts))
