"""Under any sequence of keys no input is lost, and the reviewed form is submitted once."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from paytui.cli.wiring.compose import vocabulary_of
from paytui.domain.intent import IntentId, IntentMaker, SendPermission, Standing
from paytui.domain.models import AccountId, FieldProblem
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.platform.clock import ServiceTime
from paytui.tui.forms.declarations import RECIPIENT_TYPE, form_ticket, recipient_form
from paytui.tui.forms.form import Submission
from paytui.tui.ticket.engine import END
from paytui.tui.ticket.model import CONFIRM, TicketView
from paytui.tui.ticket.screen import TicketScreen
from paytui.tui.ui_context import UiContext
from tests.support.documented import documented
from tests.tui.forms.filling import filling, stands

ADDRESS = "payment_addresses"
MEANINGS = {
    ("account_id", "a"): "acc-1",
    ("account_id", "acme"): "acc-1",
    ("recipient_type", "a"): "individual",
    ("recipient_type", "bus"): "business",
    ("account_type", "a"): "cacc",
    ("currency", "a"): "AUD",
    ("country", "a"): "AF",
}
"""What a text becomes in a field with a list, once that was left; any other stays as it is."""

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
            vocabulary=vocabulary_of(documented()),
        )
        self.top: dict[str, str] = {}
        self.accounts: list[dict[str, str]] = [{}]
        self.sent: dict[IntentId, tuple[dict[str, str], list[dict[str, str]]]] = {}
        self.begin()

    def begin(self) -> None:
        self.machine = form_ticket(self.ui, recipient_form(self.ui))
        self.screen = TicketScreen(self.ui, self.machine)
        self.painted: TicketView | None = None
        self.moved: str | None = None
        self.stays: str | None = None
        self.before, self.voids = len(self.dashboard.port.submitted), 0

    @rule()
    def reopen(self) -> None:
        """Leave the form and reopen it: what was filled in is there, unless it may be sent."""
        self.screen.leave()
        kept = self.ui.drafts.get(("recipient", ""))
        if kept is None:
            self.top, self.accounts = {}, [{}]
        elif kept.intent_id is not None:
            row = self.dashboard.store.intents.get(kept.intent_id)
            is_void = row is not None and row.standing in VOID
            noted = self.sent[kept.intent_id] if is_void else ({}, [{}])
            self.top, self.accounts = deepcopy(noted)
        self.begin()

    # --- what is pressed ---

    @rule(text=TYPED)
    def type(self, text: str) -> None:
        field = self.machine.view().field
        if field is not None:
            self.note_what_stays(field.key)
            self.note(field.key, text)
        self.machine.typed(text)
        self.moved = None

    @rule(steps=st.sampled_from([-1, 1]))
    def go(self, steps: int) -> None:
        self.note_choice(steps)
        self.machine.go(steps)

    @rule(steps=st.sampled_from([-1, 1]))
    def turn(self, steps: int) -> None:
        self.note_choice(steps)
        self.machine.turn(steps)

    @rule(steps=st.sampled_from([-1, 1]))
    def up_or_down(self, steps: int) -> None:
        before = self.machine.view()
        self.machine.move(steps)
        after = self.machine.view()
        is_same = before.field is not None and before.name == after.name and before.at == after.at
        self.moved = after.cursor if is_same and after.options else None
        if before.field is not None and self.moved is not None:
            self.note_what_stays(before.field.key)
        elif not is_same:
            self.stays = None

    @rule(times=st.integers(1, 12))
    def enter(self, times: int) -> None:
        for _ in range(times):
            self.note_choice()
            self.machine.go_on()
            self.paint()

    @rule()
    def add(self) -> None:
        if "add" in self.machine.view().actions:
            self.note_choice()
            self.accounts.append({})
        self.machine.act("add")

    @rule()
    def remove(self) -> None:
        view = self.machine.view()
        if "remove" in view.actions and view.field is not None:
            self.accounts.pop(int(view.field.key.split(".")[1]))
        self.moved = self.stays = None
        self.machine.act("remove")

    @rule()
    def clear(self) -> None:
        if "clear" in self.machine.view().actions:
            self.top, self.accounts = {}, [{}]
        self.moved = self.stays = None
        self.machine.act("clear")

    @rule(names=st.sets(st.sampled_from(sorted(GOOD)), min_size=2))
    def fill_in(self, names: set[str]) -> None:
        """Most of what is needed, so that a review comes up at times."""
        for path in [one.key for one in self.machine.fields]:
            if (name := path.rpartition(".")[2]) in names and self.go_to(path):
                self.type(GOOD[name])

    @rule()
    def review(self) -> None:
        self.note_choice()
        self.machine.go(END)
        self.paint()

    @precondition(lambda self: self.painted is not None)
    @rule(times=st.integers(1, 3))
    def confirm_what_was_painted(self, times: int) -> None:
        painted, before = self.painted, len(self.dashboard.port.submitted)
        assert painted is not None
        for _ in range(times):
            self.machine.confirm(painted.confirms)
        if len(self.dashboard.port.submitted) > before:
            self.judge(painted)
            sent = self.dashboard.port.submitted[-1].intent_id
            self.sent[sent] = deepcopy((self.top, self.accounts))

    @rule(
        kind=st.sampled_from(["", "business", "individual"]),
        times=st.integers(1, 3),
        allowed=st.sampled_from([True, True, False]),
    )
    def fill_in_and_confirm(self, kind: str, times: int, allowed: bool) -> None:
        self.the_outbox_comes_and_goes(True)
        self.fill_in_all(kind)
        self.review()
        self.the_outbox_comes_and_goes(allowed)
        self.confirm_if_painted(times)

    @rule(text=TYPED, undone=st.booleans())
    def change_what_was_reviewed_and_confirm(self, text: str, undone: bool) -> None:
        self.fill_in_all("")
        self.review()
        painted, path = self.painted, f"{ADDRESS}.0.account_name"
        if painted is None or not self.go_to(path):
            return
        before = self.machine.task.filled(self.machine.draft or {}).get(path, "")
        self.type(text)
        if undone:
            self.type(before)
        submitted = len(self.dashboard.port.submitted)
        self.machine.confirm(painted.confirms)
        assert len(self.dashboard.port.submitted) == submitted, "it was left for its fields"
        self.review()
        self.painted = painted
        self.confirm_if_painted(1)
        if text.strip() != before.strip() and not undone:
            assert len(self.dashboard.port.submitted) == submitted, "it was not reviewed again"

    @rule(
        path=st.sampled_from(["account_id", f"{ADDRESS}.0.currency", f"{ADDRESS}.0.country"]),
        text=st.sampled_from(["a", "a", "acme", "zz"]),
    )
    def type_in_a_list_and_leave(self, path: str, text: str) -> None:
        """What begins an option becomes that, and any other text stays."""
        if self.go_to(path):
            self.type(text)
            self.machine.go(1)
            self.stays = None
            held, name = (self.machine.draft or {}).get(path, ""), path.rpartition(".")[2]
            assert held == MEANINGS.get((name, text), text)

    @rule(texts=st.lists(TYPED, min_size=2, max_size=4), place=st.integers(0, 3))
    def fill_in_many_and_remove_one(self, texts: list[str], place: int) -> None:
        while len(self.accounts) < len(texts) and self.go_to(f"{ADDRESS}.0.iban"):
            self.add()
        for number, text in enumerate(texts):
            if self.go_to(f"{ADDRESS}.{number}.account_name"):
                self.type(text)
        if self.go_to(f"{ADDRESS}.{place % len(texts)}.account_name"):
            self.remove()

    @rule()
    def back_to_the_fields(self) -> None:
        """Correct what was refused; leave what may have been sent."""
        if self.machine.view().corrects:
            self.machine.go_on()
        elif self.machine.task.sent is not None:
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
            if self.go_to(name):
                self.type(text)

    def go_to(self, path: str) -> bool:
        """Click on a field; return False if it is not there."""
        view = self.machine.view()
        if view.name == CONFIRM:
            self.machine.go(-1)
            view = self.machine.view()
        keys = [one.key for one in view.fields]
        if view.at is None or path not in keys:
            return False
        steps = keys.index(path) - view.at
        self.note_choice(steps)
        self.machine.go(steps)
        found = self.machine.view().field
        return found is not None and found.key == path

    def confirm_if_painted(self, times: int) -> None:
        if self.painted is not None:
            self.confirm_what_was_painted(times)

    def paint(self) -> None:
        view = self.machine.view()
        if view.confirms is not None:
            self.painted = view

    def part_of(self, path: str) -> tuple[dict[str, str], str]:
        """Return what is noted beside a path, and the name that it has there."""
        where, _, name = path.rpartition(".")
        return (self.accounts[int(where.rpartition(".")[2])] if where else self.top), name

    def note(self, path: str, text: str) -> None:
        part, name = self.part_of(path)
        part[name] = text

    def note_what_stays(self, path: str) -> None:
        """Note what a field holds before something is typed or moved to."""
        part, name = self.part_of(path)
        if self.stays is None:
            self.stays = part.get(name, "")

    def note_choice(self, steps: int = 1) -> None:
        """Note the option that was moved to, before it is taken; on the way back it is dropped."""
        field, moved = self.machine.view().field, self.moved
        if field is not None and moved is not None:
            self.note(field.key, self.stays or "" if steps < 0 else moved)
        self.moved = self.stays = None

    # --- what has to hold ---

    def judge(self, painted: TicketView) -> None:
        """Assert that the typed and painted values were submitted, and nothing else."""
        request = self.dashboard.port.submitted[-1].request
        assert isinstance(request, RecipientRequest)
        assert isinstance(painted.confirms, tuple)
        submission, _ = painted.confirms
        assert isinstance(submission, Submission)
        assert request == submission.request
        assert self.dashboard.store.sending.allowed
        assert request.account_id == meant(self.top, "account_id")
        assert request.email == (self.top.get("email", "").strip() or None)
        kind = request.recipient_type
        assert kind == (meant(self.top, "recipient_type") or None)
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

    def recipient_name(self) -> str:
        """Return the name under which accounts are held until another is typed."""
        kind, company = meant(self.top, "recipient_type"), self.top.get("company_name", "")
        if company and kind != "individual":
            return company
        names = [] if kind == "business" else ["first_name", "last_name"]
        return " ".join(filter(None, map(self.top.get, names)))

    def judge_account(
        self, account: PaymentAddressRequest, typed: dict[str, str], said: str
    ) -> None:
        assert account.account_type == meant(typed, "account_type")
        currency = meant(typed, "currency").upper() or None
        assert account.currency == (currency and CurrencyCode(currency))
        assert account.country == (meant(typed, "country").upper() or None)
        name = typed.get("account_name", self.recipient_name()).strip() or None
        assert account.account_name == name
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
        held = self.machine.draft
        if held is None:
            return
        for name in self.top:
            self.holds(held.get(name, ""), name, self.top)
        for number, account in enumerate(self.accounts):
            for name in account:
                self.holds(held.get(f"{ADDRESS}.{number}.{name}", ""), name, account)

    def holds(self, held: str, name: str, typed: dict[str, str]) -> None:
        """A field holds what was typed, or the option that it has become."""
        assert held.strip() in (typed[name].strip(), meant(typed, name))

    @invariant()
    def one_form_submits_again_only_what_came_to_nothing(self) -> None:
        if hasattr(self, "machine"):
            submitted = self.dashboard.port.submitted
            assert len(submitted) - self.before <= 1 + self.voids
            assert len({intent.key for intent in submitted}) == len(submitted)


def test_a_choice_that_was_only_moved_to_is_dropped_on_the_way_back() -> None:
    forms = Forms()
    forms.open()
    forms.up_or_down(1)
    forms.go(-1)
    forms.nothing_typed_is_lost()
    said = [cell.text for cell in forms.machine.view().words]
    assert said[0] == "Account stays empty: Acme was not taken."


def meant(typed: dict[str, str], name: str) -> str:
    """Return the value that a text stands for, once its field was left."""
    text = typed.get(name, "").strip()
    return MEANINGS.get((name, text), text)


A_FEW = settings().max_examples // 3
Forms.TestCase.settings = settings(max_examples=A_FEW, stateful_step_count=40)
TestForms = pytest.mark.slow(pytest.mark.slow(Forms.TestCase))
