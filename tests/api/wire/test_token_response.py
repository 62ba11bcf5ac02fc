"""The token in the response of POST /auth, and the services in its claims."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime

import pytest

from paytui.api.dialect import Dialect
from paytui.api.wire.codec import Wire, missing_services
from paytui.domain.models import Token


def jwt(claims: object) -> str:
    payload = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"e30.{payload}.c2ln"


def read_token(raw: dict[str, str], dialect: Dialect) -> Token:
    return Wire(dialect).token(json.dumps(raw).encode())


def services_in(token: str, dialect: Dialect) -> tuple[str, ...]:
    return read_token({"accessToken": token, "expiresAt": "2026-03-02T12:05:00Z"}, dialect).services


@pytest.mark.covers("auth")
def test_a_token_is_kept_as_it_came_with_its_end(dialect: Dialect) -> None:
    token = read_token({"accessToken": "a.b.c", "expiresAt": "2026-03-02T23:05:00+11:00"}, dialect)
    assert token.access_token == "a.b.c"
    assert token.expires_at == datetime(2026, 3, 2, 12, 5, tzinfo=UTC)
    assert "a.b.c" not in repr(token)


@pytest.mark.parametrize(
    ("claims", "services"),
    [
        ({"services": ["wallets", "trades"]}, ("wallets", "trades")),
        ({"scope": "wallets trades"}, ("wallets", "trades")),
        ({"services": ["ok", 5, None, "esc\x1b"]}, ("ok", "esc\ufffd")),
        ({"services": {"wallets": True}}, ()),
        ({"sub": "demo"}, ()),
        (["wallets"], ()),
    ],
)
@pytest.mark.covers("token-services")
def test_the_services_of_a_jwt_are_listed(
    dialect: Dialect, claims: object, services: tuple[str, ...]
) -> None:
    assert services_in(jwt(claims), dialect) == services


ALL = {"accounts", "wallets", "rates", "trades", "recipients", "payments"}


@pytest.mark.parametrize(
    ("listed", "missing"),
    [
        ((), set()),
        (("Wallets", "PAYMENTS"), ALL - {"wallets", "payments"}),
        (("openid", "offline_access"), set()),
        (tuple(ALL), set()),
    ],
)
def test_a_service_is_lacking_where_the_token_lists_others(
    dialect: Dialect, listed: tuple[str, ...], missing: set[str]
) -> None:
    """Claims that list none of these, such as OAuth scopes, say nothing of them."""
    assert missing_services(listed, dialect) == missing


@pytest.mark.parametrize("token", ["opaque", "a.b", "a.%%%.c", "a..c", "a.bm90IGpzb24.c", "..."])
def test_a_token_that_is_no_jwt_serves_as_well(dialect: Dialect, token: str) -> None:
    assert services_in(token, dialect) == ()
