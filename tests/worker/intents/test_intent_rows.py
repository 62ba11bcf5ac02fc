"""Rows of intents, derived from the outbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from paytui.domain.intent import IntentEvent
from paytui.domain.models import Problem
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.worker.intents.journal import row_of
from tests.outbox.made import entry
from tests.support.clock import NOON


def test_what_happened_to_an_intent_is_told_in_order() -> None:
    cut = Problem("send it", "the connection was cut")
    events = (
        Event(kind=EventKind.SENDING, at=NOON, method="POST", path="/v2/payments/payout"),
        Event(kind=EventKind.IN_DOUBT, at=NOON, problem=cut),
        Event(kind=EventKind.SIGHTED, at=NOON, candidates=("pay-1", "pay-2")),
        Event(kind=EventKind.DONE, at=NOON, object_id="pay-1", user="ann"),
    )
    assert row_of(RecordedIntent(entry(1), events)).turns == (
        IntentEvent(NOON, "sending", "POST /v2/payments/payout"),
        IntentEvent(NOON, "in doubt", "the connection was cut"),
        IntentEvent(NOON, "sighted", "it may be pay-1 or pay-2"),
        IntentEvent(NOON, "settled as done", "pay-1, by ann"),
    )


@pytest.mark.parametrize(("seconds", "is_told"), [(0, False), (60, False), (61, True), (-61, True)])
def test_the_hosts_own_time_is_told_where_it_is_over_a_minute_off(
    seconds: int, is_told: bool
) -> None:
    confirmed = entry(1)
    by_host = confirmed.confirmed_at + timedelta(seconds=seconds)
    sending = Event(kind=EventKind.SENDING, at=NOON, host_time=NOON + timedelta(seconds=seconds))
    row = row_of(RecordedIntent(replace(confirmed, host_time=by_host), (sending,)))
    assert row.host_time == (by_host if is_told else None)
    assert row.turns[0].host_time == (sending.host_time if is_told else None)


def test_of_a_row_of_an_earlier_version_only_the_services_time_is_known() -> None:
    row = row_of(RecordedIntent(entry(1), (Event(kind=EventKind.SENDING, at=NOON),)))
    assert (row.host_time, row.turns[0].host_time) == (None, None)
