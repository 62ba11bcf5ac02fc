"""A kind with one list a recipient: a failing list does not age the others."""

from __future__ import annotations

import pytest

from paytui.domain.models import Kind, RecipientId
from paytui.store.health import Feed
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import INTERVALS, Desk

FAILS, FAILS_404 = Reply(b"", 500), Reply(b"Not Found", 404)


OFTEN = dict.fromkeys((Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES), 10)


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
    return Desk(service, clock, intervals={**INTERVALS, **OFTEN})


def desk_that_tracks(clock: ManualClock, *replies: Reply) -> Desk:
    """Three recipients, of which the second answers so, and nobody lists them."""
    service = ScriptedService(
        {
            "/v2/recipients/r2": list(replies),
            **{f"/v2/recipients/r{number}": recipient(number) for number in (1, 3)},
            **{
                f"/v2/recipients/r{number}/payment-addresses": answer(f"a{number}")
                for number in (1, 2, 3)
            },
        }
    )
    return Desk(
        service,
        clock,
        intervals={**INTERVALS, **OFTEN},
        tracked={Kind.RECIPIENTS: ["r1", "r2", "r3"]},
    )


def recipient(number: int) -> Reply:
    return Reply({"item": {"recipientId": f"r{number}"}})


def answer(address: str) -> Reply:
    return Reply({"items": [{"paymentAddressId": address}], "total": 1})


def feed_after_two_minutes(run: Run, desk: Desk, kind: Kind = Kind.PAYMENT_ADDRESSES) -> Feed:
    async def watch() -> None:
        async with desk.at_work():
            await desk.wait(120)

    run(watch())
    return desk.store.feed(kind)


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


# Where recipients are tracked one by one


def test_one_that_cannot_be_read_any_more_leaves_the_others_young(
    run: Run, clock: ManualClock
) -> None:
    desk = desk_that_tracks(clock, recipient(2), FAILS)
    began = clock.boot()
    feed = feed_after_two_minutes(run, desk, Kind.RECIPIENTS)
    [(whose, own)] = feed.failing.items()
    assert whose == RecipientId("r2")
    assert own.read_at is not None
    assert own.read_at - began < 20
    assert feed.read_at == own.read_at, "nothing that is shown is older"
    assert feed.others_read_at is not None
    assert clock.boot() - feed.others_read_at < 60
    addresses = desk.store.feed(Kind.PAYMENT_ADDRESSES)
    assert addresses.read_at == feed.read_at
    assert set(addresses.failing) == {whose}
    assert addresses.others_read_at is not None
    assert clock.boot() - addresses.others_read_at < 60


def test_one_that_could_never_be_read_does_not_keep_the_accounts_of_others_from_being_read(
    run: Run, clock: ManualClock
) -> None:
    desk = desk_that_tracks(clock, FAILS)
    feed = feed_after_two_minutes(run, desk)
    assert desk.store.payment_addresses.keys() == {"a1", "a3"}
    assert feed.read_at is None
    assert [own.read_at for own in feed.failing.values()] == [None]
    assert feed.others_read_at is not None
    assert clock.boot() - feed.others_read_at < 60


@pytest.mark.slow
def test_the_list_that_is_asked_for_again_in_vain_does_not_make_them_old(
    run: Run, clock: ManualClock
) -> None:
    service = ScriptedService(
        {
            "/v2/recipients": [Reply({"items": [{"recipientId": "r1"}], "total": 1}), FAILS_404],
            "/v2/recipients/r1": recipient(1),
            "/v2/recipients/r1/payment-addresses": answer("a1"),
        }
    )
    desk = Desk(service, clock, intervals=INTERVALS, tracked={Kind.RECIPIENTS: ["r1"]})
    ages: list[float] = []

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.RECIPIENTS).tracked > 0)
            while desk.network.counts["/v2/recipients"] < 4:
                await desk.wait(10)
                read_at = desk.store.feed(Kind.RECIPIENTS).read_at
                assert read_at is not None
                ages.append(clock.boot() - read_at)

    run(watch())
    assert max(ages) < 300
