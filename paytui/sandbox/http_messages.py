"""Requests and answers as JSON: parsing, errors, ordered faults and responses."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import NoReturn, TypeAlias

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

Json: TypeAlias = "bool | int | str | Decimal | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


def dump(value: Json) -> str:
    """Serialise as compact JSON; decimals become strings, like amounts on this wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def one(item: JsonObject) -> JsonObject:
    """Return the envelope of one object (service.md §2: `item` of the auth response)."""
    return {"item": item}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer before its serialisation; a 304 has no body."""

    status: int
    body: JsonObject | None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Detail:
    field: str
    message: str


@dataclass(slots=True)
class ApiError(Exception):
    """A refusal, in the service's one error shape (service.md §7)."""

    status: int
    code: str
    message: str
    details: tuple[Detail, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)

    def answer(self, trace_id: str) -> Answer:
        error: JsonObject = {
            "code": self.code,
            "message": self.message,
            "details": [asdict(detail) for detail in self.details],
            "traceId": trace_id,
        }
        return Answer(self.status, {"error": error}, self.headers)


def invalid(name: str, message: str) -> ApiError:
    """Return a 400: a field of the request is invalid."""
    return ApiError(400, "invalid_request", f"{name}: {message}", (Detail(name, message),))


def unknown(name: str, identifier: str) -> ApiError:
    """Return a 404: an identifier does not exist."""
    message = f"there is no object with this {name}"
    return ApiError(404, "not_found", f"{message}: {identifier[:80]}", (Detail(name, message),))


def conflict(code: str, message: str, name: str) -> ApiError:
    """Return a 409: the state of the object that a field names does not allow it."""
    return ApiError(409, code, message, (Detail(name, message),))


LARGEST_BODY = 256 * 1024


async def read_body(request: Request) -> bytes:
    """Return the body of a request; raise 413 as soon as it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            message = f"the body is larger than {LARGEST_BODY} bytes"
            raise ApiError(413, "body_too_large", message)
    return bytes(body)


def parse_object(body: bytes) -> JsonObject:
    """Parse a body; raise 400 unless it is a JSON object (RFC 8259) in UTF-8."""
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


ANY_OPERATION = "*"


class FaultKind(StrEnum):
    """The kind of an ordered fault.

    500, 503, 429, html and cut replace the operation; delay precedes it; malformed and
    all that begin with commit follow its effect.
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
    """A fault of an operation (by name, or `*`) and its remaining count.

    `seconds` is the length of a delay, or the `Retry-After` of a 429 or 503.
    """

    operation: str
    kind: FaultKind
    times: int
    seconds: float


class Faults(list[Fault]):
    """The faults that are ordered, the oldest first."""

    def take(self, operation: str) -> Fault | None:
        """Return the first fault for an operation and decrement its count."""
        for fault in self:
            if fault.operation in {ANY_OPERATION, operation}:
                fault.times -= 1
                if not fault.times:
                    self.remove(fault)
                return fault
        return None


CUT_STATE = "cut"  # The key of the function that ends the connection, in the scope's state

INTERNAL = ApiError(500, "internal_error", "something went wrong on our side")
PROXY_PAGE = "<!doctype html><html><body><h1>Welcome to the proxy</h1></body></html>"


def respond(answer: Answer) -> Response:
    """Return the answer as JSON."""
    if answer.body is None:
        return Response(None, answer.status, answer.headers)
    return Response(dump(answer.body), answer.status, answer.headers, "application/json")


class CutResponse(Response):
    """A response that ends the connection without an answer; without a server it raises."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        cut = scope.get("state", {}).get(CUT_STATE)
        if cut is None:
            raise ConnectionResetError("the connection is cut, as was ordered")
        cut()
        await asyncio.sleep(0)  # the server notices in the loop's next iteration


def instead(fault: Fault, trace_id: str) -> Response | None:
    """Return the response that replaces the operation; None if it may run."""
    retry_after = {"retry-after": f"{fault.seconds:.0f}"}
    match fault.kind:
        case FaultKind.CUT:
            return CutResponse()
        case FaultKind.HTML:
            return HTMLResponse(PROXY_PAGE)
        case FaultKind.INTERNAL:
            refusal = INTERNAL
        case FaultKind.UNAVAILABLE:
            message = "the service is being worked on"
            refusal = ApiError(503, "unavailable", message, headers=retry_after)
        case FaultKind.TOO_MANY:
            refusal = ApiError(429, "too_many_requests", "too many requests", headers=retry_after)
        case _:
            return None
    return respond(refusal.answer(trace_id))


def after(fault: Fault | None, answer: Answer, trace_id: str) -> Response:
    """Return the response to send after the operation has taken effect."""
    match fault and fault.kind:
        case FaultKind.COMMIT_THEN_CUT:
            return CutResponse()
        case FaultKind.COMMIT_THEN_INTERNAL:
            return respond(INTERNAL.answer(trace_id))
        case FaultKind.MALFORMED:
            body = "" if answer.body is None else dump(answer.body)
            half = body[: len(body) // 2]
            return Response(half, answer.status, answer.headers, "application/json")
    return respond(answer)
