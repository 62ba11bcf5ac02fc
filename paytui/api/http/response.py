"""A whole response of the service: its headers, its age and its decompressed body."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import quote, quote_plus

from paytui.platform.clock import DATE_RESOLUTION
from paytui.platform.secret import MASK

PIECE = 8  # Length of a piece of a secret that is redacted; a shorter secret is one piece
LONGEST = 20_000  # Characters of a text that are shown; the rest is cut off
TOKENS = 2  # The current token and the one before: the service may still quote it
KEYS = 16  # The newest idempotency keys; the service quotes what it was sent recently


class Redactor:
    """A mask over the client secret, the newest tokens and the newest idempotency keys.

    A service, or a proxy in front of it, may quote in a response what it was sent. All of its words
    pass a redactor before they reach a screen or a log. It covers secrets whole or in pieces, in
    every usual encoding.
    """

    def __init__(self) -> None:
        self._secrets: deque[tuple[str, frozenset[str]]] = deque(maxlen=1)
        self._tokens: deque[tuple[str, frozenset[str]]] = deque(maxlen=TOKENS)
        self._keys: deque[tuple[str, frozenset[str]]] = deque(maxlen=KEYS)
        self._pieces: frozenset[str] | None = None

    def hide_secret(self, secret: str) -> None:
        """Hide the client secret instead of the one before."""
        self._keep(self._secrets, secret)

    def hide_token(self, token: str) -> None:
        self._keep(self._tokens, token)

    def hide_key(self, key: str) -> None:
        """Hide an idempotency key: only the outbox and the audit show it."""
        self._keep(self._keys, key)

    def __call__(self, text: str) -> str:
        """Return a text with secrets masked, cut to `LONGEST` characters."""
        text = text[:LONGEST]
        if self._pieces is None:
            known = (*self._secrets, *self._tokens, *self._keys)
            self._pieces = frozenset(piece for _, found in known for piece in found)
        hidden = _positions(text, self._pieces)
        if not hidden:
            return text
        shown = (
            MASK if at in hidden and at - 1 not in hidden else "" if at in hidden else character
            for at, character in enumerate(text)
        )
        return "".join(shown)

    def _keep(self, known: deque[tuple[str, frozenset[str]]], word: str) -> None:
        if word not in (kept for kept, _ in known):
            known.append((word, _pieces(word)))
            self._pieces = None


def _positions(text: str, pieces: frozenset[str]) -> set[int]:
    found: set[int] = set()
    for length in {len(piece) for piece in pieces}:
        for at in range(len(text) - length + 1):
            if text[at : at + length] in pieces:
                found.update(range(at, at + length))
    return found


def _pieces(word: str) -> frozenset[str]:
    return frozenset(
        spelling[at : at + PIECE]
        for spelling in _spellings(word)
        for at in range(max(1, len(spelling) - PIECE + 1))
    )


_IN_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
"""The table of `html.escape`, whose module has another table that takes 1 MB."""


def _spellings(word: str) -> set[str]:
    """Return a word as it stands in JSON, JSON within JSON, a URL, HTML and base64."""
    in_json = {json.dumps(word, ensure_ascii=escaped)[1:-1] for escaped in (True, False)}
    twice = {json.dumps(escaped)[1:-1] for escaped in in_json}
    in_url = {quote(word, safe=""), quote_plus(word)}
    lower = {re.sub("%..", lambda code: code[0].lower(), escaped) for escaped in in_url}
    spellings = {word, word.translate(_IN_HTML), *in_json, *twice, *in_url, *lower, *_base64(word)}
    return spellings - {""}


def _base64(word: str) -> set[str]:
    """Return the characters that encode the word alone, at each of the three alignments."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(bytes(before) + word.encode(errors="replace")).decode()
        own = coded[-(-before * 8 // 6) : (before + len(word.encode(errors="replace"))) * 8 // 6]
        found |= {own, own.replace("+", "-").replace("/", "_")}
    return found


LONGEST_WAIT = 3600.0  # Seconds: a `Retry-After` beyond this is taken as this
OLDEST = 366 * 86_400.0  # Seconds: an `Age` beyond this is taken as this

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


def retry_after(answer: Answer) -> float | None:
    """Return the seconds of a `Retry-After` (RFC 9110 §10.2.3), at most an hour."""
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

    `now` is the earliest service time of its arrival; None = unknown.
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


LONGEST_BODY = 16 * 1024 * 1024  # Bytes of one response, decompressed
CorruptBody: TypeAlias = zlib.error  # The body does not match its `Content-Encoding`


class UnreadableBody(Exception):
    """A body in an encoding that was not asked for, or too long: a noun phrase and a remedy."""

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

    Raises UnreadableBody, or CorruptBody if it does not match its coding.
    """
    is_unknown = bool(codings) and (len(codings) > 1 or codings[0] not in _WINDOWS)
    decompress = _Decompressor(codings[0]) if codings and not is_unknown else None
    body = bytearray()
    async for chunk in chunks:
        if is_unknown and chunk:
            raise UnreadableBody("a response compressed otherwise than requested", _PACK)
        room = LONGEST_BODY + 1 - len(body)
        body += decompress(chunk, room) if decompress and chunk else chunk
        if len(body) > LONGEST_BODY:
            raise UnreadableBody("a response of more than 16 MB", _FEWER)
    return bytes(body)


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

_FEWER = "Request fewer records at once: [paging] records in the dialect."
_PACK = "Have the service compress responses once, by gzip or deflate, or not at all."
