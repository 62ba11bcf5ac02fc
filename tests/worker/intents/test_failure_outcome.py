"""The outcome of each failure, as in architecture.md, row by row."""

from __future__ import annotations

import pytest

from paytui.api import errors
from paytui.api.errors import ApiError
from paytui.domain.models import Problem
from paytui.outbox.entry import EventKind
from paytui.worker.intents.submit import failure_outcome

PROBLEM = Problem("create payout", "it went wrong")
NOT_EXECUTED, IN_DOUBT, REFUSED = EventKind.NOT_EXECUTED, EventKind.IN_DOUBT, EventKind.REFUSED

TABLE: dict[str, tuple[ApiError, EventKind, EventKind]] = {
    "refused connection": (
        errors.ServiceUnreachable(PROBLEM, written=False),
        NOT_EXECUTED,
        IN_DOUBT,
    ),
    "no connection in time": (errors.TimedOut(PROBLEM, written=False), NOT_EXECUTED, IN_DOUBT),
    "the rate ended before it left": (
        errors.NotSent(PROBLEM, written=False),
        NOT_EXECUTED,
        IN_DOUBT,
    ),
    "no secret": (errors.NoSecret(PROBLEM, written=False), NOT_EXECUTED, IN_DOUBT),
    "auth refused": (errors.AuthRefused(PROBLEM, status=401), NOT_EXECUTED, IN_DOUBT),
    "401": (errors.TokenLost(PROBLEM, status=401), IN_DOUBT, IN_DOUBT),
    "401, stated": (errors.TokenLost(PROBLEM, status=401, stated=True), NOT_EXECUTED, IN_DOUBT),
    "no token": (errors.TokenLost(PROBLEM, written=False), NOT_EXECUTED, IN_DOUBT),
    "429": (errors.RateLimited(PROBLEM, status=429), IN_DOUBT, IN_DOUBT),
    "429, stated": (errors.RateLimited(PROBLEM, status=429, stated=True), NOT_EXECUTED, IN_DOUBT),
    "no answer in time": (errors.TimedOut(PROBLEM), IN_DOUBT, IN_DOUBT),
    "cut": (errors.ServiceUnreachable(PROBLEM), IN_DOUBT, IN_DOUBT),
    "500": (errors.ServiceFailed(PROBLEM, status=500), IN_DOUBT, IN_DOUBT),
    "503": (errors.ServiceFailed(PROBLEM, status=503), IN_DOUBT, IN_DOUBT),
    "500, told before": (
        errors.ServiceFailed(PROBLEM, status=500, replayed=True),
        IN_DOUBT,
        IN_DOUBT,
    ),
    "408": (errors.ServiceFailed(PROBLEM, status=408), IN_DOUBT, IN_DOUBT),
    "307": (errors.Unreadable(PROBLEM, status=307), IN_DOUBT, IN_DOUBT),
    "201 without an identifier": (errors.Unreadable(PROBLEM, status=201), IN_DOUBT, IN_DOUBT),
    "400": (errors.Refused(PROBLEM, status=400), IN_DOUBT, IN_DOUBT),
    "400, stated": (errors.Refused(PROBLEM, status=400, stated=True), REFUSED, IN_DOUBT),
    "403, stated": (errors.Refused(PROBLEM, status=403, stated=True), REFUSED, IN_DOUBT),
    "404, stated": (errors.NotFound(PROBLEM, status=404, stated=True), REFUSED, IN_DOUBT),
    "409": (errors.Refused(PROBLEM, status=409), IN_DOUBT, IN_DOUBT),
    "409, stated": (errors.Refused(PROBLEM, status=409, stated=True), REFUSED, IN_DOUBT),
    "422, stated": (errors.Refused(PROBLEM, status=422, stated=True), REFUSED, IN_DOUBT),
    "422, told before": (
        errors.Refused(PROBLEM, status=422, stated=True, replayed=True),
        REFUSED,
        REFUSED,
    ),
    "422 of a gateway, told before": (
        errors.Refused(PROBLEM, status=422, replayed=True),
        IN_DOUBT,
        IN_DOUBT,
    ),
    "no such operation": (errors.NotOffered(PROBLEM, status=404), IN_DOUBT, IN_DOUBT),
    "no path in the dialect": (errors.NotOffered(PROBLEM, written=False), NOT_EXECUTED, IN_DOUBT),
}


@pytest.mark.parametrize("failure", TABLE)
def test_an_attempt_that_fails_is_what_the_table_says(failure: str) -> None:
    """A later one takes no doubt away but by an answer that was told before."""
    error, as_the_first, later = TABLE[failure]
    assert failure_outcome(error, first=True) is as_the_first
    assert failure_outcome(error, first=False) is later
