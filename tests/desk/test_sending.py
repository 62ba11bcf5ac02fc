"""What is confirmed on a desk leaves once, and every outbox of the desk shows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from starlette.applications import Starlette

from paytui.config.settings import ApprovalSettings, DeskSettings
from paytui.desk.database import install
from paytui.desk.log import DeskLog
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import Intent, IntentId, Standing, Verdict
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest
from paytui.outbox.entry import EventKind, RecordedIntent
from paytui.outbox.shared_log import limits_document, rows_of
from paytui.tui.confirmation import duplicate_warnings
from paytui.worker.intents.intent_service import SendingDisabled
from tests.desk.server import outbox_at, owner_does
from tests.desk.trader import (
    CLIENT,
    MakeTrader,
    PromptDatabase,
    Trader,
    at_work,
    away,
    in_doubt,
    memory_of,
    set_back,
)
from tests.support.clock import ManualClock
from tests.tui.dashboard import settings_of
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.intents.test_misleading_evidence import full_disk


def logged(dsn: str) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute("SELECT kind, local FROM paytui.log ORDER BY n").fetchall()


def test_a_payout_leaves_once_and_a_colleague_sees_it(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers, his):
            intent = hers.payout()
            hers.submit(intent)
            done = await hers.stands(intent, Standing.ACCEPTED)
            row = await his.sees(intent, Standing.ACCEPTED)
            assert (row.user, row.host, row.is_colleagues) == ("anna", "desk-1", True)
            assert (row.object_id, row.terms, row.title) == (
                done.object_id,
                done.terms,
                done.title,
            )
            assert logged(admin) == [("recorded", 0), ("sending", 1), ("accepted", 2)]
            assert isinstance(intent.request, PayoutRequest)
            [warning] = duplicate_warnings(his.store, intent.request, his.service_time.latest())
            assert warning.endswith("(accepted) by anna on desk-1.")
            version = his.store.intents.version
            await his.wait(30)
            assert his.store.intents.version == version
            assert len(await hers.in_ledger(intent)) == 1

            code = intent.terms.currency
            assert code is not None
            limits = DeskLimits(per_trader={code: Decimal(60)})
            install(admin, limits=(CLIENT, limits_document(limits)))
            await hers.until(lambda: bool(hers.store.desk_limits.per_trader), 3)
            over = hers.payout("60.00")
            hers.submit(over)
            problem = (await hers.stands(over, Standing.NOT_EXECUTED)).problem
            assert problem is not None
            assert problem.happened == (
                f"over your limit of the day: 10.00 of 60.00 {code} used, 50.00 left; a new day "
                "starts 00:00 UTC. Nothing was executed. Send less, or wait for the new day."
            )

    run(scene())


async def _proposed(admin: str, maker: Trader, colleague: Trader) -> tuple[Intent, str]:
    """Return an intent that a colleague must approve, and its body as the colleague sees it."""
    intent = maker.payout("60.00")
    above = {intent.terms.currency: Decimal(50)}
    limits = DeskLimits(above=above, within=timedelta(minutes=1))  # type: ignore[arg-type]
    install(admin, limits=(CLIENT, limits_document(limits)))
    await maker.until(lambda: bool(maker.store.desk_limits.above), 3)
    maker.submit(intent)
    await maker.stands(intent, Standing.PROPOSED)
    proposal = (await colleague.sees(intent, Standing.PROPOSED)).proposal
    assert proposal is not None
    return intent, proposal.body


def test_a_proposal_is_sent_by_its_maker_once_a_colleague_has_approved_it(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers, his):
            intent, body = await _proposed(admin, hers, his)
            assert (
                body
                == hers.client.sender.prepare(intent.action, intent.request, intent.key)[
                    0
                ].body.decode()
            )
            for trader in (hers, his):
                trader.decide(intent, Verdict.SEND)
            await hers.wait(5)
            assert hers.posts(intent) + his.posts(intent) == 0

            his.types(intent, Verdict.APPROVE, "60")
            approved = await hers.stands(intent, Standing.RECORDED)
            assert approved.is_approved
            assert "by bob on desk-2" in approved.turns[-1].words
            await hers.wait(5)
            assert hers.posts(intent) == 0

            for needs, stands in ((2, Standing.PROPOSED), (1, Standing.RECORDED)):
                limits = replace(hers.store.desk_limits, needs=needs)
                install(admin, limits=(CLIENT, limits_document(limits)))
                for trader in (hers, his):
                    row = await trader.sees(intent, stands)
                    assert (row.is_approved, row.proposal is None) == (
                        needs == 1,
                        needs == 1 or trader is hers,
                    )
                    assert trader.store.approvals[intent.intent_id] == ("bob",)
                    assert row.alerts == ()
            hers.types(intent, Verdict.SEND)
            await hers.stands(intent, Standing.ACCEPTED)
            await his.sees(intent, Standing.ACCEPTED)
            assert len(await hers.in_ledger(intent)) == 1

    run(scene())


def test_a_proposal_that_is_not_approved_is_never_sent(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers, his):
            refused, body = await _proposed(admin, hers, his)
            his.decide(refused, Verdict.APPROVE, body=body + " ")
            await his.wait(5)
            row = his.row(refused)
            assert row is not None
            assert "is not the one that was confirmed" in row.alerts[-1]
            his.decide(refused, Verdict.NOT_DONE)
            withdrawn, _ = await _proposed(admin, hers, his)
            hers.decide(withdrawn, Verdict.NOT_DONE)
            expired, _ = await _proposed(admin, hers, his)
            await hers.wait(61)
            for intent, ended in (
                (refused, Standing.NOT_DONE),
                (withdrawn, Standing.NOT_DONE),
                (expired, Standing.NOT_EXECUTED),
            ):
                await hers.sees(intent, ended)
                await his.sees(intent, ended)
                his.decide(intent, Verdict.APPROVE, body=body)
                hers.decide(intent, Verdict.SEND)
            await hers.wait(5)
            assert hers.posts(refused) == 0

    run(scene())


def test_a_decision_while_the_desk_is_away_is_not_carried_out_later(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers, his):
            intent, body = await _proposed(admin, hers, his)
            away(admin, is_away=True)
            his.decide(intent, Verdict.APPROVE, body=body)
            await his.until(lambda: not his.store.sending.allowed, 8)
            row = his.row(intent)
            assert row is not None
            assert row.alerts[-1].startswith("It is not known whether your decision was recorded")
            away(admin, is_away=False)
            for trader in (hers, his):
                await trader.until(lambda trader=trader: trader.store.sending.allowed, 8)  # type: ignore[misc]
            await hers.wait(5)
            await hers.sees(intent, Standing.PROPOSED)
            his.types(intent, Verdict.APPROVE, "60")
            await hers.stands(intent, Standing.RECORDED, 5)
            row = await his.sees(intent, Standing.RECORDED)
            assert row.alerts == ()

    run(scene())


def test_an_intent_whose_connection_takes_too_long_does_not_leave(run: Run, hers: Trader) -> None:
    async def scene() -> None:
        async with at_work(hers):
            hers.network.connecting = 21
            intent = hers.payout()
            hers.submit(intent)
            row = await hers.stands(intent, Standing.NOT_EXECUTED)
            assert row.problem is not None
            assert "expired" in row.problem.what
            assert hers.posts(intent) == 0

    run(scene())


def test_the_rest_of_an_intent_does_not_leave_after_a_program_was_stopped_for_too_long(
    run: Run, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            hers.network.stopped = 21
            intent = hers.payout()
            hers.submit(intent)
            row = await hers.stands(intent, Standing.IN_DOUBT)
            assert row.problem is not None
            assert "expired" in row.problem.what
            assert hers.posts(intent) == 1
            assert await hers.in_ledger(intent) == []

    run(scene())


def test_a_desk_that_is_held_sends_nothing_whatever_a_screen_let_pass(
    run: Run, service: Starlette, clock: ManualClock, tmp_path: Path, anna: str
) -> None:
    async def scene() -> None:
        approval = ApprovalSettings(above={CurrencyCode("AUD"): Decimal(5)})
        desk = DeskSettings(dsn="host=db", approval=approval)
        profile = replace(settings_of().profile, desk=desk)
        hers = Trader(service, clock, tmp_path / "anna.sqlite", anna, "desk-1", profile=profile)
        await hers.worker.sync_once()
        recorded = hers.payout()
        hers.recorded_only(recorded)
        async with hers.open():
            await hers.until(lambda: "other limits than its desk" in hers.store.sending.why, 9)
            intent = hers.payout()
            hers.submit(intent)
            await hers.stands(intent, Standing.NOT_RECORDED)
            hers.decide(recorded, Verdict.SEND)
            await hers.wait(3)
            row = await hers.stands(recorded, Standing.RECORDED)
            assert row.alerts[-1].startswith("It is not sent: Nothing is sent: this profile has")
            assert hers.posts(intent) == 0

    run(scene())


def test_a_program_that_only_reads_shows_colleagues_intents_and_keeps_nobody_waiting(
    run: Run, admin: str, bob: str, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            log = DeskLog(
                PromptDatabase(bob),
                CLIENT,
                replace(outbox_at("desk-2"), run=None),
                patience=timedelta(0),
                clock=hers.hands,
            )
            reader = Desk(hers.app, hers.hands, office=SendingDisabled("It reads.", desk=log))
            async with reader.at_work():
                intent = hers.payout()
                hers.submit(intent)
                await hers.stands(intent, Standing.ACCEPTED)
                await reader.wait(3)
                row = reader.store.intents.get(intent.intent_id)
                assert row is not None
                assert (row.standing, row.user) == (Standing.ACCEPTED, "anna")
                away(admin, is_away=True)
                await reader.wait(3)
                assert reader.store.sending.why.startswith(
                    "It reads. Colleagues' intents are not current: the desk's database is away"
                )
                away(admin, is_away=False)
                await reader.wait(3)
                assert reader.store.sending.why == "It reads."
                with psycopg.connect(admin) as connection:
                    outboxes = connection.execute("SELECT who FROM paytui.outboxes").fetchall()
                assert outboxes == [("anna",)]
            await reader.worker.aclose()

    run(scene())


def test_while_the_desk_is_away_nothing_leaves_and_reading_goes_on(
    run: Run, admin: str, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            away(admin, is_away=True)
            intent = hers.payout()
            hers.submit(intent)
            row = await hers.stands(intent, Standing.NOT_EXECUTED)
            assert row.problem is not None
            assert row.problem.what == "the desk's database is away"
            assert (row.attempts, row.turns[0].what) == (0, "not sent")
            await hers.until(lambda: not hers.store.sending.allowed, 8)
            assert hers.store.sending.why.startswith("Nothing is sent: the desk's database is away")
            reads = len(hers.network.requests)
            await hers.wait(30)
            assert len(hers.network.requests) > reads
            away(admin, is_away=False)
            await hers.until(lambda: hers.store.sending.allowed, 8)
            assert hers.posts(intent) == 0
            await hers.wait(3)
            assert logged(admin) == [("recorded", 0), ("sending", 1), ("not executed", 2)]

    run(scene())


def test_a_dead_colleagues_intent_is_settled_by_a_person_and_its_outbox_adopts_that(
    run: Run,
    admin: str,
    his: Trader,
    hers: Trader,
    trader: MakeTrader,
) -> None:
    async def scene() -> None:
        async with at_work(his):
            async with at_work(hers):
                intent = await in_doubt(hers)
                await his.sees(intent, Standing.IN_DOUBT)
                his.decide(intent, Verdict.NOT_DONE)
                await his.wait(5)
                row = his.row(intent)
                assert row is not None
                assert "is running: settle it there" in row.alerts[-1]
            owner_does(admin, "UPDATE paytui.outboxes SET seen = seen - interval '31 s'")
            his.decide(intent, Verdict.SEND)
            await his.wait(5)
            assert his.posts(intent) == 0
            his.decide(intent, Verdict.NOT_DONE)
            row = await his.sees(intent, Standing.NOT_DONE)
            assert "by bob on desk-2" in row.turns[-1].words
            async with at_work(restarted := trader("anna", "anna", "desk-1")):
                row = await restarted.sees(intent, Standing.NOT_DONE)
                assert not row.is_colleagues
            assert his.row(intent) == await his.sees(intent, Standing.NOT_DONE)

    run(scene())


def test_what_a_dead_colleagues_intent_became_is_found_and_settled_at_once(
    run: Run, admin: str, his: Trader, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            async with at_work(his):
                his.network.mistakes["/v2/payments"] = ConnectionResetError()
                intent = await in_doubt(his, "commit-then-cut")
                await hers.sees(intent, Standing.IN_DOUBT)
            owner_does(admin, "UPDATE paytui.outboxes SET seen = seen - interval '31 s'")
            # Without a shared token, his sign-in has put her out for a while.
            await hers.until(lambda: bool((row := hers.row(intent)) and row.candidates), 120)
            row = hers.row(intent)
            assert row is not None
            [found] = row.candidates
            assert await hers.in_ledger(intent) == [found]
            hers.decide(intent, Verdict.DONE, found)
            row = await hers.sees(intent, Standing.DONE)
            assert (row.object_id, row.turns[-1].words) == (found, f"{found}, by anna on desk-1")

    run(scene())


def test_what_may_still_arrive_is_not_settled_as_not_done(
    run: Run, admin: str, his: Trader, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            async with at_work(his):
                intent = await in_doubt(his)  # without patience it arrives for 30 s
                await hers.sees(intent, Standing.IN_DOUBT)
            owner_does(admin, "UPDATE paytui.outboxes SET seen = seen - interval '31 s'")
            row = hers.row(intent)
            assert row is not None
            assert row.may_arrive_until is not None
            hers.decide(intent, Verdict.NOT_DONE)
            await hers.wait(5)
            row = hers.row(intent)
            assert row is not None
            assert "it may still arrive" in row.alerts[-1]
            await hers.wait(50)
            row = hers.row(intent)
            assert row is not None
            assert row.may_arrive_until is None

    run(scene())


async def left_while_sending(hers: Trader) -> Intent:
    """Return a payout whose program ends while its request is on the way."""
    hers.network.connecting = 15
    await hers.worker.sync_once()
    async with hers.at_work():
        await hers.until(lambda: hers.store.sending.allowed, 9)
        intent = hers.payout()
        hers.submit(intent)
        await hers.stands(intent, Standing.SENDING)
    hers.database.close()
    return intent


def test_a_program_that_ended_while_it_sent_leaves_a_doubt_for_all(
    run: Run, hers: Trader, his: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(his):
            intent = await left_while_sending(hers)
            await his.sees(intent, Standing.SENDING)
            await his.sees(intent, Standing.IN_DOUBT, 21)
            async with at_work(restarted := trader("anna", "anna", "desk-1")):
                await restarted.sees(intent, Standing.IN_DOUBT)
                await restarted.wait(30)
                assert restarted.posts(intent) == 0

    run(scene())


def test_what_a_colleague_settled_meanwhile_is_in_no_doubt_at_the_next_start(
    run: Run, admin: str, hers: Trader, his: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(his):
            intent = await left_while_sending(hers)
            await his.sees(intent, Standing.IN_DOUBT, 25)
            owner_does(admin, "UPDATE paytui.outboxes SET seen = seen - interval '31 s'")
            his.decide(intent, Verdict.DONE)
            await his.sees(intent, Standing.DONE)
            async with at_work(restarted := trader("anna", "anna", "desk-1")):
                row = await restarted.sees(intent, Standing.DONE)
                assert [turn.what for turn in row.turns] == ["sending", "settled as done"]

    run(scene())


def test_after_a_failover_nothing_leaves_before_all_have_handed_in(
    run: Run,
    admin: str,
    hers: Trader,
    his: Trader,
    trader: MakeTrader,
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            async with at_work(his):
                pass
            owner_does(admin, "UPDATE paytui.epoch SET timeline = timeline - 1")
            await hers.until(lambda: not hers.store.sending.allowed, 3)
            assert hers.store.sending.why.endswith("their intents: bob on desk-2.")
            intent = hers.payout()
            hers.submit(intent)
            await hers.stands(intent, Standing.NOT_RECORDED)
            async with at_work(trader("bob", "bob", "desk-2")):
                await hers.until(lambda: hers.store.sending.allowed, 3)
                another = hers.payout("11.00")
                hers.submit(another)
                await hers.stands(another, Standing.ACCEPTED)
            assert await hers.in_ledger(intent) == []
            assert len(await hers.in_ledger(another)) == 1

    run(scene())


def test_a_log_that_was_set_back_is_refused_until_a_new_epoch_has_its_rows(
    run: Run, admin: str, hers: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            await in_doubt(hers)
            await hers.wait(3)
        set_back(admin, kept=1)
        restarted = trader("anna", "anna", "desk-1")
        async with restarted.open():
            await restarted.until(lambda: "row 2 was seen" in restarted.store.sending.why, 9)
            intent = restarted.payout()
            restarted.submit(intent)
            await restarted.stands(intent, Standing.NOT_RECORDED)
            owner_does(admin, "UPDATE paytui.epoch SET timeline = 0")
            await restarted.until(lambda: restarted.store.sending.allowed, 9)
        kinds = owner_does(admin, "SELECT kind FROM paytui.log WHERE n <= 3")
        assert kinds == [("recorded",), ("sending",), ("in doubt",)]
        await restarted.worker.aclose()
        kept = memory_of(restarted.path).seen
        assert kept is not None
        assert [(kept.number, kept.hash)] == owner_does(
            admin, "SELECT n, hash FROM paytui.log_head"
        )

    run(scene())


def test_after_a_failover_an_outbox_that_cannot_be_written_has_not_handed_in(
    run: Run, admin: str, hers: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            is_full = True
            full_disk(hers.outbox, lambda event: is_full and event.kind is not EventKind.SENDING)
            intent = hers.payout()
            hers.submit(intent)
            await hers.until(lambda: not hers.store.sending.allowed, 9)
            owner_does(admin, "UPDATE paytui.epoch SET timeline = timeline - 1")
            await hers.wait(5)
            with psycopg.connect(admin) as connection:
                epoch = connection.execute("SELECT number, is_open FROM paytui.epoch").fetchall()
            assert epoch == [(2, False)]
            is_full = False
            await hers.until(lambda: hers.store.sending.allowed, 9)

    run(scene())


def test_what_a_colleagues_program_made_up_cannot_spoil_the_screen(
    run: Run, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers, his):
            intent = his.payout()
            letters = his.client.sender.prepare(intent.action, intent.request, intent.key)
            entry = his.retry_rules.entry(intent, letters[0])
            for number, made_up in enumerate(
                (
                    replace(entry, title="\x1b]0;mine\x07"),
                    replace(entry, terms=replace(entry.terms, amount=Decimal("NaN"))),
                    replace(entry, terms=replace(entry.terms, reference="\x9b2J")),
                )
            ):
                named = replace(made_up, intent_id=IntentId(f"PT-0000000{number}"))
                [row] = rows_of(RecordedIntent(named))
                await his.desk.hand_in([row])
            untyped = row.document.replace('"title": "it"', '"title": 5')
            assert untyped != row.document
            await his.desk.hand_in([replace(row, intent=IntentId("PT-9"), document=untyped)])
            await hers.wait(5)
            await hers.until(lambda: len(hers.store.intents.rows()) == 2, 3)
            first, last = hers.store.intents.rows()
            assert first.title.isprintable()
            assert last.terms.reference == "\N{REPLACEMENT CHARACTER}2J"

    run(scene())


@pytest.mark.parametrize("document", ["{}", '{"kind": "accepted", "at": "2026-03-02T12:00Z"}'])
def test_a_decision_that_is_not_what_its_row_says_is_not_adopted(
    run: Run, admin: str, his: Trader, hers: Trader, trader: MakeTrader, *, document: str
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            intent = await in_doubt(hers)
            await hers.wait(3)
        owner_does(admin, "UPDATE paytui.outboxes SET seen = seen - interval '31 s'")
        async with at_work(his):
            with psycopg.connect(his.dsn, autocommit=True) as connection:
                sql = (
                    "SELECT paytui.settle((SELECT run FROM paytui.outboxes WHERE who = 'bob'),"
                    " %s, 'settled as done', 'it', %s)"
                )
                answer = connection.execute(sql, (intent.intent_id, document)).fetchall()
            assert answer == [(None,)]
            letters = his.client.sender.prepare(intent.action, intent.request, intent.key)
            later = replace(
                his.retry_rules.entry(intent, letters[0]), intent_id=IntentId("PT-00000000")
            )
            await his.desk.hand_in(rows_of(RecordedIntent(later)))
        async with at_work(restarted := trader("anna", "anna", "desk-1")):
            assert restarted.store.intents.get(later.intent_id) is not None
            await restarted.sees(intent, Standing.IN_DOUBT)

    run(scene())


def test_what_the_log_lacks_of_an_old_intent_is_handed_in(
    run: Run, admin: str, hers: Trader, trader: MakeTrader
) -> None:
    async def scene() -> None:
        async with at_work(hers):
            intent = hers.payout()
            hers.submit(intent)
            await hers.stands(intent, Standing.ACCEPTED)
            await hers.wait(3)
        owner_does(
            admin,
            "SET session_replication_role = replica",
            "DELETE FROM paytui.log WHERE kind = 'accepted'",  # it ended before it handed that in
            "UPDATE paytui.log_head SET n = 2, hash = (SELECT hash FROM paytui.log WHERE n = 2)",
        )
        hers.hands.advance(timedelta(days=8).total_seconds())
        async with at_work(trader("anna", "anna", "desk-1")):
            assert logged(admin) == [("recorded", 0), ("sending", 1), ("accepted", 2)]

    run(scene())
