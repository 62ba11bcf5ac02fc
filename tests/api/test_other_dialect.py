"""The typical flow of service.md §1 on a service with other names for everything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal
from http import HTTPStatus

import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.api.errors import ApiError, AuthRefused, Effect, NotFound, NotOffered, Refused
from paytui.cli.commands.dialect_check import check_live
from paytui.domain.models import (
    Account,
    IdempotencyKey,
    PhysicalAddress,
    Recipient,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import (
    CorporateAccountRequest,
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
from paytui.platform.secret import Secret
from tests.api.test_typical_flow import A_DAY, control
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.typed_client import TypedClient

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
PURPOSE = {"purpose": "SUPP"}


def key(intention: str) -> IdempotencyKey:
    return IdempotencyKey(f"00000000-0000-4000-8000-{intention:0>12.12}")


class OtherDesk:
    """A client of the other service, with an account, two wallets and a recipient to begin with."""

    account: Account
    aud: Wallet
    usd: Wallet
    recipient: Recipient

    def __init__(self, service: Starlette, clock: ManualClock) -> None:
        self.service = service
        self.clock = clock
        self.other = OtherService(service)
        self.client: TypedClient = client_of(self.other.app(), clock, load_dialect(DIALECT))

    async def open(self) -> None:
        client = self.client
        home = PhysicalAddress(city="Sydney", country="AU")
        who = IndividualAccountRequest(
            first_name="Ada", last_name="Example", email="ada@example.com", phone=412345678,
            physical_address=home, terms_and_conditions_accepted=True,
        )  # fmt: skip
        self.account = await client.create_individual_account(who, key("account"))
        self.aud = await self._wallet(AUD)
        self.usd = await self._wallet(USD)
        address = PaymentAddressRequest(account_type="cacc", currency=USD, account_number="123456")
        wanted = RecipientRequest(
            account_id=self.account.account_id, recipient_type="business",
            company_name="Example Supplies", payment_addresses=(address,),
        )  # fmt: skip
        self.recipient = await client.create_recipient(wanted, key("recipient"))
        await self.settle()

    async def _wallet(self, currency: CurrencyCode) -> Wallet:
        request = WalletRequest(account_id=self.account.account_id, currency=currency)
        return await self.client.create_wallet(request, key(currency))

    async def settle(self) -> None:
        """Let a day pass."""
        await control(self.service, "clock", {"seconds": A_DAY})

    async def fund(self) -> None:
        request = PayInAddressRequest(wallet_id=self.aud.wallet_id, pay_in_address_type="local")
        await self.client.create_payin_address(request, key("address"))
        sent = {"walletId": self.aud.wallet_id, "amount": "123456789012345.67", "reference": "in"}
        await control(self.service, "payins", sent)
        await self.settle()

    async def free(self, wallet: Wallet) -> Decimal | None:
        return (await self.client.get_wallet(wallet.wallet_id)).available_balance

    async def trade(self) -> None:
        sheet = await self.client.create_rate_sheet(
            RateSheetRequest(currency_pairs=(Pair(AUD, USD),))
        )
        request = TradeRequest(
            sell_currency=AUD, buy_currency=USD, sell_amount=Decimal("500.00"),
            sell_wallet_id=self.aud.wallet_id, buy_wallet_id=self.usd.wallet_id,
            rate_sheet_id=sheet.rate_sheet_id,
        )  # fmt: skip
        booked = await self.client.book_trade(request, key("trade"))
        assert booked.rate == sheet.rates[0].rate
        await self.settle()
        done = await self.client.get_trade(booked.trade_transaction_id)
        assert done.status is not None
        assert done.status.name == "exchanged"

    def payout(self, **extra: str) -> PayoutRequest:
        return PayoutRequest(
            source_wallet_id=self.usd.wallet_id, recipient_id=self.recipient.recipient_id,
            payment_address_id=self.recipient.payment_addresses[0].payment_address_id,
            amount=Decimal("10.25"), extra=extra,
        )  # fmt: skip


Act = Callable[[OtherDesk], Awaitable[None]]


@pytest.fixture
def act(empty_service: Starlette, clock: ManualClock) -> Callable[[Act], None]:
    """Runs a scene on an opened desk."""

    def run(what: Act) -> None:
        async def play() -> None:
            desk = OtherDesk(empty_service, clock)
            await desk.open()
            await what(desk)
            await desk.client.aclose()

        asyncio.run(play())

    return run


def test_a_transfer_is_repeated_by_its_key_and_seen_to_be_a_repeat(
    act: Callable[[Act], None],
) -> None:
    async def walk(desk: OtherDesk) -> None:
        await desk.fund()
        spare = await desk.client.create_wallet(
            WalletRequest(account_id=desk.account.account_id, currency=AUD), key("spare")
        )
        await desk.settle()
        request = TransferRequest(
            source_wallet_id=desk.aud.wallet_id, destination_wallet_id=spare.wallet_id,
            amount=Decimal("0.01"),
        )  # fmt: skip
        first = await desk.client.create_transfer(request, key("transfer"))
        again = await desk.client.create_transfer(request, key("transfer"))
        assert again.payment_transaction_id == first.payment_transaction_id
        assert len((await desk.client.list_payments()).records) == 1

    act(walk)


def test_every_operation_of_its_dialect_is_carried_out(act: Callable[[Act], None]) -> None:
    async def walk(desk: OtherDesk) -> None:
        client = desk.client
        assert desk.account.status is not None
        assert desk.account.status.name == "registered"
        await desk.fund()
        assert await desk.free(desk.aud) == Decimal("123456789012345.67001")
        await desk.trade()
        spare = await client.create_wallet(
            WalletRequest(account_id=desk.account.account_id, currency=USD), key("spare")
        )
        address = PaymentAddressRequest(account_type="cacc", currency=USD, account_number="654321")
        added = await client.add_payment_address(
            desk.recipient.recipient_id, address, key("address2")
        )
        await desk.settle()
        paid = await client.create_payout(desk.payout(**PURPOSE), key("payout"))
        assert paid.end_to_end_id is None
        assert paid.amount == Decimal("10.250000000000000001")
        request = TransferRequest(
            source_wallet_id=desk.usd.wallet_id, destination_wallet_id=spare.wallet_id,
            amount=Decimal("0.01"),
        )  # fmt: skip
        moved = await client.create_transfer(request, key("transfer"))
        assert await client.get_payment(moved.payment_transaction_id) == moved
        address_id = added.payment_address_id
        assert (await client.get_payment_address(address_id)).payment_address_id == address_id
        recipient_id = desk.recipient.recipient_id
        assert len((await client.list_payment_addresses(recipient_id)).records) == 2
        assert (await client.list_accounts()).records
        assert len((await client.list_wallets()).records) == 3
        assert (await client.list_recipients()).records
        assert len((await client.list_payments()).records) == 2
        (payin,) = (await client.list_payins(desk.aud.wallet_id)).records
        assert payin.amount == Decimal("123456789012345.67001")
        assert await client.get_payin(payin.pay_in_transaction_id) == payin
        account_id, wallet_id = desk.account.account_id, desk.usd.wallet_id
        assert (await client.get_account(account_id)).phone == "412345678"
        assert (await client.get_wallet(wallet_id)).wallet_id == wallet_id
        assert (await client.get_recipient(recipient_id)).recipient_id == recipient_id
        pairs = (Pair(AUD, USD),)
        sheet = await client.create_rate_sheet(RateSheetRequest(currency_pairs=pairs))
        assert (await client.get_rate_sheet(sheet.rate_sheet_id)).rates == sheet.rates
        await desk.settle()
        assert (await client.get_payment(paid.payment_transaction_id)).end_to_end_id
        assert desk.other.driven == {
            re.sub(r"\{\w+\}", "{no}", f"{route.method} {route.path}")
            for operation, routes in load_dialect(DIALECT).paths.items()
            for route in routes
            if operation != "auth"
        }

    act(walk)


def test_parameters_that_it_does_not_know_are_taken_for_fields(act: Callable[[Act], None]) -> None:
    """With pages instead of its cursors nothing comes, and no error either."""

    async def walk(desk: OtherDesk) -> None:
        dialect = load_dialect(DIALECT)
        paged = replace(dialect, paging=load_dialect().paging)
        client = client_of(desk.other.app(), desk.clock, paged)
        assert not (await client.list_wallets()).records
        await client.aclose()
        checked_anew = client_of(desk.other.app(), desk.clock, paged)
        found = await check_live(checked_anew, paged, {}, ())
        await checked_anew.aclose()
        assert not found.understood
        lines = [line.strip() for line in found.lines]
        assert "with pageSize=500&page=1 the list is empty; without, 2 records" in lines
        assert '[paging] unpaged = ["list_accounts"]  # if it is this list alone' in lines

    act(walk)


def test_a_field_that_it_alone_wants_is_missed_in_its_own_words(act: Callable[[Act], None]) -> None:
    async def walk(desk: OtherDesk) -> None:
        with pytest.raises(Refused) as caught:
            await desk.client.create_payout(desk.payout(), key("payout"))
        assert caught.value.status == 400
        assert caught.value.effect is Effect.REFUSED
        assert caught.value.problem.said == "something is missing"
        (field,) = caught.value.problem.fields
        assert (field.field, field.message) == ("extra.purpose", "is needed here")

    act(walk)


def test_its_problem_details_are_understood(act: Callable[[Act], None]) -> None:
    async def walk(desk: OtherDesk) -> None:
        missing = await refusal(desk.client.get_wallet(WalletId("nobody")))
        assert isinstance(missing, NotFound)
        assert "nobody" in missing.problem.said
        assert (missing.problem.trace_id or "").startswith("/incidents/")
        same = TransferRequest(
            source_wallet_id=desk.aud.wallet_id, destination_wallet_id=desk.aud.wallet_id,
            amount=Decimal("1.00"),
        )  # fmt: skip
        refused = await refusal(desk.client.create_transfer(same, key("same")))
        assert [each.field for each in refused.problem.fields] == ["destination_wallet_id"]
        idle = desk.payout(**PURPOSE)
        poor = await refusal(desk.client.create_payout(idle, key("poor")))
        assert poor.status != HTTPStatus.CONFLICT

    act(walk)


def test_what_it_has_not_is_said_without_asking(act: Callable[[Act], None]) -> None:
    async def walk(desk: OtherDesk) -> None:
        for call in (
            desk.client.list_trades(),
            desk.client.create_corporate_account(CorporateAccountRequest(), key("firm")),
        ):
            refused = await refusal(call)
            assert isinstance(refused, NotOffered)
            assert not refused.written

    act(walk)


def test_a_wrong_secret_is_refused_by_its_own_sign_in(
    empty_service: Starlette, clock: ManualClock
) -> None:
    other = OtherService(empty_service).app()
    client = client_of(other, clock, load_dialect(DIALECT), secret=lambda: Secret("wrong"))
    assert isinstance(asyncio.run(refusal(client.sign_in())), AuthRefused)


async def refusal(call: Awaitable[object]) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await call
    return caught.value
