"""An intent as screens show it: read off what the outbox holds."""

from __future__ import annotations

from paytui.api.models import Problem
from paytui.intent import Turn
from paytui.outbox.entry import Event, EventKind, Recorded
from paytui.worker.intent_rows import row_of
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
    assert row_of(Recorded(entry(1), events)).turns == (
        Turn(NOON, "sending", "POST /v2/payments/payout"),
        Turn(NOON, "in doubt", "the connection was cut"),
        Turn(NOON, "sighted", "it may be pay-1 or pay-2"),
        Turn(NOON, "settled as done", "pay-1, by ann"),
    )
