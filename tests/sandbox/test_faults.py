from __future__ import annotations

import httpx
import pytest

from tests.support.plain import PlainService

FAULTS = "/_sandbox/faults"


def statuses(service: PlainService, path: str, times: int) -> list[int]:
    return [service.get(path).status_code for _ in range(times)]


def test_a_fault_happens_as_often_as_ordered(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": "503", "times": 2})
    assert statuses(service, "/v2/wallets", 3) == [503, 503, 200]


def test_a_fault_concerns_its_operation_alone(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": "500"})
    assert statuses(service, "/v2/payments", 2) == [200, 200]
    assert statuses(service, "/v2/wallets", 1) == [500]


def test_a_star_concerns_every_operation(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "*", "kind": "500", "times": 2})
    assert statuses(service, "/v2/payments", 1) == [500]
    assert statuses(service, "/v2/wallets", 2) == [500, 200]


def test_faults_come_in_the_order_of_their_ordering(service: PlainService) -> None:
    for kind in ("500", "429"):
        service.item(FAULTS, {"operation": "list_wallets", "kind": kind})
    assert statuses(service, "/v2/wallets", 3) == [500, 429, 200]


def test_ordered_faults_can_be_taken_back(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "*", "kind": "500", "times": 100})
    assert service.send("DELETE", FAULTS).status_code == 204
    assert statuses(service, "/v2/wallets", 1) == [200]


def test_a_429_says_when_to_come_back(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": "429", "seconds": 7})
    assert service.get("/v2/wallets").headers["retry-after"] == "7"


def test_a_malformed_answer_is_half_of_the_right_one(service: PlainService) -> None:
    whole = service.get("/v2/wallets").text
    service.item(FAULTS, {"operation": "list_wallets", "kind": "malformed"})
    broken = service.get("/v2/wallets")
    assert broken.status_code == 200
    assert whole.startswith(broken.text)
    assert 0 < len(broken.text) < len(whole)


def test_html_is_what_a_proxy_would_say(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": "html"})
    page = service.get("/v2/wallets")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("kind", ["cut", "commit-then-cut"])
def test_a_cut_leaves_no_answer(service: PlainService, kind: str) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": kind})
    with pytest.raises(ConnectionResetError):
        service.get("/v2/wallets")


def test_a_delayed_answer_is_the_right_one(service: PlainService) -> None:
    service.item(FAULTS, {"operation": "list_wallets", "kind": "delay", "seconds": 0.01})
    assert statuses(service, "/v2/wallets", 1) == [200]


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"operation": "list_walets", "kind": "500"},
        {"operation": "*", "kind": "flood"},
        {"operation": "*", "kind": "500", "times": 0},
        {"operation": "*", "kind": "delay", "seconds": -1},
    ],
)
def test_an_order_that_makes_no_sense_is_refused(
    service: PlainService, order: dict[str, object]
) -> None:
    response: httpx.Response = service.post(FAULTS, order)
    assert response.status_code == 400
    assert statuses(service, "/v2/wallets", 1) == [200]
