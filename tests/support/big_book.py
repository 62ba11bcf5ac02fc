"""A service with one list of any length, which reports changes as told to."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.support.clock import NOON, ManualClock
from tests.support.scripted import AUTH

PAYMENTS = "/v2/payments"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the list, and how it was answered."""

    query: dict[str, str]
    condition: str | None
    status: int
    length: int


class BigBook:
    """An ASGI app with payments alone, newest first; nothing in them changes by itself.

    Attributes:
        rows: the payments, in the order in which they are listed.
        tags: how it marks what it answers; `lying` ones never change, `odd` ones are `odd_tag`.
        since: what it makes of `updatedSince`; `filter`: it looks for a field of that name.
        tells_total: whether it tells how many there are.
        appends: whether a new payment is listed last.
        largest: records of a page at the most, however many are asked for.
        newest: payments that its list holds at the most, although it tells of all.
        tells_older: whether it tells changes of what its list holds no longer.
        has_date: whether it tells its time.
        ahead: how far its clock is ahead of the test's.
        age_of_one: `Age` of the answer to a question for one payment; "" = none.
        tells_one: whether it has what is asked for by its identifier.
        cut: whether it gives the first page of changes alone, and tells of all of them.
        failing: how many of the next reads of its pages fail.
        failing_one: how many of the next reads of one payment fail.
        before: called before each answer to a read of the list.
        asked: what was read of the list, in order.
    """

    def __init__(self, clock: ManualClock, count: int) -> None:
        self.clock = clock
        self.rows = [payment(number) for number in range(count, 0, -1)]
        self.tags: Literal["none", "strong", "weak", "lying", "odd"] = "none"
        self.odd_tag = ""
        self.since: Literal["known", "ignored", "refused", "filter"] = "ignored"
        self.tells_total = True
        self.appends = False
        self.largest = 500
        self.newest = sys.maxsize
        self.tells_older = True
        self.has_date = True
        self.ahead = timedelta(0)
        self.age_of_one = ""
        self.tells_one = True
        self.cut = False
        self.failing = 0
        self.failing_one = 0
        self.before: Callable[[], None] = _nothing
        self.asked: list[Asked] = []
        self.tokens = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await self._answer(request)(scope, receive, send)

    def row(self, number: int) -> Row:
        """The payment of a number."""
        return next(row for row in self.rows if row["paymentTransactionId"] == name(number))

    def change(self, number: int, **fields: str) -> None:
        """Change a payment, now."""
        self.row(number).update(fields, updatedAt=written(self.now()))

    def add(self, number: int) -> None:
        """A new payment, made now."""
        now = written(self.now())
        place = len(self.rows) if self.appends else 0
        self.rows.insert(place, payment(number) | {"createdAt": now, "updatedAt": now})

    def remove(self, number: int) -> None:
        """A payment that is no longer listed."""
        self.rows.remove(self.row(number))

    def now(self) -> datetime:
        """Its time."""
        return self.clock.now() + self.ahead

    def _answer(self, request: Request) -> Response:
        date = {"date": self.now().strftime("%a, %d %b %Y %H:%M:%S GMT")} if self.has_date else {}
        if request.url.path == AUTH:
            self.tokens += 1
            ends = written(self.now() + timedelta(minutes=5))
            item = {"accessToken": f"token-{self.tokens}", "expiresAt": ends}
            return Response(json.dumps({"item": item}), 201, date)
        if request.url.path != PAYMENTS:
            return Response("Not Found", 404, {"content-type": "text/plain", **date})
        if "paymentTransactionId" in request.query_params and not self.tells_one:
            return Response("Not Found", 404, {"content-type": "text/plain", **date})
        if "page" in request.query_params and self.failing:
            self.failing -= 1
            return Response("Service Unavailable", 503, date)
        if "paymentTransactionId" in request.query_params and self.failing_one:
            self.failing_one -= 1
            return Response("Service Unavailable", 503, date)
        self.before()
        status, body = self._listed(dict(request.query_params))
        headers = dict(date)
        if "paymentTransactionId" in request.query_params and self.age_of_one:
            headers["age"] = self.age_of_one
        condition = request.headers.get("if-none-match")
        if status == 200 and (tag := self._tag(body)):
            headers["etag"] = tag
            if condition == tag:
                status, body = 304, b""
        self.asked.append(Asked(dict(request.query_params), condition, status, len(body)))
        return Response(body, status, headers)

    def _listed(self, query: dict[str, str]) -> tuple[int, bytes]:
        rows = self.rows
        if wanted := query.get("paymentTransactionId"):
            rows = [row for row in rows if row["paymentTransactionId"] == wanted]
        if since := query.get("updatedSince"):
            if self.since == "refused":
                error = {"code": "invalid", "message": "updatedSince is not known"}
                return 400, json.dumps({"error": error}).encode()
            if self.since == "filter":
                rows = []
            if self.since == "known":
                rows = rows if self.tells_older else rows[: self.newest]
                moment = datetime.fromisoformat(since)
                rows = [row for row in rows if datetime.fromisoformat(row["updatedAt"]) >= moment]
        size = min(int(query.get("pageSize", "100")), self.largest)
        listed = rows[: self.newest]
        start = (int(query.get("page", "1")) - 1) * size
        is_cut = self.cut and "updatedSince" in query and start > 0
        answer: Row = {"items": [] if is_cut else listed[start : start + size]}
        if self.tells_total:
            answer["total"] = len(rows)
        return 200, json.dumps(answer).encode()

    def _tag(self, body: bytes) -> str:
        match self.tags:
            case "none":
                return ""
            case "lying":
                return '"for-ever"'
            case "odd":
                return self.odd_tag
            case _:
                weak = "W/" if self.tags == "weak" else ""
                return f'{weak}"{hashlib.sha256(body).hexdigest()[:16]}"'


def name(number: int) -> str:
    """The identifier of a payment."""
    return f"p{number:06}"


def payment(number: int) -> Row:
    """Return a payment completed long ago, a second after the one before it."""
    made = NOON - timedelta(days=30) + timedelta(seconds=number)
    return {
        "paymentTransactionId": name(number),
        "amount": f"{number}.00",
        "currency": "AUD",
        "status": "completed",
        "createdAt": written(made),
        "updatedAt": written(made),
    }


def written(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")


def _nothing() -> None:
    """Nothing happens between answers."""
