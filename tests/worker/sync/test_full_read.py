"""One full read, compared with plain HTTP reads."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.models import Kind
from paytui.platform.secret import Secret
from paytui.store.health import LinkState
from tests.support.client import SECRET
from tests.support.clock import NOON, ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import LISTED, Desk

IDS = {
    Kind.ACCOUNTS: ("/v2/accounts", "accountId"),
    Kind.WALLETS: ("/v2/wallets", "walletId"),
    Kind.TRADES: ("/v2/trades", "tradeTransactionId"),
    Kind.RECIPIENTS: ("/v2/recipients", "recipientId"),
    Kind.PAYMENTS: ("/v2/payments", "paymentTransactionId"),
}
BY_WALLET = {
    Kind.PAYINS: ("/v2/payins", "payInTransactionId"),
    Kind.PAYIN_ADDRESSES: ("/v2/payin-addresses", "payInAddressId"),
}


class PlainReader:
    """Reads the service's lists with plain httpx."""

    def __init__(self, service: Starlette) -> None:
        self._http = httpx.AsyncClient(
            transport=httpx.ASGITransport(service), base_url="http://localhost"
        )

    async def sign_in(self) -> None:
        body = {"clientId": "demo", "clientSecret": SECRET}
        token = (await self._http.post("/v2/auth", json=body)).json()["item"]["accessToken"]
        self._http.headers["authorization"] = f"Bearer {token}"

    async def ids(self, path: str, name: str, **query: str) -> set[str]:
        params = {"pageSize": "500", **query}
        return {item[name] for item in (await self._http.get(path, params=params)).json()["items"]}


def test_one_read_brings_exactly_what_the_service_holds(
    run: Run, desk: Desk, service: Starlette
) -> None:
    async def compare() -> None:
        await desk.worker.sync_once()
        plain = PlainReader(service)
        await plain.sign_in()
        for kind, (path, name) in IDS.items():
            assert getattr(desk.store, kind.value).keys() == await plain.ids(path, name), kind
        wallets = await plain.ids("/v2/wallets", "walletId")
        for kind, (path, name) in BY_WALLET.items():
            expected: set[str] = set()
            for wallet in wallets:
                expected |= await plain.ids(path, name, walletId=wallet)
            assert getattr(desk.store, kind.value).keys() == expected, kind
        addresses: set[str] = set()
        for recipient in await plain.ids("/v2/recipients", "recipientId"):
            path = f"/v2/recipients/{recipient}/payment-addresses"
            addresses |= await plain.ids(path, "paymentAddressId")
        assert desk.store.payment_addresses.keys() == addresses

    run(compare())
    assert all(desk.count(kind) for kind in LISTED)


def test_after_one_read_every_feed_is_well_and_the_link_is_up(run: Run, desk: Desk) -> None:
    run(desk.worker.sync_once())
    assert desk.all_ok()
    assert all(desk.store.feed(kind).total == desk.count(kind) for kind in LISTED)
    assert desk.store.link.state is LinkState.UP


def test_a_read_that_brings_nothing_new_wakes_nobody(run: Run, desk: Desk) -> None:
    run(desk.worker.sync_once())
    versions = desk.versions()
    desk.wakes.clear()
    run(desk.worker.sync_once())
    assert desk.versions() == versions
    assert not desk.wakes


def test_a_second_read_sees_what_changed(run: Run, desk: Desk) -> None:
    run(desk.worker.sync_once())
    wallet = next(row for row in desk.store.wallets.rows() if row.currency == "AUD")
    before = desk.count(Kind.PAYINS)
    run(desk.control("payins", walletId=wallet.wallet_id, amount="12.34"))
    run(desk.worker.sync_once())
    assert desk.count(Kind.PAYINS) == before + 1
    assert Decimal("12.34") in {row.amount for row in desk.store.payins.rows()}


def test_recipients_bring_their_payment_addresses_with_them(run: Run, desk: Desk) -> None:
    run(desk.worker.sync_once())
    assert not [path for path in desk.network.requests if path.endswith("/payment-addresses")]
    recipients = desk.store.recipients.keys()
    assert {row.recipient_id for row in desk.store.payment_addresses.rows()} <= recipients


def test_no_more_than_four_reads_are_under_way_at_once(run: Run, desk: Desk) -> None:
    run(desk.worker.sync_once())
    assert desk.network.most_at_once == 4


