"""An answer of the service, read whole, and what its headers say."""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TypeAlias

from paytui.api.dialect import Dialect
from paytui.api.redaction import Redactor
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
        redact: what its words must pass before a person reads them.
        age: seconds that it lay in a cache before it was sent.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    redact: Redactor = field(default_factory=Redactor, repr=False)
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


# How the body of an answer is packed, and undoing that within bounds.

LONGEST_BODY = 16 * 1024 * 1024
"""Bytes of one answer, unpacked."""

CorruptBody: TypeAlias = zlib.error
"""A body is not packed as it says."""

Unpack: TypeAlias = Callable[[bytes, int], bytes]
"""What is in a chunk, of which no more than so many bytes are needed; that is more than 0."""


class UnreadableBody(Exception):
    """A body that is not for us to read.

    Attributes:
        what: it is, as a noun phrase.
        remedy: what a person can do about it.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def codings_of(told: str) -> tuple[str, ...]:
    """What was done to a body, by its `Content-Encoding` (RFC 9110 §8.4)."""
    names = (each.strip() for each in told.lower().split(","))
    return tuple(name for name in names if name not in _NONE)


async def unpacked(chunks: AsyncIterator[bytes], codings: tuple[str, ...]) -> bytes:
    """A body as it was before it was packed; of no body there is nothing to unpack.

    Raises:
        Unfit: it is packed otherwise than was asked for, or too long.
        Garbled: it is not packed as it says.
    """
    unpack = _unpacking(codings)
    body = bytearray()
    async for chunk in chunks:
        if chunk:
            body += unpack(chunk, LONGEST_BODY + 1 - len(body))
        if len(body) > LONGEST_BODY:
            raise UnreadableBody("an answer of more than 16 MB", _FEWER)
    return bytes(body)


def _unpacking(codings: tuple[str, ...]) -> Unpack:
    if not codings:
        return _as_it_came
    if len(codings) > 1 or codings[0] not in _WINDOWS:
        return _not_asked_for
    return _Unpacking(codings[0])


def _as_it_came(chunk: bytes, _: int) -> bytes:
    return chunk


def _not_asked_for(_: bytes, __: int) -> bytes:
    raise UnreadableBody("an answer packed otherwise than was asked for", _PACK)


class _Unpacking:
    """Undoes one coding within bounds: httpx makes of a chunk whatever is in it."""

    def __init__(self, coding: str) -> None:
        self._stream = zlib.decompressobj(_WINDOWS[coding])
        self._may_be_bare = coding == "deflate"

    def __call__(self, chunk: bytes, room: int) -> bytes:
        may_be_bare, self._may_be_bare = self._may_be_bare, False
        try:
            # What comes behind the end is left: zlib would keep it.
            return b"" if self._stream.eof else self._stream.decompress(chunk, room)
        except CorruptBody:
            if not may_be_bare:
                raise
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS)  # many leave out zlib's frame
        return self(chunk, room)


_GZIP = zlib.MAX_WBITS | 16
_WINDOWS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
_NONE = ("", "identity")

_FEWER = "Ask for fewer records at once: [paging] records in the dialect."
_PACK = "Have the service pack answers once, by gzip or deflate, or not at all."
