"""The service's own description, in OpenAPI 3.1: made from its operations and resources."""

from __future__ import annotations

import re
from collections import defaultdict
from http import HTTPStatus

from paytui.sandbox.answer import Json, JsonObject
from paytui.sandbox.forms import FORMS
from paytui.sandbox.operation import Operation
from paytui.sandbox.resources import LARGEST_NUMBER, LARGEST_PAGE, UPDATED_SINCE, Resource
from paytui.sandbox.shapes import ANY_TEXT, IDENTIFIER, MOMENT, record

ALWAYS = (400, 401, 429, 500, 503)
OF_READS = (304, 404)
OF_CREATION = (404, 409, 413, 422)

TOKEN = record(("accessToken", "expiresAt"), ("accessToken", "expiresAt"))
KEY: JsonObject = {"type": "string", "pattern": "^[!-~]{1,255}$"}


def describe(operations: tuple[Operation, ...], prefix: str) -> JsonObject:
    """The document of some operations, all under one prefix."""
    paths: defaultdict[str, JsonObject] = defaultdict(dict)
    for operation in operations:
        for spelling, path in enumerate(operation.paths):
            paths[prefix + path][operation.method.lower()] = _operation(operation, path, spelling)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Payments Platform API, as the sandbox serves it", "version": "2"},
        "paths": {**paths},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _error()},
        },
    }


def _operation(operation: Operation, path: str, spelling: int) -> JsonObject:
    is_public = operation.name == "auth"
    described: JsonObject = {
        "operationId": operation.name if not spelling else f"{operation.name}_{spelling + 1}",
        "parameters": [*_in_path(path), *_in_query(operation), *_in_headers(operation)],
        "responses": _responses(operation),
        "security": [] if is_public else [{"token": []}],
    }
    if operation.creates:
        content: JsonObject = {"application/json": {"schema": FORMS[operation.name]}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _in_path(path: str) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": IDENTIFIER}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _in_query(operation: Operation) -> list[Json]:
    if not operation.is_list:
        return []
    assert operation.resource is not None
    count: JsonObject = {"type": "integer", "minimum": 1}
    fields: dict[str, JsonObject] = {
        "page": {**count, "maximum": LARGEST_NUMBER},
        "pageSize": {**count, "maximum": LARGEST_PAGE},
        **{
            name: MOMENT if name == UPDATED_SINCE else ANY_TEXT
            for name in operation.resource.filters
        },
    }
    in_path = re.findall(r"{(\w+)}", operation.paths[0])
    return [
        {"name": name, "in": "query", "schema": schema}
        for name, schema in fields.items()
        if name not in in_path
    ]


def _in_headers(operation: Operation) -> list[Json]:
    if not operation.creates or operation.name == "auth":
        return []
    return [{"name": "idempotency", "in": "header", "schema": KEY}]


def _responses(operation: Operation) -> JsonObject:
    refusals = (*ALWAYS, *(OF_CREATION if operation.creates else OF_READS))
    happy = HTTPStatus.CREATED if operation.creates else HTTPStatus.OK
    return {
        str(int(happy)): _response(happy, _answer(operation)),
        **{str(status): _refusal(status) for status in sorted(refusals)},
    }


def _refusal(status: int) -> JsonObject:
    if status == HTTPStatus.NOT_MODIFIED:
        return {"description": HTTPStatus(status).phrase}
    refusal = _response(status, {"$ref": "#/components/schemas/Error"})
    if status == HTTPStatus.NOT_FOUND:  # a path that is none of ours is answered as a proxy would
        refusal["content"] = {**_content(refusal), "text/plain": {}}
    return refusal


def _content(response: JsonObject) -> JsonObject:
    content = response["content"]
    assert isinstance(content, dict)
    return content


def _response(status: int, schema: JsonObject) -> JsonObject:
    content: JsonObject = {"application/json": {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _answer(operation: Operation) -> JsonObject:
    item = TOKEN if operation.resource is None else _item(operation.resource)
    if not operation.is_list:
        return {"type": "object", "properties": {"item": item}, "required": ["item"]}
    names = ("page", "pageSize", "total")
    counts: JsonObject = {name: {"type": "integer", "minimum": 0} for name in names}
    items: JsonObject = {"type": "array", "items": item}
    return {
        "type": "object",
        "properties": {"items": items, **counts},
        "required": ["items", *names],
    }


def _item(resource: Resource) -> JsonObject:
    return record(resource.columns, (resource.key,))


def _error() -> JsonObject:
    detail = record(("field", "message"), ("field", "message"))
    text: JsonObject = {"type": "string"}
    error: JsonObject = {
        "type": "object",
        "properties": {
            "code": text,
            "message": text,
            "details": {"type": "array", "items": detail},
            "traceId": text,
        },
        "required": ["code", "message", "details", "traceId"],
    }
    return {"type": "object", "properties": {"error": error}, "required": ["error"]}
