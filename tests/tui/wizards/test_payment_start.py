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
)
from paytui.tui.wizards.payment_wizard import payout_from, repeat_of, transfer_from
from tests.support.intents import money_of
from tests.tui.book import AUD, USD, payment
from tests.tui.wizards.paying import (
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


@pytest.mark.parametrize(
    "selected",
    [
        Paying().store.wallets.get(USD_DESK),
        PayIn(PayInId("in-1"), wallet_id=USD_DESK),
        Trade(TradeId("tra-1"), buy_wallet_id=USD_DESK),
    ],
)
def test_a_wallet_and_what_came_into_it_is_where_money_leaves(selected: object) -> None:
    ui = Paying().ui
    assert payout_from(ui, selected).view().name == "recipient"
    assert transfer_from(ui, selected).view().name == "destination wallet"


@pytest.mark.parametrize("selected", [recipient(1, "Globex"), address(1, 1)])
def test_a_recipient_is_under_the_cursor_once_a_wallet_is_chosen(selected: object) -> None:
    wizard = payout_from(Paying().ui, selected)
    assert wizard.view().name == "from wallet"
    wizard.chosen(USD_DESK)
    assert wizard.view().chosen == GLOBEX


def test_a_payout_like_another_asks_for_the_amount_and_no_more() -> None:
    assert payout_from(Paying().ui, PAID).view().name == "amount"
    assert transfer_from(Paying().ui, MOVED).view().name == "amount"


def test_what_tells_nothing_of_a_payment_fills_in_nothing() -> None:
    assert payout_from(Paying().ui, None).view().name == "from wallet"
    assert transfer_from(Paying().ui, AUD).view().name == "from wallet"


def test_a_payout_is_repeated_whole_but_for_the_tag_and_still_has_to_be_confirmed() -> None:
    paying = Paying()
    wizard = repeat_of(paying.ui, PAID)
    assert wizard.view().name == "confirm"
    assert "INV 7 RETURN" in said(wizard)
    assert "PT-7K3QX9WD" not in said(wizard)
    assert paying.port.submitted == []
    confirm(wizard)
    (intent,) = paying.port.submitted
    assert intent.terms.amount == Decimal("1200.50")
    assert money_of(intent).reference == f"INV 7 RETURN {intent.intent_id}"


def test_a_transfer_is_repeated_as_a_transfer() -> None:
    paying = Paying()
    confirm(repeat_of(paying.ui, MOVED))
    (intent,) = paying.port.submitted
    assert intent.terms.destination_wallet_id == USD_BOLT


def test_a_payment_whose_parties_are_not_known_asks_for_them() -> None:
    assert repeat_of(Paying().ui, payment(1, "100")).view().name == "from wallet"
