"""The benchmark service responds as the real one, whatever its size."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.bench.service.book import OPEN, Book
from tests.bench.service.site import Answer, Asked, Site

NOW = datetime(2026, 3, 2, 12, 0, 0, tzinfo=UTC)
COUNT = 1_234


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("book") / "payments", COUNT, NOW)


@pytest.fixture
def site(book: Book) -> Site:
    return Site(book, lambda: NOW, etags=True, updated_since=True)


def get(site: Site, target: str, **headers: str) -> Answer:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return site.answer(Asked("GET", target, sent, b""))


def listed(site: Site, query: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = json.loads(get(site, f"/v2/payments?{query}").body)["items"]
    return items


def test_its_pages_hold_each_payment_once_the_newest_first(site: Site) -> None:
    pages = [listed(site, f"page={number}&pageSize=500") for number in (1, 2, 3, 4)]
    assert [len(page) for page in pages] == [500, 500, 234, 0]
    records = [record for page in pages for record in page]
    assert len({record["paymentTransactionId"] for record in records}) == COUNT
    created = [record["createdAt"] for record in records]
    assert created == sorted(created, reverse=True)


def test_a_page_tells_how_many_there_are(site: Site) -> None:
    answer = json.loads(get(site, "/v2/payments?page=1&pageSize=10").body)
    assert answer["total"] == COUNT


def test_what_was_updated_since_a_moment_is_found(site: Site) -> None:
    since = NOW - timedelta(minutes=10)
    found = listed(site, f"updatedSince={since:%Y-%m-%dT%H:%M:%SZ}")
    assert len(found) == 10  # one a minute, each updated half a minute later
    assert all(record["updatedAt"] >= f"{since:%Y-%m-%dT%H:%M:%SZ}" for record in found)


def test_a_state_and_an_identifier_are_looked_for(site: Site) -> None:
    released = listed(site, "status=released")
    assert {record["status"] for record in released} == {"released"}
    wanted = released[3]["paymentTransactionId"]
    assert listed(site, f"paymentTransactionId={wanted}") == [released[3]]
    completed = json.loads(get(site, "/v2/payments?status=completed&pageSize=1").body)
    assert completed["total"] == COUNT - OPEN


def test_whoever_holds_an_answer_is_told_that_it_still_holds(site: Site) -> None:
    first = get(site, "/v2/payments?page=1")
    again = get(site, "/v2/payments?page=1", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert get(site, "/v2/payments?page=2").headers["etag"] != first.headers["etag"]


def test_one_that_offers_no_help_gives_everything(book: Book) -> None:
    plain = Site(book, lambda: NOW, etags=False, updated_since=False)
    answer = get(plain, "/v2/payments?updatedSince=2026-03-02T11:55:00Z", if_none_match='"x"')
    assert (answer.status, json.loads(answer.body)["total"]) == (200, COUNT)
    assert "etag" not in answer.headers


def test_the_same_book_is_written_each_time(book: Book, tmp_path: Path) -> None:
    assert Book(tmp_path / "again", COUNT, NOW).page(range(COUNT)) == book.page(range(COUNT))
