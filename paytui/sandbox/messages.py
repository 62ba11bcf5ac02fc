"""JSON and what is answered with it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import NoReturn, TypeAlias

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

Json: TypeAlias = "bool | int | str | Decimal | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


def dump(value: Json) -> str:
    """Compact JSON; decimals become strings, as amounts are on this wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def one(item: JsonObject) -> JsonObject:
    """The envelope of one object (service.md §2: `item` of the auth response)."""
    return {"item": item}


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer, before it is bytes; a 304 has no body."""

    status: int
    body: JsonObject | None
    headers: dict[str, str] = field(default_factory=dict)


# Refusals, in the service's one error shape (service.md §7.


@dataclass(frozen=True, slots=True)
class Detail:
    """What is wrong with one field of a request."""

    field: str
    message: str


@dataclass(slots=True)
class ApiError(Exception):
    """A request that the service refuses.

    Attributes:
        status: the HTTP status.
        code: for programs.
        message: for people: what is wrong.
        details: the fields that are to blame.
        headers: to be sent with the answer.
    """

    status: int
    code: str
    message: str
    details: tuple[Detail, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)

    def answer(self, trace_id: str) -> Answer:
        details = [{"field": detail.field, "message": detail.message} for detail in self.details]
        body: JsonObject = {
            "error": {
                "code": self.code,
                "message": self.message,
                "details": [dict(detail) for detail in details],
                "traceId": trace_id,
            }
        }
        return Answer(self.status, body, self.headers)


def invalid(name: str, message: str) -> ApiError:
    """400: one field of the request cannot be taken."""
    return ApiError(400, "invalid_request", f"{name}: {message}", (Detail(name, message),))


def unknown(name: str, identifier: str) -> ApiError:
    """404: an identifier that names nothing."""
    message = f"there is no object with this {name}"
    return ApiError(404, "not_found", f"{message}: {identifier[:80]}", (Detail(name, message),))


def conflict(code: str, message: str, name: str) -> ApiError:
    """409: the state of the object that a field names does not allow it."""
    return ApiError(409, code, message, (Detail(name, message),))


# From bytes to a JSON object, or a 400 that says what is wrong with them.

LARGEST_BODY = 256 * 1024


async def read_body(request: Request) -> bytes:
    """The body of a request; 413 as soon as it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            message = f"the body is larger than {LARGEST_BODY} bytes"
            raise ApiError(413, "body_too_large", message)
    return bytes(body)


def parse_object(body: bytes) -> JsonObject:
    """The JSON object of a body.

    Raises:
        ApiError: 400 for what is not JSON (RFC 8259) in UTF-8, and for JSON that is no object.
    """
    try:
        value: Json = json.loads(
            body.decode("utf-8"), parse_float=Decimal, parse_constant=_refuse_constant
        )
        dump(value).encode("utf-8")
    except RecursionError:
        raise _malformed("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise _malformed("it holds half of a surrogate pair") from None
    except ValueError as error:
        raise _malformed(str(error)) from None
    if not isinstance(value, dict):
        raise _malformed("it must be an object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _malformed(reason: str) -> ApiError:
    return ApiError(400, "malformed_json", f"the body cannot be read: {reason}")


# Faults on order: what goes wrong with the next calls of an operation.

ANY_OPERATION = "*"


class FaultKind(StrEnum):
    """What goes wrong.

    500, 503, 429, html and cut happen instead of the operation; delay before it; malformed and
    all that begin with commit after it has taken effect.
    """

    INTERNAL = "500"
    UNAVAILABLE = "503"
    TOO_MANY = "429"
    HTML = "html"
    CUT = "cut"
    DELAY = "delay"
    COMMIT_THEN_INTERNAL = "commit-then-500"
    COMMIT_THEN_DELAY = "commit-then-delay"
    COMMIT_THEN_CUT = "commit-then-cut"
    MALFORMED = "malformed"


@dataclass(slots=True)
class Fault:
    """A fault and how often it is still to happen.

    Attributes:
        operation: the name of one, or `*`.
        seconds: the length of a delay; what `Retry-After` of a 429 or 503 says.
    """

    operation: str
    kind: FaultKind
    times: int
    seconds: float

    def concerns(self, operation: str) -> bool:
        return self.operation in {ANY_OPERATION, operation}


class Faults:
    """What was ordered, in order."""

    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, fault: Fault) -> None:
        self._ordered.append(fault)

    def clear(self) -> None:
        self._ordered.clear()

    def take(self, operation: str) -> Fault | None:
        """The first fault that concerns an operation; it is used up by one."""
        for fault in self._ordered:
            if fault.concerns(operation):
                fault.times -= 1
                self._ordered = [kept for kept in self._ordered if kept.times > 0]
                return fault
        return None


# Answers as ASGI sends them, the broken ones too.

CUT_STATE = "cut"
"""Where the server puts the function that ends the connection of a request."""

INTERNAL = ApiError(500, "internal_error", "something went wrong on our side")
PROXY_PAGE = "<!doctype html><html><body><h1>Welcome to the proxy</h1></body></html>"


def respond(answer: Answer) -> Response:
    """The answer as JSON."""
    if answer.body is None:
        return Response(None, answer.status, answer.headers)
    return Response(dump(answer.body), answer.status, answer.headers, "application/json")


def truncated(answer: Answer) -> Response:
    """The answer as half of its JSON."""
    body = "" if answer.body is None else dump(answer.body)
    return Response(body[: len(body) // 2], answer.status, answer.headers, "application/json")


class Cut(Response):
    """No answer: the connection ends.

    Without a server that says how to end it, the app raises `ConnectionResetError` instead.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        cut = scope.get("state", {}).get(CUT_STATE)
        if cut is None:
            raise ConnectionResetError("the connection is cut, as was ordered")
        cut()
        await asyncio.sleep(0)  # the server learns of it in the next turn of the loop


def instead(fault: Fault, trace_id: str) -> Response | None:
    """What is answered where the operation must not run, or None where it may."""
    if fault.kind is FaultKind.CUT:
        return Cut()
    if fault.kind is FaultKind.HTML:
        return HTMLResponse(PROXY_PAGE)
    refusal = _refusal(fault)
    return None if refusal is None else respond(refusal.answer(trace_id))


def _refusal(fault: Fault) -> ApiError | None:
    retry_after = {"retry-after": f"{fault.seconds:.0f}"}
    if fault.kind is FaultKind.INTERNAL:
        return INTERNAL
    if fault.kind is FaultKind.UNAVAILABLE:
        return ApiError(503, "unavailable", "the service is being worked on", headers=retry_after)
    if fault.kind is FaultKind.TOO_MANY:
        return ApiError(429, "too_many_requests", "too many requests", headers=retry_after)
    return None


def after(fault: Fault | None, answer: Answer, trace_id: str) -> Response:
    """How an answer leaves after the operation has taken effect."""
    if fault and fault.kind is FaultKind.COMMIT_THEN_CUT:
        return Cut()
    if fault and fault.kind is FaultKind.COMMIT_THEN_INTERNAL:
        return respond(INTERNAL.answer(trace_id))
    if fault and fault.kind is FaultKind.MALFORMED:
        return truncated(answer)
    return respond(answer)
