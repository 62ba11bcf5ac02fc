"""Idempotency keys: the answer is stored in the transaction of its effect (service.md §10)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank
from paytui.sandbox.messages import Answer, ApiError, dump, invalid

HEADER = "idempotency"
RETENTION = timedelta(hours=24)
REPLAYED = {"idempotency-replayed": "true"}
_KEY = re.compile(r"[!-~]{1,255}")


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key with its client, operation and request."""

    client_id: str
    operation: str
    key: str
    fingerprint: str


def fingerprint(params: dict[str, str], body: bytes) -> str:
    """Return a hash that tells different requests with the same key apart."""
    named = dump({**params}).encode()
    return hashlib.sha256(named + b"\n" + body).hexdigest()


def read_key(header: str | None, *, needed: bool) -> str | None:
    """Return the key of a request, or None; raise 400 if it is invalid, or missing but required."""
    if header is None and needed:
        raise invalid(HEADER, "this header is required, a key of its own for each intention")
    if header is not None and not _KEY.fullmatch(header):
        raise invalid(HEADER, "must be 1 to 255 visible ASCII characters")
    return header


def earlier_answer(bank: Bank, intention: KeyUse, now: datetime) -> Answer | None:
    """Return the earlier answer to this key, or None.

    Raises:
        ApiError: 422 if the key came with another body.
    """
    row = bank.db.execute(
        "SELECT fingerprint, status, body FROM idempotency"
        " WHERE clientId = ? AND operation = ? AND key = ? AND createdAt > ?",
        (intention.client_id, intention.operation, intention.key, iso(now - RETENTION)),
    ).fetchone()
    if row is None:
        return None
    if row["fingerprint"] != intention.fingerprint:
        message = "this idempotency key was used before, with another request"
        raise ApiError(422, "idempotency_key_reused", message)
    return Answer(row["status"], json.loads(row["body"]), REPLAYED)


def keep(bank: Bank, intention: KeyUse, answer: Answer, now: datetime) -> None:
    """Store an answer, so that a repeat is answered and not executed."""
    bank.db.execute(
        "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            intention.client_id,
            intention.operation,
            intention.key,
            intention.fingerprint,
            answer.status,
            dump(answer.body),
            iso(now),
        ),
    )


class KeysInFlight:
    """The keys whose first request is still being processed."""

    def __init__(self) -> None:
        self._keys: set[tuple[str, str]] = set()

    @contextmanager
    def hold(self, operation: str, key: str | None) -> Iterator[None]:
        """Hold a key during a request; raise 409 if another request holds it."""
        if key is None:
            yield
            return
        flight = (operation, key)
        if flight in self._keys:
            message = "the first request with this idempotency key is still running"
            raise ApiError(409, "idempotency_key_in_flight", message, headers={"retry-after": "1"})
        self._keys.add(flight)
        try:
            yield
        finally:
            self._keys.discard(flight)
