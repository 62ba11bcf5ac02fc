"""The service read by plain HTTP: an independent judge of paytui."""

from __future__ import annotations

from typing import Any

import httpx

Item = dict[str, Any]


class PlainReader:
    """Reads lists page by page as service.md describes them, knowing nothing of our client."""

    def __init__(self, base_url: str, secret: str) -> None:
        self._client = httpx.Client(base_url=f"{base_url}/v2", trust_env=False, timeout=60)
        body = {"clientId": "demo", "clientSecret": secret}
        token = self._client.post("/auth", json=body).json()["item"]["accessToken"]
        self._client.headers["Authorization"] = f"Bearer {token}"

    def all(self, path: str, **query: str) -> list[Item]:
        """Every object of a list."""
        items: list[Item] = []
        page = 1
        while True:
            answer = self._client.get(path, params={**query, "page": page, "pageSize": 500}).json()
            items += answer["items"]
            if len(items) >= answer["total"]:
                return items
            page += 1

    def each(self, path: str, parameter: str, identifiers: list[str]) -> list[Item]:
        """Every object of the lists that are asked for one identifier at a time."""
        return [item for one in identifiers for item in self.all(path, **{parameter: one})]

    def rate(self, sell: str, buy: str) -> str:
        """Return the present rate of one currency in another."""
        pair = {"sellCurrency": sell, "buyCurrency": buy}
        answer = self._client.post("/rate-sheets", json={"currencyPairs": [pair]}).json()
        rate: str = answer["item"]["rates"][0]["rate"]
        return rate

    def close(self) -> None:
        self._client.close()
