"""Single values of a configuration: what is accepted, and what is said of the rest.

What is refused is told without the value itself: anything in a configuration may be a secret that
was pasted into the wrong place.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from urllib.parse import SplitResult, urlsplit

from paytui.config.theme_files import COLOUR_ROLES
from paytui.domain.rates import NotAnAlert, parse_alert
from paytui.domain.trading_day import NotADayStart, parse_day_start
from paytui.platform.host import is_loopback
from paytui.platform.text import did_you_mean

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_AMOUNT = re.compile(r"[0-9]{1,18}(\.[0-9]{1,6})?")
_HOOK_PATH = re.compile(r"/hooks/[A-Za-z0-9_-]{16,128}")
_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
LONGEST_INTERVAL = 86_400.0
SHORTEST_IDLE = 10.0


class InvalidValue(ValueError):
    """A value that cannot be used.

    Attributes:
        message: what is wrong with it, as a clause that follows its name, and without the value.
        remedy: what to do, as a sentence; empty where an example says it.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def switch(value: object) -> bool:
    """On or off; no word or number stands for either."""
    if not isinstance(value, bool):
        raise InvalidValue("must be true or false")
    return value


def on_off(value: object) -> bool:
    """A switch among settings that are words; so it can be written as one."""
    if isinstance(value, str) and value in ("on", "off"):
        return value == "on"
    if not isinstance(value, bool):
        raise InvalidValue('must be true or false, or "on" or "off"')
    return value


def whole(least: int, most: int, value: object) -> int:
    """A whole number within limits, both of which it can be."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise InvalidValue(f"must be a whole number from {least} to {most}")


def seconds(value: object) -> float:
    """A duration: a number of seconds, or text such as `30s`, `5m`, `1h`."""
    number = _seconds(value)
    if number is None or not 0 < number <= LONGEST_INTERVAL:
        raise InvalidValue(
            "must be a duration of more than 0 s and at most 24 h",
            'Write seconds, as 30, or a number with its unit, as "30s" or "5m".',
        )
    return float(number)


def _seconds(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value  # as it is: a float holds no whole number of 400 digits
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    return float(match[1]) * _SECONDS[match[2]] if match else None


def idle(value: object) -> float:
    """Check an idle time: at least ten seconds."""
    number = seconds(value)
    if number < SHORTEST_IDLE:
        raise InvalidValue("must be at least 10 s", 'Write it like this: after = "10m"')
    return number


def floor(value: object) -> float:
    """The shortest interval at which anything may be polled: at least one second."""
    number = seconds(value)
    if number < 1:
        raise InvalidValue("must be at least 1 s", 'Write it like this: floor = "1s"')
    return number


def base_url(value: str) -> str:
    """An address of the service, without a trailing slash."""
    remedy = 'Write it like this: base_url = "https://api.example.com"'
    try:
        parts = urlsplit(value)
        host = parts.hostname
        parts.port  # noqa: B018 - read for the ValueError of a port that is none
    except ValueError:
        raise InvalidValue("is not a URL", remedy) from None
    if _CONTROL.search(value) or " " in value or parts.scheme not in ("https", "http") or not host:
        raise InvalidValue("is not a URL with https:// and a host", remedy)
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidValue("must hold no user name, password, query or fragment", remedy)
    _refuse_plain_http(parts, host)
    return value.rstrip("/")


def _refuse_plain_http(parts: SplitResult, host: str) -> None:
    if parts.scheme == "http" and not is_loopback(host):
        raise InvalidValue(
            "is plain http to another machine, which would send the secret in clear",
            "Use https:// (http:// is for this machine alone: 127.0.0.1, ::1, localhost).",
        )


def proxy(value: str) -> str:
    """An address of a proxy; a password for it does not belong in a configuration."""
    remedy = 'Write it like this: proxy = "http://proxy.example:3128"'
    try:
        parts = urlsplit(value)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise InvalidValue("is not a URL", remedy) from None
    if _CONTROL.search(value) or " " in value or not is_whole:
        raise InvalidValue("is not a URL with a host", remedy)
    if parts.scheme not in ("http", "https"):
        raise InvalidValue("must begin with http:// or https://", remedy)
    if parts.username is not None:
        raise InvalidValue(
            "must hold no user name or password",
            "Where the proxy asks for them, run a local relay that knows them, and name that.",
        )
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidValue("must end with its host and port", remedy)
    return value.rstrip("/")


def fingerprint(value: str) -> str:
    """The SHA-256 of a certificate, as `openssl x509 -noout -fingerprint -sha256` prints it."""
    digits = value.replace(":", "").strip().lower()
    if not _FINGERPRINT.fullmatch(digits):
        raise InvalidValue(
            "must hold SHA-256 fingerprints of 64 hexadecimal digits",
            "`paytui doctor` prints that of the service's certificate.",
        )
    return digits


def keyring_entry(value: str) -> str:
    """An entry of the system's keyring."""
    if keyring_of(value) is None:
        raise InvalidValue(
            "must name a service and a user of the keyring, with a slash between them",
            'Write it like this: secret_keyring = "paytui/acme"',
        )
    return value


