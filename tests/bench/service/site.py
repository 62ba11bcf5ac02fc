"""The responses of the service: any login succeeds, nothing ever changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlsplit
from zlib import crc32

from tests.bench.service.book import Book
from tests.bench.service.lists import iso, small_lists

PAYMENTS = "/v2/payments"
PAGE_SIZE = 500
TOKEN_LIFETIME, SHEET_LIFETIME = timedelta(minutes=5), timedelta(seconds=150)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: `target` is path and query, names of headers are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """The service.

    Args:
        book: its payments.
        etags: whether answers have one, and If-None-Match is understood.
        updated_since: whether that parameter is understood.
        now: the clock.
    """

    def __init__(
        self, book: Book, now: Callable[[], datetime], *, etags: bool, updated_since: bool
    ) -> None:
        self._book = book
        self._now = now
        self._etags = etags
        self._updated_since = updated_since
        self._lists = small_lists(now())

    def answer(self, asked: Asked) -> Answer:
        """Answer one request."""
        if asked.method == "POST":
            return self._made(asked)
        if not self._etags:
            return self._listed(asked)
        # It stays as it is, so that its address alone tells one state from another.
        tag = f'"{crc32(asked.target.encode()):08x}"'
        if asked.headers.get("if-none-match") == tag:
            return Answer(304, headers={"etag": tag})
        found = self._listed(asked)
        return Answer(found.status, found.body, {"etag": tag})

    def _listed(self, asked: Asked) -> Answer:
        url = urlsplit(asked.target)
        query = dict(parse_qsl(url.query))
        number, size = int(query.get("page", 1)), int(query.get("pageSize", PAGE_SIZE))
        part = slice((number - 1) * size, number * size)
        if url.path == PAYMENTS:
            places = self._book.matching(query, updated_since=self._updated_since)
            return _page(self._book.page(places[part]), len(places))
        if (records := self._lists.get(url.path)) is not None:
            return _page(json.dumps(records[part]).encode(), len(records))
        error = {"error": {"code": "not_found", "message": f"there is no {url.path}"}}
        return Answer(404, json.dumps(error).encode())

    def _made(self, asked: Asked) -> Answer:
        if asked.target == "/v2/auth":
            return self._one(TOKEN_LIFETIME, accessToken="a.b.c")
        pairs = json.loads(asked.body)["currencyPairs"]
        rates = [{**pair, "rate": f"1.{number:06d}"} for number, pair in enumerate(pairs)]
        return self._one(SHEET_LIFETIME, rateSheetId="sheet-1", rates=rates)

    def _one(self, lifetime: timedelta, **item: object) -> Answer:
        until = iso(self._now() + lifetime)
        return Answer(201, json.dumps({"item": {**item, "expiresAt": until}}).encode())


def _page(records: bytes, total: int) -> Answer:
    return Answer(200, b'{"items":%b,"total":%d}' % (records, total))
