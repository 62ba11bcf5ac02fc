"""What a sandbox is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """Where events are sent.

    Attributes:
        secret: what they are signed with: `whsec_` and base64 (Standard Webhooks).
    """

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The settings of one sandbox; fixed for its life.

    Attributes:
        client_secret: the only secret that `POST /auth` accepts.
        client_id: the only client that `POST /auth` knows.
        seed: everything random follows from it and from the time that has passed.
        scale: payments in the history that an empty database starts with; 0 starts with nothing,
            and then nothing happens that was not asked for.
        speed: divides the delays of states, pay-ins and rate ticks, never the lives of tokens and
            sheets; 0 stops all that moves by itself.
        database: a file that survives a restart, or `:memory:`.
        token_lifetime: seconds (api.md §8: 5 minutes).
        sheet_lifetime: seconds (api.md §8: 2.5 minutes).
        accounts: `trusted` accounts are registered at creation; `kyc` ones are checked first.
        strict: refuse to create anything without an idempotency key.
        ignore_idempotency: execute every request, whatever its key.
        documented_only: serve the fourteen operations of api.md §4 and no other.
        webhook: where events are sent, if they are wanted.
    """

    client_secret: str = field(repr=False)
    client_id: str = "demo"
    seed: int = 1
    scale: int = 200
    speed: float = 1.0
    database: str = ":memory:"
    token_lifetime: float = 300
    sheet_lifetime: float = 150
    accounts: Literal["trusted", "kyc"] = "trusted"
    strict: bool = False
    ignore_idempotency: bool = False
    documented_only: bool = False
    webhook: WebhookTarget | None = None
