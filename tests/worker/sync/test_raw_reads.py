"""A raw object is read on request, for the requester only."""

from __future__ import annotations

import asyncio

from paytui.domain.models import Kind
from tests.worker.conftest import Run
from tests.worker.desk import Desk


def came(desk: Desk) -> list[str]:
    return [read.key for read in desk.store.raw_reads.rows()]


def test_nothing_is_read_raw_while_nobody_asks(run: Run, desk: Desk) -> None:
    async def wait() -> None:
        async with desk.at_work():
            await asyncio.sleep(30)

    run(wait())
    assert came(desk) == []


def test_what_is_asked_for_comes_with_the_time_of_its_read(all_read: Run, desk: Desk) -> None:
    async def ask() -> None:
        await asyncio.sleep(100)
        wallet = desk.store.wallets.rows()[0]
        asked = desk.service_time.earliest()
        desk.inbox.read_raw(Kind.WALLETS, wallet.wallet_id)
        await desk.until(lambda: came(desk) == [wallet.wallet_id], within=2)
        (read,) = desk.store.raw_reads.rows()
        assert read.problem is None
        assert read.raw is not None
        assert wallet.wallet_id in "".join(read.raw.lines)
        assert 0 <= (read.sent_at - asked).total_seconds() < 2

    all_read(ask())


def test_a_list_by_wallet_is_asked_for_the_wallet_that_the_store_knows(
    all_read: Run, desk: Desk
) -> None:
    async def ask() -> None:
        address = desk.store.payin_addresses.rows()[-1]
        desk.inbox.read_raw(Kind.PAYIN_ADDRESSES, address.pay_in_address_id)
        await desk.until(lambda: came(desk) == [address.pay_in_address_id], within=2)
        (read,) = desk.store.raw_reads.rows()
        assert read.problem is None

    all_read(ask())


def test_what_cannot_be_read_says_why_and_the_next_wish_is_heard(all_read: Run, desk: Desk) -> None:
    async def ask() -> None:
        desk.inbox.read_raw(Kind.WALLETS, "nobody")
        await desk.until(lambda: came(desk) == ["nobody"], within=2)
        (read,) = desk.store.raw_reads.rows()
        assert read.problem is not None
        assert read.problem.what == "HTTP 404"
        known = desk.store.wallets.rows()[0].wallet_id
        desk.inbox.read_raw(Kind.WALLETS, known)
        await desk.until(lambda: came(desk) == [known], within=2)

    all_read(ask())


def test_a_mistake_of_ours_is_told_to_the_one_who_waits(run: Run, desk: Desk) -> None:
    async def ask() -> None:
        desk.network.mistakes["/v2/wallets/w9"] = RuntimeError("oops")
        async with desk.at_work():
            desk.inbox.read_raw(Kind.WALLETS, "w9")
            await desk.until(lambda: came(desk) == ["w9"], within=5)

    run(ask())
    (read,) = desk.store.raw_reads.rows()
    assert read.problem is not None
    assert "unexpected RuntimeError" in read.problem.what


def test_only_the_newest_wish_is_answered(all_read: Run, desk: Desk) -> None:
    """The first answer takes ten seconds; nobody waits for it any more, and it never shows."""

    async def ask() -> None:
        first, second = (wallet.wallet_id for wallet in desk.store.wallets.rows()[:2])
        await desk.fault("get_wallet", "delay", seconds=10)
        desk.inbox.read_raw(Kind.WALLETS, first)
        await asyncio.sleep(1)
        desk.inbox.read_raw(Kind.WALLETS, second)
        await desk.until(lambda: came(desk) == [second], within=2)
        await asyncio.sleep(30)
        assert came(desk) == [second]

    all_read(ask())
