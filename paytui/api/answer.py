"""An answer of the service, read whole, and what its headers say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from paytui.api.dialect import Dialect
from paytui.api.veil import Veil
from paytui.platform.clock import DATE_RESOLUTION

LONGEST_WAIT = 3600.0
"""Seconds: a `Retry-After` beyond this is taken as this."""

OLDEST = 366 * 86_400.0
"""Seconds: an `Age` beyond this is taken as this."""

_STALE = re.compile(r"11[0-3]\b")
"""The beginning of a `Warning` from a cache that did not revalidate its response."""

_YEARS = range(2000, 9000)
"""Dates that can be reckoned with: none of them leads beyond what a `datetime` holds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the service, read whole.

    Attributes:
        headers: by name in lower case.
        sent: boot time in seconds just before the request was sent.
        veil: what its words must pass before a person reads them.
        age: seconds that it lay in a cache before it was sent.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    veil: Veil = field(default_factory=Veil, repr=False)
    age: float = 0.0

    @property
    def ok(self) -> bool:
        """Return True if the service did what it was asked (2xx)."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


def is_replay(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service marks this as an answer that it gave before."""
    return answer.headers.get(dialect.idempotency.replayed.lower(), "").lower() == "true"


def retry_after(answer: Answer) -> float | None:
    """Seconds of a `Retry-After` (RFC 9110 §10.2.3), at most an hour; a date counts from `Date`."""
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), LONGEST_WAIT)
    until, now = http_date(value), http_date(answer.headers.get("date", ""))
    if until is None or now is None:
        return None
    return min(max((until - now).total_seconds(), 0.0), LONGEST_WAIT)


def is_stored(headers: Mapping[str, str]) -> bool:
    """Return True if a cache says that it gave the answer (RFC 9111 §5.1; §5.5 for older ones)."""
    return "age" in headers or _STALE.match(headers.get("warning", "").strip()) is not None


def stored_for(headers: Mapping[str, str], now: datetime | None) -> float:
    """Return the seconds that an answer lay in a cache, by its Age and its Date; 0 if in none.

    Args:
        headers: of the answer, by name in lower case.
        now: the service's time when it came, at the earliest; None where that is not known.
    """
    if not is_stored(headers):
        return 0.0
    told = headers.get("age", "").strip()
    age = float(told[:12]) if told.isascii() and told.isdigit() else 0.0
    date = http_date(headers.get("date", ""))
    if date is not None and now is not None:
        age = max(age, (now - date).total_seconds() - DATE_RESOLUTION)
    return min(age, OLDEST)


def http_date(value: str) -> datetime | None:
    """The time in a header such as `Date`, or None where it is none that a service can mean."""
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    is_meant = date.tzinfo is not None and date.year in _YEARS
    return date if is_meant else None
