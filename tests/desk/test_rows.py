"""One seat of a desk reads the service for all; the others follow it, and replace it."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from functools import partial
from math import ceil

import psycopg
import pytest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paytui.api.errors import ServiceUnreachable
from paytui.desk.encoding import decode, encode
from paytui.desk.seal import Seal
from paytui.domain.models import Kind, Problem, RateSheet, Wallet, WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import sheet_left
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from paytui.store.health import LinkState
from paytui.store.model_json import Unreadable
from paytui.store.shared_readings import Reading
from paytui.worker.sync.desk_reads import ALONE, UNREADABLE
from tests.desk.reading import ALL_SETTLED, BRISK, CLIENT, OFTEN, SETTLED, Floor, Seat
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.worker.conftest import still_service
from tests.worker.desk import LISTED

CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
LOST = ServiceUnreachable(Problem("reach the service", "no connection"), written=False)


@pytest.fixture
def floor(admin: str, anna: str, bob: str) -> Floor:
    clock = ManualClock()
    return Floor(admin, (anna, bob), still_service(clock), clock)


class Failing:
    """A service that fails for the queries that hold a text."""

    def __init__(self, app: ASGIApp | None, query: str) -> None:
        assert app is not None
        self._app = app
        self._query = query.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_failing = self._query in scope["query_string"]
        await (Response(status_code=500) if is_failing else self._app)(scope, receive, send)


class Repeating:
    """A service that repeats its first answer for a path."""

    def __init__(self, app: ASGIApp | None, path: str) -> None:
        assert app is not None
        self._app = app
        self._path = path
        self._answer: list[Message] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == self._path and not self._answer:
            await self._app({**scope, "headers": _unconditional(scope)}, receive, self._keep)
        if scope["path"] == self._path:
            for message in self._answer:
                await send(message)
        else:
            await self._app(scope, receive, send)

    async def _keep(self, message: Message) -> None:
        self._answer.append(message)


def _unconditional(scope: Scope) -> list[tuple[bytes, bytes]]:
    return [each for each in scope["headers"] if each[0] != b"if-none-match"]


def of_one(seats: list[Seat]) -> Seat:
    """Return the only seat that has read lists since the requests were cleared."""
    [reader] = [seat for seat in seats if seat.reads]
    return reader


async def settled(seats: list[Seat], after: float = SETTLED) -> None:
    """Wait until all seats but one follow; then forget the requests so far."""
    await asyncio.sleep(after)
    for seat in seats:
        seat.network.requests.clear()


def test_three_seats_make_the_requests_of_one_and_show_lists_of_its_age(floor: Floor) -> None:
    """In a minute: 12 reads of the wallets, a tenth more or less."""

    async def scene() -> None:
        async with floor.seats(3, BRISK) as seats:
            await settled(seats, ALL_SETTLED)
            oldest: Counter[tuple[int, Kind]] = Counter()
            for _ in range(120):
                await asyncio.sleep(0.5)
                reader = of_one(seats)
                for kind in LISTED:
                    assert min(seat.age(kind) for seat in seats) > reader.age(kind) - 0.01
                    for host, seat in enumerate(seats):
                        oldest[host, kind] = max(oldest[host, kind], ceil(seat.age(kind)))
            assert 10 <= reader.network.counts["/v2/wallets"] <= 14
            assert sum(len(seat.network.requests) for seat in seats) == len(reader.network.requests)
            for host, kind in oldest:  # a follower hears of a read within 3 s
                assert oldest[host, kind] <= oldest[seats.index(reader), kind] + 3
            assert max(oldest[host, kind] for host in range(3) for kind in OFTEN) <= 9

    floor.run(scene())


def test_what_the_reader_sees_the_others_see_and_what_is_gone_is_gone(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(2, BRISK) as seats:
            await settled(seats, ALL_SETTLED)
            [wallet, *_] = seats[0].store.wallets.rows()
            await seats[0].control("payins", walletId=wallet.wallet_id, amount="12.34")
            await asyncio.sleep(30)
            for kind in LISTED:
                one, other = (set(seat.rows(kind)) for seat in seats)
                assert one == other, kind
            assert seats[1].store.wallets.get(wallet.wallet_id) != wallet

    floor.run(scene())


def test_a_reader_that_dies_is_replaced_within_two_intervals(floor: Floor) -> None:
    """The lists of five seconds are never older than that, two intervals, and a read."""

    async def scene() -> None:
        async with floor.seats(3) as [reader, *others]:
            await settled([reader, *others])
            await reader.kill()
            oldest = 0.0
            for _ in range(40):
                await asyncio.sleep(0.5)
                oldest = max(oldest, *(seat.age(kind) for seat in others for kind in OFTEN))
            assert oldest < 14
            assert 1 not in floor.readers().values()
            await settled(others)
            await asyncio.sleep(20)
            for path in OFTEN.values():
                assert sum(seat.network.counts[path] > 0 for seat in others) == 1

    floor.run(scene())


def test_a_seat_that_lost_its_idle_connection_leaves_a_dead_reader_s_lists_to_others(
    floor: Floor,
) -> None:
    async def scene() -> None:
        async with floor.seats(3) as [reader, cut_off, other]:
            await settled([reader, cut_off, other])
            await reader.kill()
            await asyncio.sleep(3)
            cut_off.network.connecting = 3_600.0
            cut_off.worker._link.unconnected(LOST)
            ends_in = (await other.exchange.look((), {}, {})).ends_in
            assert 0 < ends_in < 2
            await other.until(lambda: set(floor.readers().values()) == {3}, within=ends_in + 0.15)

    floor.run(scene())


def test_what_a_new_reader_has_read_by_itself_before_is_not_lost(floor: Floor) -> None:
    """It is no news to that reader, and publications hold nothing else."""

    async def scene() -> None:
        async with floor.seats(3) as [dead, new, follower]:
            await settled([dead, new, follower])
            follower.inbox.pause(paused=True)
            await dead.kill()
            await _pay_in(new, 0)
            await new.until(lambda: set(floor.readers().values()) == {2}, within=12)
            follower.network.requests.clear()
            await asyncio.sleep(5)
            assert not follower.reads
            follower.inbox.pause(paused=False)
            await asyncio.sleep(20)
            assert _wallets(new) == _wallets(follower)

    floor.run(scene())


def test_a_reader_that_hangs_and_wakes_publishes_nothing_and_follows(floor: Floor) -> None:
    """The new reader is another process of the same trader."""

    async def scene() -> None:
        async with floor.seats(3) as [first, second, third]:
            await second.kill()
            await settled([first, third])
            leases = "SELECT fence, number FROM paytui.readers WHERE kind = 'wallets'"
            [(fence, number)] = floor.sql(leases)
            assert isinstance(fence, int)
            assert isinstance(number, int)
            first.database.go_on.clear()
            await third.until(lambda: set(floor.readers().values()) == {3}, within=12)
            await asyncio.sleep(5)
            late = Reading(gone=tuple(_wallets(third)))
            first.database.go_on.set()
            assert not await first.exchange.publish(
                Kind.WALLETS, fence, number + 1, first.clock.boot(), late
            )
            await settled([first, third], 30)
            await asyncio.sleep(20)
            assert of_one([first, third]) is third
            assert third.store.wallets.rows()
            assert _wallets(first) == _wallets(third)

    floor.run(scene())


def test_a_reader_that_cannot_reach_the_service_gives_up_its_leases(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(2) as [cut_off, other]:
            await settled([cut_off, other])
            app, cut_off.network.app = cut_off.network.app, None
            await other.until(lambda: set(floor.readers().values()) == {2}, within=90)
            await other.kill()
            cut_off.network.app = app
            await cut_off.until(lambda: floor.readers().get("wallets") == 1, within=60)
            cut_off.network.app = None
            await cut_off.until(lambda: "wallets" not in floor.readers(), within=90)
            await asyncio.sleep(10)
            cut_off.network.app = app
            await cut_off.until(lambda: floor.readers().get("wallets") == 1, within=60)
            await asyncio.sleep(20)
            assert floor.wallets_published_ago() < 9

    floor.run(scene())


def test_a_reader_whose_reads_hang_is_replaced_and_does_not_come_back(floor: Floor) -> None:
    """It gives up 7.7 s after its last read. Two looks later, 4 s, the third seat has read, too."""

    async def scene() -> None:
        async with floor.seats(3) as [hung, *others]:
            await settled([hung, *others])
            hung.network.connecting = 3_600.0
            for _ in range(60):
                await asyncio.sleep(0.5)
                for seat in others:
                    assert max(seat.age(kind) for kind in OFTEN) <= 12
                    assert seat.all_ok()
            hung.network.connecting = 0.0
            await settled([hung, *others], 60)
            await asyncio.sleep(20)
            assert not hung.reads
            assert sum(seat.network.counts["/v2/wallets"] for seat in others) <= 5

    floor.run(scene())


def test_seats_none_of_which_reaches_the_service_try_as_often_as_one(floor: Floor) -> None:
    """One alone tries every half minute, after 1, 2, 4, 8 and 16 s, and so do three."""

    async def scene() -> None:
        async with floor.seats(3) as seats:
            await settled(seats, 40)
            app = seats[0].network.app
            for seat in seats:
                seat.network.app = None
            await asyncio.sleep(30)
            for seat in seats:
                assert max(seat.age(kind) for kind in OFTEN) <= 30 + 9
                seat.network.requests.clear()
            await asyncio.sleep(300)
            for path in OFTEN.values():
                assert 6 <= sum(seat.network.counts[path] for seat in seats) <= 12
            for seat in seats:
                assert seat.store.feed(Kind.WALLETS).problem is not None
                seat.network.app = app
            await asyncio.sleep(45)
            for seat in seats:
                assert max(seat.age(kind) for kind in OFTEN) <= 9
                assert seat.all_ok()
            assert sum(seat.network.counts["/v2/wallets"] for seat in seats) <= 30

    floor.run(scene())


def test_a_service_that_hangs_is_unreachable_on_all_screens_once_two_seats_have_tried(
    floor: Floor,
) -> None:
    """The reader gives up 7.7 s after its last read, and the second seat 2 s after it has tried.

    Without notifications each of the two is noticed at the next look, up to 2 s later.
    """

    async def scene() -> None:
        async with floor.seats(4) as seats:
            await settled(seats)
            app = seats[0].network.app
            for seat in seats:
                seat.network.app = Failing(app, "")
            await asyncio.sleep(20)
            assert LinkState.UNREACHABLE not in {seat.store.link.state for seat in seats}
            for seat in seats:
                seat.network.app = app
            await asyncio.sleep(20)
            for seat in seats:
                seat.network.connecting = 3_600.0
            await asyncio.sleep(14)
            assert {seat.store.link.state for seat in seats} == {LinkState.UNREACHABLE}
            for seat in seats:
                seat.network.connecting = 0.0
            await seats[0].until(lambda: seats[0].store.link.state is LinkState.UP, within=60)
            await asyncio.sleep(5)
            assert {seat.store.link.state for seat in seats} == {LinkState.UP}

    floor.run(scene())


def test_while_the_desk_is_away_each_seat_reads_and_says_so(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(2) as seats:
            await settled(seats)
            floor.allow_connections(allowed=False)
            for seat in seats:
                await seat.until(partial(_says_that_it_is_alone, seat), within=8)
                seat.network.requests.clear()
            await asyncio.sleep(30)
            for seat in seats:
                assert seat.network.counts["/v2/wallets"] >= 5
                assert seat.age(Kind.WALLETS) < 6
            floor.allow_connections(allowed=True)
            await settled(seats)
            await asyncio.sleep(60)
            of_one(seats)
            assert not any(seat.store.feed(kind).remark for seat in seats for kind in LISTED)

    floor.run(scene())


def _says_that_it_is_alone(seat: Seat) -> bool:
    return seat.store.feed(Kind.WALLETS).remark == ALONE


def test_a_missing_publication_makes_a_seat_read_by_itself_once(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            follower.database.go_on.clear()
            await _pay_in(reader, 0)
            floor.sql("DELETE FROM paytui.publications")
            await _pay_in(reader, 1)
            follower.database.go_on.set()
            await asyncio.sleep(20)
            assert follower.network.counts["/v2/wallets"] == 1
            assert _wallets(reader) == _wallets(follower)
            await settled([reader, follower])
            await asyncio.sleep(20)
            assert of_one([reader, follower]) is reader

    floor.run(scene())


def test_a_reader_whose_publications_a_failover_lost_gives_up_its_lease(floor: Floor) -> None:
    """They are not published again, and the follower never had them."""

    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            follower.database.go_on.clear()
            await _pay_in(reader, 0)
            floor.sql("UPDATE paytui.readers SET number = number - 1 WHERE kind = 'wallets'")
            floor.sql("DELETE FROM paytui.publications WHERE kind = 'wallets'")
            follower.database.go_on.set()
            await asyncio.sleep(20)
            assert _wallets(reader) == _wallets(follower)

    floor.run(scene())


def test_a_dead_reader_whose_lease_a_failover_lost_as_well_is_replaced(floor: Floor) -> None:
    """As if a desk that had just begun lost the first leases of all."""

    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            await reader.kill()
            floor.sql("DELETE FROM paytui.readers")
            floor.sql(CUT_OFF)
            await asyncio.sleep(20)
            assert follower.age(Kind.WALLETS) < 6

    floor.run(scene())


def test_a_list_that_failed_on_this_seat_alone_is_read_again_by_it(floor: Floor) -> None:
    """It did not get what the reader published, and its own read of one wallet fails."""

    async def scene() -> None:
        async with floor.seats(2, BRISK) as [reader, follower]:
            await settled([reader, follower], 40)
            app, wallet = follower.network.app, follower.store.wallets.rows()[0].wallet_id
            follower.network.app = Failing(app, f"walletId={wallet}&")
            follower.database.go_on.clear()
            await reader.control("payins", walletId=wallet, amount="12.34")
            await asyncio.sleep(7)
            floor.sql("DELETE FROM paytui.publications WHERE kind = 'payins'")
            await reader.control("payins", walletId=wallet, amount="12.34")
            await asyncio.sleep(7)
            follower.database.go_on.set()
            await asyncio.sleep(40)
            assert follower.store.feed(Kind.PAYINS).problem is not None
            follower.network.app = app
            await asyncio.sleep(35)
            assert set(follower.rows(Kind.PAYINS)) == set(reader.rows(Kind.PAYINS))
            assert follower.store.feed(Kind.PAYINS).ok

    floor.run(scene())


def test_what_a_follower_has_read_and_its_reader_has_not_is_read_again(floor: Floor) -> None:
    """A person asks, and the service answers as of before: the reader sees no change."""

    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            app = follower.network.app
            follower.network.app = Repeating(app, "/v2/wallets")
            follower.inbox.refresh()
            await asyncio.sleep(1)
            await _pay_in(reader, 0)
            await follower.until(lambda: _wallets(reader) == _wallets(follower), within=5)
            follower.inbox.refresh()
            await follower.until(lambda: _wallets(reader) != _wallets(follower), within=1)
            follower.network.app = app
            await asyncio.sleep(20)
            assert _wallets(reader) == _wallets(follower)
            await settled([reader, follower], 1)
            await asyncio.sleep(20)
            assert of_one([reader, follower]) is reader

    floor.run(scene())


async def _pay_in(seat: Seat, nth: int) -> None:
    """Pay into a wallet, and have a seat read it at once."""
    before, wallet_id = _wallets(seat), seat.store.wallets.rows()[nth].wallet_id
    await seat.control("payins", walletId=wallet_id, amount="1.00")
    seat.inbox.refresh()
    await seat.until(lambda: _wallets(seat) != before, within=1)
    await asyncio.sleep(0.2)


def _wallets(seat: Seat) -> dict[WalletId, object]:
    return {row.wallet_id: row for row in seat.store.wallets.rows()}


def test_a_person_who_asks_again_is_answered_by_a_read_of_that_seat(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            follower.inbox.refresh()
            await follower.until(lambda: follower.age(Kind.WALLETS) < 0.1, within=1)
            assert follower.network.counts["/v2/wallets"] == 1
            follower.worker.on_screen([Kind.PAYMENTS])
            await asyncio.sleep(60)
            assert follower.network.counts["/v2/wallets"] == 1
            assert reader.network.counts["/v2/wallets"] >= 10

    floor.run(scene())


def test_a_reader_that_reads_too_seldom_for_a_screen_is_asked_once_a_read(floor: Floor) -> None:
    """A list that is not on the reader's screen is read every 20 s, unless a seat asks."""

    async def scene() -> None:
        async with floor.seats(2) as [reader, follower]:
            await settled([reader, follower])
            reader.worker.on_screen([Kind.PAYMENTS])
            await asyncio.sleep(20)
            reader.network.requests.clear()
            [(before,)] = floor.sql("SELECT asked FROM paytui.readers WHERE kind = 'wallets'")
            for _ in range(60):
                await asyncio.sleep(1)
                assert follower.age(Kind.WALLETS) < 13  # late after 8.5 s, and two looks
            [(after,)] = floor.sql("SELECT asked FROM paytui.readers WHERE kind = 'wallets'")
            reads = reader.network.counts["/v2/wallets"]
            assert 5 <= reads <= 8
            assert after - before <= reads + 1  # type: ignore[operator]
            reader.network.connecting = 3_600.0  # it gives up soon after it was asked
            for _ in range(30):
                await asyncio.sleep(1)
                assert follower.age(Kind.WALLETS) < 17

    floor.run(scene())


