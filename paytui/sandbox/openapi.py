"""The service's description in OpenAPI 3.1, generated from its operations and resources."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from http import HTTPStatus

from paytui.sandbox.body_validation import LONGEST_TEXT
from paytui.sandbox.ledger import CURRENCIES
from paytui.sandbox.messages import Json, JsonObject
from paytui.sandbox.service import accounts, payins, recipients
from paytui.sandbox.service.operations import Operation
from paytui.sandbox.service.resources import LARGEST_NUMBER, LARGEST_PAGE, UPDATED_SINCE, Resource

DECIMAL = r"^[0-9]{1,40}(\.[0-9]{1,40})?$"

IDENTIFIER: JsonObject = {"type": "string", "format": "uuid"}
MOMENT: JsonObject = {"type": "string", "format": "date-time"}
TEXT: JsonObject = {"type": "string", "maxLength": LONGEST_TEXT}
ANY_TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "string", "pattern": DECIMAL}
CURRENCY: JsonObject = {"type": "string", "enum": [*CURRENCIES]}

_BY_NAME: dict[str, JsonObject] = {
    "amount": NUMBER,
    "rate": NUMBER,
    "currency": CURRENCY,
    "endToEndId": ANY_TEXT,
    "nppEnabled": {"type": "boolean"},
    "bankInformation": {"type": "object"},
    "paymentAddresses": {"type": "array", "items": {"type": "object"}},
    "rates": {"type": "array", "items": {"type": "object"}},
    "unavailable": {"type": "array", "items": {"type": "object"}},
}
_BY_ENDING: dict[str, JsonObject] = {
    "Id": IDENTIFIER,
    "At": MOMENT,
    "Amount": NUMBER,
    "Balance": NUMBER,
    "Currency": CURRENCY,
}


def shape(name: str) -> JsonObject:
    """Return the schema of a field of an answer."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    return next((found for end, found in _BY_ENDING.items() if name.endswith(end)), ANY_TEXT)


def record(names: Iterable[str], required: Iterable[str]) -> JsonObject:
    """Return the schema of an object in an answer."""
    return _object({name: shape(name) for name in names}, required)


def form(needed: dict[str, JsonObject], free: dict[str, JsonObject]) -> JsonObject:
    """Return the schema of an object in a request; optional fields may be null."""
    return _object({**needed, **{name: _or_null(free[name]) for name in free}}, needed)


def _object(properties: dict[str, JsonObject], required: Iterable[str]) -> JsonObject:
    return {"type": "object", "properties": {**properties}, "required": [*required]}


def _or_null(field: JsonObject) -> JsonObject:
    choices: list[Json] = [field, {"type": "null"}]
    return {"anyOf": choices}


WORD: JsonObject = {**TEXT, "minLength": 1, "pattern": r"\S"}
OBJECT: JsonObject = {"type": "object"}
AMOUNT: JsonObject = {
    "anyOf": [{"type": "string", "pattern": DECIMAL}, {"type": "number", "exclusiveMinimum": 0}]
}


def _one_of(*values: str) -> JsonObject:
    return {"type": "string", "enum": [*values]}


def _texts(*names: str) -> dict[str, JsonObject]:
    return dict.fromkeys(names, TEXT)


def _words(*names: str) -> dict[str, JsonObject]:
    return dict.fromkeys(names, WORD)


def _list_of(item: JsonObject, most: int) -> JsonObject:
    return {"type": "array", "items": item, "minItems": 1, "maxItems": most}


_OF_ACCOUNTS: dict[str, JsonObject] = {
    **dict.fromkeys(accounts.OBJECTS, OBJECT),
    "termsAndConditionsAccepted": {"type": "boolean"},
}

_ADDRESS = form(
    {"currency": CURRENCY, "accountType": _one_of(*recipients.ACCOUNT_TYPES)},
    {
        **_texts(*recipients.ADDRESS_TEXTS),
        "bankInformation": {
            "type": "object",
            "properties": {
                name: {"type": ["string", "null"], "maxLength": LONGEST_TEXT}
                for name in recipients.BANK_FIELDS
            },
        },
    },
)

_PAIR = form(_words("sellCurrency", "buyCurrency"), {})

FORMS: dict[str, JsonObject] = {
    "auth": form(_words("clientId", "clientSecret"), {}),
    "create_individual_account": form(
        _words("firstName", "lastName"), {**_texts(*accounts.INDIVIDUAL_TEXTS), **_OF_ACCOUNTS}
    ),
    "create_corporate_account": form(
        _words("companyName"), {**_texts(*accounts.CORPORATE_TEXTS), **_OF_ACCOUNTS}
    ),
    "create_wallet": form(
        {**_words("accountId"), "currency": CURRENCY}, _texts("walletName", "walletDescription")
    ),
    "create_payin_address": form(
        {**_words("walletId"), "payInAddressType": _one_of(*payins.TYPES)}, {}
    ),
    "create_rate_sheet": form({"currencyPairs": _list_of(_PAIR, 400)}, {}),
    "book_trade": form(
        {"sellCurrency": CURRENCY, "buyCurrency": CURRENCY, **_words("sellWalletId")},
        {
            **dict.fromkeys(("sellAmount", "buyAmount"), AMOUNT),
            **_words("buyWalletId", "recipientId", "paymentAddressId"),
            **_texts("accountId", "rateSheetId", "reference"),
        },
    ),
    "create_recipient": form(
        {
            **_words("accountId"),
            "recipientType": _one_of(*recipients.RECIPIENT_TYPES),
            "paymentAddresses": _list_of(_ADDRESS, recipients.MOST_ADDRESSES),
        },
        _texts("firstName", "lastName", "companyName", "email", "country"),
    ),
    "create_payment_address": _ADDRESS,
    "create_transfer": form(
        {**_words("sourceWalletId", "destinationWalletId"), "amount": AMOUNT},
        _texts("accountId", "reference"),
    ),
    "create_payout": form(
        {**_words("sourceWalletId", "recipientId", "paymentAddressId"), "amount": AMOUNT},
        _texts("accountId", "reference"),
    ),
}
"""The request schemas by operation, without rules that concern two fields."""


ALWAYS = (400, 401, 429, 500, 503)
OF_READS = (304, 404)
OF_CREATION = (404, 409, 413, 422)

TOKEN = record(("accessToken", "expiresAt"), ("accessToken", "expiresAt"))
KEY: JsonObject = {"type": "string", "pattern": "^[!-~]{1,255}$"}


def describe(operations: tuple[Operation, ...], prefix: str) -> JsonObject:
    """Return the OpenAPI document of some operations under one prefix."""
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
    if status == HTTPStatus.NOT_FOUND:  # an unknown path is answered as by a proxy
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
