from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.plain import EMPTY, Item, PlainService, start_service


@pytest.fixture(scope="module")
def demo() -> PlainService:
    return start_service(replace(EMPTY, scale=200, speed=0))


def test_a_page_says_where_it_stands(demo: PlainService) -> None:
    page = demo.get("/v2/payments", page=2, pageSize=30).json()
    assert (page["page"], page["pageSize"], page["total"]) == (2, 30, 200)
    assert len(page["items"]) == 30


def test_a_page_holds_a_hundred_unless_told(demo: PlainService) -> None:
    page = demo.get("/v2/payments").json()
    assert (page["page"], page["pageSize"], len(page["items"])) == (1, 100, 100)


def test_the_pages_together_are_the_whole_list(demo: PlainService) -> None:
    paged: list[Item] = []
    for page in range(1, 9):
        paged += demo.shown("/v2/payments", page=page, pageSize=30)
    assert paged == demo.shown("/v2/payments", pageSize=500)


def test_beyond_the_last_page_is_nothing(demo: PlainService) -> None:
    page = demo.get("/v2/payments", page=99).json()
    assert (page["items"], page["total"]) == ([], 200)


@pytest.mark.parametrize(
    "query",
    [
        {"page": "0"},
        {"page": "x"},
        {"page": "1" * 30},
        {"pageSize": "0"},
        {"pageSize": "501"},
        {"pageSize": ""},
    ],
)
def test_a_page_that_cannot_be_is_refused(demo: PlainService, query: dict[str, str]) -> None:
    response = demo.get("/v2/payments", **query)
    assert response.status_code == 400
    assert response.json()["error"]["details"][0]["field"] in query


def holds(item: Item, name: str, value: str) -> bool:
    if name == "walletId" and "walletId" not in item:
        places = ("sourceWalletId", "destinationWalletId", "sellWalletId", "buyWalletId")
        return value in {item.get(place) for place in places}
    return bool(item[name] == value)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("accounts", "status"),
        ("wallets", "accountId"),
        ("payin-addresses", "walletId"),
        ("payins", "walletId"),
        ("trades", "accountId"),
        ("recipients", "accountId"),
        ("payments", "accountId"),
        ("payments", "status"),
        ("payments", "paymentTransactionId"),
    ],
)
def test_a_filter_leaves_what_fits_it_and_nothing_else(
    demo: PlainService, path: str, name: str
) -> None:
    whole = demo.shown(f"/v2/{path}", pageSize=500)
    value = whole[-1][name]
    found = demo.get(f"/v2/{path}", pageSize=500, **{name: value}).json()
    assert found["items"] == [item for item in whole if holds(item, name, value)]
    assert found["total"] == len(found["items"])


def test_the_payments_of_a_wallet_are_those_at_either_end(demo: PlainService) -> None:
    whole = demo.shown("/v2/payments", pageSize=500)
    transfer = next(payment for payment in whole if payment["paymentType"] == "transfer")
    for end in ("sourceWalletId", "destinationWalletId"):
        wallet_id = transfer[end]
        found = demo.shown("/v2/payments", walletId=wallet_id, pageSize=500)
        assert found == [item for item in whole if holds(item, "walletId", wallet_id)]
        assert transfer in found


def test_filters_are_combined(demo: PlainService) -> None:
    payment = demo.shown("/v2/payments")[0]
    query = {"accountId": payment["accountId"], "status": payment["status"]}
    found = demo.shown("/v2/payments", pageSize=500, **query)
    assert payment in found
    assert all(query.items() <= item.items() for item in found)


@pytest.mark.parametrize("form", ["{}Z", "{}+00:00", "{}"])
def test_payments_since_a_time_are_those_that_changed_then_or_later(
    demo: PlainService, form: str
) -> None:
    whole = demo.shown("/v2/payments", pageSize=500)
    times = sorted({payment["updatedAt"] for payment in whole})
    middle = times[len(times) // 2]
    found = demo.shown(
        "/v2/payments", pageSize=500, updatedSince=form.format(middle.removesuffix("Z"))
    )
    assert found == [payment for payment in whole if payment["updatedAt"] >= middle]
    assert 0 < len(found) < len(whole)


def test_a_time_may_have_any_offset(demo: PlainService) -> None:
    utc = demo.shown("/v2/payments", pageSize=500, updatedSince="2026-03-01T12:00:00Z")
    sydney = demo.shown("/v2/payments", pageSize=500, updatedSince="2026-03-01T23:00:00+11:00")
    assert utc == sydney != []


@pytest.mark.parametrize("time", ["", "yesterday", "1772452800", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_is_refused(demo: PlainService, time: str) -> None:
    response = demo.get("/v2/payments", updatedSince=time)
    assert response.status_code == 400
    assert response.json()["error"]["details"][0]["field"] == "updatedSince"


def test_a_filter_that_nothing_fits_leaves_an_empty_list(demo: PlainService) -> None:
    page = demo.get("/v2/payments", status="'; DROP TABLE payments; --").json()
    assert (page["items"], page["total"]) == ([], 0)


def test_one_object_reads_as_it_does_in_its_list(demo: PlainService) -> None:
    keys = {
        "accounts": "accountId",
        "wallets": "walletId",
        "payins": "payInTransactionId",
        "trades": "tradeTransactionId",
        "recipients": "recipientId",
    }
    for path, key in keys.items():
        listed = demo.shown(f"/v2/{path}")[0]
        assert demo.show(f"/v2/{path}/{listed[key]}") == listed
