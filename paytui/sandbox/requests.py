"""From bytes to a JSON object, or a 400 that says what is wrong with them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import NoReturn

from starlette.requests import Request

from paytui.sandbox.answer import Json, JsonObject, dump
from paytui.sandbox.errors import ApiError

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
