"""The client against the sandbox: lists, faults, superseded tokens, secrets."""

from __future__ import annotations

import asyncio
import logging
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.client import Credentials
from paytui.api.errors import (
    ApiError,
    Effect,
    NotFound,
    NotOffered,
    RateLimited,
    Refused,
    ServiceUnreachable,
    Unreadable,
)
from paytui.api.http.token_file import SharedTokenCell, TokenFile
from paytui.api.resources import READS
from paytui.domain.models import AccountId, IdempotencyKey, Kind, State, WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import (
    CorporateAccountRequest,
    PayInAddressRequest,
    RateSheetRequest,
    WalletRequest,
)
from paytui.platform.secret import Secret
from paytui.platform.text import clean
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import SECRET, client_of
from tests.support.clock import ManualClock
from tests.support.typed_client import TypedClient

KEY = IdempotencyKey("00000000-0000-4000-8000-000000000001")
AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")


def order_fault(app: Starlette, kind: str, operation: str = "*", times: int = 1) -> None:
    async def order() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as http:
            body = {"operation": operation, "kind": kind, "times": times}
            (await http.post("http://localhost/_sandbox/faults", json=body)).raise_for_status()

    asyncio.run(order())


@pytest.mark.covers("list-payments")
def test_every_kind_of_a_seeded_service_is_read_whole(seeded_client: TypedClient) -> None:
    async def read(kind: Kind, parents: list[str | None]) -> list[object]:
        records: list[object] = []
        for parent in parents:
            async for page in seeded_client.pages(kind, parent):
                assert page.skipped == 0
                records.extend(page.records)
            assert page.last
            assert page.complete
        return records

    async def read_all() -> dict[Kind, int]:
        wallets: list[str | None] = [
            wallet.wallet_id for wallet in (await seeded_client.list_wallets()).records
        ]
        recipients: list[str | None] = [
            each.recipient_id for each in (await seeded_client.list_recipients()).records
        ]
        parents: dict[Kind | None, list[str | None]] = {
            None: [None],
            Kind.WALLETS: wallets,
            Kind.RECIPIENTS: recipients,
        }
        return {kind: len(await read(kind, parents[how.parent])) for kind, how in READS.items()}

    counts = asyncio.run(read_all())
    assert counts[Kind.PAYMENTS] == 60
    assert min(counts.values()) > 0


def test_seeded_payments_have_exact_amounts_known_states_and_harmless_words(
    seeded_client: TypedClient,
) -> None:
    for payment in asyncio.run(seeded_client.list_payments()).records:
        assert isinstance(payment.amount, Decimal)
        assert isinstance(payment.status, State)
        assert payment.status.known
        assert payment.reference is None or clean(payment.reference) == payment.reference


def test_a_filter_narrows_a_list(seeded_client: TypedClient) -> None:
    async def read() -> None:
        first = (await seeded_client.list_accounts()).records[0]
        wallets = (await seeded_client.list_wallets(first.account_id)).records
        assert wallets
        assert {wallet.account_id for wallet in wallets} == {first.account_id}

    asyncio.run(read())


@pytest.mark.covers("several-wallets")
def test_a_company_gets_an_account_and_wallets_in_several_currencies(client: TypedClient) -> None:
    async def open_two() -> None:
        request = CorporateAccountRequest(company_name="Example Pty Ltd")
        account = await client.create_corporate_account(request, KEY)
        assert account.kind == "corporate"
        for currency in (AUD, USD):
            await client.create_wallet(
                WalletRequest(account_id=account.account_id, currency=currency),
                IdempotencyKey(f"wallet-{currency}"),
            )
        wallets = (await client.list_wallets(account.account_id)).records
        assert {wallet.currency for wallet in wallets} == {AUD, USD}

    asyncio.run(open_two())


def test_the_same_key_creates_one_object(client: TypedClient) -> None:
    async def twice() -> None:
        request = CorporateAccountRequest(company_name="Example Pty Ltd")
        first = await client.create_corporate_account(request, KEY)
        second = await client.create_corporate_account(request, KEY)
        assert first == second
        assert len((await client.list_accounts()).records) == 1

    asyncio.run(twice())


