"""A whole response: its headers, age and decompressed body, and what a failed one says.

Failures become exceptions with words for a person (service.md §7). Their bodies are read in the
sandbox's shape, as RFC 9457 problem details, `{"message"}`, `{"errors": [...]}`, plain text, HTML
(its title alone) and nothing at all.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from itertools import chain
from typing import Literal, TypeAlias
from urllib.parse import quote, quote_plus

from paytui.api import errors
from paytui.api.dialect import Dialect, JsonPath
from paytui.api.wire.json import find, read_text
from paytui.domain.exact_json import CannotReadError, Json, NotJson, parse
from paytui.domain.models import FieldProblem, Problem
from paytui.platform.clock import DATE_RESOLUTION
from paytui.platform.secret import MASK
from paytui.platform.text import clean

PIECE = 8  # Length of a piece of a secret that is redacted; a shorter secret is one piece
LONGEST = 20_000  # Characters of a text that are shown; the rest is cut off


class Redactor:
    """A mask over the client secret, the newest tokens and the newest idempotency keys.

    A service, or a proxy in front of it, may quote in a response what it was sent. All of its words
    pass a redactor before they reach a screen or a log. It covers secrets whole or in pieces, in
    every usual encoding.
    """

    def __init__(self) -> None:
        self._known: dict[str, deque[tuple[str, frozenset[str]]]] = {
            "secret": deque(maxlen=1),
            "token": deque(maxlen=2),  # the service may still quote the one before
            "key": deque(maxlen=16),  # the service quotes what it was sent recently
        }
        self._pieces: frozenset[str] | None = None

    def hide(self, kind: Literal["secret", "token", "key"], word: str) -> None:
        """Hide a word of a kind, and the newest before; only outbox and audit show keys."""
        known = self._known[kind]
        if word not in (kept for kept, _ in known):
            known.append((word, _pieces(word)))
            self._pieces = None

    def __call__(self, text: str) -> str:
        """Return a text with secrets masked, cut to `LONGEST` characters."""
        text = text[:LONGEST]
        if self._pieces is None:
            words = chain.from_iterable(self._known.values())
            self._pieces = frozenset(piece for _, found in words for piece in found)
        hidden = _positions(text, self._pieces)
        if not hidden:
            return text
        shown = (
            MASK if at in hidden and at - 1 not in hidden else "" if at in hidden else character
            for at, character in enumerate(text)
        )
        return "".join(shown)


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


# Failed responses

SAID_LIMIT = 300  # Characters of the service's own words that are shown

FIELDS_LIMIT = 20
_TITLE = re.compile(r"<title[^>]*>(.{0,1000}?)</title>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Said:
    text: str = ""
    code: str | None = None
    trace_id: str | None = None
    fields: tuple[FieldProblem, ...] = ()


def in_error_shape(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service itself speaks, rather than a gateway or a wrong path."""
    return _is_own(_said(answer, dialect))


def needed_a_token(answer: Answer, dialect: Dialect) -> bool:
    """Return True if only a request with a valid token gets such a response.

    A gateway answers 404, 429 or 502 to any request.
    """
    refused = HTTPStatus.BAD_REQUEST <= answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return answer.ok or (refused and in_error_shape(answer, dialect))


