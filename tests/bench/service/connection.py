"""HTTP/1.1 for a site, with a count of all bytes and requests."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from http import HTTPStatus
from urllib.parse import urlsplit

import h11

from tests.bench.service.site import Answer, Asked, Site

TALLY = "/_bench/tally"
"""The path of the tally; reading it does not count."""


@dataclass(slots=True)
class Tally:
    """Bytes of requests and responses, including their heads."""

    requests: Counter[str] = field(default_factory=Counter)
    bytes: int = 0


class Connection(asyncio.Protocol):
    """A connection of one client."""

    def __init__(self, site: Site, tally: Tally, now: Callable[[], datetime]) -> None:
        self._site = site
        self._tally = tally
        self._now = now
        self._http = h11.Connection(h11.SERVER)
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._came = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._came += len(data)
        self._http.receive_data(data)
        while True:
            match self._http.next_event():
                case h11.Request() as request:
                    self._request = request
                    self._body.clear()
                case h11.Data(data=part):
                    self._body += part
                case h11.EndOfMessage():
                    self._reply()
                    self._http.start_next_cycle()
                case h11.ConnectionClosed():
                    self._transport.close()
                    return
                case _:
                    return

    def _reply(self) -> None:
        assert self._request is not None
        asked = Asked(
            self._request.method.decode(),
            self._request.target.decode(),
            {name.decode(): value.decode() for name, value in self._request.headers},
            bytes(self._body),
        )
        came, self._came = self._came, 0
        if asked.target == TALLY:
            told = {"requests": self._tally.requests, "bytes": self._tally.bytes}
            self._send(Answer(200, json.dumps(told).encode()))
            return
        self._tally.requests[urlsplit(asked.target).path] += 1
        self._tally.bytes += came + self._send(self._site.answer(asked))

    def _send(self, answer: Answer) -> int:
        headers = {
            "date": format_datetime(self._now(), usegmt=True),
            "content-type": "application/json",
            **answer.headers,
        }
        if answer.status != HTTPStatus.NOT_MODIFIED:
            headers["content-length"] = str(len(answer.body))
        head = h11.Response(status_code=answer.status, headers=list(headers.items()))
        sent = 0
        for event in (head, h11.Data(data=answer.body), h11.EndOfMessage()):
            for data in self._http.send_with_data_passthrough(event) or ():
                self._transport.write(data)
                sent += len(data)
        return sent
