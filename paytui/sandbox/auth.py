"""Access tokens, and idempotency keys with their stored answers (service.md §5, §10).

A token is valid for five minutes or until the next one is issued. The answer to a key is stored in
the transaction of its effect.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from paytui.sandbox import forms
from paytui.sandbox.context import Bank, Call, insert, iso
from paytui.sandbox.http_messages import Answer, ApiError, JsonObject, dump, invalid, one

AUTH = "auth"  # The name of the operation that issues tokens

SERVICES = ["accounts", "wallets", "rates", "trades", "recipients", "payments"]


def issue(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /auth`."""
    given, known = forms.SignIn.of(call.body), bank.options
    client_id = given.client_id
    is_secret = hmac.compare_digest(given.client_secret.encode(), known.client_secret.encode())
    if not (hmac.compare_digest(client_id.encode(), known.client_id.encode()) and is_secret):
        message = "clientId and clientSecret do not belong together"
        raise ApiError(401, "invalid_credentials", message)
    expires = call.now + timedelta(seconds=bank.options.token_lifetime)
    token = _token(bank, client_id, call.now, expires)
    issued = {"accessToken": token, "expiresAt": iso(expires)}
    insert(bank.db, "tokens", {**issued, "clientId": client_id})
    return one({**issued})


def authenticate(bank: Bank, header: str | None, now: datetime) -> str:
    """Return the clientId of an `Authorization` header.

    Raise 401 `token_missing`, `token_expired` or `token_superseded`.
    """
    scheme, _, token = (header or "").partition(" ")
    query = "SELECT seq, clientId, expiresAt FROM tokens WHERE accessToken = ?"
    row = bank.db.execute(query, (token.strip(),)).fetchone()
    if scheme.lower() != "bearer" or row is None:
        message = "send `Authorization: Bearer <token>` with a token from POST /auth"
        raise _unauthorised("token_missing", message)
    if row["expiresAt"] <= iso(now):
        raise _unauthorised("token_expired", f"the token expired at {row['expiresAt']}")
    query = "SELECT 1 FROM tokens WHERE clientId = ? AND seq > ?"
    if bank.db.execute(query, (row["clientId"], row["seq"])).fetchone():
        raise _unauthorised("token_superseded", "a newer token was issued to this clientId")
    client_id: str = row["clientId"]
    return client_id


def _unauthorised(code: str, message: str) -> ApiError:
    return ApiError(401, code, message, headers={"www-authenticate": "Bearer"})


def _token(bank: Bank, client_id: str, now: datetime, expires: datetime) -> str:
    """Return a JWT (RFC 7519) signed with HS256."""
    claims: JsonObject = {
        "sub": client_id,
        "iat": int(now.timestamp()),
        "exp": int(expires.timestamp()),
        "jti": bank.new_id("token"),
        "services": [*SERVICES],
    }
    head = _base64(dump({"alg": "HS256", "typ": "JWT"}).encode())
    signed = f"{head}.{_base64(dump(claims).encode())}"
    # A derived key: a token must not allow guessing the client secret.
    key = hashlib.blake2b(bank.options.client_secret.encode(), person=b"paytui token").digest()
    signature = hmac.new(key, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{_base64(signature)}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


HEADER = "idempotency"
RETENTION = timedelta(hours=24)
REPLAYED = {"idempotency-replayed": "true"}
_KEY = re.compile(r"[!-~]{1,255}")


class KeyUse(NamedTuple):
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
    """Return the earlier answer to this key, or None; raise 422 if it came with another body."""
    row = bank.db.execute(
        "SELECT fingerprint, status, body FROM idempotency"
        " WHERE clientId = ? AND operation = ? AND key = ? AND createdAt > ?",
        (*intention[:3], iso(now - RETENTION)),
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
        (*intention, answer.status, dump(answer.body), iso(now)),
    )


@contextmanager
def hold(held: set[tuple[str, str]], operation: str, key: str | None) -> Iterator[None]:
    """Hold a key during a request; raise 409 if another request holds it."""
    if key is None:
        yield
        return
    if (operation, key) in held:
        message = "the first request with this idempotency key is still running"
        raise ApiError(409, "idempotency_key_in_flight", message, headers={"retry-after": "1"})
    held.add((operation, key))
    try:
        yield
    finally:
        held.discard((operation, key))
