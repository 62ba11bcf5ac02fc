"""Refusals, in the service's one error shape (contract.md, "Errors")."""

from __future__ import annotations

from dataclasses import dataclass, field

from paytui.sandbox.answer import Answer, JsonObject


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
