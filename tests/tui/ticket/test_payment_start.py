"""The object under the cursor is filled in and not asked for."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.domain.models import (
    PayIn,
    PayInId,
    Payment,
    PaymentAddressId,
    PaymentId,
    Trade,
    TradeId,
    WalletId,
)
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.payment import (
    Order,
    PaymentKind,
    payout_values,
    repeated_values,
    transfer_values,
)
from tests.support.intents import money_of
from tests.tui.book import AUD, USD, payment
from tests.tui.ticket.paying import (
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    Paying,
    address,
    confirm,
    recipient,
    said,
)

PAID = Payment(
    PaymentId("pay-1"),
    payment_type="payout",
    source_wallet_id=USD_DESK,
    recipient_id=GLOBEX,
    payment_address_id=PaymentAddressId("adr-1"),
    amount=Decimal("1200.5"),
    currency=USD,
    reference="INV 7 RETURN PT-7K3QX9WD",
)
MOVED = Payment(
    PaymentId("pay-2"),
    payment_type="transfer",
    source_wallet_id=USD_DESK,
    destination_wallet_id=USD_BOLT,
    amount=Decimal(5),
    currency=USD,
)


def payout_of(selected: object) -> Ticket[Order]:
    """A payout that begins with what is under the cursor."""
    return Paying().ticket(PaymentKind.PAYOUT, payout_values(selected))


def transfer_of(selected: object) -> Ticket[Order]:
    return Paying().ticket(PaymentKind.TRANSFER, transfer_values(selected))


def repeat_of(paying: Paying, paid: Payment) -> Ticket[Order]:
    kind = PaymentKind.TRANSFER if paid.destination_wallet_id else PaymentKind.PAYOUT
    return paying.ticket(kind, repeated_values(paying.ui, paid))


@pytest.mark.parametrize(
    "selected",
    [
        Paying().store.wallets.get(USD_DESK),
        PayIn(PayInId("in-1"), wallet_id=USD_DESK),
        Trade(TradeId("tra-1"), buy_wallet_id=USD_DESK),
    ],
)
def test_a_wallet_and_what_came_into_it_is_where_money_leaves(selected: object) -> None:
    for ticket in (payout_of(selected), transfer_of(selected)):
        assert ticket.view().name == "to"
        assert "From USD desk" in said(ticket)


def test_a_wallet_that_cannot_pay_is_not_where_money_leaves() -> None:
    """The cursor of the overview is on it because it needs attention."""
    frozen = Paying().store.wallets.get(WalletId("wal-4"))
    assert "From USD frozen" not in said(payout_of(frozen))
    assert transfer_of(frozen).view().name == "from"


@pytest.mark.parametrize("selected", [recipient(1, "Globex"), address(1, 1)])
def test_a_recipient_under_the_cursor_is_paid_and_not_asked_for_again(selected: object) -> None:
    ticket = payout_of(selected)
    assert ticket.view().name == "from"
    ticket.chosen(USD_DESK)
    assert ticket.view().name == "amount"
    assert "To Globex" in said(ticket)


def test_an_account_under_the_cursor_is_the_one_that_is_paid() -> None:
    ticket = payout_of(address(7, 6))
    ticket.chosen(USD_DESK)
    assert ticket.view().name == "amount"
    assert "Account 000123457 USD" in said(ticket)


def test_a_payout_like_another_asks_for_the_amount_and_no_more() -> None:
    assert payout_of(PAID).view().name == "amount"
    assert transfer_of(MOVED).view().name == "amount"


def test_what_tells_nothing_of_a_payment_fills_in_nothing() -> None:
    assert payout_of(None).view().name == "to"
    assert transfer_of(AUD).view().name == "from"


def test_a_payout_is_repeated_whole_but_for_the_tag_and_still_has_to_be_confirmed() -> None:
    paying = Paying()
    ticket = repeat_of(paying, PAID)
    assert ticket.view().name == "confirm"
    assert "INV 7 RETURN" in said(ticket)
    assert "PT-7K3QX9WD" not in said(ticket)
    assert paying.port.submitted == []
    confirm(ticket)
    (intent,) = paying.port.submitted
    assert intent.terms.amount == Decimal("1200.50")
    assert money_of(intent).reference == f"INV 7 RETURN {intent.intent_id}"


def test_a_transfer_is_repeated_as_a_transfer() -> None:
    paying = Paying()
    confirm(repeat_of(paying, MOVED))
    (intent,) = paying.port.submitted
    assert intent.terms.destination_wallet_id == USD_BOLT


def test_a_payment_whose_parties_are_not_known_asks_for_them() -> None:
    assert repeat_of(Paying(), payment(1, "100")).view().name == "to"
