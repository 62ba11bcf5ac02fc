"""service.md §5, §7 and §8: tokens and limits."""

from __future__ import annotations

import httpx
import pytest

from tests.support.plain import Customer, PlainService

# fmt: off
NINETEEN = (
    "AUD", "USD", "EUR", "GBP", "NZD", "CAD", "CHF", "SGD", "HKD", "JPY", "SEK", "NOK", "DKK",
    "ZAR", "PLN", "THB", "AED", "CNY", "KWD",
)
# fmt: on

RIGHT = {"clientId": "demo", "clientSecret": "only-for-this-test"}


def code_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.covers("auth")
def test_auth_answers_201_with_the_token_in_item(service: PlainService) -> None:
    """§5 step 2: "responds 201 with `item.accessToken` and `item.expiresAt`"."""
    response = service.post("/v2/auth", RIGHT)
    assert response.status_code == 201
    assert response.json()["item"].keys() == {"accessToken", "expiresAt"}


@pytest.mark.parametrize("body", [{}, {"clientId": "demo"}, {"clientId": 1, "clientSecret": "x"}])
@pytest.mark.covers("auth-errors")
def test_auth_answers_400_to_what_is_no_request(service: PlainService, body: object) -> None:
    """§5 step 6: "POST /auth responds 400, 401 or 500 on failure"."""
    assert service.post("/v2/auth", body).status_code == 400


@pytest.mark.parametrize(
    "body", [{**RIGHT, "clientSecret": "wrong"}, {**RIGHT, "clientId": "somebody"}]
)
@pytest.mark.covers("auth-errors")
def test_auth_answers_401_to_wrong_credentials(service: PlainService, body: object) -> None:
    """§5 step 6."""
    assert service.post("/v2/auth", body).status_code == 401


@pytest.mark.covers("auth-errors")
def test_auth_answers_500_when_the_service_fails(service: PlainService) -> None:
    """§5 step 6."""
    service.post("/_sandbox/faults", {"operation": "auth", "kind": "500"})
    assert service.post("/v2/auth", RIGHT).status_code == 500
    assert service.post("/v2/auth", RIGHT).status_code == 201


@pytest.mark.covers("token-lifetime")
def test_a_token_lives_five_minutes(service: PlainService) -> None:
    """§5 step 4, §8: "A token expires 5 minutes after issue"."""
    service.clock.advance(299.9)
    assert service.get("/v2/payments").status_code == 200
    service.clock.advance(0.1)
    assert code_of(service.get("/v2/payments")) == (401, "token_expired")


@pytest.mark.covers("token-superseded")
def test_a_new_token_ends_the_one_before(service: PlainService) -> None:
    """§5 step 4: "until its expiry or until a new one is requested"."""
    before = dict(service.headers)
    service.sign_in()
    assert service.get("/v2/payments").status_code == 200
    service.headers = before
    assert code_of(service.get("/v2/payments")) == (401, "token_superseded")


def test_a_refused_request_for_a_token_leaves_the_old_one_alive(service: PlainService) -> None:
    """§5 step 4: only a token that was issued takes the place of another."""
    service.post("/v2/auth", {**RIGHT, "clientSecret": "wrong"})
    assert service.get("/v2/payments").status_code == 200


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x.y.z", "Basic ZGVtbzpkZW1v"])
def test_what_is_no_token_is_told_apart(service: PlainService, header: str) -> None:
    """§5 step 3: "`Authorization: Bearer <ACCESS_TOKEN>`"."""
    service.headers = {"authorization": header}
    assert code_of(service.get("/v2/payments")) == (401, "token_missing")


@pytest.mark.covers("sheet-lifetime")
def test_a_rate_sheet_is_good_for_two_and_a_half_minutes(
    service: PlainService, customer: Customer
) -> None:
    """§8: "Rate sheet validity: 2.5 minutes"; strictly before `expiresAt`."""
    sold, bought = customer.funded("AUD", "100.00"), customer.wallet("USD")
    _, body = service.offer("AUD", "USD", "10.00", sold=sold, bought=bought)
    service.clock.advance(149.9)
    assert service.post("/v2/tradess", body).status_code == 201
    service.clock.advance(0.1)
    assert code_of(service.post("/v2/tradess", body)) == (409, "rate_sheet_expired")


@pytest.mark.covers("nineteen-currencies")
def test_wallets_can_be_held_in_nineteen_currencies(
    service: PlainService, customer: Customer
) -> None:
    """§1, §8: "up to 19"."""
    assert len(set(NINETEEN)) == 19
    for code in NINETEEN:
        service.item("/v2/wallets", {"accountId": customer.account_id, "currency": code})
    other = {"accountId": customer.account_id, "currency": "BRL"}
    assert service.post("/v2/wallets", other).status_code == 400


@pytest.mark.covers("payin-outside")
def test_a_pay_in_is_seen_by_polling_the_wallet(customer: Customer) -> None:
    """§4 rule 5, §6: "the wallet can be polled for it"."""
    wallet_id = customer.wallet("KWD")
    before = customer.available(wallet_id)
    customer.pay_in(wallet_id, "1.234")
    customer.service.wait()
    assert (before, customer.available(wallet_id)) == ("0.000", "1.234")
