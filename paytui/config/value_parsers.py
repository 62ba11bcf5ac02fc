"""Parsers of single configuration values; they raise `InvalidValue`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TypeVar

from paytui.domain.money import CurrencyCode, Pair
from paytui.platform.host import is_address, url_parts
from paytui.platform.text import InvalidValue, clean, did_you_mean

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_AMOUNT = re.compile(r"[0-9]{1,18}(\.[0-9]{1,6})?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
LONGEST_INTERVAL = 86_400

COLOUR_ROLES = ("money", "up", "down", "closing", "expired", "doubt", "live")
"""Roles that have a colour in every theme."""

H = TypeVar("H", bound=Hashable)


def switch(value: object) -> bool:
    """Check a boolean; words and numbers are refused."""
    if not isinstance(value, bool):
        raise InvalidValue("must be true or false")
    return value


def on_off(value: object) -> bool:
    """Check a boolean that may also be written as "on" or "off"."""
    if isinstance(value, str) and value in ("on", "off"):
        return value == "on"
    if not isinstance(value, bool):
        raise InvalidValue('must be true or false, or "on" or "off"')
    return value


def whole(least: int, most: int, value: object) -> int:
    """Check an integer within inclusive limits."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise InvalidValue(f"must be a whole number from {least} to {most}")


def duration(value: object) -> timedelta:
    """Parse a duration: a number of seconds, or text with a unit: `30s`, `5m`, `1h`."""
    number: float | None = None
    if isinstance(value, str) and (match := _DURATION.fullmatch(value)):
        number = float(match[1]) * _SECONDS[match[2]]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = value  # not converted: an integer of 400 digits overflows a float
    if number is None or not 0 < number <= LONGEST_INTERVAL:
        raise InvalidValue(
            "must be a duration of more than 0 s and at most 24 h",
            'Write seconds, as 30, or a number with its unit, as "30s" or "5m".',
        )
    return timedelta(seconds=number)


def at_least(seconds: int, example: str, value: object) -> timedelta:
    """Parse a duration that is not shorter than some seconds."""
    found = duration(value)
    if found < timedelta(seconds=seconds):
        raise InvalidValue(f"must be at least {seconds} s", f"Write it like this: {example}")
    return found


def proxy(value: str) -> str:
    """Check a URL of a proxy; passwords do not belong in a configuration."""
    remedy = 'Write it like this: proxy = "http://proxy.example:3128"'
    parts = url_parts(value)
    if parts is None:
        raise InvalidValue("is not a URL with a host", remedy)
    if parts.scheme not in ("http", "https"):
        raise InvalidValue("must begin with http:// or https://", remedy)
    if parts.username is not None:
        raise InvalidValue(
            "must hold no user name or password",
            "If the proxy needs them, run a local relay that has them, and name the relay.",
        )
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidValue("must end with its host and port", remedy)
    return value.rstrip("/")


def dsn(value: str) -> str:
    """Check a connection string of libpq as far as a configuration can: it holds no password."""
    if _CONTROL.search(value) or not value.strip():
        raise InvalidValue("is no connection string", 'As in "host=db.example dbname=desk".')
    if "password" in value.lower() or _URL_PASSWORD.match(value):
        raise InvalidValue(
            "must hold no password", "Put it into ~/.pgpass (chmod 600), which libpq reads."
        )
    return value.strip()


_URL_PASSWORD = re.compile(r"[a-z]+://[^/@]*:[^/@]*@")


def fingerprint(value: str) -> str:
    """Parse a certificate's SHA-256, as `openssl x509 -noout -fingerprint -sha256` prints it."""
    return matching(
        "[0-9a-f]{64}",
        "must hold SHA-256 fingerprints of 64 hexadecimal digits",
        "`paytui doctor` prints that of the service's certificate.",
        value.replace(":", "").strip().lower(),
    )


def keyring_entry(value: str) -> tuple[str, str]:
    """Parse an entry of the system's keyring, `service/user`."""
    service, _, user = one_line(value).partition("/") if value else ("", "", "")
    if not (service and user):
        raise InvalidValue(
            "must name a service and a user of the keyring, with a slash between them",
            'Write it like this: secret_keyring = "paytui/acme"',
        )
    return service, user


def amount(value: object) -> Decimal:
    """Parse a non-negative amount: digits in quotes or an integer; never a binary float."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Decimal(value)
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        remedy = 'Write it in quotes, as "250000" or "2500.50".'
        raise InvalidValue("must be an amount in digits", remedy)
    return Decimal(value)


def currency(value: str) -> CurrencyCode:
    """Return a currency code of three letters in capitals."""
    if not _CURRENCY.fullmatch(value):
        raise InvalidValue("must hold currency codes of three letters", 'As in "AUD".')
    return CurrencyCode(value.upper())


def floor_of(written: str) -> str:
    """Return the key of a floor: a currency code in capitals, or a wallet id."""
    return written.upper() if _CURRENCY.fullmatch(written) else written


def pair(value: str) -> Pair:
    """Parse a pair in the service's direction, `SELL/BUY`."""
    sell, slash, buy = value.upper().partition("/")
    if not (slash and _CURRENCY.fullmatch(sell) and _CURRENCY.fullmatch(buy)) or sell == buy:
        raise InvalidValue(
            "must hold pairs of two different currencies",
            'Write the sold currency, a slash and the bought one: "AUD/USD".',
        )
    return Pair(CurrencyCode(sell), CurrencyCode(buy))


