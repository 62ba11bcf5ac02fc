"""Operations that create something: a request becomes the body that goes out."""

from __future__ import annotations

from dataclasses import replace

from paytui.api.caller import Operation
from paytui.api.errors import NotSent
from paytui.api.models import IdempotencyKey, Problem
from paytui.api.requests import in_path
from paytui.api.wire import Wire
from paytui.api.writing import BadRequest


def creation(name: str, request: object, key: IdempotencyKey, wire: Wire) -> Operation:
    """The operation that puts a request of `requests.py` to the service.

    Raises:
        NotSent: it lacks what the service needs.
    """
    operation = Operation(name, identifiers=in_path(request), key=key)
    try:
        return replace(operation, body=wire.request(request))
    except BadRequest as error:
        problem = Problem(operation.attempted, "the request is not complete", said=str(error))
        raise NotSent(problem, written=False) from None
