"""A standby or a backup takes over: nothing leaves twice, nor before lost rows are handed in.

A mandate whose approval is lost lets nothing leave before it was given again.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.desk.database import connect, install
from paytui.desk.log import verify
from paytui.domain.intent import IntentId
from paytui.outbox.shared_log import HandedIn, LogAway, Refusal, limits_document
from tests.desk.server import PROGRAMS, owner_does, running_server
from tests.desk.standby import Standby, end
from tests.desk.test_limits import APPROVED
from tests.desk.test_log import log_of
from tests.desk.test_mandates import ABOVE, BODY, MANDATE, leaves, mandate, trade

TRADERS = ("anna", "bob")


@pytest.fixture
def primary() -> Iterator[str]:
    with running_server(TRADERS) as dsn:
        install(dsn, TRADERS)
        yield dsn


@pytest.fixture
def standby(primary: str) -> Iterator[Standby]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        standby = Standby(Path(folder), primary)
        yield standby
        standby.close()


def attempt(intent: str) -> list[HandedIn]:
    return [
        HandedIn(IntentId(intent), 0, "recorded", "{}"),
        HandedIn(IntentId(intent), 1, "sending", "{}", departure=1),
    ]


@pytest.mark.slow
def test_a_standby_that_lacks_rows_lets_nothing_leave_before_it_has_them(
    primary: str, standby: Standby
) -> None:
    async def scene() -> None:
        both = f"{conninfo_to_dict(primary)['host']},{conninfo_to_dict(standby.dsn)['host']}"
        hers = log_of(make_conninfo(primary, user="anna", host=both))
        his = log_of(make_conninfo(primary, user="bob", host=both), "desk-2")
        for log in (hers, his):
            await log.replayed((await log.look()).epoch)
        assert isinstance(await hers.depart(attempt("PT-AAAAAAAA")), float)
        await hers.hand_in(mandate())
        standby.catch_up(5)
        standby.receive_no_more()
        assert await his.approve(MANDATE, BODY, APPROVED) is None
        assert isinstance(await hers.depart(attempt("PT-BBBBBBBB")), float)
        _, booked = trade("booked", "60")
        assert isinstance(await hers.depart(booked), float)
        end(primary)
        for log in (hers, his):
            with suppress(LogAway):
                await log.look()  # which finds the connection ended
            with pytest.raises(LogAway, match="a standby answers, and no primary"):
                await log.look()
        standby.promote()
        news = await hers.look()
        assert (news.is_open, news.is_replayed, len(news.rows)) == (False, False, 5)
        assert await hers.depart(attempt("PT-CCCCCCCC")) is Refusal.CLOSED
        await hers.hand_in([*attempt("PT-BBBBBBBB"), *booked])
        await hers.replayed(news.epoch)
        assert (await hers.look()).waits_for == "bob on desk-2"
        await his.replayed((await his.look()).epoch)
        assert await hers.depart(attempt("PT-BBBBBBBB")) is Refusal.LEFT
        assert isinstance(await hers.depart(attempt("PT-DDDDDDDD")), float)
        assert not await leaves(hers, "unapproved", "20")
        assert await his.approve(MANDATE, BODY, APPROVED) is None
        assert not await leaves(hers, "over", "60")  # what was booked counts
        assert await leaves(hers, "rest", "40")
        assert await hers.depart(booked) is Refusal.LEFT
        hers.close()
        his.close()

    install(primary, limits=("client", limits_document(ABOVE)))
    asyncio.run(scene())


@pytest.mark.slow
def test_a_snapshot_lets_nothing_leave_before_it_has_the_rows_that_were_seen(primary: str) -> None:
    async def scene(folder: Path) -> None:
        hers = log_of(make_conninfo(primary, user="anna"))
        his = log_of(make_conninfo(primary, user="bob"), "desk-2")
        for log in (hers, his):
            await log.replayed((await log.look()).epoch)
        assert isinstance(await hers.depart(attempt("PT-AAAAAAAA")), float)
        owner_does(primary, "UPDATE paytui.outboxes SET seen = seen - interval '3 days'")
        snapshot = Standby(folder, primary, follows=False)
        assert isinstance(await hers.depart(attempt("PT-BBBBBBBB")), float)
        seen = (await hers.look()).head
        hers.close()
        his.close()
        end(primary)
        hers = log_of(make_conninfo(snapshot.dsn, user="anna"), seen=seen)
        for call in (hers.look(), hers.depart(attempt("PT-BBBBBBBB"))):
            with pytest.raises(LogAway, match="it ends at row 2, and row 4 was seen"):
                await call
        owner_does(snapshot.dsn, "UPDATE paytui.epoch SET timeline = 0")
        news = await hers.look()
        assert (news.epoch.number, news.is_open) == (2, False)
        await hers.hand_in(attempt("PT-BBBBBBBB"))
        await hers.replayed(news.epoch)
        assert (await hers.look()).waits_for == "bob on desk-2"
        his = log_of(make_conninfo(snapshot.dsn, user="bob"), "desk-2")
        await his.replayed((await his.look()).epoch)
        assert await hers.depart(attempt("PT-BBBBBBBB")) is Refusal.LEFT
        assert isinstance(await hers.depart(attempt("PT-DDDDDDDD")), float)
        hers.close()
        his.close()
        snapshot.close()

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asyncio.run(scene(Path(folder)))


@pytest.mark.slow
def test_a_backup_on_another_server_lets_nothing_leave_before_it_has_what_came_later(
    primary: str,
) -> None:
    async def scene(other: str) -> None:
        hers = log_of(make_conninfo(primary, user="anna"))
        his = log_of(make_conninfo(primary, user="bob"), "desk-2")
        for log in (hers, his):
            await log.replayed((await log.look()).epoch)
        assert isinstance(await hers.depart(attempt("PT-AAAAAAAA")), float)
        his.close()
        owner_does(primary, "UPDATE paytui.outboxes SET seen = seen - interval '3 days'")
        backup = run("pg_dump", "--format=custom", of=primary)
        assert isinstance(await hers.depart(attempt("PT-BBBBBBBB")), float)
        hers.close()
        run("pg_restore", "--exit-on-error", "--dbname=postgres", of=other, given=backup)
        hers = log_of(make_conninfo(other, user="anna"))
        news = await hers.look()
        assert (news.is_open, news.is_replayed, len(news.rows)) == (False, False, 2)
        assert await hers.depart(attempt("PT-CCCCCCCC")) is Refusal.CLOSED
        await hers.hand_in(attempt("PT-BBBBBBBB"))
        await hers.replayed(news.epoch)
        assert (await hers.look()).waits_for == "bob on desk-2"
        his = log_of(make_conninfo(other, user="bob"), "desk-2")
        await his.replayed((await his.look()).epoch)
        his.close()
        assert await hers.depart(attempt("PT-BBBBBBBB")) is Refusal.LEFT
        assert isinstance(await hers.depart(attempt("PT-DDDDDDDD")), float)
        hers.close()
        with psycopg.connect(other) as connection:
            assert verify(connection).startswith("6.")
        hosts = [conninfo_to_dict(each)["host"] for each in (primary, other)]
        for both in (hosts, [*reversed(hosts)]):  # the old one runs still
            with connect(make_conninfo(primary, user="anna", host=",".join(both))) as newest:  # type: ignore[arg-type]
                assert newest.info.host == hosts[1]

    with running_server(TRADERS) as other:
        owner_does(
            other,
            "CREATE ROLE paytui_owner",
            "CREATE ROLE paytui_trader",
            "GRANT paytui_trader TO anna, bob",
        )
        asyncio.run(scene(other))


def run(program: str, *options: str, of: str, given: bytes = b"") -> bytes:
    """Run a program of PostgreSQL on the database of a server; return its output."""
    place = ("--host", str(conninfo_to_dict(of)["host"]), "--username=postgres")
    command = (str(PROGRAMS / program), *options, *place)
    return subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE).stdout