def test_seats_that_watch_the_same_pairs_hold_one_rate_sheet(
    admin: str, anna: str, bob: str
) -> None:
    """A sheet lasts 20 s here: in a minute there are three, or four."""
    clock = ManualClock()
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0, sheet_lifetime=20)
    floor = Floor(admin, (anna, bob), create_app(options, clock), clock)
    pairs = (Pair(CurrencyCode("AUD"), CurrencyCode("USD")),)

    async def scene() -> None:
        async with floor.seats(2) as seats:
            for seat in seats:
                seat.inbox.watch_rates(pairs)
            await asyncio.sleep(50)
            for seat in seats:
                seat.network.posts.clear()
            for _ in range(60):
                await asyncio.sleep(1)
                for seat in seats:
                    sheet = newest_sheet(seat)
                    assert sheet_left(seat.service_time, sheet) > timedelta(seconds=-3)
            one, other = map(newest_sheet, seats)
            assert sum(len(seat.network.posts) for seat in seats) in (3, 4)
            assert one.rate_sheet_id == other.rate_sheet_id
            assert abs(other.sent_at - one.sent_at - 100_000) < 1

    floor.run(scene())


def newest_sheet(seat: Seat) -> RateSheet:
    return max(seat.store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)


def test_a_seat_with_another_secret_reads_by_itself(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(1) as [reader]:
            await settled([reader])
            stranger = Seat(floor, 1, "another one")
            async with stranger.working():
                await asyncio.sleep(60)
                assert stranger.network.counts["/v2/wallets"] >= 10
                assert stranger.all_ok()
                assert stranger.store.feed(Kind.WALLETS).remark == UNREADABLE

    floor.run(scene())


def test_the_database_holds_nothing_readable(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(1) as [reader]:
            await settled([reader])
            await _pay_in(reader, 0)
            await asyncio.sleep(5)
            wallet = reader.store.wallets.rows()[0]
            [(sealed, fence, number)] = floor.sql(
                "SELECT sealed, fence, number FROM paytui.publications "
                "WHERE kind = 'wallets' ORDER BY number DESC LIMIT 1"
            )
            assert isinstance(sealed, bytes)
            assert isinstance(fence, int)
            assert isinstance(number, int)
            unseal = Seal(CLIENT, SECRET, "paytui desk rows").unseal
            data = unseal(sealed, Kind.WALLETS, fence, number)
            assert data is not None
            opened = decode(Kind.WALLETS, data)
            assert wallet in opened.rows
            for kind, place in ((Kind.PAYINS, number), (Kind.WALLETS, number + 1)):
                assert unseal(sealed, kind, fence, place) is None
            for secret, purpose in (("guessed", "paytui desk rows"), (SECRET, "paytui desk token")):
                other = Seal(CLIENT, secret, purpose)
                assert other.unseal(sealed, Kind.WALLETS, fence, number) is None
            assert encode(Kind.WALLETS, opened)[:16] not in sealed

    floor.run(scene())


def test_every_row_and_health_is_the_same_after_it_was_published(floor: Floor) -> None:
    async def scene() -> None:
        async with floor.seats(1) as [seat]:
            for kind in LISTED:
                told = Reading(seat.store.feed(kind), tuple(seat.rows(kind)), gone=("a", "b"))
                assert told.rows
                assert decode(kind, encode(kind, told)) == told

    floor.run(scene())


def test_text_that_is_not_clean_is_refused() -> None:
    wallet = Wallet(WalletId("w"), wallet_name="\x1b]0;x\x07")
    with pytest.raises(Unreadable):
        decode(Kind.WALLETS, encode(Kind.WALLETS, Reading(rows=(wallet,))))


def test_a_trader_publishes_only_under_a_lease_of_their_own(anna: str, bob: str) -> None:
    look = "SELECT paytui.take_turn('c', %s, 0, '', '{wallets}')"
    publish = "SELECT paytui.publish('c', 'wallets', %s, 1, 0, true, 'x')"
    with (
        psycopg.connect(anna, autocommit=True) as hers,
        psycopg.connect(bob, autocommit=True) as his,
    ):
        [[seat]] = hers.execute("SELECT paytui.enter('run', 'host', 1, '1')").fetchall()
        hers.execute(look, (seat,))
        [[fence]] = hers.execute("SELECT fence FROM paytui.readers").fetchall()
        his.execute(look, (seat,))
        his.execute("SELECT paytui.release('c', %s, '{wallets}', '{}')", (seat,))
        assert his.execute(publish, (fence,)).fetchall() == [(False,)]
        assert hers.execute(publish, (fence,)).fetchall() == [(True,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            his.execute("DELETE FROM paytui.publications")


@pytest.mark.parametrize("moment", ["-Infinity", "Infinity", "NaN", "-1"])
def test_a_read_at_no_time_is_refused(anna: str, moment: str) -> None:
    with psycopg.connect(anna, autocommit=True) as hers:
        [[seat]] = hers.execute("SELECT paytui.enter('run', 'host', 1, '1')").fetchall()
        hers.execute("SELECT paytui.take_turn('c', %s, 0, '', '{wallets}')", (seat,))
        [[fence]] = hers.execute("SELECT fence FROM paytui.readers").fetchall()
        for call, values in (
            ("publish('c', 'wallets', %s, 1, %s, true, 'x')", (fence, moment)),
            ("take_turn('c', %s, 0, %s, '{}')", (seat, f"wallets,{fence},{moment} ")),
        ):
            with pytest.raises(psycopg.errors.RaiseException, match="a read at no time"):
                hers.execute(f"SELECT paytui.{call}".encode(), values)
