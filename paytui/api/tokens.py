"""The access token in an answer of POST /auth (api.md §2), and what its claims list."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from paytui.api.dialect import Dialect
from paytui.api.reading import BadRecord, find
from paytui.api.scalars import read_time
from paytui.domain.exact_json import Json, NotJson, parse
from paytui.domain.models import Token
from paytui.platform.text import clean

LONGEST_TOKEN = 16_384
_VISIBLE = re.compile(r"[\x21-\x7e]+")


def read_token(raw: dict[str, Json], dialect: Dialect) -> Token:
    """A token; unlike all other strings it is taken as it is, or not at all.

    Raises:
        BadRecord: it cannot go into a header, or has no end.
    """
    paths = dialect.fields["token"]
    text = find(raw, paths["access_token"])
    expires_at = read_time(find(raw, paths["expires_at"]))
    if not isinstance(text, str) or not is_usable(text):
        raise BadRecord("no usable access token")
    if expires_at is None:
        raise BadRecord("an access token without a usable end")
    return Token(text, expires_at, _services(text, dialect))


def is_usable(token: str) -> bool:
    """Return True if a token can go into a header."""
    return bool(_VISIBLE.fullmatch(token)) and len(token) <= LONGEST_TOKEN


def missing_services(services: Sequence[str], dialect: Dialect) -> frozenset[str]:
    """Return the services, by canonical name, that a token's claims leave out.

    Empty if the claims list no service that the dialect knows: they may mean something else.
    """
    listed = {service.casefold() for service in services}
    there = {
        name: any(word.casefold() in listed for word in words)
        for name, words in dialect.values["service"].items()
    }
    missing = frozenset(name for name, is_there in there.items() if not is_there)
    return missing if any(there.values()) else frozenset()


def _services(token: str, dialect: Dialect) -> tuple[str, ...]:
    """The services in a JWT's claims (RFC 7519 §3): shown, not verified, never relied on."""
    try:
        payload = token.split(".")[1]
        claims = parse(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (IndexError, ValueError, NotJson):
        return ()
    if not isinstance(claims, dict):
        return ()
    services = find(claims, dialect.fields["token_claims"]["services"])
    words = services.split() if isinstance(services, str) else services
    if not isinstance(words, list):
        return ()
    return tuple(clean(word) for word in words if isinstance(word, str))
