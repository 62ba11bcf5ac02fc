"""What a failover, a copy, a move or the loss of a file leaves: nothing that is paid twice."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from paytui.domain.intent import Standing, Verdict
from paytui.outbox.shared_log import HandedIn, Refusal, ToldDecision
from tests.desk.server import owner_does
from tests.desk.test_log import INTENT, RECORDED, SENDING, log_of, logs, verified
from tests.desk.trader import MakeTrader, Trader, at_work, fail_over, in_doubt
from tests.worker.conftest import Run

SILENT = "UPDATE paytui.outboxes SET seen = seen - interval '31 s'"
IN_DOUBT = HandedIn(INTENT, 2, "in doubt", "{}")
REPEAT = HandedIn(INTENT, 3, "sending", "{}", departure=2)
DECISION = ToldDecision(INTENT, "settled as not done", "no", '{"kind": "settled as not done"}')
FAIL_OVER = "UPDATE paytui.epoch SET timeline = timeline - 1"


def test_a_decision_that_a_failover_lost_comes_back_before_anything_is_repeated(
    run: Run, admin: str, trader: MakeTrader, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        witness = trader("anna", "third", "desk-3")
        async with at_work(his, witness):
            async with at_work(hers):
                intent = await in_doubt(hers)
                await hers.wait(3)
            owner_does(admin, SILENT)
            his.decide(intent, Verdict.NOT_DONE)
            await his.sees(intent, Standing.NOT_DONE)
            await witness.sees(intent, Standing.NOT_DONE)
        fail_over(admin, 3)
        owner_does(admin, "UPDATE paytui.outboxes SET replayed = 2 WHERE who = 'bob'")  # lost
        async with trader("anna", "anna", "desk-1").open() as restarted:
            await restarted.wait(3)
            await restarted.sees(intent, Standing.IN_DOUBT)
            restarted.decide(intent, Verdict.REPEAT)
            async with at_work(trader("anna", "third", "desk-3")):
                row = await restarted.sees(intent, Standing.NOT_DONE)
            assert row.turns[-1].words == "by bob on desk-2, told by anna on desk-3"
            await restarted.until(lambda: restarted.store.sending.allowed, 3)
            restarted.decide(intent, Verdict.REPEAT)
            await restarted.wait(3)
            assert restarted.posts(intent) == 0
        verified(admin)

    run(scene())


@pytest.mark.parametrize("is_first", [True, False], ids=["decision first", "rows first"])
def test_a_decision_counts_in_whatever_order_it_is_handed_in_until_it_is_adopted(
    admin: str, anna: str, bob: str, *, is_first: bool
) -> None:
    async def scene() -> None:
        async with logs(anna, bob) as (hers, his):
            await his.hand_in_decisions([DECISION])  # there was no failover: nothing is taken
            owner_does(admin, FAIL_OVER)
            epoch = (await hers.look()).epoch
            await his.look()
            if is_first:
                await his.hand_in_decisions([DECISION, DECISION])
            await hers.hand_in([RECORDED, SENDING, IN_DOUBT])
            await his.hand_in_decisions([DECISION])
            for log in (hers, his):
                await log.replayed(epoch)
            late = ToldDecision(INTENT, "settled as done", "yes", "{}")
            await his.hand_in_decisions([late])
            assert await hers.depart([REPEAT]) is Refusal.SETTLED
            assert await his.known() == {}
            kinds = [row.kind for row in (await his.look()).rows]
            assert sorted(kinds) == ["in doubt", "recorded", "sending", "settled as not done"]

            adopted = HandedIn(INTENT, 3, "settled as not done", "{}", decision="no")
            reopened = HandedIn(INTENT, 4, "in doubt", "{}")
            await hers.hand_in([adopted])
            assert owner_does(admin, "SELECT * FROM paytui.open_intents") == []
            await hers.hand_in([reopened])
            again = HandedIn(INTENT, 5, "sending", "{}", departure=2)
            assert isinstance(await hers.depart([again]), float)
            assert owner_does(admin, "SELECT * FROM paytui.open_intents") == [(INTENT,)]

            stranger = log_of(bob, "desk-9")  # which was not waited for
            assert not (await stranger.look()).is_replayed
            await stranger.hand_in_decisions([late])
            stranger.close()
            again = HandedIn(INTENT, 6, "sending", "{}", departure=3)
            assert isinstance(await hers.depart([again]), float)

    asyncio.run(scene())


def test_a_copy_of_an_outbox_that_is_in_use_is_refused_and_an_older_one_as_well(
    run: Run, admin: str, trader: MakeTrader, hers: Trader
) -> None:
    async def scene() -> None:
        await hers.worker.sync_once()
        intent = hers.payout()
        hers.recorded_only(intent)
        shutil.copy(hers.path, hers.path.with_stem("copy"))
        async with at_work(hers), trader("anna", "copy", "desk-2").open() as copy:
            await copy.wait(5)
            used = f"a copy of this outbox is in use, by anna on desk-1: {hers.path}."
            assert used in copy.store.sending.why
            copy.decide(intent, Verdict.SEND)
            hers.decide(intent, Verdict.SEND)
            await hers.stands(intent, Standing.ACCEPTED)
            row = copy.row(intent)
            assert row is not None
            assert row.alerts[-1].startswith("It is not sent: ")
        owner_does(admin, SILENT)
        async with trader("anna", "copy", "desk-2").open() as copy:
            await copy.until(lambda: "an older copy" in copy.store.sending.why, 9)
            copy.decide(intent, Verdict.SEND)
            await copy.wait(5)
            assert copy.posts(intent) == 0

    run(scene())


def test_an_outbox_stays_the_same_at_another_path_on_another_host_and_in_another_role(
    run: Run, admin: str, trader: MakeTrader, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            intent = await in_doubt(hers)
        owner_does(admin, SILENT)
        hers.path.rename(hers.path.with_stem("moved"))
        async with at_work(moved := trader("bob", "moved", "desk-9")):
            await moved.arrives_no_more(intent)
            moved.decide(intent, Verdict.NOT_DONE)
            await moved.stands(intent, Standing.NOT_DONE)
            await moved.wait(3)
            assert owner_does(admin, "SELECT host, who::text FROM paytui.outboxes") == [
                ("desk-9", "bob")
            ]
            newest = "SELECT kind, made_by::text FROM paytui.log ORDER BY n DESC LIMIT 1"
            assert owner_does(admin, newest) == [("settled as not done", "bob")]

    run(scene())


def test_what_an_outbox_left_whose_file_is_lost_is_settled_from_a_new_one(
    run: Run, admin: str, hers: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            intent = await in_doubt(hers)
            await hers.wait(3)
        hers.path.unlink()
        async with at_work(fresh := trader("anna", "anna", "desk-1")):
            owner_does(admin, f"{SILENT} WHERE outbox = 1")
            row = await fresh.sees(intent, Standing.IN_DOUBT)
            assert (row.user, row.host, row.is_colleagues) == ("anna", "desk-1", True)
            fresh.decide(intent, Verdict.NOT_DONE)
            await fresh.sees(intent, Standing.NOT_DONE)

    run(scene())


def test_a_restarted_dashboard_refuses_an_old_primary(
    run: Run, admin: str, hers: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        owner_does(admin, FAIL_OVER)
        async with at_work(hers):
            pass
        owner_does(admin, "UPDATE paytui.epoch SET number = number - 1")
        async with trader("anna", "anna", "desk-1").open() as restarted:
            await restarted.wait(5)
            assert restarted.store.sending.why == (
                "Nothing is sent: it is an old primary (its epoch is 1, and 2 was seen). "
                "Stop the old server, or name only the new one in desk.dsn."
            )

    run(scene())


def test_an_intent_that_a_failover_lost_is_not_shown_as_if_nothing_had_happened(
    run: Run, admin: str, hers: Trader, his: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(his):
            async with at_work(hers):
                sent = hers.payout()
                hers.submit(sent)
                await hers.stands(sent, Standing.ACCEPTED)
                await hers.wait(3)
                intent = await in_doubt(hers)
                await his.sees(intent, Standing.IN_DOUBT)
            fail_over(admin, 3)
            lacks = "the desk's log lacks it since its database was replaced"

            def is_told() -> bool:
                row = his.row(intent)
                return row is not None and row.problem is not None and row.problem.what == lacks

            await his.until(is_told, 5)
            await his.sees(sent, Standing.ACCEPTED)
            async with at_work(trader("anna", "anna", "desk-1")):
                await his.until(lambda: not is_told(), 5)
                await his.sees(intent, Standing.IN_DOUBT)

    run(scene())
