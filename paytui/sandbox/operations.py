"""The operations of service.md, and their description in OpenAPI 3.1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus

from paytui.sandbox import auth
from paytui.sandbox.body_validation import LONGEST_TEXT
from paytui.sandbox.context import Handler, SandboxOptions
from paytui.sandbox.http_messages import Json, JsonObject
from paytui.sandbox.ledger import CURRENCIES
from paytui.sandbox.service import accounts, payins, payments, recipients, resources, trades


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the service.

    Attributes:
        name: its name in faults and stored idempotency keys.
        paths: all spellings, without the `/v2` before them.
        handler: runs inside a transaction; raises ApiError to refuse.
        resource: the type of the answer's objects; None for a token.
    """

    name: str
    method: str
    paths: tuple[str, ...]
    handler: Handler
    resource: resources.Resource | None = None
    is_list: bool = False

    @property
    def creates(self) -> bool:
        return self.method == "POST"


def _create(
    name: str, handler: Handler, resource: resources.Resource | None, *paths: str
) -> Operation:
    return Operation(name, "POST", paths, handler, resource)


def _list(
    name: str, path: str, of: resources.Resource, handler: Handler | None = None
) -> Operation:
    return Operation(name, "GET", (path,), handler or of.read_page(), of, is_list=True)


def _get(name: str, path: str, resource: resources.Resource) -> Operation:
    place = f"{path}/{{{resource.key}}}"
    return Operation(name, "GET", (place,), resource.read_one(), resource)


OF_RECIPIENT = "/recipients/{recipientId}/payment-addresses"

DOCUMENTED = (
    _create("auth", auth.issue, None, "/auth"),
    _create(
        "create_individual_account",
        accounts.create_individual,
        resources.ACCOUNTS,
        "/account/individual",
        "/accounts/individual",
    ),
    _create(
        "create_corporate_account",
        accounts.create_corporate,
        resources.ACCOUNTS,
        "/accounts/corporate",
    ),
    _create("create_wallet", accounts.create_wallet, resources.WALLETS, "/wallets"),
    _create(
        "create_payin_address", payins.create_address, resources.PAYIN_ADDRESSES, "/payin-addresses"
    ),
    _create("create_rate_sheet", trades.create_sheet, resources.SHEETS, "/rate-sheets"),
    _create("book_trade", trades.book, resources.TRADES, "/tradess", "/trades"),
    _create("create_recipient", recipients.create, resources.RECIPIENTS, "/recipients"),
    _create(
        "create_payment_address", recipients.add_address, resources.PAYMENT_ADDRESSES, OF_RECIPIENT
    ),
    _get("get_payment_address", "/payment-addresses", resources.PAYMENT_ADDRESSES),
    _list(
        "list_payment_addresses",
        OF_RECIPIENT,
        resources.PAYMENT_ADDRESSES,
        recipients.list_addresses,
    ),
    _create("create_transfer", payments.transfer, resources.PAYMENTS, "/payments/transfer"),
    _create("create_payout", payments.payout, resources.PAYMENTS, "/payments/payout"),
    _list("list_payments", "/payments", resources.PAYMENTS),
)

ASSUMED = (
    _list("list_accounts", "/accounts", resources.ACCOUNTS),
    _get("get_account", "/accounts", resources.ACCOUNTS),
    _list("list_wallets", "/wallets", resources.WALLETS),
    _get("get_wallet", "/wallets", resources.WALLETS),
    _list("list_payin_addresses", "/payin-addresses", resources.PAYIN_ADDRESSES),
    _list("list_payins", "/payins", resources.PAYINS),
    _get("get_payin", "/payins", resources.PAYINS),
    _list("list_trades", "/trades", resources.TRADES),
    _get("get_trade", "/trades", resources.TRADES),
    _list("list_recipients", "/recipients", resources.RECIPIENTS),
    _get("get_recipient", "/recipients", resources.RECIPIENTS),
    _get("get_rate_sheet", "/rate-sheets", resources.SHEETS),
)

OPERATIONS = DOCUMENTED + ASSUMED


def served(options: SandboxOptions) -> tuple[Operation, ...]:
    return DOCUMENTED if options.documented_only else OPERATIONS


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


def record(names: Iterable[str], *required: str) -> JsonObject:
    properties: JsonObject = {name: shape(name) for name in names}
    return {"type": "object", "properties": properties, "required": [*required]}


def form(needed: dict[str, JsonObject], free: dict[str, JsonObject]) -> JsonObject:
    """Return the schema of an object in a request; optional fields may be null."""
    optional: JsonObject = {
        name: {"anyOf": [schema, {"type": "null"}]} for name, schema in free.items()
    }
    return {"type": "object", "properties": {**needed, **optional}, "required": [*needed]}


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

_TOKEN = ("accessToken", "expiresAt")
TOKEN = record(_TOKEN, *_TOKEN)
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
    is_public = operation.name == auth.AUTH
    in_path = re.findall(r"{(\w+)}", path)
    parameters = [_parameter(name, "path", IDENTIFIER, required=True) for name in in_path]
    if operation.is_list:
        parameters += _in_query(operation, in_path)
    if operation.creates and not is_public:
        parameters.append(_parameter("idempotency", "header", KEY))
    described: JsonObject = {
        "operationId": operation.name if not spelling else f"{operation.name}_{spelling + 1}",
        "parameters": parameters,
        "responses": _responses(operation),
        "security": [] if is_public else [{"token": []}],
    }
    if operation.creates:
        content: JsonObject = {"application/json": {"schema": FORMS[operation.name]}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _parameter(name: str, place: str, schema: JsonObject, **more: Json) -> Json:
    return {"name": name, "in": place, **more, "schema": schema}


def _in_query(operation: Operation, in_path: list[str]) -> list[Json]:
    assert operation.resource is not None
    count: JsonObject = {"type": "integer", "minimum": 1}
    fields: dict[str, JsonObject] = {
        "page": {**count, "maximum": resources.LARGEST_NUMBER},
        "pageSize": {**count, "maximum": resources.LARGEST_PAGE},
    }
    for name in operation.resource.filters:
        if name not in in_path:
            fields[name] = MOMENT if name == resources.UPDATED_SINCE else ANY_TEXT
    return [_parameter(name, "query", schema) for name, schema in fields.items()]


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
    # An unknown path is answered as by a proxy.
    plain: JsonObject = {"text/plain": {}} if status == HTTPStatus.NOT_FOUND else {}
    return _response(status, {"$ref": "#/components/schemas/Error"}, plain)


def _response(status: int, schema: JsonObject, more: JsonObject | None = None) -> JsonObject:
    content: JsonObject = {"application/json": {"schema": schema}, **(more or {})}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _answer(operation: Operation) -> JsonObject:
    resource = operation.resource
    item = TOKEN if resource is None else record(resource.columns, resource.key)
    if not operation.is_list:
        return _all_of({"item": item})
    count: JsonObject = {"type": "integer", "minimum": 0}
    counts: JsonObject = dict.fromkeys(("page", "pageSize", "total"), count)
    return _all_of({"items": {"type": "array", "items": item}, **counts})


def _error() -> JsonObject:
    details: JsonObject = {
        "type": "array",
        "items": record(("field", "message"), "field", "message"),
    }
    names = ("code", "message", "details", "traceId")
    fields: JsonObject = {name: details if name == "details" else ANY_TEXT for name in names}
    return _all_of({"error": _all_of(fields)})


def _all_of(properties: JsonObject) -> JsonObject:
    """Return the schema of an object that has all these fields."""
    return {"type": "object", "properties": properties, "required": [*properties]}
