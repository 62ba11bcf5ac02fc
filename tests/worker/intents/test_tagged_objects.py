"""Objects too old to stay in memory are still matched to intents in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Intent, Standing, Verdict
from paytui.domain.models import Kind, Payment, PaymentId, State
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.worker.intents.matching import TaggedObjects
from tests.support.clock import NOON, ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

DONE = State("completed", final=True)
MakeDealing = Callable[..., Dealing]


@pytest.fixture
def make_desk(service: Starlette, clock: ManualClock, path: Path) -> MakeDealing:
    """A desk of whose settled payments one stays in memory, and that one is of tomorrow."""

    def make(*, replay_safe: bool = False, tagged: bool = True) -> Dealing:
        store = Store(1)
        tomorrow = clock.now() + timedelta(days=1)
        let_in(store, *(payment(number, created_at=tomorrow) for number in (1, 2, 3)))
        let_go(store)
        return Dealing(service, clock, path, store=store, replay_safe=replay_safe, tagged=tagged)

    return make


def payment(number: int, **more: object) -> Payment:
    row = Payment(PaymentId(f"pay-{number}"), status=DONE, created_at=NOON)
    return replace(row, **more)  # type: ignore[arg-type]


def let_in(store: Store, *rows: Payment) -> None:
    retention = store.retention(Kind.PAYMENTS)
    assert retention is not None
    store.table(Kind.PAYMENTS).put(retention.sift(rows))


def let_go(store: Store) -> None:
    """Move the excess rows out of memory."""
    retention, table = store.retention(Kind.PAYMENTS), store.table(Kind.PAYMENTS)
    assert retention is not None
    table.remove([table.key(row) for row in retention.surplus()])


async def made_out_of_sight(desk: Dealing, intent: Intent) -> None:
    """Leave an intent in doubt, its object completed, and the list unread since."""
    await desk.fault(intent.action.value, "commit-then-cut")
    await desk.fault("list_payments", "500", times=6)
    desk.submit(intent)
    await desk.stands(intent, Standing.IN_DOUBT)
    made = await desk.newest_payment()
    await desk.control("states", kind="payment", id=made, status="completed", force=True)


def test_what_an_intent_became_is_found_however_many_newer_ones_there_are(
    make_desk: MakeDealing, run: Run
) -> None:
    desk = make_desk(replay_safe=True)

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await made_out_of_sight(desk, intent)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert [row.object_id] == await desk.in_ledger(intent)
            assert desk.posts(intent) == 1

    run(scenario())


def test_what_it_may_have_become_holds_a_repeat_back(make_desk: MakeDealing, run: Run) -> None:
    desk = make_desk(replay_safe=True, tagged=False)

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout(amount="10.07")
            await made_out_of_sight(desk, intent)
            await desk.wait(300)
            row = desk.row(intent)
            assert row is not None
            assert (row.standing, len(row.candidates)) == (Standing.IN_DOUBT, 1)
            assert desk.posts(intent) == 1

    run(scenario())


def test_that_what_stands_as_not_done_is_there_raises_an_alarm(
    make_desk: MakeDealing, run: Run
) -> None:
    desk = make_desk()

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await made_out_of_sight(desk, intent)
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.NOT_DONE)
            row = await desk.stands(intent, Standing.NOT_DONE)
            assert not row.alerts
            await desk.until(lambda: bool((row := desk.row(intent)) and row.alerts))

    run(scenario())


def test_what_carries_an_identifier_stays_until_it_was_looked_at() -> None:
    store = Store(3)
    sightings = TaggedObjects(store)
    ours = payment(0, reference="INV PT-00000001", created_at=NOON - timedelta(days=1))
    let_in(store, ours, *map(payment, range(1, 9)))
    let_go(store)
    assert ours in sightings.scan()
    let_go(store)
    let_in(store, payment(9))
    let_in(store, ours)
    assert store.payments.get(ours.payment_transaction_id) is None


def test_one_that_only_the_cache_has_is_looked_at_once_the_service_has_it_too() -> None:
    store = Store()
    sightings = TaggedObjects(store)
    store.payments.recall([payment(1)])
    store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON, read_at=5.0, cut=True))
    assert sightings.scan() == []
    store.payments.put([payment(1)])
    assert sightings.scan() == [payment(1)]
    assert sightings.scan() == []
