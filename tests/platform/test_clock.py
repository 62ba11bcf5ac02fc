"""The service's clock, as bounded by exchanges, and durations by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from paytui.platform.clock import ServiceTime, SystemClock
from tests.support.clock import NOON, ManualClock

LIFETIME = timedelta(seconds=150)


def seconds(value: float) -> timedelta:
    return timedelta(seconds=value)


def asked(service: ServiceTime, clock: ManualClock, ahead: float, took: float = 0.2) -> float:
    """Make one exchange with a service that is `ahead` seconds ahead; return its send time."""
    sent = clock.boot()
    clock.advance(took)
    header = (clock.now() + seconds(ahead)).replace(microsecond=0)
    service.observe(header, sent, clock.boot())
    return sent


def test_before_the_first_answer_the_hosts_clock_stands_in() -> None:
    service = ServiceTime(ManualClock())
    assert not service.known
    assert service.latest() == service.earliest() == NOON


@given(
    ahead=st.floats(-900, 900),
    gaps=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 5)), min_size=1, max_size=20),
)
def test_the_services_time_always_lies_between_earliest_and_latest(
    ahead: float, gaps: list[tuple[float, float]]
) -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    slack = timedelta(milliseconds=1)  # floats of epoch seconds end at the microsecond
    for pause, took in gaps:
        clock.advance(pause)
        asked(service, clock, ahead, took)
        truth = clock.now() + seconds(ahead)
        assert service.earliest() - slack <= truth <= service.latest() + slack


def test_repeated_answers_narrow_the_bounds_below_the_second_that_a_date_resolves() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    for _ in range(10):
        asked(service, clock, ahead=0.0, took=0.05)
        clock.advance(0.07)
    assert service.latest() - service.earliest() < seconds(0.5)


def test_a_jump_of_the_hosts_clock_changes_nothing() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    asked(service, clock, ahead=0.0)
    before = service.latest()
    clock.set_wall(clock.now() + timedelta(minutes=10))
    assert service.latest() == before
    assert service.skew() >= seconds(599)


def test_a_host_that_is_ten_minutes_behind_is_told_so() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    asked(service, clock, ahead=600.0)
    assert seconds(-601) <= service.skew() <= seconds(-599)


def test_a_host_in_step_with_the_service_has_no_skew() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    asked(service, clock, ahead=0.0)
    assert service.skew() == timedelta(0)


def test_when_the_services_clock_is_set_the_newest_answer_counts() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    asked(service, clock, ahead=0.0)
    asked(service, clock, ahead=300.0)
    truth = clock.now() + seconds(300)
    assert service.earliest() <= truth <= service.latest()


def test_what_remains_is_judged_by_the_latest_that_the_services_clock_can_show() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    sent = asked(service, clock, ahead=0.0, took=2.0)
    expires_at = NOON + seconds(100)
    # Sent at 12:00:00, answered at 12:00:02 with a Date of :02: it is at most 12:00:05 there.
    assert service.remaining(expires_at, sent, LIFETIME) == seconds(100 - 5)


def test_what_remains_is_never_more_than_the_lifetime_since_it_was_asked_for() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    sent = asked(service, clock, ahead=0.0)
    a_day_off = NOON + timedelta(days=1)
    clock.advance(100)
    assert service.remaining(a_day_off, sent, LIFETIME) == LIFETIME - seconds(100.2)


def test_what_is_over_has_less_than_nothing_left() -> None:
    clock = ManualClock()
    service = ServiceTime(clock)
    sent = asked(service, clock, ahead=0.0)
    clock.advance(200)
    assert service.remaining(NOON + LIFETIME, sent, LIFETIME) < timedelta(0)


def test_the_systems_clock_is_aware_and_its_boot_time_goes_forward() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)
    assert clock.boot() <= clock.boot()
    assert clock.monotonic() <= clock.monotonic()
