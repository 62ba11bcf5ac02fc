"""A whole response of the service: its headers, its age and its decompressed body."""

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
"""Plausible years; arithmetic on them stays within the range of `datetime`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of the service, read whole.

    Attributes:
        headers: by name in lower case.
        sent: boot time in seconds just before the request was sent.
        redact: masks our secrets in its words before anyone reads them.
        age: seconds that the response spent in a cache.
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
    """Return True if the service marks the response as a repeat of an earlier one."""
    return answer.headers.get(dialect.idempotency.replayed.lower(), "").lower() == "true"


def retry_after(answer: Answer) -> float | None:
    """Return the seconds of a `Retry-After` (RFC 9110 §10.2.3), at most an hour.

    A date counts from the `Date` of the response.
    """
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), LONGEST_WAIT)
    until, now = http_date(value), http_date(answer.headers.get("date", ""))
    if until is None or now is None:
        return None
    return min(max((until - now).total_seconds(), 0.0), LONGEST_WAIT)


def is_stored(headers: Mapping[str, str]) -> bool:
    """Return True if the response came from a cache (RFC 9111 §5.1; §5.5 for older caches)."""
    return "age" in headers or _STALE.match(headers.get("warning", "").strip()) is not None


def stored_for(headers: Mapping[str, str], now: datetime | None) -> float:
    """Return the seconds that a response spent in a cache, by its Age and Date; 0 if in none.

    Args:
        headers: of the response, by name in lower case.
        now: the earliest service time of its arrival; None = unknown.
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
    """Parse the date of a header. Return None if it is invalid or implausible."""
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    is_plausible = date.tzinfo is not None and date.year in _YEARS
    return date if is_plausible else None


LONGEST_BODY = 16 * 1024 * 1024
"""Bytes of one response, decompressed."""

CorruptBody: TypeAlias = zlib.error
"""The body does not match its `Content-Encoding`."""

Decompress: TypeAlias = Callable[[bytes, int], bytes]
"""Decompresses a chunk to at most so many bytes (more than 0)."""


class UnreadableBody(Exception):
    """A body in an encoding that was not asked for, or too long.

    Attributes:
        what: the body, as a noun phrase.
        remedy: what a person can do about it.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def codings_of(told: str) -> tuple[str, ...]:
    """Return the codings in a `Content-Encoding` (RFC 9110 §8.4)."""
    names = (each.strip() for each in told.lower().split(","))
    return tuple(name for name in names if name not in _NONE)


async def decompressed(chunks: AsyncIterator[bytes], codings: tuple[str, ...]) -> bytes:
    """Decompress a body; an empty body needs no decompression.

    Raises:
        UnreadableBody: it is in another coding than was asked for, or too long.
        CorruptBody: it does not match its coding.
    """
    decompress = _decompressor(codings)
    body = bytearray()
    async for chunk in chunks:
        if chunk:
            body += decompress(chunk, LONGEST_BODY + 1 - len(body))
        if len(body) > LONGEST_BODY:
            raise UnreadableBody("an answer of more than 16 MB", _FEWER)
    return bytes(body)


def _decompressor(codings: tuple[str, ...]) -> Decompress:
    if not codings:
        return _as_it_came
    if len(codings) > 1 or codings[0] not in _WINDOWS:
        return _not_asked_for
    return _Decompressor(codings[0])


def _as_it_came(chunk: bytes, _: int) -> bytes:
    return chunk


def _not_asked_for(_: bytes, __: int) -> bytes:
    raise UnreadableBody("an answer packed otherwise than was asked for", _PACK)


class _Decompressor:
    """A decompressor with a bound: httpx decompresses a chunk to any size."""

    def __init__(self, coding: str) -> None:
        self._stream = zlib.decompressobj(_WINDOWS[coding])
        self._may_be_bare = coding == "deflate"

    def __call__(self, chunk: bytes, room: int) -> bytes:
        may_be_bare, self._may_be_bare = self._may_be_bare, False
        try:
            # Bytes after the end are dropped: zlib would keep them in memory.
            return b"" if self._stream.eof else self._stream.decompress(chunk, room)
        except CorruptBody:
            if not may_be_bare:
                raise
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS)  # many servers omit the zlib header
        return self(chunk, room)


_GZIP = zlib.MAX_WBITS | 16
_WINDOWS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
_NONE = ("", "identity")

_FEWER = "Ask for fewer records at once: [paging] records in the dialect."
_PACK = "Have the service pack answers once, by gzip or deflate, or not at all."
