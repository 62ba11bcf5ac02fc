"""Plain httpx against the sandbox in this process, without our client."""

from __future__ import annotations

import asyncio
import json
from typing import Any, TypeAlias

import httpx
from starlette.types import ASGIApp

from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.clock import ManualClock

Item: TypeAlias = dict[str, Any]
"""A JSON object as it came; what it holds is what the tests are about."""

SECRET = "only-for-this-test"
LONG_ENOUGH = 600.0
"""Seconds after which nothing is left to happen by itself."""


class PlainService:
    """A sandbox, its clock, and an HTTP client that is signed in as `demo`.

    Paths are written out whole, `/v2` included.
    """

    def __init__(self, app: ASGIApp, clock: ManualClock) -> None:
        self.app = app
        self.clock = clock
        self.headers: dict[str, str] = {}

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> httpx.Response:
        """Send a request, with the token if there is one."""
        return asyncio.run(self.asend(method, path, body, **headers))

    async def asend(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> httpx.Response:
        """The same inside a loop."""
        transport = httpx.ASGITransport(self.app)
        sent = {**self.headers, **headers}
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, content=body, headers=sent)

    def get(self, path: str, **params: str | int) -> httpx.Response:
        return self.send("GET", str(httpx.URL(path).copy_merge_params(params)))

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return self.send("POST", path, json.dumps(body).encode(), **headers)

    def item(self, path: str, body: object, **headers: str) -> Item:
        """Return the object that a successful POST created."""
        response = self.post(path, body, **headers)
        assert response.status_code == 201, response.text
        item: Item = response.json()["item"]
        return item

    def show(self, path: str) -> Item:
        """Return one object."""
        response = self.get(path)
        assert response.status_code == 200, response.text
        item: Item = response.json()["item"]
        return item

    def shown(self, path: str, **params: str | int) -> list[Item]:
        """Return one page of a list."""
        response = self.get(path, **params)
        assert response.status_code == 200, response.text
        items: list[Item] = response.json()["items"]
        return items

    def offer(
        self, sell: str, buy: str, amount: str, *, sold: str, bought: str
    ) -> tuple[Item, Item]:
        """A rate sheet of a pair, and the body of a trade in it.

        Args:
            amount: of the currency that is sold.
            sold: the wallet that it is taken from.
            bought: the wallet that what is bought goes to.
        """
        pairs = [{"sellCurrency": sell, "buyCurrency": buy}]
        sheet = self.item("/v2/rate-sheets", {"currencyPairs": pairs})
        trade = {
            "sellCurrency": sell,
            "buyCurrency": buy,
            "sellAmount": amount,
            "sellWalletId": sold,
            "buyWalletId": bought,
            "rateSheetId": sheet["rateSheetId"],
        }
        return sheet, trade

    def sign_in(self) -> str:
        """Get a token and use it from now on."""
        body = {"clientId": "demo", "clientSecret": SECRET}
        token: str = self.item("/v2/auth", body)["accessToken"]
        self.headers = {"authorization": f"Bearer {token}"}
        return token

    def wait(self, seconds: float = LONG_ENOUGH) -> None:
        """Let time pass; the token is renewed, as it would have expired."""
        self.clock.advance(seconds)
        self.sign_in()


EMPTY = SandboxOptions(client_secret=SECRET, scale=0)


def start_service(
    options: SandboxOptions = EMPTY, clock: ManualClock | None = None
) -> PlainService:
    """A signed-in service of its own."""
    clock = clock or ManualClock()
    service = PlainService(create_app(options, clock), clock)
    service.sign_in()
    return service


class Customer:
    """An account in a service, and quick ways to what it needs for a test."""

    def __init__(self, service: PlainService) -> None:
        self.service = service
        person = {"firstName": "Ada", "lastName": "Marlow"}
        self.account_id: str = service.item("/v2/accounts/individual", person)["accountId"]

    def wallet(self, currency: str) -> str:
        """An Active wallet with a pay-in address."""
        body = {"accountId": self.account_id, "currency": currency}
        wallet_id: str = self.service.item("/v2/wallets", body)["walletId"]
        address = {"walletId": wallet_id, "payInAddressType": "local"}
        self.service.item("/v2/payin-addresses", address)
        self.service.wait()
        return wallet_id

    def funded(self, currency: str, amount: str) -> str:
        """An Active wallet that holds an amount."""
        wallet_id = self.wallet(currency)
        self.pay_in(wallet_id, amount)
        self.service.wait()
        return wallet_id

    def pay_in(self, wallet_id: str, amount: str, reference: str | None = None) -> Item:
        """A bank transfer to the wallet's pay-in address."""
        body = {"walletId": wallet_id, "amount": amount, "reference": reference}
        return self.service.item("/_sandbox/payins", body)

    def recipient(self, currency: str) -> tuple[str, str]:
        """An Active recipient with an Active payment address: their identifiers."""
        address = {"currency": currency, "accountType": "cacc", "accountNumber": "12345678"}
        body = {
            "accountId": self.account_id,
            "recipientType": "business",
            "companyName": "Kestrel Lane Timber",
            "paymentAddresses": [address],
        }
        created = self.service.item("/v2/recipients", body)
        self.service.wait()
        return created["recipientId"], created["paymentAddressId"]

    def available(self, wallet_id: str) -> str:
        """Return the available balance of the wallet."""
        balance: str = self.service.show(f"/v2/wallets/{wallet_id}")["availableBalance"]
        return balance
