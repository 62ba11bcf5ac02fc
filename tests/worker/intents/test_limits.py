"""Requests above a limit are not sent, even if a screen allowed them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.config.settings import AmountLimits, Profile
from paytui.domain.intent import Intent, Standing, Verdict
from paytui.domain.money import CurrencyCode
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

Desks = Callable[[Profile], Dealing]


def profile(most: dict[CurrencyCode, Decimal]) -> Profile:
    return Profile(name="demo", base_url="http://localhost", client_id="demo", refuse_above=most)


@pytest.fixture
def desks(service: Starlette, clock: ManualClock, path: Path) -> Desks:
    return lambda profile: Dealing(service, clock, path, profile=profile)


def all_currencies(most: str) -> dict[CurrencyCode, Decimal]:
    codes = ["AUD", "EUR", "GBP", "PLN", "USD"]  # what the seeded desk pays and trades in
    return {CurrencyCode(code): Decimal(most) for code in codes}


@pytest.mark.parametrize("what", ["payout", "transfer", "trade"])
def test_nothing_above_the_profiles_limit_is_recorded_or_sent(
    desks: Desks, run: Run, what: str
) -> None:
    desk = desks(profile(all_currencies("9.99")))

    async def scenario() -> None:
        async with desk.open():
            intent: Intent = getattr(desk, what)()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_RECORDED)
            assert "the most that this profile sends" in str(row.problem)
            await desk.wait(30)
            assert desk.posts(intent) == 0
            assert desk.outbox.read() == []

    run(scenario())


class ClumsyLimits(dict[CurrencyCode, Decimal]):
    """A mistake is made where anything is looked up in them.

    Attributes:
        clumsy: whether it is.
    """

    clumsy = True

    def get(self, *_: object) -> Decimal:
        if self.clumsy:
            raise ZeroDivisionError
        return Decimal("Infinity")


def test_where_a_mistake_is_made_with_a_limit_nothing_is_sent_and_it_is_told(
    desks: Desks, run: Run
) -> None:
    desk = desks(profile(ClumsyLimits()))

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_RECORDED)
            assert row.problem is not None
            assert row.problem.what == "unexpected ZeroDivisionError in paytui"
            await desk.wait(30)
            assert desk.posts(intent) == 0

    run(scenario())


def test_where_a_mistake_is_made_with_a_decision_it_is_told_and_what_is_confirmed_next_is_sent(
    desks: Desks, run: Run
) -> None:
    limits = ClumsyLimits()
    desk = desks(profile(limits))

    async def scenario() -> None:
        await desk.worker.sync_once()
        first, second = desk.payout(), desk.payout()
        desk.recorded_only(first)
        async with desk.at_work():
            await desk.stands(first, Standing.RECORDED)
            desk.decide(first, Verdict.SEND)
            await desk.until(lambda: bool((row := desk.row(first)) and row.alerts))
            row = await desk.stands(first, Standing.RECORDED)
            [alert] = row.alerts
            assert alert == (
                "The decision was not carried out: "
                "unexpected ZeroDivisionError in paytui. Please report it."
            )
            assert desk.posts(first) == 0
            limits.clumsy = False
            desk.submit(second)
            await desk.stands(second, Standing.ACCEPTED)

    run(scenario())


def test_where_a_mistake_is_made_with_one_in_doubt_it_is_told_once_and_others_are_sent(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    limits = ClumsyLimits()
    limits.clumsy = False
    desk = Dealing(service, clock, path, replay_safe=True, profile=profile(limits))

    async def scenario() -> None:
        async with desk.open():
            first, second = desk.payout(), desk.payout("11.00")
            await desk.leave_in_doubt(first)
            limits.clumsy = True
            await desk.wait(120)
            row = await desk.stands(first, Standing.IN_DOUBT)
            [alert] = row.alerts
            assert alert.startswith("It is not resent automatically: unexpected ZeroDivisionError")
            assert desk.posts(first) == 1
            limits.clumsy = False
            desk.submit(second)
            await desk.stands(second, Standing.ACCEPTED)

    run(scenario())


def test_what_is_not_above_it_is_sent(desks: Desks, run: Run) -> None:
    desk = desks(profile(all_currencies("10.00")))

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout("10.00")
            desk.submit(intent)
            await desk.stands(intent, Standing.ACCEPTED)

    run(scenario())


@pytest.mark.parametrize(("above", "standing"), [("0.01", Standing.NOT_RECORDED), ("0", None)])
def test_a_limit_on_the_side_that_is_not_fixed_holds_at_the_locked_rate(
    desks: Desks, run: Run, above: str, standing: Standing | None
) -> None:
    most: dict[CurrencyCode, Decimal] = {}
    desk = desks(profile(most))

    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade(await desk.quote())
            rate, bought = intent.terms.rate, intent.terms.buy_currency
            assert rate is not None
            assert bought is not None
            cent = Decimal("0.01")
            most[bought] = (10 * rate).quantize(cent, ROUND_HALF_EVEN) - Decimal(above)
            desk.submit(intent)
            await desk.stands(intent, standing or Standing.ACCEPTED)

    run(scenario())


def test_a_trade_whose_other_side_nobody_knows_is_not_sent_where_that_has_a_limit(
    desks: Desks, run: Run
) -> None:
    desk = desks(profile(all_currencies("999999999")))

    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_RECORDED)
            assert "No rate is known" in str(row.problem)

    run(scenario())


def test_a_recipients_limit_holds_for_that_recipient_alone(desks: Desks, run: Run) -> None:
    low = AmountLimits(refuse_above=all_currencies("9.99"))
    recipients: dict[str, AmountLimits] = {}
    desk = desks(replace(profile({}), recipients=recipients))

    async def scenario() -> None:
        async with desk.open():
            first, second = desk.payout(), desk.payout()
            recipients["somebody-else"] = low
            desk.submit(first)
            await desk.stands(first, Standing.ACCEPTED)
            recipients[first.terms.recipient_id or ""] = low
            desk.submit(second)
            row = await desk.stands(second, Standing.NOT_RECORDED)
            assert "the most that goes to this recipient" in str(row.problem)

    run(scenario())


def test_what_is_in_doubt_and_above_a_limit_by_now_is_not_repeated_by_itself(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    most: dict[CurrencyCode, Decimal] = {}
    desk = Dealing(service, clock, path, replay_safe=True, profile=profile(most))

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            most.update(all_currencies("9.99"))
            await desk.wait(120)
            assert desk.posts(intent) == 1
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.alerts == ()

    run(scenario())


def test_what_a_limit_has_come_below_since_it_was_recorded_is_not_sent_by_a_decision(
    desks: Desks, run: Run
) -> None:
    desk = desks(profile(all_currencies("9.99")))

    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.payout()
        desk.recorded_only(intent)
        async with desk.at_work():
            await desk.stands(intent, Standing.RECORDED)
            desk.decide(intent, Verdict.SEND)
            await desk.until(lambda: bool((row := desk.row(intent)) and row.alerts))
            assert desk.posts(intent) == 0

    run(scenario())
