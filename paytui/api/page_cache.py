"""A cache of a list's responses, matched by ETag or by digest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus

from paytui.api.http.response import Answer
from paytui.api.pages import CachedPage
from paytui.api.wire.paging_hints import PAGING_HEADERS

MOST_KEPT = 5_000
"""Responses in the cache of one list."""

_TAG = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,200}"')
"""Entity tags that are sent back unchanged (RFC 9110 §8.8.3); others are ignored."""

Asked = Mapping[str, str]
"""The paging parameters of a request."""

_Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Response:
    etag: str
    digest: bytes
    page: CachedPage


class ListCache:
    """The parsed responses of one list, for as long as the service repeats them.

    It lives in memory only and belongs to one service and one dialect.

    Attributes:
        since: the list holds changes since this time; None = the whole list.
        alone, repeats: see `pages.PageCache`.
        age: the longest time in seconds that a response of the newest read spent in an HTTP cache.
    """

    def __init__(self, since: datetime | None = None) -> None:
        self.since = since
        self.alone = 0
        self.repeats = False
        self.age = 0.0
        self._responses: dict[_Key, _Response] = {}
        self._met: set[_Key] = set()
        self._shifted: tuple[str, ...] = ()
        self._trusted = True
        self._digest = b""
        self._etag = ""

    def begin(self, *, trusted: bool) -> None:
        """Begin a read of the whole list; if the cache is not trusted, it is read anew."""
        self._met.clear()
        self.age = 0.0
        self._shifted = ()
        self._trusted = trusted
        self.alone = self.alone if trusted else 0
        self.repeats &= trusted

    def end(self) -> None:
        """End a read of the whole list and drop the responses that it did not use."""
        self._responses = {key: known for key, known in self._responses.items() if key in self._met}

    @property
    def met(self) -> int:
        """Return the number of responses in the newest read of the list."""
        return len(self._met)

    def note_age(self, answer: Answer) -> None:
        self.age = max(self.age, answer.age)

    def etag(self, asked: Asked) -> str:
        """Return the value of `If-None-Match`; "" = no header."""
        known = self._responses.get(_key(asked)) if self._trusted else None
        return known.etag if known else ""

    def same(self, asked: Asked, answer: Answer) -> CachedPage | None:
        """Return the page of the earlier response if this one is unchanged."""
        told = "\n".join(answer.headers.get(name, "") for name in PAGING_HEADERS)
        self._digest = hashlib.blake2b(answer.body, digest_size=16, key=_short(told)).digest()
        self._etag = answer.headers.get("etag", "")
        key = _key(asked)
        known = self._responses.get(key) if self._trusted else None
        unchanged = answer.status == HTTPStatus.NOT_MODIFIED
        if known is None or not (unchanged or known.digest == self._digest):
            return None
        self._met.add(key)
        return known.page

    def keep(self, asked: Asked, page: CachedPage) -> None:
        """Store the page of the newest response."""
        key = _key(asked)
        if key in self._responses or len(self._responses) < MOST_KEPT:
            etag = self._etag if _TAG.fullmatch(self._etag) else ""
            self._responses[key] = _Response(etag, self._digest, self._with_known_ids(key, page))
            self._met.add(key)

    def _with_known_ids(self, key: _Key, page: CachedPage) -> CachedPage:
        """Reuse the id strings of this page and, for shifted records, of the one before.

        A second string would take 85 bytes.
        """
        known = self._responses.get(key)
        before = () if known is None else known.page.ids
        held = {one: one for one in (*self._shifted, *before)}
        self._shifted = before
        if not held:
            return page
        return replace(page, ids=tuple(held.get(one, one) for one in page.ids))


def _short(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _key(asked: Asked) -> _Key:
    return tuple(asked.items())