def host(value: str) -> str:
    """Check an IP address to listen on; the target of a name could change."""
    if not is_address(value):
        raise InvalidValue("must be an IP address of this machine", "Write 127.0.0.1, or ::1.")
    return value


def matching(pattern: str, message: str, remedy: str, value: str) -> str:
    """Check text that matches a pattern as a whole."""
    if not re.fullmatch(pattern, value):
        raise InvalidValue(message, remedy)
    return value


profile_name = partial(
    matching,
    "[A-Za-z0-9][A-Za-z0-9_-]{0,39}",
    "is not a name for a profile",
    "Use at most 40 letters, digits, - and _.",
)
"""Checks the name of a profile, which is used in file names."""

hook_path = partial(
    matching,
    "/hooks/[A-Za-z0-9_-]{16,128}",
    "must be /hooks/ and at least 16 random letters, digits, - or _",
    "Generate some, for example with `openssl rand -hex 16`.",
)
"""Checks a webhook path, which is secret because its last part cannot be guessed."""


def tint(value: str) -> str:
    """Check a colour: `#rrggbb`, or a colour role of the theme."""
    if not _COLOUR.fullmatch(value) and value not in COLOUR_ROLES:
        meanings = ", ".join(COLOUR_ROLES)
        remedy = f'Write it as "#802020", or name one of the theme\'s: {meanings}.'
        raise InvalidValue("is not a colour", remedy)
    return value.lower()


def one_line(value: str) -> str:
    """Check text: not empty, and without control characters."""
    if not value.strip():
        raise InvalidValue("must not be empty", "Fill it in, or leave the key out.")
    if _CONTROL.search(value):
        raise InvalidValue("must be one line without control characters", "Write it on one line.")
    return value


def label(value: str) -> str:
    """Return one line of text that is safe to paint."""
    return clean(one_line(value))


def file(value: str) -> Path:
    """Return the path of a file; a relative one starts at the configuration's folder."""
    return Path(one_line(value))


def each_once(found: tuple[H, ...]) -> tuple[H, ...]:
    """Return values without duplicates."""
    return tuple(dict.fromkeys(found))


def columns(of_list: str, named: Sequence[str]) -> tuple[str, ...]:
    """Check ids of columns of one list and drop duplicates."""
    known = COLUMNS[of_list]
    listed = f"There are: {', '.join(known)}."
    if not named:
        raise InvalidValue("must name a column", listed)
    for place, name in enumerate(named, 1):
        if name not in known:
            remedy = did_you_mean(name, known) + listed
            raise InvalidValue(f"names no column of this list in place {place}", remedy)
    return tuple(dict.fromkeys(named))


def sort_order(written: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """Parse ids of columns, most significant first; True for a descending one: `-created`."""
    return tuple((name.removeprefix("-"), name[0] == "-") for name in written)


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "accounts": (
        *("account", "kind", "state", "created", "e-mail", "account-id"),
        *("company", "trading-name", "registration", "country"),
    ),
    "wallets": (
        *("wallet", "account", "ccy", "available", "reserved", "pending", "state"),
        *("updated", "description", "wallet-id", "created", "account-id"),
    ),
    "payins": (
        *("created", "amount", "ccy", "sender", "reference", "state", "into", "account"),
        *("credited", "pay-in-id", "wallet-id", "address-id"),
    ),
    "payin_addresses": (
        *("wallet", "bsb", "bic", "account-number", "type", "bank", "country"),
        *("account", "npp", "address-id", "wallet-id"),
    ),
    "trades": (
        *("created", "sold", "pair", "bought", "rate", "state", "account", "reference"),
        *("from", "to", "exchanged", "dealt", "trade-id", "account-id", "rate-sheet-id"),
        *("sell-wallet-id", "buy-wallet-id", "recipient-id", "address-id"),
    ),
    "recipients": (
        *("recipient", "type", "country", "state", "account", "e-mail"),
        *("currencies", "recipient-id", "account-id"),
    ),
    "payments": (
        *("created", "type", "amount", "ccy", "from", "to", "state", "reference"),
        *("account", "failure", "end-to-end-id", "updated", "payment-id", "account-id"),
        *("source-id", "destination-id", "recipient-id", "address-id"),
    ),
    "intents": (
        *("confirmed", "stands", "what", "amount", "became", "intent", "by"),
        *("since", "account", "from", "reference", "host", "account-id"),
    ),
}
"""The ids of the columns of each list: its default columns in their order, then the others.

Screens declare the columns; a test compares their ids with these.
"""
