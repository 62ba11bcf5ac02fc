from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.clock import ManualClock
from tests.support.plain import EMPTY, PlainService, start_service

DAY = 24 * 3600.0
PAIRS = {"currencyPairs": [{"sellCurrency": "AUD", "buyCurrency": "USD"}]}
PERSON = {"firstName": "Ada", "lastName": "Marlow"}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "bank.db"


@pytest.fixture
def kept(database: Path) -> PlainService:
    return start_service(replace(EMPTY, database=str(database)), ManualClock())


def count(database: Path, table: str) -> int:
    with sqlite3.connect(database) as db:
        (found,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - a name of ours
    db.close()
    assert isinstance(found, int)
    return found


def test_a_week_of_use_leaves_no_more_than_a_day_of_what_is_over(
    kept: PlainService, database: Path
) -> None:
    sizes: list[tuple[int, ...]] = []
    for day in range(7):
        for hour in range(4):
            kept.wait(DAY / 4)
            key = f"key-{day}-{hour}"
            kept.item("/v2/rate-sheets", PAIRS, idempotency=key)
        tables = ("tokens", "rate_sheets", "idempotency")
        sizes.append(tuple(count(database, table) for table in tables))
    assert sizes[-1] == sizes[2]


def test_what_still_lives_is_kept(kept: PlainService) -> None:
    sheet = kept.item("/v2/rate-sheets", PAIRS)
    kept.wait(DAY / 2)
    assert kept.show(f"/v2/rate-sheets/{sheet['rateSheetId']}") == sheet


def test_an_expired_token_is_still_told_from_an_unknown_one(kept: PlainService) -> None:
    kept.clock.advance(DAY - 60)
    assert kept.get("/v2/payments").json()["error"]["code"] == "token_expired"


def test_a_database_of_another_version_is_not_used(database: Path) -> None:
    start_service(replace(EMPTY, database=str(database)))
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match="another version"):
        start_service(replace(EMPTY, database=str(database)))


def test_lists_show_what_belongs_to_each_of_their_objects() -> None:
    service = start_service(replace(EMPTY, scale=200, speed=0))
    for recipient in service.shown("/v2/recipients", pageSize=500):
        own = service.shown(f"/v2/recipients/{recipient['recipientId']}/payment-addresses")
        assert recipient["paymentAddresses"] == list(reversed(own))
    accounts = [service.item("/v2/account/individual", {**PERSON, "phone": n}) for n in (1, 2)]
    assert service.shown("/v2/accounts", pageSize=500)[:2] == list(reversed(accounts))
