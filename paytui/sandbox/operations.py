"""The operations of service.md, and their description in OpenAPI 3.1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from pydantic.json_schema import models_json_schema

from paytui.sandbox import accounts, auth, forms, payments, resources, trades
from paytui.sandbox.context import Bank, Call, Handler, SandboxOptions
from paytui.sandbox.forms import Form
from paytui.sandbox.http_messages import Json, JsonObject, one
from paytui.sandbox.resources import (
    ACCOUNTS,
    PAYIN_ADDRESSES,
    PAYINS,
    PAYMENT_ADDRESSES,
    PAYMENTS,
    RECIPIENTS,
    SHEETS,
    TRADES,
    WALLETS,
)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the service.

    Attributes:
        name: its name in faults and stored idempotency keys; of a creation, its handler's.
        paths: all spellings, without the `/v2` before them.
        handler: runs inside a transaction; raises ApiError to refuse.
        form: the body of a creation.
        resource: the type of the answer's objects; None for a token.
    """

    name: str
    method: str
    paths: tuple[str, ...]
    handler: Handler
    resource: resources.Resource | None = None
    form: type[Form] | None = None
    is_list: bool = False

    @property
    def creates(self) -> bool:
        return self.method == "POST"


def _create(
    handler: Handler, form: type[Form], resource: resources.Resource, *paths: str
) -> Operation:
    return Operation(handler.__name__, "POST", paths, handler, resource, form)


def _list(
    name: str, path: str, of: resources.Resource, handler: Handler | None = None
) -> Operation:
    def page(bank: Bank, call: Call) -> JsonObject:
        return of.page(bank, call.query, call.query)

    return Operation(name, "GET", (path,), handler or page, of, is_list=True)


def _get(name: str, path: str, resource: resources.Resource) -> Operation:
    place = f"{path}/{{{resource.key}}}"

    def read(bank: Bank, call: Call) -> JsonObject:
        return one(resource.get(bank.db, call.params[resource.key]))

    return Operation(name, "GET", (place,), read, resource)


OF_RECIPIENT = "/recipients/{recipientId}/payment-addresses"

DOCUMENTED = (
    Operation(auth.AUTH, "POST", ("/auth",), auth.issue, form=forms.SignIn),
    _create(
        accounts.create_individual_account,
        forms.IndividualAccount,
        ACCOUNTS,
        "/account/individual",
        "/accounts/individual",
    ),
    _create(
        accounts.create_corporate_account, forms.CorporateAccount, ACCOUNTS, "/accounts/corporate"
    ),
    _create(accounts.create_wallet, forms.Wallet, WALLETS, "/wallets"),
    _create(payments.create_payin_address, forms.PayInAddress, PAYIN_ADDRESSES, "/payin-addresses"),
    _create(trades.create_rate_sheet, forms.RateSheet, SHEETS, "/rate-sheets"),
    _create(trades.book_trade, forms.Trade, TRADES, "/tradess", "/trades"),
    _create(accounts.create_recipient, forms.Recipient, RECIPIENTS, "/recipients"),
    _create(accounts.create_payment_address, forms.Address, PAYMENT_ADDRESSES, OF_RECIPIENT),
    _get("get_payment_address", "/payment-addresses", PAYMENT_ADDRESSES),
    _list("list_payment_addresses", OF_RECIPIENT, PAYMENT_ADDRESSES, accounts.list_addresses),
    _create(payments.create_transfer, forms.Transfer, PAYMENTS, "/payments/transfer"),
    _create(payments.create_payout, forms.Payout, PAYMENTS, "/payments/payout"),
    _list("list_payments", "/payments", PAYMENTS),
)

ASSUMED = (
    _list("list_accounts", "/accounts", ACCOUNTS),
    _get("get_account", "/accounts", ACCOUNTS),
    _list("list_wallets", "/wallets", WALLETS),
    _get("get_wallet", "/wallets", WALLETS),
    _list("list_payin_addresses", "/payin-addresses", PAYIN_ADDRESSES),
    _list("list_payins", "/payins", PAYINS),
    _get("get_payin", "/payins", PAYINS),
    _list("list_trades", "/trades", TRADES),
    _get("get_trade", "/trades", TRADES),
    _list("list_recipients", "/recipients", RECIPIENTS),
    _get("get_recipient", "/recipients", RECIPIENTS),
    _get("get_rate_sheet", "/rate-sheets", SHEETS),
)

OPERATIONS = DOCUMENTED + ASSUMED


def served(options: SandboxOptions) -> tuple[Operation, ...]:
    return DOCUMENTED if options.documented_only else OPERATIONS


IDENTIFIER: JsonObject = {"type": "string", "format": "uuid"}
MOMENT: JsonObject = {"type": "string", "format": "date-time"}
ANY_TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "string", "pattern": forms.DECIMAL}
CURRENCY = forms.CURRENCY_SCHEMA

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
    """Return the schema of an object with fields of these names; without `required`, of all."""
    return _object({name: shape(name) for name in names}, *required)


def _object(properties: JsonObject, *required: str) -> JsonObject:
    return {"type": "object", "properties": properties, "required": [*(required or properties)]}


SCHEMA = "#/components/schemas/{}"
MODE: Literal["validation"] = "validation"
ALWAYS = (400, 401, 429, 500, 503)
OF_READS = (304, 404)
OF_CREATION = (404, 409, 413, 422)

TOKEN = record(("accessToken", "expiresAt"))
KEY: JsonObject = {"type": "string", "pattern": "^[!-~]{1,255}$"}


def describe(operations: tuple[Operation, ...], prefix: str) -> JsonObject:
    """Return the OpenAPI document of some operations under one prefix."""
    paths: defaultdict[str, JsonObject] = defaultdict(dict)
    for operation in operations:
        for spelling, path in enumerate(operation.paths):
            paths[prefix + path][operation.method.lower()] = _operation(operation, path, spelling)
    bodies = [(each.form, MODE) for each in operations if each.form]
    _, described = models_json_schema(bodies, ref_template=SCHEMA.format("{model}"))
    return {
        "openapi": "3.1.0",
        "info": {"title": "Payments Platform API, as the sandbox serves it", "version": "2"},
        "paths": {**paths},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _error(), **described["$defs"]},
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
    if operation.form:
        schema: JsonObject = {"$ref": SCHEMA.format(operation.form.__name__)}
        content: JsonObject = {"application/json": {"schema": schema}}
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
    return _response(status, {"$ref": SCHEMA.format("Error")}, plain)


def _response(status: int, schema: JsonObject, more: JsonObject | None = None) -> JsonObject:
    content: JsonObject = {"application/json": {"schema": schema}, **(more or {})}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _answer(operation: Operation) -> JsonObject:
    resource = operation.resource
    item = TOKEN if resource is None else record(resource.columns, resource.key)
    if not operation.is_list:
        return _object({"item": item})
    count: JsonObject = {"type": "integer", "minimum": 0}
    counts: JsonObject = dict.fromkeys(("page", "pageSize", "total"), count)
    return _object({"items": {"type": "array", "items": item}, **counts})


def _error() -> JsonObject:
    details: JsonObject = {"type": "array", "items": record(("field", "message"))}
    texts: JsonObject = dict.fromkeys(("code", "message", "traceId"), ANY_TEXT)
    return _object({"error": _object({**texts, "details": details})})
