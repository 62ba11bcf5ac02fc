"""A service with scripted responses, for everything that the sandbox never says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

AUTH = "/v2/auth"


@dataclass(frozen=True, slots=True)
class Reply:
    """A response; a body other than bytes goes out as JSON."""

    body: object = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body)
        return Response(body, self.status, dict(self.headers))


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


def token_reply(number: int, expires_at: str = "2026-03-02T12:05:00Z") -> Reply:
    """The answer of `POST /auth` (service.md §2); the tokens are called `token-1`, `token-2`, …"""
    return Reply({"item": {"accessToken": f"token-{number}", "expiresAt": expires_at}}, 201)


class ScriptedService:
    """An ASGI app. Of the replies to a path each is given once, but the last one for ever.

    `POST /v2/auth` hands out tokens that end five minutes after noon; a path without replies is
    answered by a plain 404, as a web server does that knows no such path.
    """

    def __init__(self, replies: Mapping[str, Reply | list[Reply]]) -> None:
        self._replies = {
            path: list(reply) if isinstance(reply, list) else [reply]
            for path, reply in replies.items()
        }
        self.requests: list[Seen] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        seen = Seen(
            request.method,
            scope["raw_path"].decode(),
            dict(request.query_params),
            dict(request.headers),
            await request.body(),
        )
        self.requests.append(seen)
        await self._reply(seen.path).response()(scope, receive, send)

    def seen(self, path: str) -> list[Seen]:
        """The requests of one path, in order."""
        return [request for request in self.requests if request.path == path]

    def _reply(self, path: str) -> Reply:
        replies = self._replies.get(path)
        if replies:
            return replies.pop(0) if len(replies) > 1 else replies[0]
        if path == AUTH:
            return token_reply(len(self.seen(AUTH)))
        return Reply(b"Not Found", 404, {"content-type": "text/plain"})
