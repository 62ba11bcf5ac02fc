"""Access tokens: valid for five minutes or until the next one is issued (service.md §5)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime, timedelta

from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.messages import ApiError, JsonObject, dump, one

SERVICES = ["accounts", "wallets", "rates", "trades", "recipients", "payments"]


def issue(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /auth`."""
    fields = BodyReader(call.body)
    client_id = fields.text("clientId")
    secret = fields.text("clientSecret", longest=4096)
    fields.check()
    if not _is_known(bank, client_id, secret):
        raise ApiError(
            401, "invalid_credentials", "clientId and clientSecret do not belong together"
        )
    expires = call.now + timedelta(seconds=bank.options.token_lifetime)
    token = _token(bank, client_id, call.now, expires)
    row: dict[str, str | None] = {
        "accessToken": token,
        "clientId": client_id,
        "expiresAt": iso(expires),
    }
    insert(bank.db, "tokens", row)
    return one({"accessToken": token, "expiresAt": iso(expires)})


def authenticate(bank: Bank, header: str | None, now: datetime) -> str:
    """Return the clientId of an `Authorization` header.

    Raises:
        ApiError: 401 `token_missing`, `token_expired` or `token_superseded`.
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


def _is_known(bank: Bank, client_id: str, secret: str) -> bool:
    known = bank.options
    right_secret = hmac.compare_digest(secret.encode(), known.client_secret.encode())
    return hmac.compare_digest(client_id.encode(), known.client_id.encode()) and right_secret


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
