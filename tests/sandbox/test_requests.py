from __future__ import annotations

from tests.support.plain import PlainService

REQUESTS = "/_sandbox/requests"


def test_every_request_is_counted_under_its_operation(service: PlainService) -> None:
    for _ in range(3):
        service.get("/v2/wallets")
    service.get("/v2/payments")
    counts = service.show(REQUESTS)
    assert (counts["auth"], counts["list_wallets"], counts["list_payments"]) == (1, 3, 1)


def test_what_nobody_asked_for_counts_zero(service: PlainService) -> None:
    assert service.show(REQUESTS)["book_trade"] == 0


def test_refused_and_broken_requests_count_too(service: PlainService) -> None:
    service.item("/_sandbox/faults", {"operation": "list_wallets", "kind": "500"})
    service.get("/v2/wallets")
    service.headers = {}
    service.get("/v2/wallets")
    assert service.show(REQUESTS)["list_wallets"] == 2


def test_the_control_surface_counts_nothing(service: PlainService) -> None:
    before = service.show(REQUESTS)
    service.show("/_sandbox/trial-balance")
    assert service.show(REQUESTS) == before