def is_missing_path(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the path is missing (404, 405), so that another spelling may be right."""
    missing = answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
    return missing and not in_error_shape(answer, dialect)


def token_is_refused(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service itself says that it refuses the token: nothing was executed."""
    code = _said(answer, dialect).code
    return answer.status == HTTPStatus.UNAUTHORIZED and code in dialect.errors.token_codes


def token_is_gone(answer: Answer, dialect: Dialect) -> bool:
    """Return True if a 401 says that the token is unknown or expired, not superseded."""
    return _said(answer, dialect).code in dialect.errors.token_gone


def failure(
    answer: Answer, attempted: str, dialect: Dialect, remedy: str | None = None
) -> errors.ApiError:
    """Return the error for a response other than 2xx, with its usual remedy or another."""
    said = _said(answer, dialect)
    kind, usual = _KINDS.get(answer.status) or _by_class(answer.status)
    problem = Problem(
        attempted=attempted,
        what=f"HTTP {answer.status}",
        said=said.text,
        remedy=remedy or usual,
        trace_id=said.trace_id,
        fields=said.fields,
        code=_words(said.code, answer) if said.code and said.code != said.text else "",
    )
    return kind(
        problem,
        status=answer.status,
        stated=_rules_out(answer, said, dialect),
        replayed=is_replay(answer, dialect),
        retry_after=retry_after(answer),
    )


def not_offered(
    answer: Answer,
    attempted: str,
    dialect: Dialect,
    what: str = "the service does not offer this",
    remedy: str = "If it does, put its path into the dialect's [paths].",
) -> errors.NotOffered:
    """Return the error for an operation that none of its paths has."""
    said = _said(answer, dialect).text
    problem = Problem(attempted, f"{answer.status}: {what}", said=said, remedy=remedy)
    return errors.NotOffered(problem, status=answer.status)


def not_found(answer: Answer, attempted: str, operation: str, dialect: Dialect) -> errors.ApiError:
    """Return the error for a plain 404 of one object, by a read that has never worked."""
    remedy = (
        "The service seems to have no such read. If it has, put its path into the dialect: "
        f"[paths] {operation}; then check the identifier."
    )
    error = failure(answer, attempted, dialect, remedy)
    if answer.status != HTTPStatus.NOT_FOUND:
        return error
    return errors.NoSuchRead(error.problem, status=error.status)


def not_in_part(attempted: str, cut: str) -> errors.NotSeen:
    """Return the error for an object that may be in the unread part of its list."""
    problem = Problem(
        attempted,
        "it is not in the part of the list that was read",
        said=cut,
        remedy="paytui dialect check names the lines of a dialect that read on.",
    )
    return errors.NotSeen(problem)


@contextmanager
def decoding(answer: Answer, attempted: str, dialect: Dialect) -> Iterator[None]:
    """Turn a `CannotReadError` while a 2xx is decoded into `Unreadable`."""
    try:
        yield
    except CannotReadError as error:
        reason = "HTML instead of JSON" if answer.body.lstrip()[:1] == b"<" else str(error)
        problem = Problem(
            attempted=attempted,
            what=f"HTTP {answer.status} with an unreadable response: {reason}",
            said="" if answer.body[:1] in (b"{", b"[") else _text(answer),
            remedy="Check the base URL and the dialect.",
        )
        replayed = is_replay(answer, dialect)
        raise errors.Unreadable(problem, status=answer.status, replayed=replayed) from None


_ASK_AGAIN = "Try again later."  # A promise to retry would be the caller's to make

_KINDS: Mapping[int, tuple[type[errors.ApiError], str]] = {
    401: (errors.TokenLost, "paytui requests a new token."),
    403: (errors.Refused, "Ask the operator whether this client id may do this."),
    404: (errors.NotFound, "Check the identifier."),
    408: (errors.ServiceFailed, _ASK_AGAIN),
    409: (errors.Refused, "Check the object's status, then decide."),
    429: (errors.RateLimited, "paytui retries later, at a slower pace."),
    499: (errors.ServiceFailed, _ASK_AGAIN),
}


def _by_class(status: int) -> tuple[type[errors.ApiError], str]:
    if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return errors.Refused, "Correct the request."
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return errors.ServiceFailed, _ASK_AGAIN
    return errors.Unreadable, "Redirects are not followed: check the base URL."


def _is_own(said: _Said) -> bool:
    """Return True for an error with a code or field names: gateways send neither."""
    return said.code is not None or bool(said.fields)


def _rules_out(answer: Answer, said: _Said, dialect: Dialect) -> bool:
    """Return True if the answer to a POST proves that the service did not execute it."""
    if answer.status == HTTPStatus.UNAUTHORIZED:
        return token_is_refused(answer, dialect)
    # A 409 with Retry-After means that the key's first request is in progress (service.md).
    is_at_work = answer.status == HTTPStatus.CONFLICT and "retry-after" in answer.headers
    return _is_own(said) and not is_at_work and not _speaks_of_key(answer, said, dialect)


def _speaks_of_key(answer: Answer, said: _Said, dialect: Dialect) -> bool:
    """Return True if an error is about the idempotency key, which the service has seen before.

    Each intent has its own key. If the key is in use, our own request has arrived.
    """
    texts = [said.code or ""]
    if answer.status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY):
        texts += [said.text, *(text for one in said.fields for text in (one.field, one.message))]
    words = (*dialect.errors.key_words, dialect.idempotency.header)
    told = "\n".join(texts).casefold()
    return any(word.casefold() in told for word in words)


