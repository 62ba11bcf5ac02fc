"""Orders by several fields; expected orders are written by hand."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.domain.models import Kind, Payment, PaymentId, RecipientId, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.fields import SortError, fields_of, in_order, parse_orders
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from tests.support.clock import NOON

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
BOOK = (
    Payment(PaymentId("a"), amount=Decimal(9), currency=USD, reference="beta"),
    Payment(PaymentId("b"), amount=Decimal(10), currency=AUD, reference="Álpha"),
    Payment(PaymentId("c"), amount=Decimal(9), currency=AUD, created_at=NOON),
    Payment(PaymentId("d"), created_at=NOON - timedelta(days=1), reference="gamma"),
)


def sorted_by(text: str) -> str:
    orders = parse_orders(text, fields_of(Kind.PAYMENTS))
    return "".join(row.payment_transaction_id for row in in_order(BOOK, orders))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amount", "dacb"),
        ("-amount", "bacd"),
        ("amount,currency", "dcab"),
        ("currency,-amount", "dbca"),
        ("-ccy, amount", "acbd"),
        ("created", "abdc"),
        ("reference", "cbad"),
    ],
)
def test_rows_are_sorted_by_the_first_field_then_by_the_next(text: str, expected: str) -> None:
    assert sorted_by(text) == expected


def test_a_name_that_is_no_field_is_refused_with_those_that_are() -> None:
    with pytest.raises(
        SortError, match=r"No field colour to sort by\. Known: payment_transaction_id, "
    ):
        sorted_by("amount,colour")
    with pytest.raises(SortError, match=r"No field \(empty\) to sort by"):
        sorted_by("amount,")


def test_a_name_that_could_mean_several_fields_is_refused_with_their_names() -> None:
    with pytest.raises(SortError, match="sell_amount, buy_amount"):
        parse_orders("amount", fields_of(Kind.TRADES))


def test_a_heading_sorts_by_what_its_column_shows() -> None:
    """The column To shows a recipient, or else a wallet."""
    rows = [
        Payment(PaymentId("a"), recipient_id=RecipientId("r2")),
        Payment(PaymentId("b"), destination_wallet_id=WalletId("r1")),
        Payment(PaymentId("c"), recipient_id=RecipientId("r0")),
    ]
    orders = parse_orders("to", named_fields(Store(), Kind.PAYMENTS))
    assert "".join(row.payment_transaction_id for row in in_order(rows, orders)) == "cba"
