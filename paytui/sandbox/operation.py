"""What an operation of the service is."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.sandbox.bank import Handler
from paytui.sandbox.resources import Resource


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: where it is found and what it does.

    Attributes:
        name: what faults and stored idempotency keys know it by.
        paths: all spellings, without the `/v2` before them.
        handler: runs inside a transaction; raises ApiError to refuse.
        resource: what the answer shows; a token is none.
        is_list: whether the answer shows many of it.
    """

    name: str
    method: str
    paths: tuple[str, ...]
    handler: Handler
    resource: Resource | None = None
    is_list: bool = False

    @property
    def creates(self) -> bool:
        return self.method == "POST"
