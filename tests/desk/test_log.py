"""The log of intents: append-only, one departure each, told to all outboxes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, nullcontext
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from paytui.desk.database import CALL_LIMIT, Database, connect
from paytui.desk.log import AlteredLog, DeskLog, verify
from paytui.domain.intent import IntentId
from paytui.outbox.shared_log import HandedIn, Head, LogAway, Refusal
from paytui.platform.clock import SystemClock
from tests.desk.server import outbox_at, owner_does

INTENT = IntentId("PT-AAAAAAAA")
OTHER = IntentId("PT-BBBBBBBB")
RECORDED = HandedIn(INTENT, 0, "recorded", '{"title": "Überweisung"}')
SENDING = HandedIn(INTENT, 1, "sending", "{}", departure=1)


TAMPER = "SET session_replication_role = replica"  # as a superuser may: no trigger runs
REWRITE = """
    UPDATE paytui.log SET (kind, hash) = ('accepted', paytui.hash_of(
      before, n::text, intent, outbox::text, local::text, 'accepted', NULL, NULL, NULL,
      paytui.moment(arrive_by), document, made_by::text, paytui.moment(at), epoch::text
    )) WHERE n = 3
"""


def log_of(
    dsn: str,
    host: str = "desk-1",
    *,
    limit: float = CALL_LIMIT,
    client: str = "client",
    seen: Head | None = None,
) -> DeskLog:
    ours, waits = outbox_at(host), timedelta(0)
    return DeskLog(
        Database(dsn, limit), client, ours, patience=waits, clock=SystemClock(), seen=seen
    )


@asynccontextmanager
async def logs(*dsns: str) -> AsyncIterator[list[DeskLog]]:
    """Logs of outboxes whose rows are all handed in."""
    them = [log_of(dsn, f"desk-{number}") for number, dsn in enumerate(dsns, start=1)]
    for log in them:
        await log.replayed((await log.look()).epoch)
    try:
        yield them
    finally:
        for log in them:
            log.close()


def verified(dsn: str) -> str:
    with closing(connect(dsn)) as connection:
        return verify(connection)


def test_an_intent_departs_once_and_is_told_to_others(anna: str, bob: str) -> None:
    async def scene() -> None:
        async with logs(anna, bob) as (hers, his):
            assert isinstance(await hers.depart([RECORDED, SENDING]), float)
            assert await hers.depart([RECORDED, SENDING]) is Refusal.LEFT
            assert await his.depart([RECORDED, SENDING]) is Refusal.LEFT
            news = await his.look()
            assert [(row.local, row.kind, row.who, row.host) for row in news.rows] == [
                (0, "recorded", "anna", "desk-1"),
                (1, "sending", "anna", "desk-1"),
            ]
            await hers.hand_in([HandedIn(INTENT, 2, "in doubt", "{}")])
            [row] = (await his.look()).rows
            assert row.arrives_for is not None
            assert 29 < row.arrives_for <= 30
            again = HandedIn(INTENT, 3, "sending", "{}", departure=2)
            assert isinstance(await hers.depart([again]), float)
            assert await hers.known() == {INTENT: ["recorded", "sending", "in doubt", "sending"]}
            elsewhere = log_of(bob, "desk-9", client="another service")
            assert not (await elsewhere.look()).rows
            elsewhere.close()

    asyncio.run(scene())


def test_of_eight_racing_programs_one_departs(anna: str) -> None:
    async def scene() -> None:
        them = [log_of(anna) for _ in range(8)]
        for log in them:
            await log.replayed((await log.look()).epoch)
        for round_ in range(10):
            intent = IntentId(f"PT-0000000{round_}")
            rows = [replace(row, intent=intent) for row in (RECORDED, SENDING)]
            answers = await asyncio.gather(*(log.depart(rows) for log in them))
            assert sorted(map(str, answers))[1:] == ["left"] * 7
        for log in them:
            log.close()
        verified(anna)

    asyncio.run(scene())


def test_a_departure_that_a_standby_does_not_confirm_is_none(admin: str, anna: str) -> None:
    async def waits() -> None:
        query = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'anna'"
        while not owner_does(admin, query):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)

    async def scene() -> None:
        async with logs(anna, anna) as (log, another):
            owner_does(
                admin,
                "ALTER SYSTEM SET synchronous_standby_names = 'gone'",
                "SELECT pg_reload_conf()",
            )
            try:
                departing = asyncio.create_task(log.depart([RECORDED, SENDING]))
                await waits()
                owner_does(
                    admin,
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
                    "WHERE wait_event = 'SyncRep'",
                )
                with pytest.raises(LogAway, match="did not confirm"):
                    await departing
                rows = [replace(row, intent=OTHER) for row in (RECORDED, SENDING)]
                another._database._limit = 0.5
                with pytest.raises(LogAway, match="does not answer"):
                    await another.depart(rows)
                another._database._limit = CALL_LIMIT
                # The connection was closed, and nothing cancelled: nobody sees it meanwhile.
                await another._database.call(lambda _: None)
                assert not owner_does(admin, f"SELECT 1 FROM paytui.log WHERE intent = '{OTHER}'")  # noqa: S608
            finally:
                owner_does(
                    admin,
                    "ALTER SYSTEM RESET synchronous_standby_names",
                    "SELECT pg_reload_conf()",
                )

    asyncio.run(scene())


def test_rows_are_changed_by_no_trader(anna: str) -> None:
    for statement in (
        "UPDATE paytui.log SET document = 'x'",
        "DELETE FROM paytui.log",
        "TRUNCATE paytui.log",
        "UPDATE paytui.log_head SET n = 0",
        "UPDATE paytui.epoch SET is_open = true",
        "SELECT paytui.add_row(NULL)",
        "SELECT paytui.open_if_complete()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner_does(anna, statement)


def test_no_call_waits_for_a_lock_after_its_program_has_given_it_up(admin: str) -> None:
    query = (
        "SELECT proname FROM pg_proc WHERE pronamespace = 'paytui'::regnamespace AND prosecdef"
        " AND NOT 'lock_timeout=4s' = ANY (proconfig)"
    )
    assert owner_does(admin, query) == []


def test_a_transaction_that_holds_the_log_and_does_nothing_is_ended(anna: str) -> None:
    with psycopg.connect(anna) as connection:
        connection.execute("SELECT paytui.say_lost('nowhere')")
        query = "SHOW idle_in_transaction_session_timeout"
        assert connection.execute(query).fetchall() == [("4s",)]


def test_a_row_is_not_of_any_size(anna: str) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            for row in (
                replace(RECORDED, document="x" * 65_537),
                replace(RECORDED, intent=IntentId("x" * 101)),
            ):
                with pytest.raises(LogAway, match="violates check constraint"):
                    await log.hand_in([row])
            await log.hand_in([replace(RECORDED, document="x" * 65_536)])

    asyncio.run(scene())


def test_the_owner_of_the_tables_changes_no_row_either(admin: str) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        owner_does(admin, "SET ROLE paytui_owner", "DELETE FROM paytui.log")


def test_a_trader_writes_to_no_other_traders_outbox(anna: str, bob: str) -> None:
    async def scene() -> None:
        async with logs(anna):
            for call in (
                "look('desk-1 /outbox')",
                "replayed('desk-1 /outbox', 1)",
                "hand_in('desk-1 /outbox', '[]', '0')",
                "hand_in_decisions('desk-1 /outbox', '[]')",
                "depart('desk-1 /outbox', 1, '[]', '0')",
                "settle('desk-1 /outbox', '', '', '', '')",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    owner_does(bob, f"SELECT paytui.{call}")

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE paytui.log SET document = '[]' WHERE n = 2", "row 2 was changed"),
        ("UPDATE paytui.log SET made_by = 'bob' WHERE n = 3", "row 3 was changed"),
        ("DELETE FROM paytui.log WHERE n = 2", "row 2 is missing"),
        ("DELETE FROM paytui.log WHERE n = 3", "rows after row 2 are missing"),
        (REWRITE, "rows after row 3 are missing"),
    ],
)
def test_a_row_that_was_changed_is_told(admin: str, anna: str, change: str, told: str) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            await log.depart([RECORDED, SENDING])
            await log.hand_in([HandedIn(INTENT, 2, "in doubt", "{}")])
            head = verified(anna)
            await log.look()
            assert head.startswith("3.")
            owner_does(admin, TAMPER, change)
            with pytest.raises(AlteredLog, match=told):
                verified(anna)

    asyncio.run(scene())


def test_a_program_notices_a_row_that_was_replaced_since(admin: str, anna: str) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            await log.depart([RECORDED, SENDING])
            await log.look()
            await log.hand_in([HandedIn(INTENT, 2, "in doubt", "{}")])
            owner_does(admin, TAMPER, "UPDATE paytui.log SET document = '[]' WHERE n = 3")
            with pytest.raises(LogAway, match="removed or changed"):
                await log.look()

    asyncio.run(scene())


def test_a_restarted_program_refuses_a_log_without_the_row_that_it_saw_last(anna: str) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            await log.depart([RECORDED, SENDING])
            head = (await log.look()).head
        for seen, told in (
            (head, ""),
            (replace(head, number=9), "it ends at row 2, and row 9 was seen"),
            (replace(head, hash="another"), "row 2 is not the one that was seen"),
            (Head(replace(head.epoch, number=0), 9, "lost by a failover"), ""),
        ):
            log = log_of(anna, seen=seen)
            with pytest.raises(LogAway, match=told) if told else nullcontext():
                await log.look()
            log.close()

    asyncio.run(scene())


def test_rows_wait_for_the_disk_whatever_a_role_has_set(admin: str) -> None:
    set_to = "current_setting('synchronous_commit')"
    asked = f"SELECT {set_to}, paytui.lock_log(), {set_to}"
    assert owner_does(admin, "SET synchronous_commit = off", asked) == [("off", "", "on")]


def test_two_traders_say_that_a_host_is_lost(admin: str, anna: str, bob: str) -> None:
    async def scene() -> None:
        async with logs(anna, bob, anna) as (hers, his, _):
            owner_does(admin, "UPDATE paytui.epoch SET timeline = timeline - 1")
            for log in (hers, his):
                news = await log.look()
                assert not news.is_replayed
                await log.replayed(news.epoch)
            for sayer in (anna, anna, bob):
                news = await hers.look()
                assert (news.is_open, news.waits_for) == (False, "anna on desk-3")
                assert await hers.depart([RECORDED, SENDING]) is Refusal.CLOSED
                assert owner_does(sayer, "SELECT paytui.say_lost('desk-3')") == [
                    ("anna on desk-3: /outbox",)
                ]
            assert (await hers.look()).is_open
            assert isinstance(await hers.depart([RECORDED, SENDING]), float)
            owner_does(admin, "UPDATE paytui.epoch SET number = number - 1")
            with pytest.raises(LogAway, match="old primary"):
                await hers.look()

    asyncio.run(scene())


def test_nothing_departs_by_a_new_connection_although_the_call_that_broke_it_was_cancelled(
    admin: str, anna: str
) -> None:
    async def waits() -> None:
        query = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = 'anna'"
        while not owner_does(admin, query):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)

    async def scene() -> None:
        async with logs(anna) as [log]:
            with psycopg.connect(admin) as holder:
                holder.execute("SELECT FROM paytui.log_head FOR UPDATE")
                departing = asyncio.create_task(log.depart([RECORDED, SENDING]))
                await waits()
                departing.cancel()
                await asyncio.wait([departing])
                owner_does(
                    admin,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'",
                )
            with pytest.raises(LogAway, match="not read since"):
                await log.depart([RECORDED, SENDING])
            await log.look()
            assert isinstance(await log.depart([RECORDED, SENDING]), float)

    asyncio.run(scene())


def test_nothing_departs_by_a_new_connection_before_the_log_was_looked_at(
    admin: str, anna: str
) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            owner_does(
                admin,
                "UPDATE paytui.epoch SET number = number - 1",  # an old primary came back
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'",
            )
            for _ in range(2):
                with pytest.raises(LogAway):
                    await log.depart([RECORDED, SENDING])
            with pytest.raises(LogAway, match="old primary"):
                await log.look()
            with pytest.raises(LogAway, match="not read since"):
                await log.depart([RECORDED, SENDING])

    asyncio.run(scene())


def test_a_look_tells_why_it_failed(admin: str, anna: str) -> None:
    async def scene() -> None:
        async with logs(anna) as [log]:
            owner_does(admin, "UPDATE paytui.outboxes SET run = 'another'")
            with pytest.raises(LogAway, match="another program uses this outbox") as told:
                await log.look()
            assert told.value.problem.remedy == "End one of both programs."
            await log.look()
            end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'"
            owner_does(admin, end)
            with pytest.raises(LogAway, match="the desk's database is away"):
                await log.look()

    asyncio.run(scene())


def test_a_look_is_not_worth_compiling_to_a_planner_without_statistics(admin: str) -> None:
    [[query]] = owner_does(admin, "SELECT prosrc FROM pg_proc WHERE proname = 'awaited'")
    [[plans]] = owner_does(admin, f"EXPLAIN (FORMAT JSON) {query}")
    assert isinstance(plans, list)
    assert plans[0]["Plan"]["Total Cost"] < 100_000  # PostgreSQL's `jit_above_cost`
