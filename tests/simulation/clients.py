"""Several clients of a sandbox that knows one, each with keys of its own (service.md)."""

from __future__ import annotations

import json

import httpx

from tests.simulation.post_log import KEY_HEADER

KNOWN = "demo"
"""The one that the sandbox knows."""

OTHER = "demo-of-another-desk"


class Clients:
    """Lets the other one in as the known one, and keeps its keys apart."""

    def __init__(self) -> None:
        self._tokens: set[str] = set()

    def admitted(self, request: httpx.Request) -> httpx.Request:
        """The request as the sandbox is to see it."""
        if request.headers.get("authorization") in self._tokens:
            if KEY_HEADER not in request.headers:
                return request
            key = f"{OTHER}-{request.headers[KEY_HEADER]}"
            return _changed(request, request.content, {KEY_HEADER: key})
        if self._asks_for_other(request):
            body = {**json.loads(request.content), "clientId": KNOWN}
            return _changed(request, json.dumps(body).encode(), {})
        return request

    def answered(self, request: httpx.Request, response: httpx.Response) -> None:
        """Remember whose a new token is."""
        if self._asks_for_other(request) and response.status_code == 201:
            token = json.loads(response.content)["item"]["accessToken"]
            self._tokens.add(f"Bearer {token}")

    def _asks_for_other(self, request: httpx.Request) -> bool:
        return request.url.path.endswith("/auth") and OTHER.encode() in request.content


def _changed(request: httpx.Request, content: bytes, headers: dict[str, str]) -> httpx.Request:
    kept = {name: value for name, value in request.headers.items() if name != "content-length"}
    return httpx.Request(request.method, request.url, headers={**kept, **headers}, content=content)
