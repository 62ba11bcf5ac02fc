"""The typical flow of service.md §1, steps 1 to 9, through the client and the sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.models import Account, IdempotencyKey, PhysicalAddress, Recipient, Wallet
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import (
    IndividualAccountRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    PayoutRequest,
    RateSheetRequest,
    RecipientRequest,
    TradeRequest,
    TransferRequest,
    WalletRequest,
)
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.typed_client import TypedClient

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
A_DAY = 86_400.0


def key(intention: str) -> IdempotencyKey:
    return IdempotencyKey(f"00000000-0000-4000-8000-{intention:0>12.12}")


@pytest.mark.covers("typical-flow")
def test_a_customer_is_opened_funded_traded_for_and_paid_out(
    empty_service: Starlette, clock: ManualClock
) -> None:
    asyncio.run(walk(client_of(empty_service, clock), empty_service, clock))


async def walk(client: TypedClient, service: Starlette, clock: ManualClock) -> None:
    await client.sign_in()
    account = await open_account(client)
    aud = await open_wallet(client, account, AUD, "aud")
    usd = await open_wallet(client, account, USD, "usd")
    spare = await open_wallet(client, account, USD, "spare")
    await fund(client, service, aud)
    await trade(client, clock, aud, usd)
    recipient = await add_recipient(client, clock, account)
    await pay_out(client, clock, usd, recipient)
    await transfer(client, clock, usd, spare)
    await client.aclose()


async def open_account(client: TypedClient) -> Account:
    account = await client.create_individual_account(
        IndividualAccountRequest(
            birth_date=date(1980, 2, 29),
            email="ada@example.com",
            first_name="Ada",
            last_name="Example",
            phone_country_code="61",
            phone=412345678,
            physical_address=PhysicalAddress(
                city="Sydney", country="AU", postcode="2000", street_number="12"
            ),
            terms_and_conditions_accepted=True,
        ),
        key("account"),
    )
    assert account.status is not None
    assert account.status.name == "registered"  # service.md §3, trusted path
    assert await client.get_account(account.account_id) == account
    return account


async def open_wallet(
    client: TypedClient, account: Account, currency: CurrencyCode, name: str
) -> Wallet:
    request = WalletRequest(account_id=account.account_id, currency=currency, wallet_name=name)
    wallet = await client.create_wallet(request, key(name))
    assert (wallet.currency, wallet.wallet_name) == (currency, name)
    return wallet


async def balance(client: TypedClient, wallet: Wallet) -> Decimal | None:
    return (await client.get_wallet(wallet.wallet_id)).available_balance


async def fund(client: TypedClient, service: Starlette, wallet: Wallet) -> None:
    await control(service, "clock", {"seconds": A_DAY})  # the wallet becomes Active
    request = PayInAddressRequest(wallet_id=wallet.wallet_id, pay_in_address_type="local")
    address = await client.create_payin_address(request, key("address"))
    assert address.bsb
    assert address.account_number
    sent = {"walletId": wallet.wallet_id, "amount": "1000.00", "reference": "first deposit"}
    await control(service, "payins", sent)
    await control(service, "clock", {"seconds": A_DAY})
    (payin,) = (await client.list_payins(wallet.wallet_id)).records
    assert payin.status is not None
    assert payin.status.name == "credited"  # service.md §3
    assert payin.amount == Decimal("1000.00")
    assert await client.get_payin(payin.pay_in_transaction_id) == payin
    assert await balance(client, wallet) == Decimal("1000.00")


async def control(service: Starlette, action: str, body: Mapping[str, object]) -> None:
    transport = httpx.ASGITransport(service)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        answer = await http.post(f"/_sandbox/{action}", json=body)
        answer.raise_for_status()


async def trade(client: TypedClient, clock: ManualClock, aud: Wallet, usd: Wallet) -> None:
    request = RateSheetRequest(currency_pairs=(Pair(AUD, USD),))
    sheet = await client.create_rate_sheet(request)
    (rate,) = sheet.rates
    assert rate.pair == Pair(AUD, USD)
    assert await client.get_rate_sheet(sheet.rate_sheet_id) == sheet
    booked = await client.book_trade(
        TradeRequest(
            sell_currency=AUD,
            buy_currency=USD,
            sell_amount=Decimal("500.00"),
            sell_wallet_id=aud.wallet_id,
            buy_wallet_id=usd.wallet_id,
            rate_sheet_id=sheet.rate_sheet_id,
        ),
        key("trade"),
    )
    assert booked.rate == rate.rate  # service.md §4, rule 3
    bought = (Decimal("500.00") * rate.rate).quantize(Decimal("0.01"))
    assert (booked.sell_amount, booked.buy_amount) == (Decimal("500.00"), bought)
    clock.advance(A_DAY)
    exchanged = await client.get_trade(booked.trade_transaction_id)
    assert exchanged.status is not None
    assert exchanged.status.name == "exchanged"
    assert await balance(client, aud) == Decimal("500.00")
    assert await balance(client, usd) == bought
    assert [each.trade_transaction_id for each in (await client.list_trades()).records] == [
        booked.trade_transaction_id
    ]


async def add_recipient(client: TypedClient, clock: ManualClock, account: Account) -> Recipient:
    address = PaymentAddressRequest(
        account_type="cacc",
        currency=USD,
        country="US",
        account_name="Example Supplies",
        account_number="000123456789",
        bic="EXMPUS33",
        routing_code="021000021",
    )
    created = await client.create_recipient(
        RecipientRequest(
            account_id=account.account_id,
            recipient_type="business",
            company_name="Example Supplies",
            country="US",
            payment_addresses=(address,),
        ),
        key("recipient"),
    )
    second = await client.add_payment_address(created.recipient_id, address, key("second"))
    clock.advance(A_DAY)
    recipient = await client.get_recipient(created.recipient_id)
    assert recipient.status is not None
    assert recipient.status.name == "active"
    listed = await client.list_payment_addresses(recipient.recipient_id)
    assert len(listed.records) == 2
    assert second.payment_address_id in {each.payment_address_id for each in listed.records}
    read = await client.get_payment_address(second.payment_address_id)
    assert read.account_number == "000123456789"
    assert read.bank_information is not None  # service.md §9
    return recipient


async def pay_out(
    client: TypedClient, clock: ManualClock, wallet: Wallet, recipient: Recipient
) -> None:
    payout = await client.create_payout(
        PayoutRequest(
            source_wallet_id=wallet.wallet_id,
            recipient_id=recipient.recipient_id,
            payment_address_id=recipient.payment_addresses[0].payment_address_id,
            amount=Decimal("100.25"),
            currency=USD,
            reference="Invoice 7",
        ),
        key("payout"),
    )
    assert payout.end_to_end_id is None  # service.md §2: only once released
    clock.advance(A_DAY)
    paid = await client.get_payment(payout.payment_transaction_id)
    assert (paid.amount, paid.reference) == (Decimal("100.25"), "Invoice 7")
    assert paid.end_to_end_id


async def transfer(client: TypedClient, clock: ManualClock, source: Wallet, target: Wallet) -> None:
    created = await client.create_transfer(
        TransferRequest(
            source_wallet_id=source.wallet_id,
            destination_wallet_id=target.wallet_id,
            amount=Decimal("50.00"),
            currency=USD,
        ),
        key("transfer"),
    )
    clock.advance(A_DAY)
    moved = (
        await client.list_payments(payment_transaction_id=created.payment_transaction_id)
    ).records
    assert [(each.payment_type, each.amount) for each in moved] == [("transfer", Decimal("50.00"))]
    assert await balance(client, target) == Decimal("50.00")
