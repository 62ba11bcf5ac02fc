"""All operations: the fourteen of api.md §4, and the assumed reads of contract.md."""

from __future__ import annotations

from paytui.sandbox import (
    accounts,
    payins,
    payments,
    rate_sheets,
    recipients,
    tokens,
    trades,
    wallets,
)
from paytui.sandbox.bank import Operation

DOCUMENTED = (
    Operation("auth", "POST", ("/auth",), tokens.issue),
    Operation(
        "create_individual_account",
        "POST",
        ("/account/individual", "/accounts/individual"),
        accounts.create_individual,
    ),
    Operation(
        "create_corporate_account", "POST", ("/accounts/corporate",), accounts.create_corporate
    ),
    Operation("create_wallet", "POST", ("/wallets",), wallets.create),
    Operation("create_payin_address", "POST", ("/payin-addresses",), payins.create_address),
    Operation("create_rate_sheet", "POST", ("/rate-sheets",), rate_sheets.create),
    Operation("book_trade", "POST", ("/tradess", "/trades"), trades.book),
    Operation("create_recipient", "POST", ("/recipients",), recipients.create),
    Operation(
        "create_payment_address",
        "POST",
        ("/recipients/{recipientId}/payment-addresses",),
        recipients.add_address,
    ),
    Operation(
        "get_payment_address",
        "GET",
        ("/payment-addresses/{paymentAddressId}",),
        recipients.ADDRESSES.read_one(),
    ),
    Operation(
        "list_payment_addresses",
        "GET",
        ("/recipients/{recipientId}/payment-addresses",),
        recipients.list_addresses,
    ),
    Operation("create_transfer", "POST", ("/payments/transfer",), payments.transfer),
    Operation("create_payout", "POST", ("/payments/payout",), payments.payout),
    Operation("list_payments", "GET", ("/payments",), payments.PAYMENTS.read_page()),
)

ASSUMED = (
    Operation("list_accounts", "GET", ("/accounts",), accounts.ACCOUNTS.read_page()),
    Operation("get_account", "GET", ("/accounts/{accountId}",), accounts.ACCOUNTS.read_one()),
    Operation("list_wallets", "GET", ("/wallets",), wallets.WALLETS.read_page()),
    Operation("get_wallet", "GET", ("/wallets/{walletId}",), wallets.WALLETS.read_one()),
    Operation("list_payin_addresses", "GET", ("/payin-addresses",), payins.ADDRESSES.read_page()),
    Operation("list_payins", "GET", ("/payins",), payins.PAYINS.read_page()),
    Operation("get_payin", "GET", ("/payins/{payInTransactionId}",), payins.PAYINS.read_one()),
    Operation("list_trades", "GET", ("/trades",), trades.TRADES.read_page()),
    Operation("get_trade", "GET", ("/trades/{tradeTransactionId}",), trades.TRADES.read_one()),
    Operation("list_recipients", "GET", ("/recipients",), recipients.RECIPIENTS.read_page()),
    Operation(
        "get_recipient", "GET", ("/recipients/{recipientId}",), recipients.RECIPIENTS.read_one()
    ),
    Operation(
        "get_rate_sheet", "GET", ("/rate-sheets/{rateSheetId}",), rate_sheets.SHEETS.read_one()
    ),
)

OPERATIONS = DOCUMENTED + ASSUMED
