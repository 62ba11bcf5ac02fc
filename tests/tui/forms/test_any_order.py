"""Under any sequence of keys no input is lost, and the reviewed form is submitted once."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from paytui.api.dialect_file import load_dialect
from paytui.cli.wiring.compose import vocabulary_of
from paytui.domain.intent import IntentMaker, SendPermission, Standing
from paytui.domain.models import AccountId, FieldProblem
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.platform.clock import ServiceTime
from paytui.tui.forms.controller import FormController
from paytui.tui.forms.navigation import Submission
from paytui.tui.forms.recipient import RECIPIENT_TYPE, recipient_form
from paytui.tui.forms.render import Row
from paytui.tui.forms.screen import FormReview
from paytui.tui.step_protocol import StepView
from paytui.tui.ui_context import UiContext
from tests.tui.forms.filling import filling, stands

ADDRESS = "payment_addresses"
CHOSEN = {"account_id", "recipient_type", "account_type", "currency", "country"}
ACCOUNTS = {"acc-1": "acc-1", "acc-2": "acc-2", "acme": "acc-1", "bolt": "acc-2"}
MEANINGS = {
    "acme": "acc-1",
    "bus": "business",
    "individual": "individual",
    "cacc": "cacc",
    "EUR": "EUR",
}
"""Values that a text may become in a field with a list, if unambiguous."""

TYPED = st.sampled_from(
    [
        "",
        "a",
        "acme",
        "acc-2",
        "bus",
        "individual",
        "cacc",
        "electronic_deposit",
        "EUR",
        "xyz",
        " Globex  Ltd ",
        "nobody at all",
        "gb82 west 1234 5698 7654 32",
        "GB82 WEST 1234 5698 7654 33",
    ]
)
GOOD = {"account_id": "acme", "account_type": "cacc", "currency": "EUR", "iban": "GB82"}
WORDS = {"cacc": "current account", "svgs": "savings account", "oth": "other account"}
VOID = (Standing.REFUSED, Standing.NOT_EXECUTED, Standing.NOT_RECORDED)


class Forms(RuleBasedStateMachine):
    """Somebody at a form who presses anything.

    What was typed is noted beside it: of the recipient, and of each of its accounts.
    """

    @initialize()
    def open(self) -> None:
        self.dashboard = filling()
        self.ui = UiContext(
            store=self.dashboard.store,
            port=self.dashboard.port,
            time=ServiceTime(self.dashboard.clock),
            settings=self.dashboard.settings,
            maker=IntentMaker(random.Random(7)),  # noqa: S311 - the same in every run
            vocabulary=vocabulary_of(load_dialect()),
        )
        self.top: dict[str, str] = {}
        self.accounts: list[dict[str, str]] = [{}]
        self.painted: StepView | None = None
        self.begin()

    def begin(self) -> None:
        self.machine = FormController(self.ui, recipient_form(self.ui))
        self.painted = None
        self.before, self.voids = len(self.dashboard.port.submitted), 0

    @rule()
    def reopen(self) -> None:
        """Leave the form and reopen it: empty only after it was sent."""
        intent = self.machine.intent
        if intent is not None:
            row = self.dashboard.store.intents.get(intent.intent_id)
            if row is None or row.standing not in VOID:
                self.top, self.accounts = {}, [{}]
        self.begin()

    # --- what is pressed ---

    @rule(text=TYPED)
    def type(self, text: str) -> None:
        view = self.machine.view()
        if view.at is not None and self.machine.intent is None:
            self.note(view.rows[view.at].path, text)
        self.machine.typed(text)

    @rule(steps=st.sampled_from([-1, 1]))
    def go(self, steps: int) -> None:
        self.machine.go(steps)

    @rule(steps=st.sampled_from([-1, 1]))
    def turn(self, steps: int) -> None:
        self.machine.turn(steps)

    @rule(steps=st.sampled_from([-1, 1]))
    def up_or_down(self, steps: int) -> None:
        self.machine.move(steps)

    @rule(times=st.integers(1, 12))
    def enter(self, times: int) -> None:
        for _ in range(times):
            self.note_choice()
            if self.machine.enter():
                self.paint()

    @rule()
    def add(self) -> None:
        if self.machine.view().adds and self.machine.intent is None:
            self.accounts.append({})
        self.machine.add_part()

    @rule()
    def remove(self) -> None:
        view = self.machine.view()
        if view.removes and self.machine.intent is None:
            self.accounts.pop(int(view.name.split(" of ")[0].split()[-1]) - 1)
        self.machine.remove_part()

    @rule()
    def clear(self) -> None:
        if self.machine.intent is None:
            self.top, self.accounts = {}, [{}]
        self.machine.clear()

    @rule(names=st.sets(st.sampled_from(sorted(GOOD)), min_size=2))
    def fill_in(self, names: set[str]) -> None:
        """Most of what is needed, so that a review comes up at times."""
        self.machine.go_to("account_id")
        for page in range(1 + len(self.accounts)):
            for row in self.machine.view().rows:
                name = row.path.rpartition(".")[2]
                if name in names:
                    self.machine.go_to(row.path)
                    self.type(GOOD[name])
            if page < len(self.accounts):
                self.machine.turn(1)

    @rule(times=st.integers(1, 3))
    def review(self, times: int) -> None:
        for _ in range(times):
            if self.machine.review():
                self.paint()

    @precondition(lambda self: self.painted is not None)
    @rule(times=st.integers(1, 3))
    def confirm_what_was_painted(self, times: int) -> None:
        painted, before = self.painted, len(self.dashboard.port.submitted)
        assert painted is not None
        for _ in range(times):
            FormReview(self.ui, self.machine).confirm(painted.confirms)
        if len(self.dashboard.port.submitted) > before:
            self.judge(painted)

    @rule(
        kind=st.sampled_from(["", "business", "individual"]),
        times=st.integers(1, 3),
        allowed=st.sampled_from([True, True, False]),
    )
    def fill_in_and_confirm(self, kind: str, times: int, allowed: bool) -> None:
        self.the_outbox_comes_and_goes(True)
        self.fill_in_all(kind)
        self.review(3)
        self.the_outbox_comes_and_goes(allowed)
        self.confirm_if_painted(times)

    @rule(text=TYPED, undone=st.booleans())
    def change_what_was_reviewed_and_confirm(self, text: str, undone: bool) -> None:
        self.fill_in_all("")
        self.review(3)
        self.machine.go_to(f"{ADDRESS}.0.account_name")
        before = self.machine.draft[f"{ADDRESS}.0.account_name"]
        self.type(text)
        if undone:
            self.type(before)
        submitted = len(self.dashboard.port.submitted)
        self.confirm_if_painted(1)
        if text != before:
            assert len(self.dashboard.port.submitted) == submitted, "it was not reviewed again"

    @rule(
        path=st.sampled_from(["account_id", f"{ADDRESS}.0.currency", f"{ADDRESS}.0.country"]),
        text=st.sampled_from(["a", "a", "acme", "zz"]),
    )
    def type_in_a_list_and_leave(self, path: str, text: str) -> None:
        """Only what can mean one thing alone becomes that."""
        self.machine.go_to(path)
        self.type(text)
        self.machine.go(1)

    @rule(texts=st.lists(TYPED, min_size=2, max_size=4), place=st.integers(0, 3))
    def fill_in_many_and_remove_one(self, texts: list[str], place: int) -> None:
        while len(self.accounts) < len(texts) and self.machine.intent is None:
            self.turn_to_the_end()
            self.add()
        for number, text in enumerate(texts):
            self.machine.go_to(f"{ADDRESS}.{number}.account_name")
            self.type(text)
        self.machine.go_to(f"{ADDRESS}.{place % len(texts)}.account_name")
        self.remove()

    @rule()
    def back_to_the_fields(self) -> None:
        if not self.machine.take_back():
            self.reopen()

    # --- what happens by itself ---

    @rule(allowed=st.sampled_from([True, True, False]))
    def the_outbox_comes_and_goes(self, allowed: bool) -> None:
        self.dashboard.store.set_sending(SendPermission(allowed=allowed, why="another owns it"))

    @precondition(lambda self: self.dashboard.port.submitted)
    @rule(standing=st.sampled_from(Standing), field=st.sampled_from(["email", "accountId"]))
    def an_intent_comes_to_stand(self, standing: Standing, field: str) -> None:
        row = self.dashboard.store.intents.get(self.dashboard.port.submitted[-1].intent_id)
        if row is None or row.standing.open:
            stands(self.dashboard, standing, said="no", fields=(FieldProblem(field, "no"),))
            self.voids += standing in VOID

    # --- what is noted ---

    def fill_in_all(self, kind: str) -> None:
        self.fill_in(set(GOOD))
        for name, text in (("first_name", "Ada"), ("company_name", "Bolt"), (RECIPIENT_TYPE, kind)):
            if any(row.path == name for row in self.first_page()):
                self.machine.go_to(name)
                self.type(text)

    def first_page(self) -> tuple[Row, ...]:
        self.machine.go_to("account_id")
        return self.machine.view().rows

    def turn_to_the_end(self) -> None:
        for _ in range(1 + len(self.accounts)):
            self.machine.turn(1)

    def confirm_if_painted(self, times: int) -> None:
        if self.painted is not None:
            self.confirm_what_was_painted(times)

    def paint(self) -> None:
        self.painted = FormReview(self.ui, self.machine).view()

    def note(self, path: str, text: str) -> None:
        where, _, name = path.rpartition(".")
        part = self.accounts[int(where.rpartition(".")[2])] if where else self.top
        part[name] = text

    def note_choice(self) -> None:
        """Enter takes the choice under the cursor."""
        view = self.machine.view()
        choice = next((one for one in view.choices if one.key == view.cursor), None)
        if view.at is not None and choice and not choice.why_not and self.machine.intent is None:
            self.note(view.rows[view.at].path, choice.key)

    # --- what has to hold ---

    def judge(self, painted: StepView) -> None:
        """Assert that the typed and painted values were submitted, and nothing else."""
        request = self.dashboard.port.submitted[-1].request
        assert isinstance(request, RecipientRequest)
        assert isinstance(painted.confirms, Submission)
        assert request == painted.confirms.request
        assert self.dashboard.store.sending.allowed
        assert request.account_id == ACCOUNTS[self.top["account_id"].strip().casefold()]
        assert request.email == (self.top.get("email", "").strip() or None)
        kind = request.recipient_type
        assert kind in (None, "business", "individual")
        for name, hidden in (
            ("first_name", "business"),
            ("last_name", "business"),
            ("company_name", "individual"),
        ):
            typed = self.top.get(name, "").strip() or None
            assert getattr(request, name) == (None if kind == hidden else typed)
        assert len(request.payment_addresses) == len(self.accounts)
        said = " ".join(cell.text for cell in painted.words)
        shown = {cell.text for line in painted.lines for cell in line.cells}
        for account, typed_account in zip(request.payment_addresses, self.accounts, strict=True):
            self.judge_account(account, typed_account, said)
            assert WORDS[account.account_type] in shown
            assert {account.iban} - {None} <= shown
        assert request.account_id == AccountId("acc-1") or "Bolt" in shown

    def judge_account(
        self, account: PaymentAddressRequest, typed: dict[str, str], said: str
    ) -> None:
        assert account.account_type in ("cacc", "svgs", "oth")
        currency = typed.get("currency", "").strip().upper() or None
        assert account.currency == (currency and CurrencyCode(currency))
        assert account.account_name == (typed.get("account_name", "").strip() or None)
        iban = "".join(typed.get("iban", "").split()).upper() or None
        assert account.iban == iban
        if iban is not None and iban != "GB82WEST12345698765432":
            assert "IBAN: " in said
        if currency == "XYZ":
            assert "Currency: XYZ" in said

    @invariant()
    def nothing_typed_is_lost(self) -> None:
        if not hasattr(self, "machine"):
            return
        for name, text in self.top.items():
            self.holds(name, name, text)
        for number, account in enumerate(self.accounts):
            for name, text in account.items():
                self.holds(f"{ADDRESS}.{number}.{name}", name, text)

    def holds(self, path: str, name: str, typed: str) -> None:
        """A field holds what was typed; of a choice, perhaps the only thing that it can mean."""
        held = self.machine.draft[path]
        if held != typed:
            assert name in CHOSEN
            assert held == MEANINGS[typed]
            self.note(path, held)

    @invariant()
    def one_form_submits_again_only_what_came_to_nothing(self) -> None:
        if hasattr(self, "machine"):
            submitted = self.dashboard.port.submitted
            assert len(submitted) - self.before <= 1 + self.voids
            assert len({intent.key for intent in submitted}) == len(submitted)


Forms.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestForms = pytest.mark.slow(pytest.mark.slow(Forms.TestCase))
