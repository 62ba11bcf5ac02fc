"""Mandates: the database lets a trade above a limit leave only within what a colleague approved."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.desk.checks import open_mandates
from paytui.desk.database import connect, install
from paytui.desk.log import DeskLog
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import Intent, IntentId, Standing, Verdict
from paytui.domain.mandate import Mandate
from paytui.domain.models import RateSheet, Trade, TradeId
from paytui.domain.money import CurrencyCode, Money, Pair
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.shared_log import HandedIn, Refusal, limits_document
from paytui.store.mandates import exchange_of
from tests.desk import limits
from tests.desk.limits import proposed, recorded, sending
from tests.desk.server import owner_does
from tests.desk.test_limits import APPROVED, AUD, OVERDUE, TAMPER, outboxes
from tests.desk.trader import CLIENT as TRADERS_CLIENT
from tests.desk.trader import Trader, at_work, fail_over
from tests.worker.conftest import Run

USD = CurrencyCode("USD")
MANDATE = IntentId("PT-MMMMMMMM")
SELLS = {"sell_currency": "AUD", "buy_currency": "USD"}
UP_TO_100 = Mandate(
    pair=Pair(AUD, USD),
    up_to=Money(Decimal(100), AUD),
    worst=Decimal("0.66"),
    lasts=timedelta(hours=1),
)
BODY = UP_TO_100.body.decode()
ABOVE = DeskLimits(above={AUD: Decimal(10)})


def mandate(intent: IntentId = MANDATE, body: str = BODY) -> list[HandedIn]:
    """Return the rows of a mandate that is proposed."""
    terms = {**SELLS, "amount": "100", "currency": "AUD", "rate": "0.66"}
    first = recorded(intent, terms, body)
    document = json.dumps({**json.loads(first.document), "action": "mandate"})
    return [replace(first, document=document), proposed(intent, body)]


def trade(
    name: str, amount: str, currency: str = "AUD", rate: str = "0.66", **changes: str
) -> tuple[IntentId, list[HandedIn]]:
    """Return a trade within the mandate, and the rows of its departure."""
    intent = IntentId(f"PT-{name}")
    terms = {**SELLS, "amount": amount, "currency": currency, "rate": rate, "mandate_id": MANDATE}
    return intent, [recorded(intent, terms | changes), sending(intent, 1)]


async def leaves(log: DeskLog, name: str, amount: str, *args: str, **changes: str) -> bool:
    """Return True if a trade leaves; it is refused as outside of its mandate else."""
    answer = await log.depart(trade(name, amount, *args, **changes)[1])
    assert answer is Refusal.OUTSIDE or isinstance(answer, float)
    return isinstance(answer, float)


def test_a_trade_leaves_within_a_mandate_that_a_colleague_has_approved(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob, anna) as (hers, his, hers_elsewhere):
            assert not await leaves(hers, "unknown", "60")
            await hers.hand_in(mandate())
            assert not await leaves(hers, "unapproved", "60")
            for own in (hers, hers_elsewhere):
                assert await own.approve(MANDATE, BODY, APPROVED) is Refusal.OWN
            changed = BODY.replace("100", "900")
            assert await his.approve(MANDATE, changed, APPROVED) is Refusal.CHANGED
            assert await his.approve(MANDATE, BODY, APPROVED) is None
            assert await hers.depart([sending(MANDATE, 2, BODY)]) is Refusal.CHANGED

            assert not await leaves(his, "not his", "60")
            assert not await leaves(hers, "worse", "60", "AUD", "0.6599")
            assert not await leaves(hers, "no rate", "60", "AUD", "0")
            turned = {"sell_currency": "USD", "buy_currency": "AUD"}
            assert not await leaves(hers, "back", "60", "AUD", "1.6", **turned)
            assert not await leaves(hers, "pair", "60", buy_currency="EUR")
            assert not await leaves(hers, "neither", "60", "EUR")
            assert not await leaves(hers, "pays", "60", recipient_id="R-1")
            nobodys = limits.log_of(anna, "desk-4", client="other")
            await nobodys.replayed((await nobodys.look()).epoch)
            assert not await leaves(nobodys, "client", "60")
            nobodys.close()

            assert await leaves(hers, "A", "60")
            assert not await leaves(hers_elsewhere, "B", "40.01")
            assert not await leaves(hers, "C", "26.41", "USD")  # 40.015 AUD
            assert await leaves(hers_elsewhere, "D", "26.46", "USD", "0.6615")  # 40 AUD
            assert not await leaves(hers, "E", "10.01")

    limits.set_limits(admin, ABOVE)
    install(admin, limits=("other", limits_document(ABOVE)))
    asyncio.run(scene())


def test_what_was_not_executed_gives_its_amount_back_to_the_mandate(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in(mandate())
            assert await his.approve(MANDATE, BODY, APPROVED) is None
            handed_in = {log: trade(f"lost {log is his}", "50") for log in (hers, his)}
            for log, (_, rows) in handed_in.items():  # as after a failover; his is not hers
                await log.hand_in(rows)
            assert not await leaves(hers, "A", "60")
            await hers.hand_in([HandedIn(handed_in[hers][0], 2, "not executed", "{}")])
            assert await leaves(hers, "A", "60")
            for number, kind in enumerate(("in doubt", "accepted", "settled as done"), start=2):
                await hers.hand_in([HandedIn(IntentId("PT-A"), number, kind, "{}")])
                assert not await leaves(hers, f"over {kind}", "60")
            for number, kind in enumerate(("refused", "not executed", "settled as not done")):
                last = IntentId(f"PT-{number or 'A'}")
                await hers.hand_in([HandedIn(last, 9, kind, "{}")])
                assert await leaves(hers, f"{number + 1}", "60")

            ended = replace(APPROVED, kind=EventKind.NOT_DONE)
            await his.refuse_proposal(MANDATE, ended)  # an approval can be taken back
            assert not await leaves(hers, "revoked", "20")

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


def test_a_mandate_ends_after_its_own_time_and_one_that_cannot_be_read_at_once(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, bob) as (hers, his):
            await hers.hand_in(mandate())
            lasts = "SELECT extract(epoch FROM leave_by - at) FROM paytui.log WHERE n = 3"
            [[seconds]] = owner_does(admin, lasts)
            assert 3595 < float(str(seconds)) <= 3600  # not the desk's minute
            assert await his.approve(MANDATE, BODY, APPROVED) is None
            assert await leaves(hers, "A", "20")
            owner_does(admin, TAMPER, OVERDUE)
            assert await his.approve(MANDATE, BODY, APPROVED) is Refusal.EXPIRED
            assert not await leaves(hers, "B", "20")

            for number, (said, wrong) in enumerate(
                (
                    ('"100"', '"NaN"'),
                    ('"0.66"', '"Infinity"'),
                    ("3600", "86401"),
                    ('"currency": "AUD"', '"currency": "EUR"'),
                    (BODY, "no JSON"),
                )
            ):
                intent, body = IntentId(f"PT-{number}"), BODY.replace(said, wrong)
                assert body != BODY
                await hers.hand_in(mandate(intent, body))
                assert await his.approve(intent, body, APPROVED) is Refusal.EXPIRED

    limits.set_limits(admin, replace(ABOVE, within=timedelta(minutes=1)))
    asyncio.run(scene())


@pytest.mark.slow
def test_two_seats_that_race_for_the_rest_of_a_mandate_do_not_exceed_it(
    admin: str, anna: str, bob: str
) -> None:
    async def scene() -> None:
        async with outboxes(anna, anna, bob) as (here, there, his):
            await here.hand_in(mandate())
            assert await his.approve(MANDATE, BODY, APPROVED) is None
            for number in range(60):
                racing = [
                    trade(f"{number}-{seat}", "60" if seat else "39.6", "AUD" if seat else "USD")
                    for seat in range(2)
                ]
                logs = (here, there)
                answers = await asyncio.gather(
                    *(log.depart(rows) for log, (_, rows) in zip(logs, racing, strict=True))
                )
                passed = [isinstance(each, float) for each in answers]
                assert sorted(passed) == [False, True]
                first = passed.index(True)
                back = HandedIn(racing[first][0], 2, "refused", "{}")
                await logs[first].hand_in([back])

    limits.set_limits(admin, ABOVE)
    asyncio.run(scene())


async def _limited(admin: str, maker: Trader, trade: Intent) -> Mandate:
    """Set a limit below a trade of 10.00, and return a mandate for two of them and a half."""
    found, rate = exchange_of(trade.terms), trade.terms.rate
    assert found is not None
    assert rate is not None
    above = DeskLimits(above={found.pair.sell: Decimal(5)})
    install(admin, limits=(TRADERS_CLIENT, limits_document(above)))
    await maker.until(lambda: bool(maker.store.desk_limits.above), 3)
    up_to, lasts = Money(Decimal(25), found.pair.sell), timedelta(minutes=2)
    return Mandate(pair=found.pair, up_to=up_to, worst=rate, lasts=lasts)


async def _books(maker: Trader, quote: RateSheet, mandate: Intent, standing: Standing) -> Intent:
    trade = maker.trade(quote)
    terms = replace(trade.terms, mandate_id=mandate.intent_id)
    maker.submit(replace(trade, terms=terms))
    await maker.stands(trade, standing)
    return trade


def test_a_trader_books_within_a_mandate_that_a_colleague_approved_by_the_screen(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers), AsyncExitStack() as stack:
            quote = await hers.quote()  # before his program's sign-in ends her token
            await stack.enter_async_context(at_work(his))
            trade = hers.trade(quote)  # 10.00 of what it sells
            mandate = await _limited(admin, hers, trade)
            rate = mandate.worst
            hers.submit(trade)
            row = await hers.stands(trade, Standing.NOT_RECORDED)
            assert row.problem is not None
            assert "propose a mandate" in row.problem.remedy

            now = hers.service_time.latest()
            made = hers.maker.make(mandate, title="Mandate", confirmed_at=now)
            hers.submit(made)
            await hers.stands(made, Standing.PROPOSED)
            await his.sees(made, Standing.PROPOSED)
            his.types(made, Verdict.APPROVE, "25")
            assert (await hers.stands(made, Standing.RECORDED)).is_approved
            hers.decide(made, Verdict.SEND)  # it never leaves

            await _books(hers, quote, made, Standing.ACCEPTED)
            await hers.fault("book_trade", "cut")
            doubt = await _books(hers, quote, made, Standing.IN_DOUBT)
            await _books(hers, quote, made, Standing.NOT_RECORDED)  # 5.00 are left
            await his.sees(made, Standing.RECORDED)
            with connect(hers.dsn) as connection:
                [told] = open_mandates(connection, TRADERS_CLIENT)
            assert (told.who, told.approvals) == ("anna", 1)
            assert (told.left, told.up_to, told.rate) == (Decimal(5), Decimal(25), rate)
            hers.store.trades.put([Trade(TradeId("trd-x"), reference=f"Hedge {made.intent_id}")])
            await hers.wait(121)
            for seat in (hers, his):
                ended = await seat.sees(made, Standing.NOT_EXECUTED)
                assert ended.standing_words == "ended"
            hers.decide(doubt, Verdict.REPEAT)  # which it counts already
            await hers.stands(doubt, Standing.ACCEPTED)
            await hers.wait(5)
            assert (await hers.sees(made, Standing.NOT_EXECUTED)).alerts == ()
            assert set(hers.network.posts) == {"/v2/auth", "/v2/rate-sheets", "/v2/tradess"}

    run(scene())


@pytest.mark.slow
def test_an_approval_that_a_failover_lost_is_given_again_before_anything_is_booked(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    async def scene() -> None:
        async with at_work(hers), AsyncExitStack() as stack:
            quote = await hers.quote()
            await stack.enter_async_context(at_work(his))
            mandate = await _limited(admin, hers, hers.trade(quote))
            now = hers.service_time.latest()
            made = hers.maker.make(mandate, title="Mandate", confirmed_at=now)
            hers.submit(made)
            first = (await his.sees(made, Standing.PROPOSED)).proposal
            [[proposed]] = owner_does(admin, "SELECT n FROM paytui.log_head")
            his.types(made, Verdict.APPROVE, "25")
            await hers.sees(made, Standing.RECORDED)
            trades = [await _books(hers, quote, made, Standing.ACCEPTED)]
            await hers.wait(20)
            fail_over(admin, int(str(proposed)) - 1)
            row = await hers.sees(made, Standing.PROPOSED)
            assert "it must be given again" in row.alerts[-1]
            for trader in (hers, his):
                await trader.until(lambda trader=trader: trader.store.sending.allowed, 3)  # type: ignore[misc]
            refused = await _books(hers, quote, made, Standing.NOT_RECORDED)
            told = hers.row(refused)
            assert told is not None
            assert told.problem is not None
            assert "A colleague must approve it" in told.problem.remedy

            asked_again = await his.sees(made, Standing.PROPOSED)
            assert "it must be given again" in asked_again.turns[-1].words
            assert first is not None
            assert asked_again.proposal is not None
            late = abs(asked_again.proposal.until - first.until)
            assert late < timedelta(seconds=5)  # of 120
            his.types(made, Verdict.APPROVE, "25")
            assert (await hers.sees(made, Standing.RECORDED)).alerts == ()
            trades.append(await _books(hers, quote, made, Standing.ACCEPTED))
            await _books(hers, quote, made, Standing.NOT_RECORDED)  # the first counts
            assert [len(await hers.in_ledger(each)) for each in trades] == [1, 1]

    run(scene())


@pytest.mark.slow
def test_a_mandate_ends_on_a_colleagues_screen_although_its_program_has_ended(
    run: Run, admin: str, hers: Trader, his: Trader
) -> None:
    mandate = replace(UP_TO_100, lasts=timedelta(seconds=30))
    now = hers.service_time.latest()
    made, left, over = (
        hers.maker.make(mandate, title=title, confirmed_at=at)
        for title, at in (("made", now), ("left", now), ("over", now - timedelta(seconds=31)))
    )
    for intent in (left, over):  # and its program was killed
        unsent = PreparedRequest(
            attempted="", method="", path="", key_header="", key=intent.key, body=mandate.body
        )
        hers.outbox.record(hers.retry_rules.entry(intent, unsent))
    hers.outbox.add(over.intent_id, Event(kind=EventKind.PROPOSED, at=now))

    async def scene() -> None:
        async with at_work(his):
            async with at_work(hers):
                row = await hers.stands(left, Standing.NOT_EXECUTED)
                assert row.problem is not None
                assert row.problem.what == "paytui ended before it was proposed"
                row = await hers.stands(over, Standing.NOT_EXECUTED, 3)
                assert row.problem is not None
                assert row.problem.what == "its time is over"
                hers.submit(made)
                await his.sees(made, Standing.PROPOSED)
                his.types(made, Verdict.APPROVE, "100")
                await hers.stands(made, Standing.RECORDED)
            assert (await his.sees(made, Standing.RECORDED)).is_approved
            await his.wait(31)
            row = await his.sees(made, Standing.NOT_EXECUTED)
            assert row.since == made.terms.expires_at

    install(admin, limits=(TRADERS_CLIENT, limits_document(ABOVE)))
    run(scene())
