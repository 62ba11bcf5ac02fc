from __future__ import annotations

from dataclasses import replace

from tests.sandbox.books import assert_books_are_true
from tests.support.plain import EMPTY, Customer, PlainService, start_service

DEMO = replace(EMPTY, scale=200)


def totals(service: PlainService) -> dict[str, int]:
    return {
        path: service.get(f"/v2/{path}", pageSize=1).json()["total"]
        for path in ("payins", "payments", "trades")
    }


def balances(service: PlainService) -> dict[str, str]:
    wallets = service.shown("/v2/wallets")
    return {wallet["walletId"]: wallet["availableBalance"] for wallet in wallets}


def test_a_demo_lives_by_itself() -> None:
    service = start_service(DEMO)
    before, balances_before = totals(service), balances(service)
    service.wait(300)
    after = totals(service)
    assert all(after[path] > before[path] for path in before)
    assert balances(service) != balances_before
    assert_books_are_true(service)


def test_a_balance_changes_within_a_minute() -> None:
    service = start_service(DEMO)
    before = balances(service)
    service.wait(60)
    assert balances(service) != before


def test_the_wallets_of_the_caller_are_left_alone() -> None:
    service = start_service(DEMO)
    customer = Customer(service)
    wallet_id = customer.funded("USD", "1000.00")
    service.wait(600)
    assert customer.available(wallet_id) == "1000.00"


def test_an_empty_service_is_left_alone() -> None:
    service = start_service()
    service.wait(3600)
    assert totals(service) == {"payins": 0, "payments": 0, "trades": 0}


def test_nothing_moves_at_speed_0() -> None:
    service = start_service(replace(DEMO, speed=0))
    before = service.shown("/v2/payments", pageSize=500)
    service.wait(3600)
    assert service.shown("/v2/payments", pageSize=500) == before


def test_what_happens_does_not_depend_on_how_often_one_looks() -> None:
    often, once = start_service(DEMO), start_service(DEMO)
    for _ in range(60):
        often.clock.advance(5)
        often.get("/v2/wallets")
    once.wait(300)
    often.sign_in()
    assert balances(often) == balances(once)
    assert totals(often) == totals(once)


def test_speed_makes_more_happen() -> None:
    slow, fast = start_service(DEMO), start_service(replace(DEMO, speed=10))
    slow.wait(120)
    fast.wait(120)
    assert totals(fast)["payins"] > totals(slow)["payins"] + 20


def test_a_long_pause_is_not_made_up_for() -> None:
    service = start_service(DEMO)
    before = totals(service)["payins"]
    service.wait(30 * 24 * 3600)
    assert totals(service)["payins"] < before + 1000
