"""One request to an app in this process; the transport of httpx is slower."""

from __future__ import annotations

import httpx
from starlette.types import ASGIApp, Message


async def called(app: ASGIApp, request: httpx.Request) -> httpx.Response:
    """The app's whole answer to a request that was read whole."""
    url = request.url
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.partition(b"?")[0],
        "query_string": url.query,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (url.host, url.port),
    }
    heads: list[Message] = []
    body = bytearray()

    async def receive() -> Message:
        return {"type": "http.request", "body": request.content, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            heads.append(message)
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    [head] = heads
    return httpx.Response(head["status"], headers=head["headers"], content=bytes(body))
