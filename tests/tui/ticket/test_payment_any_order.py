"""Under any sequence of keys and events a payment is submitted once, as shown."""

from __future__ import annotations

import re
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
    bank_fingerprint,
)
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.store.payable import PayeeStatus, addresses_of
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, FROM, TO
from paytui.tui.ticket.model import TicketView
from paytui.tui.ticket.money import Order
from tests.tui.book import ACTIVE
from tests.tui.ticket.paying import PENDING, Paying, forget, said

STATES = st.sampled_from([ACTIVE] * 6 + [PENDING, State("suspended"), State("rejected"), None])
WALLETS = st.sampled_from([f"wal-{number}" for number in range(1, 6)])
RECIPIENTS = st.sampled_from([f"rec-{number}" for number in range(1, 9)])
PAYEES = RECIPIENTS.map(payee_key)
ADDRESSES = st.sampled_from([f"adr-{number}" for number in range(1, 11)])
TYPED = st.sampled_from(["5", "1.2k", "6000", "1,5", "", "0", "-1", "1200", "INV 7"])
AMOUNTS = st.sampled_from(["5", "1.2k", "6000"])
PARTS = st.sampled_from(["usd", "glob", "wayne", "wyane", "frozen", "0001234", "rec-6", "zzz", ""])
NUMBERS = st.sampled_from(["77770001", "77770002"])
KINDS = ("payout", "transfer")
BEGUN = st.fixed_dictionaries(
    {},
    optional={
        ACCOUNT: ADDRESSES,
        FROM: WALLETS,
        TO: st.one_of(WALLETS, PAYEES),
        AMOUNT: AMOUNTS,
    },
)
REFUSED = Problem("create payout", "422", fields=(FieldProblem("amount", "too much"),))
VOID = (Standing.REFUSED, Standing.NOT_EXECUTED, Standing.NOT_RECORDED)


def may_be_active(status: State | None, painted: TicketView) -> bool:
    """Return True for what is Active, or is not known to be and is said to be so on screen."""
    warned = any("Not known to be active" in cell.text for cell in painted.words)
    return status == ACTIVE or (status is None and warned)