def test_a_refusal_names_the_fields(client: TypedClient) -> None:
    request = WalletRequest(account_id=AccountId("nobody"), currency=CurrencyCode("XXX"))
    with pytest.raises(Refused) as caught:
        asyncio.run(client.create_wallet(request, KEY))
    assert caught.value.effect is Effect.REFUSED
    assert caught.value.problem.said
    assert caught.value.problem.trace_id


def test_an_object_that_is_not_there_is_not_found(client: TypedClient) -> None:
    with pytest.raises(NotFound) as caught:
        asyncio.run(client.get_wallet(WalletId("nowhere")))
    assert "nowhere" in caught.value.problem.attempted


@pytest.mark.parametrize(
    ("fault", "kind", "effect"),
    [
        ("429", RateLimited, Effect.NONE),
        ("malformed", Unreadable, Effect.UNKNOWN),
        ("commit-then-cut", ServiceUnreachable, Effect.UNKNOWN),
    ],
)
def test_a_fault_of_the_service_is_told_and_passes(
    empty_service: Starlette, client: TypedClient, fault: str, kind: type[ApiError], effect: Effect
) -> None:
    order_fault(empty_service, fault, "create_corporate_account")
    request = CorporateAccountRequest(company_name="Example Pty Ltd")
    with pytest.raises(kind) as caught:
        asyncio.run(client.create_corporate_account(request, KEY))
    assert caught.value.effect is effect
    assert asyncio.run(client.create_corporate_account(request, KEY)).account_id
    assert len(asyncio.run(client.list_accounts()).records) == 1


def test_a_sheet_that_cannot_price_a_pair_says_which(client: TypedClient) -> None:
    nowhere = Pair(AUD, CurrencyCode("XXX"))
    request = RateSheetRequest(currency_pairs=(Pair(AUD, USD), nowhere))
    sheet = asyncio.run(client.create_rate_sheet(request))
    assert [rate.pair for rate in sheet.rates] == [Pair(AUD, USD)]
    assert [each.pair for each in sheet.unavailable] == [nowhere]


@pytest.mark.parametrize("patient", [True, False], ids=["dashboard", "command"])
def test_a_shared_token_that_a_rival_ended_costs_a_program_that_starts_nothing(
    clock: ManualClock, tmp_path: Path, *, patient: bool
) -> None:
    """Lists that are not there answer 404 to anybody, so that proves no token to be good."""
    options = SandboxOptions(client_secret=SECRET, scale=0, documented_only=True)
    service = create_app(options, clock)
    tmp_path.chmod(0o700)

    def program() -> TypedClient:
        file = TokenFile(tmp_path / "token", "test", "boot-1", clock)
        return client_of(service, clock, cell=SharedTokenCell(file, clock), patient=patient)

    async def scene() -> None:
        await program().list_payments()
        clock.advance(10)
        await client_of(service, clock).list_payments()
        late = program()
        for list_kind in (late.list_accounts, late.list_recipients):
            with pytest.raises(NotOffered):
                await list_kind()
        assert (await late.list_payments()).records == ()

    asyncio.run(scene())


@pytest.mark.covers("secret-confidential")
def test_the_secret_and_the_token_are_nowhere_to_be_read(
    empty_service: Starlette, client: TypedClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asyncio.run(client.list_accounts())
    order_fault(empty_service, "cut")
    with pytest.raises(ServiceUnreachable) as caught:
        asyncio.run(client.list_accounts())
    shown = [repr(client), str(caught.value), repr(caught.value), caplog.text]
    shown += [repr(Credentials("demo", lambda: Secret(SECRET))), repr(vars(client).values())]
    assert [text for text in shown if SECRET in text or "eyJ" in text] == []


def test_a_local_payin_address_has_what_a_payer_needs(client: TypedClient) -> None:
    async def create() -> None:
        account = await client.create_corporate_account(
            CorporateAccountRequest(company_name="Example Pty Ltd"), KEY
        )
        wallet = await client.create_wallet(
            WalletRequest(account_id=account.account_id, currency=AUD), KEY
        )
        request = PayInAddressRequest(wallet_id=wallet.wallet_id, pay_in_address_type="local")
        address = await client.create_payin_address(request, KEY)
        assert (address.country, address.npp_enabled) == ("AU", True)  # service.md §2
        listed = (await client.list_payin_addresses(wallet.wallet_id)).records
        assert listed == (address,)

    asyncio.run(create())
