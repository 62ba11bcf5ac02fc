"""The operations: the fourteen of service.md §4, and the assumed reads of service.md."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.sandbox import auth
from paytui.sandbox.context import Handler, SandboxOptions
from paytui.sandbox.service import (
    accounts,
    payins,
    payments,
    rate_sheets,
    recipients,
    trades,
    wallets,
)
from paytui.sandbox.service.resources import Resource


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the service.

    Attributes:
        name: its name in faults and stored idempotency keys.
        paths: all spellings, without the `/v2` before them.
        handler: runs inside a transaction; raises ApiError to refuse.
        resource: the type of the answer's objects; None for a token.
        is_list: the answer is a list.
    """

    name: str
    method: str
    paths: tuple[str, ...]
    handler: Handler
    resource: Resource | None = None
    is_list: bool = False

    @property
    def creates(self) -> bool:
        return self.method == "POST"


def _list(name: str, path: str, resource: Resource) -> Operation:
    return Operation(name, "GET", (path,), resource.read_page(), resource, is_list=True)


def _get(name: str, path: str, resource: Resource) -> Operation:
    place = f"{path}/{{{resource.key}}}"
    return Operation(name, "GET", (place,), resource.read_one(), resource)


DOCUMENTED = (
    Operation("auth", "POST", ("/auth",), auth.issue),
    Operation(
        "create_individual_account",
        "POST",
        ("/account/individual", "/accounts/individual"),
        accounts.create_individual,
        accounts.ACCOUNTS,
    ),
    Operation(
        "create_corporate_account",
        "POST",
        ("/accounts/corporate",),
        accounts.create_corporate,
        accounts.ACCOUNTS,
    ),
    Operation("create_wallet", "POST", ("/wallets",), wallets.create, wallets.WALLETS),
    Operation(
        "create_payin_address",
        "POST",
        ("/payin-addresses",),
        payins.create_address,
        payins.ADDRESSES,
    ),
    Operation(
        "create_rate_sheet", "POST", ("/rate-sheets",), rate_sheets.create, rate_sheets.SHEETS
    ),
    Operation("book_trade", "POST", ("/tradess", "/trades"), trades.book, trades.TRADES),
    Operation(
        "create_recipient", "POST", ("/recipients",), recipients.create, recipients.RECIPIENTS
    ),
    Operation(
        "create_payment_address",
        "POST",
        ("/recipients/{recipientId}/payment-addresses",),
        recipients.add_address,
        recipients.ADDRESSES,
    ),
    _get("get_payment_address", "/payment-addresses", recipients.ADDRESSES),
    Operation(
        "list_payment_addresses",
        "GET",
        ("/recipients/{recipientId}/payment-addresses",),
        recipients.list_addresses,
        recipients.ADDRESSES,
        is_list=True,
    ),
    Operation(
        "create_transfer", "POST", ("/payments/transfer",), payments.transfer, payments.PAYMENTS
    ),
    Operation("create_payout", "POST", ("/payments/payout",), payments.payout, payments.PAYMENTS),
    _list("list_payments", "/payments", payments.PAYMENTS),
)

ASSUMED = (
    _list("list_accounts", "/accounts", accounts.ACCOUNTS),
    _get("get_account", "/accounts", accounts.ACCOUNTS),
    _list("list_wallets", "/wallets", wallets.WALLETS),
    _get("get_wallet", "/wallets", wallets.WALLETS),
    _list("list_payin_addresses", "/payin-addresses", payins.ADDRESSES),
    _list("list_payins", "/payins", payins.PAYINS),
    _get("get_payin", "/payins", payins.PAYINS),
    _list("list_trades", "/trades", trades.TRADES),
    _get("get_trade", "/trades", trades.TRADES),
    _list("list_recipients", "/recipients", recipients.RECIPIENTS),
    _get("get_recipient", "/recipients", recipients.RECIPIENTS),
    _get("get_rate_sheet", "/rate-sheets", rate_sheets.SHEETS),
)

OPERATIONS = DOCUMENTED + ASSUMED


def served(options: SandboxOptions) -> tuple[Operation, ...]:
    """Return the operations that a sandbox offers."""
    return DOCUMENTED if options.documented_only else OPERATIONS
