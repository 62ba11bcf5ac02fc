"""The states of an object as a timeline: past, present and possible."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from paytui.api.dialect import load_dialect
from paytui.domain.intent import IntentMaker
from paytui.domain.models import Kind, PayIn, PayInId, State, Trade, TradeId
from paytui.domain.requests import DialectFeatures
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.tui.details.common_facts import PATHS
from paytui.tui.details.objects import payin_groups, payment_groups, trade_groups
from paytui.tui.format.cells import Group
from paytui.tui.ui_context import UiContext
from tests.support.clock import ManualClock
from tests.support.noted_port import NotedPort
from tests.tui.book import groups_in_memory, payment, wallet
from tests.tui.dashboard import settings_of

CREATED = datetime(2026, 3, 2, 14, 1, 22, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 14, 2, 7, tzinfo=UTC)


@pytest.fixture
def a_desk() -> UiContext:
    return UiContext(
        store=Store(),
        port=NotedPort(),
        time=ServiceTime(ManualClock()),
        settings=settings_of(),
        maker=IntentMaker(random.Random(1)),  # noqa: S311 - a test repeats itself
    )


def states(groups: list[Group]) -> list[str]:
    (shown,) = (group for group in groups if group.title == "History")
    return [f"{fact.label}: {fact.value.text}" for fact in shown.facts]


def payment_states(
    ui: UiContext, state: State | None, updated: datetime | None = None
) -> list[str]:
    row = replace(payment(1, "100"), status=state, created_at=CREATED, updated_at=updated)
    return states(payment_groups(ui, row))


@pytest.mark.covers("state-released")
def test_what_was_passed_where_it_is_and_what_may_come(a_desk: UiContext) -> None:
    assert payment_states(a_desk, State("processing"), LATER) == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "compliance review: – not reported",
        "processing: ● now, last changed 2026-03-02 14:02:07 UTC",
        "released: ○ may come",
        "completed: ○ may come",
        "may become: ○ rejected, cancelled, failed",
    ]


def test_a_state_in_which_it_was_seen_here_was_passed(a_desk: UiContext) -> None:
    for name in ("created", "compliance_review", "released"):
        a_desk.store.payments.put([replace(payment(1, "100"), status=State(name))])
    assert payment_states(a_desk, State("released"))[:4] == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "compliance review: ✓ passed",
        "processing: – not reported",
        "released: ● now",
    ]


def test_a_state_that_the_dialect_has_no_word_for_is_no_part_of_the_path(a_desk: UiContext) -> None:
    known = ("created", "processing", "released", "failed")
    ui = replace(a_desk, vocabulary=DialectFeatures(states={Kind.PAYMENTS: known}))
    assert payment_states(ui, State("processing")) == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "processing: ● now",
        "released: ○ may come",
        "may become: ○ failed",
    ]
    assert payment_states(ui, State("returned"))[-2] == "returned: ✗ now"


def test_a_final_state_says_so_and_what_may_come_all_the_same(a_desk: UiContext) -> None:
    """service.md §3: completed → returned."""
    assert payment_states(a_desk, State("completed", final=True))[-2:] == [
        "completed: ● now",
        "may become: ○ returned",
    ]
    assert payment_states(a_desk, State("returned", final=True)) == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "compliance review: – not reported",
        "processing: – not reported",
        "released: – not reported",
        "completed: – not reported",
        "returned: ✗ final",
    ]


def test_a_rejected_payment_claims_nothing_of_where_it_was(a_desk: UiContext) -> None:
    assert payment_states(a_desk, State("rejected", final=True)) == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "rejected: ✗ final",
    ]


def test_a_state_that_no_dialect_lists_stands_as_written_and_leads_nowhere(
    a_desk: UiContext,
) -> None:
    assert payment_states(a_desk, State("batched", known=False)) == [
        "batched: ? now, not in the dialect",
        "created: the service says 2026-03-02 14:01:22 UTC",
    ]


def test_a_state_that_was_not_sent_is_not_guessed(a_desk: UiContext) -> None:
    assert payment_states(a_desk, None) == [
        "now: —",
        "created: the service says 2026-03-02 14:01:22 UTC",
    ]


def test_a_time_stands_only_where_the_service_sent_it(a_desk: UiContext) -> None:
    credited = State("credited", final=True)
    row = PayIn(PayInId("p"), status=credited, created_at=CREATED, credited_at=LATER)
    assert states(payin_groups(a_desk, row)) == [
        "received: ✓ 2026-03-02 14:01:22 UTC",
        "compliance review: – not reported",
        "credited: ● final 2026-03-02 14:02:07 UTC",
    ]
    silent = replace(row, created_at=None, credited_at=None)
    assert states(payin_groups(a_desk, silent))[0] == "received: – not reported"


def test_a_time_that_does_not_fit_the_state_is_not_hidden(a_desk: UiContext) -> None:
    row = PayIn(PayInId("p"), status=State("rejected", final=True), credited_at=LATER)
    assert "credited: the service says 2026-03-02 14:02:07 UTC" in states(payin_groups(a_desk, row))
    row = replace(row, status=State("received"))
    assert "credited: ○ may come, but the service says 2026-03-02 14:02:07 UTC" in states(
        payin_groups(a_desk, row)
    )


def test_a_trade_that_never_waited_for_funds_is_not_said_to_have(a_desk: UiContext) -> None:
    """service.md §3: funded or not, a trade can be booked."""
    row = Trade(TradeId("t"), status=State("compliance_review"), created_at=CREATED)
    assert states(trade_groups(a_desk, row)) == [
        "created: ✓ 2026-03-02 14:01:22 UTC",
        "compliance review: ● now",
        "exchanged: ○ may come",
        "may become: ○ rejected, failed",
    ]


def test_a_suspended_wallet_may_become_active_again(a_desk: UiContext) -> None:
    row = replace(wallet(1, "AUD desk", "1"), status=State("suspended"))
    assert states(groups_in_memory(a_desk, row)) == [
        "created: —",
        "active: – not reported",
        "suspended: ● now",
        "may become: ○ active, closed",
    ]


JOURNEYS = {
    "account": PATHS[Kind.ACCOUNTS],
    "wallet": PATHS[Kind.WALLETS],
    "recipient": PATHS[Kind.RECIPIENTS],
    "payment_address": PATHS[Kind.PAYMENT_ADDRESSES],
    "payin": PATHS[Kind.PAYINS],
    "trade": PATHS[Kind.TRADES],
    "payment": PATHS[Kind.PAYMENTS],
}


def test_the_paths_hold_exactly_the_states_of_the_dialect() -> None:
    states = load_dialect().states
    known = {of: {state.name for state in states[of].values()} for of in JOURNEYS}
    found = {
        of: {*one.path, *one.ends, *(state for states in one.after.values() for state in states)}
        for of, one in JOURNEYS.items()
    }
    assert found == known