def _said(answer: Answer, dialect: Dialect) -> _Said:
    sent = (answer.headers.get(name) for name in dialect.errors.trace_headers)
    trace = next((_words(text, answer) for text in sent if text is not None), None)
    try:
        body = parse(answer.body)
    except NotJson:
        return _Said(text=_text(answer), trace_id=trace)
    if not isinstance(body, dict):
        return _Said(text=_words(_first_text(body), answer), trace_id=trace)
    return _said_in(body, trace, answer, dialect)


def _said_in(body: dict[str, Json], trace: str | None, answer: Answer, dialect: Dialect) -> _Said:
    shape = dialect.errors
    code = _found(body, shape.code)
    details = find(body, shape.details)
    title, message = (_found(body, paths) for paths in (shape.title, shape.message))
    is_titled = title and message and title not in message  # a title that differs (RFC 9457)
    told = f"{title}: {message}" if is_titled else message or title
    # Gateways send codes, or ends of a type, that only repeat the status.
    is_none = code in ("", "about:blank") or code.rpartition("/")[2] == str(answer.status)
    return _Said(
        text=_words(told or _first_text(details), answer),
        code=None if is_none else code,
        trace_id=_words(_found(body, shape.trace_id), answer) or trace,
        fields=tuple(_fields(details, answer, dialect)),
    )


def _found(body: dict[str, Json], paths: Sequence[JsonPath]) -> str:
    """Return the first text that is not empty."""
    texts = (read_text(find(body, [path])) or "" for path in paths)
    return next((text for text in texts if text.strip()), "")


def _fields(details: Json, answer: Answer, dialect: Dialect) -> list[FieldProblem]:
    paths = dialect.fields["field_problem"]
    problems = []
    for entry in _entries(details)[:FIELDS_LIMIT]:
        if isinstance(entry, dict):
            name, message = find(entry, paths["field"]), find(entry, paths["message"])
            if isinstance(name, str) and isinstance(message, str):
                problems.append(FieldProblem(_words(name, answer), _words(message, answer)))
    return problems


def _entries(details: Json) -> list[Json]:
    """Return the problems as a list; `{"email": ["is missing"]}` becomes one as well."""
    if isinstance(details, dict):
        return [{"field": name, "message": _first_text(said)} for name, said in details.items()]
    return details if isinstance(details, list) else []


def _first_text(value: Json) -> str:
    """Return the first text in a list of strings, or of objects with a message."""
    if isinstance(value, list) and value:
        return _first_text(value[0])
    if isinstance(value, dict):
        texts = (text for name, text in value.items() if name != "field" and isinstance(text, str))
        return next(texts, "")
    return value if isinstance(value, str) else ""


def _words(text: str, answer: Answer) -> str:
    """Return the service's words, safe to show; a `Problem` gets them only from here."""
    return clean(answer.redact(text), SAID_LIMIT)


def _text(answer: Answer) -> str:
    text = answer.body[:20_000].decode(errors="replace").strip()
    if not text.startswith("<"):
        return _words(text, answer)
    from html import unescape  # its table of names is needed for error pages alone

    title = _TITLE.search(text)
    return _words(unescape(title[1]).strip(), answer) if title else ""


def is_replay(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service marks the response as a repeat of an earlier one."""
    return answer.headers.get(dialect.idempotency.replayed.lower(), "").lower() == "true"
