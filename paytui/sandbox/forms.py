"""The request bodies in JSON Schema, without rules that concern two fields."""

from __future__ import annotations

from paytui.sandbox import accounts, payins, recipients
from paytui.sandbox.answer import JsonObject
from paytui.sandbox.fields import LONGEST_TEXT
from paytui.sandbox.shapes import CURRENCY, DECIMAL, TEXT, form

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
"""By the name of the operation."""