@pytest.mark.parametrize("operation", ["list_payins", "list_wallets"])
def test_a_failed_list_degrades_its_own_feed_alone(run: Run, desk: Desk, operation: str) -> None:
    kind = Kind(operation.removeprefix("list_"))
    run(desk.worker.sync_once())
    held = desk.count(kind)
    run(desk.fault(operation, "500"))
    run(desk.worker.sync_once())
    assert {k for k in LISTED if not desk.store.feed(k).ok} == {kind}
    problem = desk.store.feed(kind).problem
    assert problem is not None
    assert problem.what == "HTTP 500"
    assert desk.count(kind) == held


def test_one_wallets_failed_list_leaves_the_other_wallets_read(run: Run, desk: Desk) -> None:
    run(desk.fault("list_payins", "500"))
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYINS).problem is not None
    assert desk.store.feed(Kind.PAYINS).as_of is None
    assert desk.network.counts["/v2/payins"] == desk.count(Kind.WALLETS)


def test_a_failed_feed_says_since_when_until_it_succeeds(
    run: Run, desk: Desk, clock: ManualClock
) -> None:
    run(desk.worker.sync_once())
    clock.advance(60)
    run(desk.fault("list_payments", "503", times=2))
    run(desk.worker.sync_once())
    first = desk.store.feed(Kind.PAYMENTS).failing_since
    assert first is not None
    assert timedelta(seconds=58) < first - NOON < timedelta(seconds=63)
    clock.advance(60)
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYMENTS).failing_since == first
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYMENTS).failing_since is None
    assert desk.store.feed(Kind.PAYMENTS).ok


def test_a_failed_feed_keeps_the_age_of_its_last_good_read(
    run: Run, desk: Desk, clock: ManualClock
) -> None:
    run(desk.worker.sync_once())
    good = desk.store.feed(Kind.PAYMENTS)
    clock.advance(240)
    run(desk.fault("list_payments", "503"))
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYMENTS).read_at == good.read_at
    assert desk.store.feed(Kind.PAYINS).read_at != good.read_at


def test_the_age_is_by_the_services_clock_however_wrong_ours_is(
    run: Run, desk: Desk, clock: ManualClock
) -> None:
    """The sandbox's clock is the manual one: 600 s on, and ours is set back by them."""
    run(desk.control("clock", seconds=600))
    run(desk.worker.sync_once())
    as_of = desk.store.feed(Kind.PAYMENTS).as_of
    assert as_of is not None
    assert abs(as_of - NOON - timedelta(seconds=600)) < timedelta(seconds=3)


def test_without_wallets_their_lists_say_that_they_could_not_be_read(run: Run, desk: Desk) -> None:
    run(desk.fault("list_wallets", "503"))
    run(desk.worker.sync_once())
    for kind in (Kind.WALLETS, Kind.PAYINS, Kind.PAYIN_ADDRESSES):
        assert not desk.store.feed(kind).ok
        assert desk.store.feed(kind).problem == desk.store.feed(Kind.WALLETS).problem
    assert desk.store.feed(Kind.PAYMENTS).ok


@pytest.mark.parametrize("kind", ["html", "cut"])
def test_no_broken_answer_does_more_than_fail_its_feed(run: Run, desk: Desk, kind: str) -> None:
    run(desk.fault("list_trades", kind))
    run(desk.worker.sync_once())
    assert {k for k in LISTED if not desk.store.feed(k).ok} == {Kind.TRADES}
    run(desk.worker.sync_once())
    assert desk.all_ok()


def test_a_mistake_of_ours_in_one_feed_is_told_by_its_name_without_its_words(
    run: Run, desk: Desk
) -> None:
    desk.network.mistakes["/v2/trades"] = ZeroDivisionError("holds a secret")
    run(desk.worker.sync_once())
    problem = desk.store.feed(Kind.TRADES).problem
    assert problem is not None
    assert "ZeroDivisionError" in problem.what
    assert "secret" not in str(problem)
    assert {k for k in LISTED if not desk.store.feed(k).ok} == {Kind.TRADES}


def test_a_refused_secret_is_told_and_asked_about_once(
    run: Run, service: Starlette, clock: ManualClock
) -> None:
    desk = Desk(service, clock, secret=lambda: Secret("wrong"))
    run(desk.worker.sync_once())
    assert desk.store.link.state is LinkState.REFUSED
    assert desk.network.requests == ["/v2/auth"]


def test_a_service_that_is_not_there_is_unreachable(run: Run, clock: ManualClock) -> None:
    desk = Desk(None, clock)
    run(desk.worker.sync_once())
    assert desk.store.link.state is LinkState.UNREACHABLE
    assert not any(desk.store.feed(kind).ok for kind in LISTED)
