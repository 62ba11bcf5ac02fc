"""A creating request as it goes out, to the byte: what is kept, and what a repeat sends again."""

from __future__ import annotations

from dataclasses import dataclass, field

from paytui.api.models import IdempotencyKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One request under one key.

    Attributes:
        attempted: what it is for, as a verb phrase: `create payout`.
        path: from the base URL on, quoted.
        key_header: the header that carries the key.
    """

    attempted: str
    method: str
    path: str
    key_header: str
    key: IdempotencyKey
    body: bytes = field(repr=False)
