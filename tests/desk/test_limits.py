"""Limits of a desk: the database refuses what no colleague approved, and what exceeds a day."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from zoneinfo import ZoneInfo

import psycopg
import pytest

from paytui.desk.log import DeskLog
from paytui.domain.desk_limits import Charge, DeskLimits
from paytui.domain.intent import IntentId
from paytui.domain.money import CurrencyCode
from paytui.domain.rates import DayStart
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.shared_log import HandedIn, LogAway, Refusal, decision_of, limits_document
from tests.desk import limits
from tests.desk.limits import BODY, CLIENT, payout, proposed, recorded, sending
from tests.desk.server import owner_does

INTENT = IntentId("PT-AAAAAAAA")
AUD = CurrencyCode("AUD")
ABOVE = DeskLimits(above={AUD: Decimal(50)})
APPROVED = Event(kind=EventKind.APPROVED, at=datetime(2026, 3, 2, tzinfo=UTC))
TAMPER = "SET session_replication_role = replica"  # as a superuser may: no trigger runs
OVERDUE = "UPDATE paytui.log SET leave_by = at WHERE kind = 'proposed'"


@asynccontextmanager
async def outboxes(*dsns: str) -> AsyncIterator[list[DeskLog]]:
    them = [limits.log_of(dsn, f"desk-{number}") for number, dsn in enumerate(dsns, start=1)]
    for log in them:
        await log.replayed((await log.look()).epoch)
    try:
        yield them
    finally:
        for log in them:
            log.close()


def test_what_is_above_leaves_once_a_colleague_has_approved_its_very_bytes(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob, anna) as (hers, his, hers_elsewhere):
            await hers.hand_in([payout(INTENT, "50.01"), proposed(INTENT)])
            assert await hers.depart([sending(INTENT, 2)]) is Refusal.UNAPPROVED
            for own in (hers, hers_elsewhere):
                assert await own.approve(INTENT, BODY, APPROVED) is Refusal.OWN
            assert await his.approve(INTENT, '{"amount": 61}', APPROVED) is Refusal.CHANGED
            assert await hers.depart([sending(INTENT, 2)]) is Refusal.UNAPPROVED

            assert await his.approve(INTENT, BODY, APPROVED) is None
            changed = sending(INTENT, 2, '{"amount": 61}')
            assert await hers.depart([changed]) is Refusal.CHANGED
            assert isinstance(await hers.depart([sending(INTENT, 2)]), float)
            assert await his.approve(INTENT, BODY, APPROVED) is Refusal.LEFT
            assert await his.refuse_proposal(INTENT, APPROVED) is Refusal.LEFT

            exact = IntentId("PT-BBBBBBBB")  # not above
            rows = [payout(exact, "50.00"), sending(exact, 1)]
            assert isinstance(await hers.depart(rows), float)

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


def test_both_sides_of_a_trade_count(admin: str, anna: str) -> None:
    async def scene() -> None:
        async with outboxes(anna) as [log]:
            pair = {"sell_currency": "USD", "buy_currency": "AUD", "rate": "1.5"}
            for amount, currency, is_above in (
                ("33.33", "USD", False),  # 49.995 AUD
                ("33.34", "USD", True),  # 50.01 AUD
                ("50.00", "AUD", False),
                ("50.01", "aud", True),
            ):
                intent = IntentId(f"PT-{amount}-{currency}")
                terms = pair | {"amount": amount, "currency": currency}
                answer = await log.depart([recorded(intent, terms), sending(intent, 1)])
                assert (answer is Refusal.UNAPPROVED) == is_above

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


def test_an_entry_that_the_database_cannot_read_does_not_leave_and_blocks_nothing(
    admin: str, anna: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna) as [log]:
            for number, terms in enumerate(
                (
                    {"amount": "6O", "currency": "AUD"},
                    {"reference": "\0"},
                    {"amount": "\ud800"},
                    {"amount": "NaN", "currency": "AUD"},
                    {"amount": "Infinity", "currency": "AUD"},
                    {"amount": "1e30", "currency": "AUD"},
                    {"amount": "1", "currency": "AUD", "sell_currency": "AUD"}
                    | {"buy_currency": "USD", "rate": "NaN"},
                    {"amount": "1", "currency": "AUD", "sell_currency": "AUD"}
                    | {"buy_currency": "USD", "rate": "-0.66"},
                )
            ):
                intent = IntentId(f"PT-{number}")
                await log.hand_in([recorded(intent, terms)])
                assert await log.depart([sending(intent, 1)]) is Refusal.CHANGED
                await log.hand_in([sending(intent, 1)])
                good = IntentId(f"PT-{number}-good")
                assert isinstance(await log.depart([payout(good, "10"), sending(good, 1)]), float)
                ended = HandedIn(intent, 2, "not executed", "{}")
                await log.hand_in([ended])

    limits.set_limits(admin, replace(ABOVE, at_most={AUD: Decimal(100)}))
    asyncio.run(scene())


def test_two_approvals_come_from_two_colleagues(admin: str, anna: str, bob: str) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in([payout(INTENT, "60"), proposed(INTENT)])
            for _ in range(2):
                assert await his.approve(INTENT, BODY, APPROVED) is None
            told = [row.kind for row in (await hers.look()).rows]
            assert told[-2:] == ["partly approved", "partly approved"]
            assert await hers.depart([sending(INTENT, 2)]) is Refusal.UNAPPROVED

    limits.set_limits(admin, replace(ABOVE, needs=2))
    asyncio.run(scene())


def test_an_approval_and_what_was_approved_expire(admin: str, anna: str, bob: str) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in([payout(INTENT, "60"), proposed(INTENT)])
            assert await his.approve(INTENT, BODY, APPROVED) is None
            owner_does(admin, TAMPER, OVERDUE)
            assert await his.approve(INTENT, BODY, APPROVED) is Refusal.EXPIRED
            assert await hers.depart([sending(INTENT, 2)]) is Refusal.EXPIRED

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


def test_a_refusal_is_not_undone_by_rows_that_name_it_or_reopen_the_intent(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in([payout(INTENT, "60"), proposed(INTENT)])
            assert await his.approve(INTENT, BODY, APPROVED) is None
            refused = replace(APPROVED, kind=EventKind.NOT_DONE)
            assert await his.refuse_proposal(INTENT, refused) is None
            for local, kind in enumerate(("alert", "goes to another path"), start=2):
                named = HandedIn(INTENT, local, kind, "{}", decision=decision_of(refused))
                await hers.hand_in([named])
            assert await hers.depart([sending(INTENT, 4)]) is Refusal.SETTLED
            adopted = HandedIn(INTENT, 4, EventKind.NOT_DONE, "{}", decision=decision_of(refused))
            reopened = HandedIn(INTENT, 5, "goes to another path", "{}")
            await hers.hand_in([adopted, reopened])
            assert await hers.depart([sending(INTENT, 6)]) is Refusal.SETTLED

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


def test_an_amount_counts_on_the_day_and_for_the_trader_that_sent_it(admin: str, anna: str) -> None:
    async def scene() -> None:
        async with outboxes(anna) as [log]:
            doubted = HandedIn(INTENT, 2, "in doubt", "{}")  # its program ended before it asked
            await log.hand_in([payout(INTENT, "60"), sending(INTENT, 1), doubted])
            owner_does(admin, "UPDATE paytui.charges SET day = day - 1, trader = 'bob'")
            assert isinstance(await log.depart([sending(INTENT, 3, departure=2)]), float)
            other = IntentId("PT-BBBBBBBB")
            assert await log.depart([payout(other, "60"), sending(other, 1)]) is Refusal.OVER

    limits.set_limits(admin, DeskLimits(per_trader={AUD: Decimal(100)}))
    asyncio.run(scene())


def test_an_approval_is_not_handed_in_and_limits_are_the_owners(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in([payout(INTENT, "60"), proposed(INTENT)])
            approved = json.dumps({"body_hash": sending(INTENT, 2).body_hash})
            made_up = HandedIn(INTENT, 2, "approved", approved)
            await hers.hand_in([made_up])
            assert await hers.depart([sending(INTENT, 3)]) is Refusal.UNAPPROVED
            for kind in ("approved", "settled as done", "limits"):
                nowhere = replace(made_up, local=None, kind=kind)  # type: ignore[arg-type]
                with pytest.raises(LogAway, match="is not handed in"):
                    await his.hand_in([nowhere])
            await his.look()
            await his.refuse_proposal(INTENT, replace(APPROVED, kind=EventKind.NOT_DONE))
            assert await his.approve(INTENT, BODY, APPROVED) is Refusal.SETTLED
            assert await hers.depart([sending(INTENT, 3)]) is Refusal.SETTLED

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())
    document = limits_document(DeskLimits())
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        owner_does(anna, f"SELECT paytui.set_limits('{CLIENT}', '{document}')")


@pytest.mark.slow
def test_of_two_racing_hosts_one_gets_the_last_of_a_day(admin: str, anna: str, bob: str) -> None:
    limits.set_limits(admin, DeskLimits(per_recipient={AUD: Decimal(100)}))
    for answers in asyncio.run(limits.races([anna, bob], 200)):
        assert [each for each in answers if not isinstance(each, float)] == [Refusal.OVER]


def test_a_day_counts_what_left_until_it_was_not_executed(admin: str, anna: str, bob: str) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):

            async def sends(log: DeskLog, name: str, amount: str) -> bool:
                intent = IntentId(f"PT-{name}")
                answer = await log.depart([payout(intent, amount, name), sending(intent, 1)])
                assert answer is Refusal.OVER or isinstance(answer, float)
                return isinstance(answer, float)

            async def happens(name: str, local: int, kind: str) -> None:
                await hers.hand_in([HandedIn(IntentId(f"PT-{name}"), local, kind, "{}")])

            assert await sends(hers, "A", "60")
            assert not await sends(hers, "B", "20.01")  # 80 for each trader
            assert await sends(his, "C", "40")  # 100 for all
            assert not await sends(his, "D", "0.01")
            assert (await his.look()).charges == (
                Charge("anna", False, "A", AUD, Decimal(60)),
                Charge("bob", True, "C", AUD, Decimal(40)),
            )
            assert (await his.look()).charges is None  # nothing new
            for kind in ("in doubt", "accepted", "settled as done"):
                await happens("A", 2 + len(kind), kind)
                assert not await sends(his, "D", "0.01")
            for number, kind in enumerate(("refused", "not executed", "settled as not done")):
                await happens("A", 30 + number * 2, kind)
                assert await sends(his, f"E{number}", "1")
                await happens("A", 31 + number * 2, "in doubt")  # an alarm reopened it
                assert not await sends(his, "D", "0.01")
            again = await hers.depart([sending(IntentId("PT-A"), 40, departure=2)])
            assert isinstance(again, float)  # a repeat is counted once

    limits.set_limits(admin, DeskLimits(at_most={AUD: Decimal(100)}, per_trader={AUD: Decimal(80)}))
    asyncio.run(scene())


def test_a_repeat_of_what_the_database_never_let_leave_is_checked_as_the_first(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            # Her program ended between writing its attempt to disk and asking the desk.
            await hers.hand_in([payout(INTENT, "60"), proposed(INTENT)])
            assert await his.approve(INTENT, BODY, APPROVED) is None
            doubt = HandedIn(INTENT, 3, "in doubt", "{}")
            await hers.hand_in([sending(INTENT, 2), doubt])
            over = IntentId("PT-BBBBBBBB")
            await hers.hand_in([payout(over, "41"), sending(over, 1)])
            assert await hers.depart([sending(over, 2, departure=2)]) is Refusal.OVER
            owner_does(admin, TAMPER, OVERDUE)
            assert await hers.depart([sending(INTENT, 4, departure=2)]) is Refusal.EXPIRED

    limits.set_limits(admin, replace(ABOVE, at_most={AUD: Decimal(100)}))
    asyncio.run(scene())


def test_a_day_begins_at_its_time_across_clock_changes(admin: str) -> None:
    zone = "Australia/Sydney"
    starts = DayStart(time(8), ZoneInfo(zone), zone)
    document = limits_document(DeskLimits(starts=starts))
    for at, day in (
        ("2026-03-02 20:59:59+00", date(2026, 3, 2)),  # 07:59:59 in Sydney, at 11 hours
        ("2026-03-02 21:00:00+00", date(2026, 3, 3)),
        ("2026-07-02 21:59:59+00", date(2026, 7, 2)),  # at 10 hours
        ("2026-07-02 22:00:00+00", date(2026, 7, 3)),
    ):
        assert owner_does(admin, f"SELECT paytui.day_of('{document}', '{at}')") == [(day,)]
