from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sandbox.books import all_wallets, assert_books_are_true
from tests.support.plain import EMPTY, Item, PlainService, start_service

STILL = replace(EMPTY, scale=200, speed=0)
"""The history of the demo, with nothing that happens by itself."""


def everything(service: PlainService) -> dict[str, list[Item]]:
    paths = ("accounts", "wallets", "payin-addresses", "payins", "trades", "recipients", "payments")
    return {path: service.shown(f"/v2/{path}", pageSize=500) for path in paths}


def total(service: PlainService, path: str) -> int:
    count: int = service.get(f"/v2/{path}", pageSize=1).json()["total"]
    return count


@pytest.fixture(scope="module")
def demo() -> PlainService:
    return start_service(STILL)


@pytest.mark.parametrize("scale", [1, 2, 10, 49, 777])
def test_the_history_holds_as_many_payments_as_ordered_and_true_books(scale: int) -> None:
    service = start_service(replace(STILL, scale=scale))
    assert total(service, "payments") == scale
    assert_books_are_true(service)


def test_the_demo_has_a_handful_of_accounts_and_most_currencies(demo: PlainService) -> None:
    assert total(demo, "payments") == 200
    assert total(demo, "accounts") == 6
    wallets = all_wallets(demo)
    assert 18 <= len(wallets) <= 26
    assert len({wallet["currency"] for wallet in wallets}) >= 15
    assert_books_are_true(demo)


def test_nothing_is_there_at_scale_0() -> None:
    assert not any(everything(start_service()).values())


def test_one_seed_gives_one_history() -> None:
    first, again = everything(start_service(STILL)), everything(start_service(STILL))
    assert first == again
    assert first != everything(start_service(replace(STILL, seed=2)))


@pytest.mark.parametrize(
    ("path", "states"),
    [
        ("payments", "created compliance_review processing released completed rejected returned"),
        ("trades", "awaiting_funds compliance_review exchanged"),
        ("payins", "received compliance_review credited"),
        ("wallets", "Pending Active Suspended Closed"),
    ],
)
def test_some_of_the_demo_is_open_in_every_state(
    demo: PlainService, path: str, states: str
) -> None:
    found = {item["status"] for item in demo.shown(f"/v2/{path}", pageSize=500)}
    assert found >= set(states.split())


def test_most_of_the_history_is_over(demo: PlainService) -> None:
    payments = demo.shown("/v2/payments", pageSize=500)
    assert sum(payment["status"] == "completed" for payment in payments) > 140


def test_the_end_to_end_id_is_there_where_a_payment_was_released(demo: PlainService) -> None:
    for payment in demo.shown("/v2/payments", pageSize=500):
        was_released = payment["status"] in {"released", "completed", "returned"}
        assert ("endToEndId" in payment) == was_released


def _names(service: PlainService) -> list[str]:
    fields = ("displayName", "companyName", "lastName", "senderName", "reference")
    items = (item for items in everything(service).values() for item in items)
    return [str(item.get(field, "")) for item in items for field in fields]


def test_names_are_realistic(demo: PlainService) -> None:
    for name in _names(demo):
        assert name.replace(" ", "").isprintable()
        assert len(name) <= 50
        assert not set(name) & set("[]<>=\u0303")
        assert all(character < "\u0250" or character in "–—’" for character in name), name


def test_names_are_hard_to_show_on_request() -> None:
    names = _names(start_service(replace(STILL, awkward=True)))
    for hard in ("[@click=app.quit]", "[/x]", "\x1b[31m", "山", "ש", "ش", "ร", "\u0303", "🥐"):
        assert hard in "  ".join(names)
    assert max(map(len, names)) > 150


def test_lists_are_newest_first_in_the_order_of_time(demo: PlainService) -> None:
    created = [payment["createdAt"] for payment in demo.shown("/v2/payments", pageSize=500)]
    assert created == sorted(created, reverse=True)


def test_what_is_open_in_the_history_goes_on() -> None:
    service = start_service(replace(EMPTY, scale=200))
    before = {
        payment["paymentTransactionId"]: payment for payment in everything(service)["payments"]
    }
    service.wait(600)
    after = {
        payment["paymentTransactionId"]: payment for payment in everything(service)["payments"]
    }
    opened = [key for key, payment in before.items() if payment["status"] == "created"]
    assert opened
    assert all(after[key]["status"] == "completed" for key in opened)
    assert_books_are_true(service)


def test_every_payment_names_a_wallet_and_a_payee_that_exist(demo: PlainService) -> None:
    book = everything(demo)
    wallets = {wallet["walletId"]: wallet for wallet in book["wallets"]}
    recipients = {recipient["recipientId"]: recipient for recipient in book["recipients"]}
    for payment in book["payments"]:
        source = wallets[payment["sourceWalletId"]]
        assert (source["accountId"], source["currency"]) == (
            payment["accountId"],
            payment["currency"],
        )
        if payment["paymentType"] == "transfer":
            assert wallets[payment["destinationWalletId"]]["currency"] == payment["currency"]
        else:
            addresses = recipients[payment["recipientId"]]["paymentAddresses"]
            assert payment["paymentAddressId"] in {line["paymentAddressId"] for line in addresses}
