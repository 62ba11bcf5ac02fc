"""The other service as an ASGI app that translates each request for the sandbox."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tests.support.respelled import names
from tests.support.respelled.items import (
    Digits,
    Json,
    Object,
    documented,
    read,
    respelled,
    twenty_digits,
    write,
)
from tests.support.respelled.names import Spelling

DIALECT = Path(__file__).with_name("respelled.toml")

PREFIX = "/bank/api/7"
EVERYTHING = {"page": "1", "pageSize": "500"}
"""The query for the wrapped service."""

PAGE = 7
"""Records of a page, however many are asked for."""

DESK = "sydney"
"""The required value of the header `X-Desk` on every call."""

Handler = Callable[[Request], Awaitable[Response]]


Order = Callable[[list[str]], list[str]]
"""The order of identifiers in a list, of those that are listed by the wrapped service."""


class OtherService:
    """Speaks to the wrapped service as an ordinary client of it would.

    It takes each parameter that it does not know for a field, and lists what has that value in it.
    What is new is listed last, though what was there before it is listed newest first; payees are
    in no order.

    Attributes:
        driven: operations that were carried out, as `GET /balances/{no}`.
    """

    def __init__(self, wrapped: ASGIApp, digits: Digits = twenty_digits) -> None:
        self._digits = digits
        transport = httpx.ASGITransport(wrapped)
        self._inner = httpx.AsyncClient(transport=transport, base_url="http://localhost/v2")
        self.driven: set[str] = set()

    def app(self) -> Starlette:
        """The service; what it does not have is a plain 404."""
        return Starlette(routes=[
            Route("/session", self._sign_in, methods=["POST"]),
            Route("/_sandbox/{what}", self._control, methods=["POST"]),
            *self._reads(),
            *self._creations(),
        ])  # fmt: skip

    def _reads(self) -> list[Route]:
        one, all_, pages = self._one, self._all, self._pages
        reads = {
            "/customers": all_("/accounts", names.CUSTOMER),
            "/customers/{no}": one("/accounts/{no}", names.CUSTOMER),
            "/balances": pages("/wallets", names.BALANCE),
            "/balances/{no}": one("/wallets/{no}", names.BALANCE),
            # Whichever balance is asked for, all deposits are listed.
            "/deposits": pages("/payins", names.DEPOSIT, ignored="balance"),
            "/deposits/{no}": one("/payins/{no}", names.DEPOSIT),
            "/fx/deals/{no}": one("/trades/{no}", names.DEAL),
            "/fx/quotes/{no}": one("/rate-sheets/{no}", names.QUOTE),
            "/payees": pages("/recipients", names.PAYEE, order=_by_digest),
            "/payees/{no}": one("/recipients/{no}", names.PAYEE),
            "/payees/{no}/accounts": all_(
                "/recipients/{no}/payment-addresses", names.PAYEE_ACCOUNT
            ),
            "/payee-accounts/{no}": one("/payment-addresses/{no}", names.PAYEE_ACCOUNT),
            "/movements": pages("/payments", names.MOVEMENT),
            "/movements/{no}": self._movement,
        }
        return [self._route("GET", path, handler) for path, handler in reads.items()]

    def _creations(self) -> list[Route]:
        new = self._create
        creations = {
            "/customers/people": new("/accounts/individual", names.CUSTOMER),
            "/balances": new("/wallets", names.BALANCE),
            "/deposit-accounts": new("/payin-addresses", names.DEPOSIT_ACCOUNT),
            "/fx/quotes": new("/rate-sheets", names.QUOTE, names.QUOTE_WANTED),
            "/fx/deals": new("/trades", names.DEAL),
            "/payees": new("/recipients", names.PAYEE, names.PAYEE_WANTED),
            "/payees/{no}/accounts": new("/recipients/{no}/payment-addresses", names.PAYEE_ACCOUNT),
            "/movements/internal": new("/payments/transfer", names.MOVEMENT),
            "/movements/external": new("/payments/payout", names.MOVEMENT, wanted="purpose.code"),
        }
        return [self._route("POST", path, handler) for path, handler in creations.items()]

    def _route(self, method: str, path: str, handler: Handler) -> Route:
        async def handle(request: Request) -> Response:
            response = await handler(request)
            if response.status_code < HTTPStatus.BAD_REQUEST:
                self.driven.add(f"{method} {path}")
            return response

        return Route(PREFIX + path, handle, methods=[method])

    async def _sign_in(self, request: Request) -> Response:
        body = read(await request.body())
        assert isinstance(body, dict)
        who = body["who"]
        assert isinstance(who, dict)
        sent = {"clientId": who["name"], "clientSecret": who["word"]}
        answer = await self._inner.post("/auth", content=write({**sent}))
        if answer.is_error:
            return _problem(answer)
        token = answer.json()["item"]
        told = {"ticket": token["accessToken"], "good": {"until": token["expiresAt"]}}
        return _answer(200, told, answer)

    def _one(self, path: str, spelling: Spelling) -> Handler:
        async def handle(request: Request) -> Response:
            answer = await self._ask(request, path)
            if answer.is_error:
                return _problem(answer)
            return _answer(200, {"data": self._spelt(_item(answer), spelling)}, answer)

        return handle

    async def _control(self, request: Request) -> Response:
        """Pass on what a test does to the books."""
        path = f"http://localhost/_sandbox/{request.path_params['what']}"
        answer = await self._inner.post(path, content=await request.body())
        return Response(answer.content, answer.status_code)

    def _spelt(self, item: Object, spelling: Spelling) -> Object:
        return respelled(item, spelling, self._digits)

    def _spelt_each(self, answer: httpx.Response, spelling: Spelling) -> list[Object]:
        return [self._spelt(item, spelling) for item in _items(answer)]

    async def _movement(self, request: Request) -> Response:
        wanted = {"paymentTransactionId": request.path_params["no"]}
        answer = await self._ask(request, "/payments", params=wanted)
        if answer.is_error:
            return _problem(answer)
        if not (items := _items(answer)):
            return _missing(answer)
        return _answer(200, {"data": self._spelt(items[0], names.MOVEMENT)}, answer)

    def _all(self, path: str, spelling: Spelling) -> Handler:
        """A bare array of everything."""

        async def handle(request: Request) -> Response:
            answer = await self._ask(request, path, params=EVERYTHING)
            if answer.is_error:
                return _problem(answer)
            rows = self._spelt_each(answer, spelling)
            return _answer(200, [*_filtered(rows, request, set())], answer)

        return handle

    def _pages(
        self, path: str, spelling: Spelling, *, order: Order | None = None, ignored: str = ""
    ) -> Handler:
        """A page and where the list goes on; 204 where there is nothing."""
        placed = order or _Appended()

        async def handle(request: Request) -> Response:
            number = int(request.query_params.get("from", "p1").removeprefix("p"))
            size = min(PAGE, int(request.query_params.get("max", "3")))
            answer = await self._ask(request, path, params=EVERYTHING)
            if answer.is_error:
                return _problem(answer)
            by_no = {str(row["no"]): row for row in self._spelt_each(answer, spelling)}
            listed = [by_no[no] for no in placed(list(by_no))]
            rows = _filtered(listed, request, {"from", "max", ignored})
            if not rows:
                return Response(status_code=204, headers=_dated(answer))
            told: Object = {"data": {"rows": [*rows[(number - 1) * size : number * size]]}}
            if number * size < len(rows):
                told["links"] = {"more": f"p{number + 1}"}
            return _answer(200, told, answer)

        return handle

    def _create(
        self, path: str, spelling: Spelling, asked: Spelling | None = None, wanted: str = ""
    ) -> Handler:
        """A bare object comes back; `wanted` is a field that only this service knows, and needs."""

        async def handle(request: Request) -> Response:
            body = read(await request.body())
            assert isinstance(body, dict)
            outer, _, inner = wanted.partition(".")
            within = body.get(outer)
            if wanted and not (isinstance(within, dict) and within.get(inner)):
                return _lacks(wanted)
            sent = documented(body, asked or spelling)
            answer = await self._ask(request, path, method="POST", content=write(sent))
            if answer.is_error:
                return _problem(answer, asked or spelling)
            return _answer(201, self._spelt(_item(answer), spelling), answer)

        return handle

    async def _ask(
        self,
        request: Request,
        path: str,
        *,
        method: str = "GET",
        content: str | None = None,
        params: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        headers = {"authorization": request.headers.get("authorization", "")}
        if key := request.headers.get("Request-Key"):
            headers["idempotency"] = key
        if request.headers.get("X-Desk") != DESK:
            return httpx.Response(
                403, json={"error": {"code": "no_desk", "message": "which desk?"}}
            )
        filled = path.replace("{no}", request.path_params.get("no", ""))
        return await self._inner.request(
            method, filled, params=params, headers=headers, content=content
        )


class _Appended:
    """The order of a list to whose end new objects are appended."""

    def __init__(self) -> None:
        self._listed: dict[str, None] = {}

    def __call__(self, newest_first: list[str]) -> list[str]:
        new = [no for no in newest_first if no not in self._listed]
        self._listed.update(dict.fromkeys(reversed(new) if self._listed else new))
        return [no for no in self._listed if no in newest_first]


def _by_digest(nos: list[str]) -> list[str]:
    return sorted(nos, key=lambda no: hashlib.sha256(no.encode()).digest())


def _filtered(rows: list[Object], request: Request, known: set[str]) -> list[Object]:
    """The objects whose fields have the values of all parameters that are not known."""
    wanted = {name: each for name, each in request.query_params.items() if name not in known}
    return [row for row in rows if all(row.get(name) == each for name, each in wanted.items())]


def _item(answer: httpx.Response) -> Object:
    body = read(answer.content)
    assert isinstance(body, dict)
    item = body["item"]
    assert isinstance(item, dict)
    return item


def _items(answer: httpx.Response) -> list[Object]:
    body = read(answer.content)
    assert isinstance(body, dict)
    items = body["items"]
    assert isinstance(items, list)
    return [item for item in items if isinstance(item, dict)]


def _dated(answer: httpx.Response) -> Mapping[str, str]:
    return {"date": answer.headers["date"]} if "date" in answer.headers else {}


def _answer(status: int, body: Json, answer: httpx.Response) -> Response:
    headers = {"content-type": "application/json", **_dated(answer)}
    if answer.headers.get("idempotency-replayed") == "true":
        headers["Request-Seen-Before"] = "true"
    return Response(write(body), status, headers)


def _problem(answer: httpx.Response, asked: Spelling | None = None) -> Response:
    """Problem details (RFC 9457), in the names of what was asked."""
    error = answer.json()["error"]
    body: Object = {
        "type": f"https://bank.example/problems/{error['code']}",
        "title": "It cannot be done",
        "status": answer.status_code,
        "detail": error["message"],
        "instance": f"/incidents/{error.get('traceId', '')}",
        "faults": [
            {"pointer": _pointer(each["field"], asked), "detail": each["message"]}
            for each in error.get("details", [])
        ],
    }
    headers = {"content-type": "application/problem+json", **_dated(answer)}
    return Response(write(body), answer.status_code, headers)


def _pointer(field: str, asked: Spelling | None) -> str:
    """Documented `paymentAddresses[0].country` as this service points at it."""
    steps: list[str] = []
    for name in field.replace("[", ".").replace("]", "").split("."):
        steps += (asked.names.get(name, name) if asked else name).split(".")
        asked = asked.inner.get(name, asked) if asked else None
    return "/" + "/".join(steps)


def _lacks(field: str) -> Response:
    pointer = "/" + field.replace(".", "/")
    body: Object = {
        "type": "https://bank.example/problems/incomplete",
        "detail": "something is missing",
        "faults": [{"pointer": pointer, "detail": "is needed here"}],
    }
    return Response(write(body), 400, {"content-type": "application/problem+json"})


def _missing(answer: httpx.Response) -> Response:
    body: Object = {
        "type": "https://bank.example/problems/not_found",
        "detail": "there is no such movement",
        "instance": "/incidents/none",
    }
    headers = {"content-type": "application/problem+json", **_dated(answer)}
    return Response(write(body), 404, headers)
