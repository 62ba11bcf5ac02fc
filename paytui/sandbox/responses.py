"""Answers as ASGI sends them, the broken ones too."""

from __future__ import annotations

import asyncio

from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from paytui.sandbox.answer import Answer, dump
from paytui.sandbox.errors import ApiError
from paytui.sandbox.faults import Fault, FaultKind

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
