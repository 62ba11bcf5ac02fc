"""Under any sequence of keys and events a payment is submitted once, as shown."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from paytui.domain.intent import SendPermission, Standing
from paytui.domain.models import (
    FieldProblem,
    PaymentAddress,
    PaymentAddressId,
    Problem,
    RecipientId,
    State,
)
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.tui.step_protocol import StepView
from paytui.tui.wizards.payment_draft import PaymentKind
from paytui.tui.wizards.payment_wizard import payout_from, transfer_from
from tests.tui.book import ACTIVE
from tests.tui.wizards.paying import PENDING, Paying

STATES = st.sampled_from([ACTIVE] * 6 + [PENDING, State("suspended"), State("rejected"), None])
WALLETS = st.sampled_from([f"wal-{number}" for number in range(1, 6)])
RECIPIENTS = st.sampled_from([f"rec-{number}" for number in range(1, 9)])
ADDRESSES = st.sampled_from([f"adr-{number}" for number in range(1, 11)])
TYPED = st.sampled_from(["5", "1.2k", "6000", "1,5", "", "0", "-1", "1200", "INV 7"])
AMOUNTS = st.sampled_from(["5", "1.2k", "6000"])
REFUSED = Problem("create payout", "422", fields=(FieldProblem("amount", "too much"),))
VOID = (Standing.REFUSED, Standing.NOT_EXECUTED, Standing.NOT_RECORDED)


def may_be_active(status: State | None, painted: StepView) -> bool:
    """Return True for what is Active, or is not known to be and is said to be so on screen."""
    warned = any("Not known to be active" in cell.text for cell in painted.words)
    return status == ACTIVE or (status is None and warned)


class PaymentWizards(RuleBasedStateMachine):
    """A trader at a wizard who presses anything, on a book in which anything changes."""

    @initialize(kind=st.sampled_from(PaymentKind), live=st.booleans())
    def open(self, kind: PaymentKind, live: bool) -> None:
        self.paying = Paying(live=live)
        start = payout_from if kind is PaymentKind.PAYOUT else transfer_from
        self.wizard = start(self.paying.ui, None)
        self.painted = self.wizard.view()
        self.typed_since = ""
        self.allowed = 1

    # --- what a trader does ---

    @rule(key=st.one_of(WALLETS, RECIPIENTS, ADDRESSES))
    def choose(self, key: str) -> None:
        self.wizard.chosen(key)
        self.paint()

    @rule(place=st.integers(0, 9))
    def choose_what_is_offered(self, place: int) -> None:
        offered = [one.key for one in self.wizard.view().options if not one.why_not]
        if offered:
            self.choose(offered[place % len(offered)])

    @rule(text=TYPED)
    def type(self, text: str) -> None:
        self.wizard.typed(text)
        self.typed_since = text
        self.paint()

    @rule()
    def type_what_is_asked_for(self) -> None:
        entry = self.painted.entry
        if entry is not None and entry.label.startswith("Type "):
            self.type(entry.label.split()[1])

    @rule(place=st.integers(0, 9), amount=AMOUNTS)
    def answer_everything(self, place: int, amount: str) -> None:
        for _ in range(5):
            self.choose_what_is_offered(place)
            if self.wizard.view().name == "amount":
                self.type(amount)
            self.go_on()
        self.type_what_is_asked_for()

    @rule()
    def go_on(self) -> None:
        self.wizard.go_on()
        self.paint()

    @rule()
    def go_back(self) -> None:
        self.wizard.back()
        self.paint()

    @rule(times=st.integers(1, 3))
    def confirm_what_was_painted(self, times: int) -> None:
        painted, before = self.painted, len(self.paying.port.submitted)
        for _ in range(times):
            self.wizard.confirm(painted.confirms)
        if len(self.paying.port.submitted) > before:
            self.judge(painted)
        self.paint()

    def paint(self) -> None:
        """Paint as a screen does after each key; it lags behind the store."""
        self.painted = self.wizard.view()
        if self.painted.confirms is None:
            self.typed_since = ""

    @rule(place=st.integers(0, 9), amount=AMOUNTS, times=st.integers(1, 3))
    def answer_and_confirm(self, place: int, amount: str, times: int) -> None:
        self.answer_everything(place, amount)
        self.confirm_what_was_painted(times)

    @rule(place=st.integers(0, 9), number=st.sampled_from(["1", "2"]), status=STATES)
    def every_account_changes_under_the_hand(
        self, place: int, number: str, status: State | None
    ) -> None:
        self.answer_everything(place, "5")
        for key in [f"rec-{number}" for number in range(1, 9)]:
            self.an_account_changes(key, status, number)
        self.confirm_what_was_painted(1)

    @rule(place=st.integers(0, 9), text=TYPED)
    def confirm_with_anything_typed(self, place: int, text: str) -> None:
        self.answer_everything(place, "5")
        if self.painted.entry is not None and self.painted.confirms is not None:
            self.type(text)
        self.confirm_what_was_painted(1)

    @precondition(lambda self: self.paying.port.submitted)
    @rule(standing=st.sampled_from(VOID), amount=AMOUNTS, times=st.integers(1, 3))
    def try_again(self, standing: Standing, amount: str, times: int) -> None:
        self.an_intent_comes_to_stand(standing)
        self.go_back()
        self.answer_and_confirm(0, amount, times)

    # --- what happens by itself ---

    @rule()
    def pull(self) -> None:
        self.wizard.store_changed()
        self.paint()

    @rule(seconds=st.integers(0, 4000))
    def time_passes(self, seconds: int) -> None:
        self.paying.clock.advance(seconds)
        self.wizard.tick()

    @rule(key=WALLETS, status=STATES, available=st.integers(0, 10_000))
    def a_wallet_changes(self, key: str, status: State | None, available: int) -> None:
        store = self.paying.store
        row = next(one for one in store.wallets.rows() if one.wallet_id == key)
        store.wallets.put([replace(row, status=status, available_balance=Decimal(available))])

    @rule(key=RECIPIENTS, status=STATES)
    def a_recipient_changes(self, key: str, status: State | None) -> None:
        row = self.paying.store.recipients.get(RecipientId(key))
        assert row is not None
        self.paying.store.recipients.put([replace(row, status=status)])

    @rule(key=RECIPIENTS, status=STATES, number=st.sampled_from(["1", "2"]))
    def an_account_changes(self, key: str, status: State | None, number: str) -> None:
        row = self.paying.store.recipients.get(RecipientId(key))
        assert row is not None
        for one in row.payment_addresses:
            moved = replace(one, status=status, account_number=number)
            self.paying.store.payment_addresses.put([moved])

    @rule(allowed=st.sampled_from([True, True, True, False]))
    def the_outbox_comes_and_goes(self, allowed: bool) -> None:
        self.paying.store.set_sending(
            SendPermission(allowed=allowed, why="another dashboard owns it")
        )

    @precondition(lambda self: self.paying.port.submitted)
    @rule(standing=st.sampled_from(Standing))
    def an_intent_comes_to_stand(self, standing: Standing) -> None:
        intent = self.paying.port.submitted[-1]
        row = self.paying.store.intents.get(intent.intent_id)
        if row is not None and not row.standing.open:
            return
        problem = REFUSED if standing in VOID else None
        self.paying.stands(standing, problem=problem)
        self.allowed += standing in VOID

    # --- what has to hold ---

    def judge(self, painted: StepView) -> None:
        """Assert that the painted payment was submitted, to an Active payee or with a warning."""
        paying = self.paying
        intent = paying.port.submitted[-1]
        words = [cell.text for line in painted.lines for cell in line.cells]
        request = intent.request
        assert isinstance(request, PayoutRequest | TransferRequest)
        assert f"{request.amount:,.2f} {request.currency}" in words
        source = paying.store.wallets.get(request.source_wallet_id)
        assert source is not None
        assert may_be_active(source.status, painted)
        assert source.wallet_name in words
        assert paying.store.sending.allowed
        if isinstance(request, PayoutRequest):
            self.judge_payout(request, painted, words)
        else:
            target = paying.store.wallets.get(request.destination_wallet_id)
            assert target is not None
            assert may_be_active(target.status, painted)
            assert target.currency == source.currency
            assert target.wallet_id != source.wallet_id
            assert target.wallet_id in words
        if paying.live:
            assert self.typed_since == f"{request.amount:f}".rstrip("0").rstrip(".")

    def judge_payout(self, request: PayoutRequest, painted: StepView, words: list[str]) -> None:
        store = self.paying.store
        recipient = store.recipients.get(request.recipient_id)
        assert recipient is not None
        assert may_be_active(recipient.status, painted)
        assert recipient.recipient_id in words
        address = self.address(request.recipient_id, request.payment_address_id)
        assert may_be_active(address.status, painted)
        assert address.currency == request.currency == "USD"
        assert address.account_type != "electronic_deposit"
        assert address.account_number in words

    def address(self, recipient_id: RecipientId, key: PaymentAddressId) -> PaymentAddress:
        read = self.paying.store.payment_addresses.get(key)
        if read is not None:
            return read
        recipient = self.paying.store.recipients.get(recipient_id)
        assert recipient is not None
        return next(one for one in recipient.payment_addresses if one.payment_address_id == key)

    @invariant()
    def nothing_is_submitted_again_unless_what_was_before_came_to_nothing(self) -> None:
        if hasattr(self, "paying"):
            submitted = self.paying.port.submitted
            assert len(submitted) <= self.allowed
            assert len({intent.key for intent in submitted}) == len(submitted)


PaymentWizards.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestPaymentWizards = pytest.mark.slow(pytest.mark.slow(PaymentWizards.TestCase))
