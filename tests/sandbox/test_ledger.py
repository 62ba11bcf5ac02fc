from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.sandbox.ledger import RESERVE, Entry, Pot, WalletAmount, posting, require_balanced
from paytui.sandbox.trades import Deal, exchange
from tests.sandbox.books import assert_books_are_true, trial_balance
from tests.support.plain import Customer, PlainService, start_service


def test_a_posting_that_does_not_sum_to_zero_is_refused() -> None:
    lopsided = (
        Entry(Pot.BANK, "AUD", Decimal("-1.00")),
        Entry(Pot.AVAILABLE, "USD", Decimal("1.00"), "wallet"),
    )
    with pytest.raises(AssertionError, match="does not sum to zero"):
        require_balanced(lopsided)
    require_balanced(posting(WalletAmount("wallet", "AUD", Decimal("1.00")), RESERVE))


def test_a_payment_reserves_at_creation_and_settles_at_release(
    service: PlainService, customer: Customer
) -> None:
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "4.00"}
    service.item("/v2/payments/transfer", body)
    wallet = service.show(f"/v2/wallets/{source}")
    assert (wallet["availableBalance"], wallet["reservedBalance"]) == ("6.00", "4.00")
    assert customer.available(target) == "0.00"
    service.wait()
    wallet = service.show(f"/v2/wallets/{source}")
    assert (wallet["availableBalance"], wallet["reservedBalance"]) == ("6.00", "0.00")
    assert customer.available(target) == "4.00"


def test_a_pay_in_is_pending_until_it_is_credited(
    service: PlainService, customer: Customer
) -> None:
    wallet_id = customer.wallet("JPY")
    customer.pay_in(wallet_id, "5000")
    wallet = service.show(f"/v2/wallets/{wallet_id}")
    assert (wallet["pendingBalance"], wallet["availableBalance"]) == ("5000", "0")
    service.wait()
    wallet = service.show(f"/v2/wallets/{wallet_id}")
    assert (wallet["pendingBalance"], wallet["availableBalance"]) == ("0", "5000")


def test_a_payment_beyond_the_balance_is_refused_and_changes_nothing(
    service: PlainService, customer: Customer
) -> None:
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "10.01"}
    refused = service.post("/v2/payments/transfer", body)
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "insufficient_funds"
    assert refused.json()["error"]["details"][0]["field"] == "amount"
    assert customer.available(source) == "10.00"
    assert service.shown("/v2/payments") == []


def test_a_refusal_leaves_no_trace() -> None:
    """What is created after it has the identifier that it would have had without it."""
    identifiers = []
    for is_refused_first in (False, True):
        customer = Customer(start_service())
        source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
        body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "10.01"}
        if is_refused_first:
            assert customer.service.post("/v2/payments/transfer", body).status_code == 422
        paid = customer.service.item("/v2/payments/transfer", {**body, "amount": "10.00"})
        identifiers.append(paid["paymentTransactionId"])
    assert len(set(identifiers)) == 1


def test_a_payout_leaves_through_the_bank(service: PlainService, customer: Customer) -> None:
    source = customer.funded("AUD", "10.00")
    recipient_id, address_id = customer.recipient("AUD")
    assert trial_balance(service)["AUD"]["bank"] == "-10.00"
    body = {
        "sourceWalletId": source,
        "recipientId": recipient_id,
        "paymentAddressId": address_id,
        "amount": "4.00",
    }
    service.item("/v2/payments/payout", body)
    service.wait()
    assert trial_balance(service)["AUD"]["bank"] == "-6.00"
    assert_books_are_true(service)


@pytest.mark.parametrize(
    ("dealt", "rate", "bought"),
    [
        ("0.05", "0.5", "0.02"),  # 0.025: half, to the even one below
        ("0.15", "0.5", "0.08"),  # 0.075: half, to the even one above
        ("0.03", "0.5", "0.02"),  # 0.015: half, to the even one above
        ("0.50", "0.333", "0.17"),  # 0.1665
    ],
)
def test_the_bought_side_rounds_half_to_even(dealt: str, rate: str, bought: str) -> None:
    deal = Deal("AUD", "USD", "sell", Decimal(dealt), Decimal(rate))
    assert (deal.sell_amount, deal.buy_amount) == (Decimal(dealt), Decimal(bought))


