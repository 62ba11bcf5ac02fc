"""Under any sequence of keys and news a decision is the one that was shown."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from paytui.domain.intent import IntentMaker, SendPermission, Standing, Verdict
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ui_context import UiContext
from tests.support.clock import ManualClock
from tests.support.intents import intent_row
from tests.support.noted_port import NotedPort
from tests.tui.dashboard import settings_of

FOUND = ("pay-1", "pay-2", "pay-taken")
TYPED = ("", "pay-9", " pay-taken ", "two words")
STANDINGS = (Standing.IN_DOUBT, Standing.RECORDED, Standing.ACCEPTED, Standing.SENDING)


class Deciding(RuleBasedStateMachine):
    """A trader who presses anything, over a store that changes at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.port, self.store = NotedPort(), Store()
        self.store.set_sending(SendPermission(allowed=True, why=""))
        taken = intent_row(2, Standing.ACCEPTED, object_id="pay-taken")
        self.row = intent_row(1, candidates=FOUND)
        self.store.intents.put([self.row, taken])
        ui = UiContext(
            store=self.store,
            port=self.port,
            time=ServiceTime(ManualClock()),
            settings=settings_of(),
            maker=IntentMaker(random.Random(1)),  # noqa: S311 - a test repeats itself
        )
        self.ticket = Ticket(DecisionTask(ui, self.row))
        self.painted = self.ticket.view()

    @rule()
    def look(self) -> None:
        self.painted = self.ticket.view()

    @rule(key=st.sampled_from([*Verdict, *FOUND]))
    def choose(self, key: str) -> None:
        self.ticket.chosen(key)

    @rule(words=st.sampled_from(TYPED))
    def type_in(self, words: str) -> None:
        self.ticket.typed(words)

    @rule()
    def go_on(self) -> None:
        self.ticket.go_on()

    @rule(
        verdict=st.sampled_from(Verdict),
        found=st.sampled_from([*FOUND, ""]),
        words=st.sampled_from(TYPED),
        confirms=st.booleans(),
    )
    def answer(self, *, verdict: Verdict, found: str, words: str, confirms: bool) -> None:
        """All questions in a row, as far as they come."""
        self.ticket.chosen(verdict)
        if found:
            self.ticket.chosen(found)
        else:
            self.ticket.typed(words)
            self.ticket.go_on()
        self.painted = self.ticket.view()
        if confirms:
            self.confirm()

    @rule(steps=st.sampled_from([-1, 1]))
    def go(self, steps: int) -> None:
        self.ticket.go(steps)

    @rule(steps=st.sampled_from([-1, 1]))
    def move(self, steps: int) -> None:
        self.ticket.move(steps)

    @rule(standing=st.sampled_from(STANDINGS), attempts=st.integers(0, 2))
    def change(self, standing: Standing, attempts: int) -> None:
        self.row = intent_row(1, standing, attempts=attempts, candidates=FOUND)
        self.store.intents.put([self.row])

    @rule(booked=st.sampled_from(FOUND[:2]))
    def read_it_otherwise(self, booked: str) -> None:
        """The service holds it, and not as it was confirmed."""
        self.row = intent_row(1, object_id=booked)
        self.store.intents.put([self.row])

    @rule()
    def hear_of_it(self) -> None:
        self.ticket.store_changed()

    @rule(allowed=st.booleans())
    def allow(self, allowed: bool) -> None:
        self.store.set_sending(SendPermission(allowed=allowed, why="the outbox is another's"))

    @rule()
    def confirm(self) -> None:
        """Enter, on what was painted last."""
        if self.painted.confirms is None:
            return
        shown = repr(self.painted.words)
        before = len(self.port.decided)
        self.ticket.confirm(self.painted.confirms)
        for decision in self.port.decided[before:]:
            assert self.store.sending.allowed
            sends = decision.verdict is Verdict.SEND
            assert self.row.standing is (Standing.RECORDED if sends else Standing.IN_DOUBT) or (
                decision.verdict is Verdict.NOT_DONE and self.row.standing is Standing.RECORDED
            )
            if self.row.booked_otherwise:
                assert (decision.verdict, decision.object_id) == (Verdict.DONE, self.row.object_id)
            assert _SENT[self.row.attempts] in repr(self.painted.lines)
            assert (decision.object_id or "") in shown
            assert _MEANS[decision.verdict] in shown
        self.painted = self.ticket.view()

    @invariant()
    def one_decision_at_the_most(self) -> None:
        assert len(self.port.decided) <= 1

    @invariant()
    def what_is_done_has_an_object_that_is_no_other_intents(self) -> None:
        for decision in self.port.decided:
            assert (decision.object_id is not None) == (decision.verdict is Verdict.DONE)
            assert decision.object_id in (None, "pay-1", "pay-2", "pay-9")


_MEANS = {
    Verdict.SEND: "for the first time",
    Verdict.REPEAT: "with the same idempotency key",
    Verdict.DONE: "Marks it as executed",
    Verdict.NOT_DONE: "Marks it as not executed",
}


_SENT = {0: "never", 1: "once", 2: "2 times"}

TestDeciding = pytest.mark.slow(pytest.mark.slow(Deciding.TestCase))
TestDeciding.settings = hypothesis_settings(stateful_step_count=25)