def keyring_of(written: str | None) -> tuple[str, str] | None:
    """The service and the user name of an entry; None where they are not both there."""
    service, _, user = one_line(written).partition("/") if written else ("", "", "")
    return (service, user) if service and user else None


def amount(value: object) -> Decimal:
    """An amount that is not negative: digits in quotes, or a whole number; never a binary float."""
    remedy = 'Write it in quotes, as "250000" or "2500.50".'
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Decimal(value)
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise InvalidValue("must be an amount in digits", remedy)
    return Decimal(value)


def currency(value: str) -> str:
    """A currency code of three letters, in capitals."""
    if not _CURRENCY.fullmatch(value):
        raise InvalidValue("must hold currency codes of three letters", 'As in "AUD".')
    return value.upper()


def floor_of(written: str) -> str:
    """Check the key of a floor: a currency code, made upper case, or a wallet id."""
    return written.upper() if _CURRENCY.fullmatch(written) else written


def rate_alert(value: str) -> str:
    """An alert: `AUD/USD bid above 0.66`."""
    try:
        return str(parse_alert(value))
    except NotAnAlert as error:
        raise InvalidValue(error.message, error.remedy) from None


def day_start(value: str) -> str:
    """When a day begins: `07:00 Australia/Sydney`."""
    try:
        return str(parse_day_start(value))
    except NotADayStart as error:
        raise InvalidValue(
            str(error), 'Write it as "07:00 Australia/Sydney" or "00:00 UTC".'
        ) from None


def pair(value: str) -> str:
    """A pair in the service's direction, `SELL/BUY`, in capitals."""
    sell, slash, buy = value.upper().partition("/")
    if not (slash and _CURRENCY.fullmatch(sell) and _CURRENCY.fullmatch(buy)) or sell == buy:
        raise InvalidValue(
            "must hold pairs of two different currencies",
            'Write what is sold, a slash, what is bought, as in "AUD/USD".',
        )
    return f"{sell}/{buy}"


def profile_name(value: str) -> str:
    """The name of a profile, which files are called by."""
    if not _PROFILE.fullmatch(value):
        remedy = "Use letters, digits, - and _, 40 at the most."
        raise InvalidValue("is not a name for a profile", remedy)
    return value


def columns(named: Sequence[str], known: Sequence[str]) -> list[str]:
    """Ids of columns of one list, each once."""
    listed = f"There are: {', '.join(known)}."
    if not named:
        raise InvalidValue("must name a column", listed)
    for place, name in enumerate(named, 1):
        if name not in known:
            remedy = did_you_mean(name, known) + listed
            raise InvalidValue(f"names no column of this list in place {place}", remedy)
    return list(dict.fromkeys(named))


def host(value: str) -> str:
    """An address of this machine to listen on; a name could mean another one tomorrow."""
    try:
        ipaddress.ip_address(value)
    except ValueError:
        raise InvalidValue(
            "must be an IP address of this machine", "Write 127.0.0.1, or ::1."
        ) from None
    return value


def hook_path(value: str) -> str:
    """A path that only the service is told; nobody guesses its last part."""
    if not _HOOK_PATH.fullmatch(value):
        raise InvalidValue(
            "must be /hooks/ and at least 16 letters, digits, - or _ that nobody guesses",
            "Make some up, as by `openssl rand -hex 16`.",
        )
    return value


def tint(value: str) -> str:
    """A colour as `#rrggbb`, or a meaning whose colour the theme has."""
    if not _COLOUR.fullmatch(value) and value not in COLOUR_ROLES:
        meanings = ", ".join(COLOUR_ROLES)
        remedy = f'Write it as "#802020", or name one of the theme\'s: {meanings}.'
        raise InvalidValue("is not a colour", remedy)
    return value.lower()


def one_line(value: str) -> str:
    """Text that is not empty and holds no control characters."""
    if not value.strip():
        raise InvalidValue("must not be empty", "Fill it in, or leave the key out.")
    if _CONTROL.search(value):
        raise InvalidValue("must be one line without control characters", "Write it on one line.")
    return value


# The columns that each list can show, by the ids that a configuration names them by.
#
# Screens declare what they show; a test holds their ids and these to each other.

COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "accounts": (
            *("account", "kind", "state", "created", "account-id"),
            *("e-mail", "company", "trading-name", "registration", "country"),
        ),
        "wallets": (
            *("wallet", "account", "ccy", "available", "reserved", "pending", "state"),
            *("description", "updated", "created", "wallet-id", "account-id"),
        ),
        "payins": (
            *("created", "amount", "ccy", "sender", "reference", "state", "into", "credited"),
            *("account", "pay-in-id", "wallet-id", "address-id"),
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
            *("end-to-end-id", "account", "updated", "failure", "payment-id", "account-id"),
            *("source-id", "destination-id", "recipient-id", "address-id"),
        ),
        "intents": (
            *("confirmed", "stands", "what", "amount", "became", "intent", "by"),
            *("since", "account", "from", "reference", "host", "account-id"),
        ),
    }
)
"""Those that a list shows of itself first, in its order; then the others."""
