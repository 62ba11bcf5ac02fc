"""A client with a typed method for each operation of the service."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from paytui.api.client import Client
from paytui.api.http.request_sender import NO_HOOKS
from paytui.api.http.response import decoding
from paytui.api.paging import Page
from paytui.api.resources import Operation
from paytui.domain import requests as ask
from paytui.domain.models import (
    Account,
    AccountId,
    IdempotencyKey,
    Kind,
    PayIn,
    PayInAddress,
    PayInId,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    RateSheet,
    RateSheetId,
    Recipient,
    RecipientId,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.platform.processes import RunInThread
from tests.support.virtual import at_once

T = TypeVar("T")


class TypedClient(Client):
    """A client with a typed method for each operation; it sends as the worker does.

    Long responses are parsed in the loop, whose time may be virtual.
    """

    def __init__(self, *parts: Any, in_thread: RunInThread = at_once, **others: Any) -> None:  # noqa: ANN401
        super().__init__(*parts, in_thread=in_thread, **others)

    async def get_payment(self, payment_transaction_id: PaymentId) -> Payment:
        """Read one payment, through the list unless the dialect has a path."""
        payment = await self.get(Kind.PAYMENTS, payment_transaction_id)
        assert isinstance(payment, Payment)
        return payment

    async def list_accounts(self) -> Page[Account]:
        """List all customer accounts."""
        return await self._list("list_accounts", Account)

    async def list_wallets(self, account_id: AccountId | None = None) -> Page[Wallet]:
        """List all wallets, or those of one account."""
        return await self._list("list_wallets", Wallet, account_id=account_id)

    async def list_payin_addresses(self, wallet_id: WalletId) -> Page[PayInAddress]:
        """List the pay-in addresses of a wallet."""
        return await self._list("list_payin_addresses", PayInAddress, wallet_id=wallet_id)

    async def list_payins(self, wallet_id: WalletId) -> Page[PayIn]:
        """List the deposits into a wallet."""
        return await self._list("list_payins", PayIn, wallet_id=wallet_id)

    async def list_trades(self) -> Page[Trade]:
        """List all trades."""
        return await self._list("list_trades", Trade)

    async def list_recipients(self, account_id: AccountId | None = None) -> Page[Recipient]:
        """List all recipients, or those of one account."""
        return await self._list("list_recipients", Recipient, account_id=account_id)

    async def list_payment_addresses(self, recipient_id: RecipientId) -> Page[PaymentAddress]:
        """List the payment addresses of a recipient."""
        return await self._list("list_payment_addresses", PaymentAddress, recipient_id=recipient_id)

    async def list_payments(
        self,
        *,
        account_id: AccountId | None = None,
        wallet_id: WalletId | None = None,
        status: str | None = None,
        payment_transaction_id: PaymentId | None = None,
    ) -> Page[Payment]:
        """List all payments, or those that match; `status` is the service's own word."""
        return await self._list(
            "list_payments",
            Payment,
            account_id=account_id,
            wallet_id=wallet_id,
            status=status,
            payment_transaction_id=payment_transaction_id,
        )

    async def get_account(self, account_id: AccountId) -> Account:
        return await self._get("get_account", Account, account_id=account_id)

    async def get_wallet(self, wallet_id: WalletId) -> Wallet:
        return await self._get("get_wallet", Wallet, wallet_id=wallet_id)

    async def get_payin(self, pay_in_transaction_id: PayInId) -> PayIn:
        """Read one deposit."""
        return await self._get("get_payin", PayIn, pay_in_transaction_id=pay_in_transaction_id)

    async def get_trade(self, trade_transaction_id: TradeId) -> Trade:
        return await self._get("get_trade", Trade, trade_transaction_id=trade_transaction_id)

    async def get_recipient(self, recipient_id: RecipientId) -> Recipient:
        return await self._get("get_recipient", Recipient, recipient_id=recipient_id)

    async def get_payment_address(self, payment_address_id: PaymentAddressId) -> PaymentAddress:
        return await self._get(
            "get_payment_address", PaymentAddress, payment_address_id=payment_address_id
        )

    async def get_rate_sheet(self, rate_sheet_id: RateSheetId) -> RateSheet:
        """Read a rate sheet; `sent_at` is that of this read, so only `expires_at` bounds it."""
        operation = Operation("get_rate_sheet", identifiers={"rate_sheet_id": rate_sheet_id})
        answer = await self.sender.call(operation)
        with decoding(answer, operation.attempted, self._dialect):
            return self._wire.rate_sheet(answer.body, answer.sent - answer.age, None)

    async def create_individual_account(
        self, request: ask.IndividualAccountRequest, key: IdempotencyKey
    ) -> Account:
        """Create an individual's account."""
        return await self._create("create_individual_account", Account, request, key)

    async def create_corporate_account(
        self, request: ask.CorporateAccountRequest, key: IdempotencyKey
    ) -> Account:
        """Create a company's account."""
        return await self._create("create_corporate_account", Account, request, key)

    async def create_wallet(self, request: ask.WalletRequest, key: IdempotencyKey) -> Wallet:
        """Create a wallet."""
        return await self._create("create_wallet", Wallet, request, key)

    async def create_payin_address(
        self, request: ask.PayInAddressRequest, key: IdempotencyKey
    ) -> PayInAddress:
        """Create a pay-in address."""
        return await self._create("create_payin_address", PayInAddress, request, key)

    async def book_trade(self, request: ask.TradeRequest, key: IdempotencyKey) -> Trade:
        """Book a trade."""
        return await self._create("book_trade", Trade, request, key)

    async def create_recipient(
        self, request: ask.RecipientRequest, key: IdempotencyKey
    ) -> Recipient:
        """Create a recipient with its payment addresses."""
        return await self._create("create_recipient", Recipient, request, key)

    async def add_payment_address(
        self, recipient_id: RecipientId, request: ask.PaymentAddressRequest, key: IdempotencyKey
    ) -> PaymentAddress:
        """Add a payment address to a recipient."""
        addressed = replace(request, recipient_id=recipient_id)
        return await self._create("add_payment_address", PaymentAddress, addressed, key)

    async def create_transfer(self, request: ask.TransferRequest, key: IdempotencyKey) -> Payment:
        """Move money between two wallets."""
        return await self._create("create_transfer", Payment, request, key)

    async def create_payout(self, request: ask.PayoutRequest, key: IdempotencyKey) -> Payment:
        """Pay a recipient."""
        return await self._create("create_payout", Payment, request, key)

    async def _create(self, name: str, cls: type[T], request: object, key: IdempotencyKey) -> T:
        prepared, *_ = self.sender.prepare(name, request, key)
        result = await self.sender.send(prepared, name, NO_HOOKS)
        assert isinstance(result.record, cls)
        return result.record
