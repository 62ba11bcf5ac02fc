"""A service with payments alone, whose list is a function of the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.support.scripted import AUTH, Reply, token_reply

PAYMENTS = "/v2/payments"
SHEETS = "/v2/rate-sheets"

Query = Mapping[str, str]
Answers = Callable[[Query], Reply]

_SHEET = {
    "rateSheetId": "s1",
    "expiresAt": "2036-03-02T12:02:00Z",
    "rates": [{"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.65"}],
}


class Answering:
    """An ASGI app; it signs in whoever asks, and locks one rate sheet again and again.

    Attributes:
        asked: the queries of the list, in order.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._tokens = 0
        self.asked: list[dict[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        reply = self._reply(request.url.path, dict(request.query_params))
        await reply.response()(scope, receive, send)

    def _reply(self, path: str, query: dict[str, str]) -> Reply:
        if path == AUTH:
            self._tokens += 1
            return token_reply(self._tokens, "2036-03-02T12:05:00Z")
        if path == SHEETS:
            return Reply({"item": _SHEET}, 201)
        if path != PAYMENTS:
            return Reply(b"Not Found", 404, {"content-type": "text/plain"})
        self.asked.append(query)
        return self._answers(query)


def payments(start: int, end: int) -> list[dict[str, str]]:
    """Some payments, by number."""
    return [payment(number) for number in range(start, end)]


def payment(number: int) -> dict[str, str]:
    """Return one payment."""
    return {"paymentTransactionId": f"p{number}", "amount": "1.00", "currency": "AUD"}
