"""The time window for the creation of an intent's object, by the service's clock."""

from __future__ import annotations

from datetime import timedelta

from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.worker.intents.matching import is_in_time_window
from tests.outbox.made import NOON, entry


def sent(at: timedelta) -> Event:
    moment = NOON + at
    early = moment - timedelta(seconds=1)
    return Event(kind=EventKind.SENDING, at=moment, not_before=early)


def test_each_attempt_counts_when_a_false_date_header_put_the_first_hours_ahead() -> None:
    first, second = sent(timedelta(hours=3)), sent(timedelta(seconds=30))
    recorded = RecordedIntent(entry(1), (first, second))
    for seconds in (31, 3 * 3600):
        made = NOON + timedelta(seconds=seconds)
        assert is_in_time_window(recorded, made, tagged=False)
    assert not is_in_time_window(recorded, NOON - timedelta(minutes=1), tagged=False)


def test_a_copy_made_a_day_later_is_not_its_own_when_only_a_wrong_host_clock_dated_it() -> None:
    ahead = NOON + timedelta(hours=30)
    recorded = RecordedIntent(entry(1), (Event(kind=EventKind.SENDING, at=ahead),))
    copied = NOON + timedelta(hours=25)
    assert not is_in_time_window(recorded, copied, tagged=True)


def test_what_carries_the_identifier_is_its_own_when_the_host_clock_is_right() -> None:
    recorded = RecordedIntent(entry(1), (Event(kind=EventKind.SENDING, at=NOON),))
    assert is_in_time_window(recorded, NOON + timedelta(seconds=2), tagged=True)
