from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sandbox.books import assert_books_are_true
from tests.support.clock import ManualClock
from tests.support.plain import EMPTY, Customer, PlainService, start_service

KEY = {"idempotency": "3f0e9d56-0000-4000-8000-000000000002"}


@pytest.fixture
def restart(tmp_path: Path) -> Callable[[int], PlainService]:
    """Starts a service on one and the same file and clock."""
    clock = ManualClock()

    def start(scale: int) -> PlainService:
        options = replace(EMPTY, scale=scale, database=str(tmp_path / "bank.db"))
        return start_service(options, clock)

    return start


def test_everything_survives_a_restart(restart: Callable[[int], PlainService]) -> None:
    before = restart(0)
    customer = Customer(before)
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "4.00"}
    created = before.item("/v2/payments/transfer", body, **KEY)
    pairs = [{"sellCurrency": "AUD", "buyCurrency": "USD"}]
    sheet = before.item("/v2/rate-sheets", {"currencyPairs": pairs})
    after = restart(0)
    assert after.shown("/v2/payments") == [created]
    assert after.item("/v2/payments/transfer", body, **KEY) == created
    assert after.show(f"/v2/rate-sheets/{sheet['rateSheetId']}") == sheet
    after.wait()
    (payment,) = after.shown("/v2/payments")
    assert payment["status"] == "completed"
    assert_books_are_true(after)


def test_a_token_survives_a_restart(restart: Callable[[int], PlainService]) -> None:
    before = restart(0)
    service = restart(0)
    newest = dict(service.headers)
    service.headers = before.headers
    assert service.get("/v2/payments").json()["error"]["code"] == "token_superseded"
    service.headers = newest
    assert service.get("/v2/payments").status_code == 200


def test_the_moved_clock_survives_a_restart(restart: Callable[[int], PlainService]) -> None:
    restart(0).item("/_sandbox/clock", {"seconds": 3600})
    response = restart(0).get("/v2/payments")
    assert response.headers["date"] == "Mon, 02 Mar 2026 13:00:00 GMT"


def test_a_history_is_written_once(restart: Callable[[int], PlainService]) -> None:
    first = restart(50).shown("/v2/payments")
    assert len(first) == 50
    assert restart(50).shown("/v2/payments") == first


def test_a_database_that_was_used_is_not_filled_later(
    restart: Callable[[int], PlainService],
) -> None:
    Customer(restart(0))
    assert restart(50).shown("/v2/payments") == []