class PaymentTickets(RuleBasedStateMachine):
    """A trader at a ticket who presses anything, on a book in which anything changes."""

    @initialize(
        kind=st.sampled_from(KINDS),
        live=st.booleans(),
        new=st.booleans(),
        begun=BEGUN,
    )
    def open(self, kind: str, live: bool, new: bool, begun: dict[str, str]) -> None:
        self.paying = Paying(live=live)
        if new:
            forget(self.paying.store)
        self.begin(kind, begun)

    @rule(kind=st.sampled_from(KINDS), begun=BEGUN)
    def begin(self, kind: str, begun: dict[str, str]) -> None:
        self.ticket: Ticket[Order] = self.paying.ticket(kind, begun)
        self.painted = self.ticket.view()
        self.typed_since = ""
        self.proven: set[str] = set()
        self.allowed = len(self.paying.port.submitted) + 1

    @rule(kind=st.sampled_from(KINDS), wallet=WALLETS, other=WALLETS, payee=PAYEES)
    def begin_with_everything(self, kind: str, wallet: str, other: str, payee: str) -> None:
        to = other if kind == "transfer" else payee
        self.begin(kind, {FROM: wallet, TO: to, AMOUNT: "5"})
        self.type_what_is_asked_for()
        self.confirm_what_was_painted(1)

    # --- what a trader does ---

    @rule(key=st.one_of(WALLETS, PAYEES, ADDRESSES))
    def choose(self, key: str) -> None:
        self.ticket.chosen(key)
        self.paint()

    @rule(place=st.integers(0, 9))
    def choose_what_is_offered(self, place: int) -> None:
        offered = [one.key for one in self.ticket.view().options if not one.why_not]
        if offered:
            self.choose(offered[place % len(offered)])

    @rule(text=st.one_of(TYPED, PARTS))
    def type(self, text: str) -> None:
        self.ticket.typed(text)
        self.typed_since = text
        self.paint()

    @rule()
    def type_what_is_asked_for(self) -> None:
        if self.painted.asked:
            self.type(self.painted.asked)

    @rule(is_true=st.booleans())
    def verify_the_payee(self, is_true: bool) -> None:
        """Type the end of the account's number, or another."""
        paid = self.paid()
        if self.ticket.view().name == "verify payee" and paid is not None:
            self.type((paid.account_number or "")[-4:] if is_true else "9999")
            self.proven |= {bank_fingerprint(paid)} if is_true else set()
            self.go_on()

    @rule(place=st.integers(0, 9), amount=AMOUNTS)
    def answer_everything(self, place: int, amount: str) -> None:
        for _ in range(7):
            match self.ticket.view().name:
                case "amount":
                    self.type(amount)
                    self.go_on()
                case "verify payee":
                    self.verify_the_payee(is_true=True)
                case _:
                    self.choose_what_is_offered(place)
        self.type_what_is_asked_for()

    @rule(place=st.integers(0, 9), field=st.sampled_from(["to", "bank account", "from"]))
    def answer_otherwise_and_confirm(self, place: int, field: str) -> None:
        """Answer everything, then change one choice and go on without a look."""
        self.answer_everything(0, "5")
        for _ in self.ticket.view().fields or range(7):
            if self.ticket.view().name != field:
                self.go(-1, 1)
        self.choose_what_is_offered(place)
        self.go_on()
        self.type_what_is_asked_for()
        self.confirm_what_was_painted(1)

    @rule()
    def go_on(self) -> None:
        self.ticket.go_on()
        self.paint()

    @rule(steps=st.sampled_from([1, -1]), times=st.integers(1, 6))
    def go(self, steps: int, times: int) -> None:
        for _ in range(times):
            self.ticket.go(steps)
            self.paint()

    @rule(steps=st.sampled_from([1, -1]), times=st.integers(1, 3))
    def move(self, steps: int, times: int) -> None:
        for _ in range(times):
            self.ticket.move(steps)
            self.paint()

    @rule(text=PARTS)
    def search_and_take(self, text: str) -> None:
        field = self.ticket.view().field
        if field is not None and field.options:
            self.type(text)
            self.go_on()

    @rule(times=st.integers(1, 3))
    def confirm_what_was_painted(self, times: int) -> None:
        painted, before = self.painted, len(self.paying.port.submitted)
        for _ in range(times):
            self.ticket.confirm(painted.confirms)
        if len(self.paying.port.submitted) > before:
            self.judge(painted)
        self.paint()

    def paint(self) -> None:
        """Paint as a screen does after each key; it lags behind the store."""
        before, self.painted = self.painted, self.ticket.view()
        if self.painted.confirms is None or self.painted.confirms != before.confirms:
            self.typed_since = ""

    @rule(place=st.integers(0, 9), amount=AMOUNTS, times=st.integers(1, 3))
    def answer_and_confirm(self, place: int, amount: str, times: int) -> None:
        self.answer_everything(place, amount)
        self.confirm_what_was_painted(times)

    @rule(place=st.integers(0, 9), number=NUMBERS, status=STATES)
    def every_account_changes_under_the_hand(
        self, place: int, number: str, status: State | None
    ) -> None:
        self.answer_everything(place, "5")
        for key in [f"rec-{each}" for each in range(1, 9)]:
            self.an_account_changes(key, status, number)
        self.confirm_what_was_painted(1)

    @rule(place=st.integers(0, 9))
    def every_wallet_changes_before_a_text_is_typed(self, place: int) -> None:
        self.answer_everything(place, "5")
        wallets = self.paying.store.wallets
        wallets.put([replace(row, status=None) for row in wallets.rows()])
        self.type_what_is_asked_for()
        self.confirm_what_was_painted(1)

    @rule(place=st.integers(0, 9), text=TYPED)
    def confirm_with_anything_typed(self, place: int, text: str) -> None:
        self.answer_everything(place, "5")
        if self.painted.asked and self.painted.confirms is not None:
            self.type(text)
        self.confirm_what_was_painted(1)

    @precondition(lambda self: self.paying.port.submitted)
    @rule(standing=st.sampled_from(VOID), amount=AMOUNTS, times=st.integers(1, 3))
    def try_again(self, standing: Standing, amount: str, times: int) -> None:
        self.an_intent_comes_to_stand(standing)
        self.go_on()
        self.answer_and_confirm(0, amount, times)

    # --- what happens by itself ---

    @rule()
    def pull(self) -> None:
        self.ticket.store_changed()
        self.paint()

    @rule(seconds=st.integers(0, 4000))
    def time_passes(self, seconds: int) -> None:
        self.paying.clock.advance(seconds)

    @rule(
        key=WALLETS,
        status=STATES,
        available=st.integers(0, 10_000),
        currency=st.sampled_from(["USD", "USD", "USD", "EUR"]),
    )
    def a_wallet_changes(
        self, key: str, status: State | None, available: int, currency: str
    ) -> None:
        store = self.paying.store
        row = next(one for one in store.wallets.rows() if one.wallet_id == key)
        changed = replace(row, status=status, available_balance=Decimal(available))
        store.wallets.put([replace(changed, currency=CurrencyCode(currency))])

    @rule(key=RECIPIENTS, status=STATES)
    def a_recipient_changes(self, key: str, status: State | None) -> None:
        row = self.paying.store.recipients.get(RecipientId(key))
        if row is not None:
            self.paying.store.recipients.put([replace(row, status=status)])

    @rule(key=RECIPIENTS)
    def a_recipient_is_gone(self, key: str) -> None:
        self.paying.store.recipients.remove([RecipientId(key)])

    @rule(key=RECIPIENTS, status=STATES, number=NUMBERS)
    def an_account_changes(self, key: str, status: State | None, number: str) -> None:
        row = self.paying.store.recipients.get(RecipientId(key))
        for one in row.payment_addresses if row else ():
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
        is_of_this_ticket = len(self.paying.port.submitted) == self.allowed
        self.allowed += standing in VOID and is_of_this_ticket

    # --- what has to hold ---

    def judge(self, painted: TicketView) -> None:
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
        assert source.currency == request.currency
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

    def judge_payout(self, request: PayoutRequest, painted: TicketView, words: list[str]) -> None:
        store = self.paying.store
        recipient = store.recipients.get(request.recipient_id)
        assert recipient is not None
        assert may_be_active(recipient.status, painted)
        assert recipient.recipient_id in words
        assert recipient.account_id == request.account_id
        address = self.address(request.recipient_id, request.payment_address_id)
        assert may_be_active(address.status, painted)
        assert address.currency == request.currency
        is_known = self.paying.ui.acquaintances.of(address) is PayeeStatus.KNOWN
        assert is_known or bank_fingerprint(address) in self.proven
        assert address.account_type != "electronic_deposit"
        assert address.account_number in words

    def address(self, recipient_id: RecipientId, key: PaymentAddressId) -> PaymentAddress:
        [found] = [one for one in self.accounts() if one.payment_address_id == key]
        assert found.recipient_id == recipient_id
        return found

    def accounts(self) -> list[PaymentAddress]:
        store = self.paying.store
        return [one for row in store.recipients.rows() for one in addresses_of(store, row)]

    def paid(self) -> PaymentAddress | None:
        """Return the account that the ticket would pay now."""
        draft, task = self.ticket.draft, self.ticket.task
        return task.paid(task.filled(draft)) if draft is not None else None

    @invariant()
    def no_number_of_a_new_account_is_on_view_before_its_end_was_typed(self) -> None:
        if hasattr(self, "paying"):
            hidden: set[str | None] = set()
            told: set[str | None] = set()
            for one in self.accounts():
                is_known = self.paying.ui.acquaintances.of(one) is PayeeStatus.KNOWN
                is_told = is_known or bank_fingerprint(one) in self.proven
                (told if is_told else hidden).add(one.account_number)
            assert not (hidden - told) & {*re.findall(r"\w+", said(self.ticket))}

    @invariant()
    def nothing_is_submitted_again_unless_what_was_before_came_to_nothing(self) -> None:
        if hasattr(self, "paying"):
            submitted = self.paying.port.submitted
            assert len(submitted) <= self.allowed
            assert len({intent.key for intent in submitted}) == len(submitted)


PaymentTickets.TestCase.settings = settings(stateful_step_count=40)
TestPaymentTickets = pytest.mark.slow(pytest.mark.slow(PaymentTickets.TestCase))
