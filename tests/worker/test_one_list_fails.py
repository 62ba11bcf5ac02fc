"""A kind that is read in one list a recipient: one list that fails makes no other one old."""

from __future__ import annotations

from paytui.api.models import Kind, RecipientId
from paytui.store.health import Feed
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import INTERVALS, Desk

FAILS = Reply(b"", 500)


def desk_whose_second_recipient(clock: ManualClock, *replies: Reply) -> Desk:
    recipients = [{"recipientId": f"r{number}"} for number in (1, 2, 3)]
    lists = {
        f"/v2/recipients/r{number}/payment-addresses": answer(f"a{number}") for number in (1, 3)
    }
    service = ScriptedService(
        {
            "/v2/recipients": Reply({"items": recipients, "total": 3}),
            **lists,
            "/v2/recipients/r2/payment-addresses": list(replies),
        }
    )
    often = dict.fromkeys((Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES), 10)
    return Desk(service, clock, intervals={**INTERVALS, **often})


def answer(address: str) -> Reply:
    return Reply({"items": [{"paymentAddressId": address}], "total": 1})


def feed_after_two_minutes(run: Run, desk: Desk) -> Feed:
    async def watch() -> None:
        async with desk.at_work():
            await desk.wait(120)

    run(watch())
    return desk.store.feed(Kind.PAYMENT_ADDRESSES)


def test_it_is_told_whose_list_fails_since_when_and_that_the_others_are_young(
    run: Run, clock: ManualClock
) -> None:
    desk = desk_whose_second_recipient(clock, answer("a2"), FAILS)
    began = clock.boot()
    feed = feed_after_two_minutes(run, desk)
    [(whose, own)] = feed.failing.items()
    assert whose == RecipientId("r2")
    assert "500" in own.problem.what
    assert own.read_at is not None
    assert own.read_at - began < 5
    assert feed.read_at == own.read_at, "nothing that is shown is older"
    assert feed.others_read_at is not None
    assert clock.boot() - feed.others_read_at < 60


def test_one_that_never_answers_leaves_the_others_read(run: Run, clock: ManualClock) -> None:
    desk = desk_whose_second_recipient(clock, FAILS)
    feed = feed_after_two_minutes(run, desk)
    assert [own.read_at for own in feed.failing.values()] == [None]
    assert not feed.was_read
    assert feed.others_read_at is not None
    assert clock.boot() - feed.others_read_at < 60


def test_one_that_answers_again_is_told_of_no_more(run: Run, clock: ManualClock) -> None:
    desk = desk_whose_second_recipient(clock, FAILS, FAILS, answer("a2"))
    feed = feed_after_two_minutes(run, desk)
    assert feed.ok
    assert not feed.failing
