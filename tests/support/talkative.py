"""A service that remembers secrets and repeats them on demand."""

from __future__ import annotations

import json
import re

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.support.scripted import AUTH

_TOKEN = re.compile(rb'"accessToken": ?"([^"]+)"')
_ACCOUNT = re.compile(rb'"(?:accountNumber|iban)": ?"([^"]{6,})"')


class Talkative:
    """An ASGI app around another.

    Attributes:
        tokens: all that were handed out.
        keys: the idempotency keys that came.
        account_numbers: those of banks that it told of.
        last: the newest answer of each path.
        echoes: whether all but `POST /auth` is answered by 400 and whatever it was sent.
        rejects: whether that is answered so as well, by 401.
    """

    def __init__(self, service: ASGIApp) -> None:
        self._inner = httpx.AsyncClient(
            transport=httpx.ASGITransport(service), base_url="http://localhost"
        )
        self._sign_in = b""
        self.tokens: set[str] = set()
        self.keys: set[str] = set()
        self.account_numbers: set[str] = set()
        self.last: dict[str, bytes] = {}
        self.echoes = False
        self.rejects = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await (await self._answer(request))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        body, path = await request.body(), request.url.path
        if key := request.headers.get("idempotency"):
            self.keys.add(key)
        if path == AUTH:
            self._sign_in = body
        if self.rejects or (self.echoes and path != AUTH):
            return self._echo(request, body)
        answer = await self._inner.request(
            request.method,
            path,
            params=dict(request.query_params),
            content=body,
            headers=request.headers.raw,
        )
        self.last[path] = answer.content
        self.tokens.update(token.decode() for token in _TOKEN.findall(answer.content))
        self.account_numbers.update(found.decode() for found in _ACCOUNT.findall(answer.content))
        kind = answer.headers.get("content-type", "application/json")
        return Response(answer.content, answer.status_code, media_type=kind)

    def _echo(self, request: Request, body: bytes) -> Response:
        """All that it was sent, and how it was signed in to, wherever an answer has words."""
        said = {**request.headers, "body": body.decode(), "signIn": self._sign_in.decode()}
        words = json.dumps(said)
        details = [{"field": words, "message": words}, {"field": "x", "message": said}]
        problem = {"code": words, "message": words, "traceId": words, "details": details}
        headers = {"x-request-id": said.get("authorization", "none"), "www-authenticate": words}
        status = 401 if self.rejects else 400
        return Response(json.dumps({"error": problem}), status, headers)
