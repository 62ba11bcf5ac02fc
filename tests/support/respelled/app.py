"""The other service as an ASGI app: each request is put to the documented one, which it wraps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tests.support.respelled import names
from tests.support.respelled.items import Json, Object, documented, read, respelled, write
from tests.support.respelled.names import Spelling

DIALECT = Path(__file__).with_name("respelled.toml")

PREFIX = "/bank/api/7"
PAGE = 7
"""Records of a page, however many are asked for."""

DESK = "sydney"
"""What the header `X-Desk` must say on every call."""

Handler = Callable[[Request], Awaitable[Response]]


class OtherService:
    """Speaks to the wrapped service as an ordinary client of it would."""

    def __init__(self, wrapped: ASGIApp) -> None:
        transport = httpx.ASGITransport(wrapped)
        self._inner = httpx.AsyncClient(transport=transport, base_url="http://localhost/v2")

    def app(self) -> Starlette:
        """The service; what it does not have is a plain 404."""
        return Starlette(routes=[
            Route("/session", self._sign_in, methods=["POST"]),
            *self._reads(),
            *self._creations(),
        ])  # fmt: skip

    def _reads(self) -> list[Route]:
        one, all_, pages = self._one, self._all, self._pages
        return [
            _get("/customers", all_("/accounts", names.CUSTOMER)),
            _get("/customers/{no}", one("/accounts/{no}", names.CUSTOMER)),
            _get("/balances", pages("/wallets", names.BALANCE)),
            _get("/balances/{no}", one("/wallets/{no}", names.BALANCE)),
            # Whichever balance is asked for, all deposits are listed.
            _get("/deposits", pages("/payins", names.DEPOSIT)),
            _get("/deposits/{no}", one("/payins/{no}", names.DEPOSIT)),
            _get("/fx/deals/{no}", one("/trades/{no}", names.DEAL)),
            _get("/fx/quotes/{no}", one("/rate-sheets/{no}", names.QUOTE)),
            _get("/payees", pages("/recipients", names.PAYEE)),
            _get("/payees/{no}", one("/recipients/{no}", names.PAYEE)),
            _get(
                "/payees/{no}/accounts",
                all_("/recipients/{no}/payment-addresses", names.PAYEE_ACCOUNT),
            ),
            _get("/payee-accounts/{no}", one("/payment-addresses/{no}", names.PAYEE_ACCOUNT)),
            _get("/movements", pages("/payments", names.MOVEMENT)),
        ]

    def _creations(self) -> list[Route]:
        new = self._create
        return [
            _post("/customers/people", new("/accounts/individual", names.CUSTOMER)),
            _post("/balances", new("/wallets", names.BALANCE)),
            _post("/deposit-accounts", new("/payin-addresses", names.DEPOSIT_ACCOUNT)),
            _post("/fx/quotes", new("/rate-sheets", names.QUOTE, names.QUOTE_WANTED)),
            _post("/fx/deals", new("/trades", names.DEAL)),
            _post("/payees", new("/recipients", names.PAYEE, names.PAYEE_WANTED)),
            _post("/payees/{no}/accounts", new(
                "/recipients/{no}/payment-addresses", names.PAYEE_ACCOUNT
            )),
            _post("/movements/internal", new("/payments/transfer", names.MOVEMENT)),
            _post("/movements/external", new(
                "/payments/payout", names.MOVEMENT, wanted="purpose.code"
            )),
        ]  # fmt: skip

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
            return _answer(200, {"data": respelled(_item(answer), spelling)}, answer)

        return handle

    def _all(self, path: str, spelling: Spelling) -> Handler:
        """A bare array of everything."""

        async def handle(request: Request) -> Response:
            answer = await self._ask(request, path, page=1, size=500)
            if answer.is_error:
                return _problem(answer)
            return _answer(200, [respelled(item, spelling) for item in _items(answer)], answer)

        return handle

    def _pages(self, path: str, spelling: Spelling) -> Handler:
        """A page and where the list goes on; 204 where there is nothing."""

        async def handle(request: Request) -> Response:
            number = int(request.query_params.get("from", "p1").removeprefix("p"))
            size = min(PAGE, int(request.query_params.get("max", "3")))
            answer = await self._ask(request, path, page=number, size=size)
            if answer.is_error:
                return _problem(answer)
            items = _items(answer)
            if not items:
                return Response(status_code=204, headers=_dated(answer))
            more = number * size < answer.json()["total"]
            rows: list[Json] = [respelled(item, spelling) for item in items]
            told: Object = {"data": {"rows": rows}}
            if more:
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
            return _answer(201, respelled(_item(answer), spelling), answer)

        return handle

    async def _ask(
        self,
        request: Request,
        path: str,
        *,
        method: str = "GET",
        content: str | None = None,
        page: int = 0,
        size: int = 0,
    ) -> httpx.Response:
        headers = {"authorization": request.headers.get("authorization", "")}
        if key := request.headers.get("Request-Key"):
            headers["idempotency"] = key
        if request.headers.get("X-Desk") != DESK:
            return httpx.Response(
                403, json={"error": {"code": "no_desk", "message": "which desk?"}}
            )
        params = {"page": str(page), "pageSize": str(size)} if page else None
        filled = path.replace("{no}", request.path_params.get("no", ""))
        return await self._inner.request(
            method, filled, params=params, headers=headers, content=content
        )


def _get(path: str, handler: Handler) -> Route:
    return Route(PREFIX + path, partial(_call, handler), methods=["GET"])


def _post(path: str, handler: Handler) -> Route:
    return Route(PREFIX + path, partial(_call, handler), methods=["POST"])


async def _call(handler: Handler, request: Request) -> Response:
    return await handler(request)


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