@pytest.mark.parametrize(
    ("buy", "dealt", "rate", "sold"),
    [
        ("USD", "1.00", "3", "0.33"),  # 0.333…
        ("USD", "2.00", "3", "0.67"),  # 0.666…
        ("JPY", "100", "80", "1.25"),
        ("KWD", "0.001", "0.2", "0.00"),  # 0.005: half, to the even one below
    ],
)
def test_the_sold_side_follows_a_dealt_bought_side(
    buy: str, dealt: str, rate: str, sold: str
) -> None:
    deal = Deal("AUD", buy, "buy", Decimal(dealt), Decimal(rate))
    assert (deal.sell_amount, deal.buy_amount) == (Decimal(sold), Decimal(dealt))


def test_what_rounding_changes_goes_to_the_rounding_account() -> None:
    deal = Deal("AUD", "USD", "sell", Decimal("0.15"), Decimal("0.5"))  # 0.075 rounds to 0.08
    posting = exchange(deal, "sold from", "bought into")
    require_balanced(posting)
    booked = {(line.pot, line.currency): line.amount for line in posting}
    assert booked == {
        (Pot.RESERVED, "AUD"): Decimal("-0.15"),
        (Pot.EXCHANGE, "AUD"): Decimal("0.15"),
        (Pot.AVAILABLE, "USD"): Decimal("0.08"),
        (Pot.EXCHANGE, "USD"): Decimal("-0.075"),
        (Pot.ROUNDING, "USD"): Decimal("-0.005"),
    }


def test_a_trade_whose_other_side_rounds_to_zero_is_refused(
    service: PlainService, customer: Customer
) -> None:
    body = {
        "sellCurrency": "THB",
        "buyCurrency": "USD",
        "sellWalletId": customer.funded("THB", "10"),
        "buyWalletId": customer.wallet("USD"),
    }
    tiny = service.post("/v2/tradess", {**body, "sellAmount": "0.10"})  # a third of a cent
    assert (tiny.status_code, tiny.json()["error"]["details"][0]["field"]) == (400, "sellAmount")
    assert service.post("/v2/tradess", {**body, "sellAmount": "10"}).status_code == 201


deeds = st.lists(
    st.tuples(
        st.sampled_from(["payin", "transfer", "payout", "trade", "wait"]),
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(1, 30_000),
        st.sampled_from([None, "HALT_AML", "FAIL_AML", "FAIL_BANK", "RETURN"]),
    ),
    max_size=25,
)


class Dealings:
    """Three wallets of one account, in AUD, AUD and JPY, and deeds upon them."""

    def __init__(self) -> None:
        self.service = start_service()
        self.customer = Customer(self.service)
        self.wallets = [self.customer.funded(code, "100") for code in ("AUD", "AUD", "JPY")]
        self.currencies = ["AUD", "AUD", "JPY"]
        self.recipients = {code: self.customer.recipient(code) for code in ("AUD", "JPY")}

    def do(self, deed: str, one: int, other: int, cents: int, reference: str | None) -> None:
        amount = str(cents) if self.currencies[one] == "JPY" else f"{cents / 100:.2f}"
        body = {"amount": amount, "reference": reference}
        if deed == "payin":
            self._post("/_sandbox/payins", {**body, "walletId": self.wallets[one]})
        elif deed == "transfer":
            ends = {
                "sourceWalletId": self.wallets[one],
                "destinationWalletId": self.wallets[other],
            }
            self._post("/v2/payments/transfer", {**body, **ends})
        elif deed == "payout":
            recipient_id, address_id = self.recipients[self.currencies[one]]
            ends = {"sourceWalletId": self.wallets[one], "recipientId": recipient_id}
            self._post("/v2/payments/payout", {**body, **ends, "paymentAddressId": address_id})
        elif deed == "trade":
            trade = {
                "sellCurrency": self.currencies[one],
                "buyCurrency": self.currencies[other],
                "sellAmount": amount,
                "sellWalletId": self.wallets[one],
                "buyWalletId": self.wallets[other],
                "reference": reference,
            }
            self._post("/v2/tradess", trade)
        else:
            self.service.wait(cents / 1000)

    def _post(self, path: str, body: object) -> None:
        assert self.service.post(path, body).status_code in {201, 400, 422}


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(deeds)
def test_the_books_are_true_after_any_sequence_of_deeds(
    sequence: list[tuple[str, int, int, int, str | None]],
) -> None:
    dealings = Dealings()
    for deed in sequence:
        dealings.do(*deed)
        assert_books_are_true(dealings.service)
    dealings.service.wait()
    assert_books_are_true(dealings.service)
