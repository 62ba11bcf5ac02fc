"""The books balance under any sequence of requests and failures."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.sandbox.books import assert_books_are_true
from tests.support.plain import Customer, Item, start_service

RELEASED = {"released", "completed", "returned"}
MAGIC = st.sampled_from([None, "HALT_AML", "FAIL_AML", "FAIL_BANK", "RETURN"])
FAULTS = st.sampled_from(
    ["500", "503", "429", "html", "cut", "commit-then-cut", "commit-then-500", "malformed"]
)
CENTS = st.integers(1, 200_000)
NEXT_STATES = ["processing", "released", "completed", "rejected", "cancelled", "failed", "returned"]


class Ledger(RuleBasedStateMachine):
    """A customer with two wallets in AUD, one in USD and a recipient.

    Each request carries a key of its own; one whose answer was lost is sent again, as it was.
    """

    def __init__(self) -> None:
        super().__init__()
        self.service = start_service()
        customer = Customer(self.service)
        self.customer = customer
        self.aud = [customer.wallet("AUD"), customer.wallet("AUD")]
        self.usd = customer.wallet("USD")
        self.recipient_id, self.address_id = customer.recipient("AUD")
        self.sheet: Item | None = None
        self.locked: dict[str, Decimal] = {}
        self.answers: dict[str, tuple[str, Item, Item]] = {}
        self.keys = 0

    def ask(self, path: str, body: Item) -> Item | None:
        """Return the created object, or None if refused; repeat until the service answers."""
        self.keys += 1
        key = f"key-{self.keys}"
        for _ in range(5):
            try:
                answer = self.service.post(path, body, idempotency=key)
                found: Item = answer.json()
            except (ConnectionResetError, ValueError):
                continue
            if answer.status_code == 201:
                self.answers[key] = (path, body, found["item"])
                item: Item = found["item"]
                return item
            if answer.status_code not in {429, 500, 503}:
                return None
        return None

    @rule(which=st.integers(0, 1), cents=CENTS, reference=MAGIC)
    def pay_in(self, which: int, cents: int, reference: str | None) -> None:
        self.customer.pay_in(self.aud[which], f"{cents / 100:.2f}", reference)

    @rule(which=st.integers(0, 1), cents=CENTS, reference=MAGIC)
    def transfer(self, which: int, cents: int, reference: str | None) -> None:
        ends = {
            "sourceWalletId": self.aud[which],
            "destinationWalletId": self.aud[1 - which],
        }
        amount = {"amount": f"{cents / 100:.2f}", "reference": reference}
        self.ask("/v2/payments/transfer", {**ends, **amount})

    @rule(which=st.integers(0, 1), cents=CENTS, reference=MAGIC)
    def pay_out(self, which: int, cents: int, reference: str | None) -> None:
        there = {"recipientId": self.recipient_id, "paymentAddressId": self.address_id}
        body = {"sourceWalletId": self.aud[which], "amount": f"{cents / 100:.2f}"}
        self.ask("/v2/payments/payout", {**body, **there, "reference": reference})

    @rule()
    def lock_rates(self) -> None:
        pairs = [{"sellCurrency": "AUD", "buyCurrency": "USD"}]
        self.sheet = self.ask("/v2/rate-sheets", {"currencyPairs": pairs})

    @rule(which=st.integers(0, 1), cents=CENTS, reference=MAGIC, use_sheet=st.booleans())
    def trade(self, which: int, cents: int, reference: str | None, *, use_sheet: bool) -> None:
        body = {
            "sellCurrency": "AUD",
            "buyCurrency": "USD",
            "sellAmount": f"{cents / 100:.2f}",
            "sellWalletId": self.aud[which],
            "buyWalletId": self.usd,
            "reference": reference,
        }
        if use_sheet and self.sheet:
            booked = self.ask("/v2/tradess", {**body, "rateSheetId": self.sheet["rateSheetId"]})
            if booked:
                rate = Decimal(self.sheet["rates"][0]["rate"])
                self.locked[booked["tradeTransactionId"]] = rate
        else:
            self.ask("/v2/tradess", body)

    @rule(kind=FAULTS, times=st.integers(1, 2))
    def break_something(self, kind: str, times: int) -> None:
        for operation in ("create_transfer", "create_payout", "book_trade"):
            self.service.item(
                "/_sandbox/faults", {"operation": operation, "kind": kind, "times": times}
            )

    @rule(seconds=st.sampled_from([1, 10, 100]))
    def wait(self, seconds: int) -> None:
        self.service.wait(seconds)

    @precondition(lambda self: self.service.shown("/v2/payments"))
    @rule(data=st.data(), status=st.sampled_from(NEXT_STATES))
    def put_a_payment_on(self, data: st.DataObject, status: str) -> None:
        payment = data.draw(st.sampled_from(self.service.shown("/v2/payments")))
        body = {"kind": "payment", "id": payment["paymentTransactionId"], "status": status}
        assert self.service.post("/_sandbox/states", body).status_code in {201, 409, 422}

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def repeat_a_request(self, data: st.DataObject) -> None:
        self.service.send("DELETE", "/_sandbox/faults")
        key = data.draw(st.sampled_from(sorted(self.answers)))
        path, body, item = self.answers[key]
        answer = self.service.post(path, body, idempotency=key)
        assert answer.headers["idempotency-replayed"] == "true"
        assert answer.json()["item"] == item

    @invariant()
    def the_books_are_true(self) -> None:
        assert_books_are_true(self.service)

    @invariant()
    def nothing_is_there_twice_for_one_key(self) -> None:
        """A payment or trade is one that was answered, or one whose answer was lost."""
        payments = self.service.get("/v2/payments").json()["total"]
        trades = self.service.get("/v2/trades").json()["total"]
        assert payments + trades <= self.keys
        shown = {item["paymentTransactionId"] for item in self.service.shown("/v2/payments")}
        answered = [
            item["paymentTransactionId"]
            for _, _, item in self.answers.values()
            if "paymentTransactionId" in item
        ]
        assert len(answered) == len(set(answered))
        assert set(answered) <= shown

    @invariant()
    def a_locked_rate_is_paid_exactly(self) -> None:
        for trade in self.service.shown("/v2/trades"):
            rate = self.locked.get(trade["tradeTransactionId"], Decimal(trade["rate"]))
            assert Decimal(trade["rate"]) == rate
            exact = Decimal(trade["sellAmount"]) * rate
            bought = exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
            assert Decimal(trade["buyAmount"]) == bought

    @invariant()
    def a_released_payment_has_its_end_to_end_id_and_no_other_has(self) -> None:
        for payment in self.service.shown("/v2/payments"):
            assert ("endToEndId" in payment) == (payment["status"] in RELEASED), payment


TestLedger = pytest.mark.slow(pytest.mark.slow(Ledger.TestCase))
TestLedger.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
