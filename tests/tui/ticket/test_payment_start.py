"""The object under the cursor is filled in and not asked for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.config.templates import Template
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
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, FROM, TO
from paytui.tui.ticket.money import Order
from paytui.tui.ticket.templates import repeated, values_about, values_of
from tests.support.intents import money_of
from tests.tui.book import AUD, USD, payment, wallet
from tests.tui.ticket.paying import (
    EUR,
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    Paying,
    address,
    confirm,
    recipient,
    said,
    typed_so_far,
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
    paying = Paying()
    return paying.ticket("payout", values_about(paying.ui, "payout", selected))


def transfer_of(selected: object) -> Ticket[Order]:
    paying = Paying()
    return paying.ticket("transfer", values_about(paying.ui, "transfer", selected))


def repeat_of(paying: Paying, paid: Payment) -> Ticket[Order]:
    kind = "transfer" if paid.destination_wallet_id else "payout"
    return paying.ticket(kind, repeated(paying.ui, paid))


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
    assert "Bank account 000123457 USD" in said(ticket)


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


class TestAnAmountOfAnotherCurrency:
    """An amount is never taken for as many of another currency."""

    def with_wallets(self, *, moved: bool) -> Paying:
        """Return a desk that pays USD and EUR, with USD desk gone or in EUR now."""
        paying = Paying()
        paying.store.wallets.remove([USD_DESK])
        paying.store.wallets.put([wallet(6, "EUR desk", "900", currency=EUR)])
        if moved:
            paying.store.wallets.put([wallet(2, "USD desk", "5000", currency=EUR)])
        paid = address(8, 1, currency=EUR)
        paying.store.recipients.put([recipient(1, "Globex", address(1, 1), paid)])
        return paying

    @pytest.mark.parametrize("paid", [PAID, MOVED])
    def test_is_not_repeated_as_one_of_a_wallet_that_changed_its_currency(
        self, paid: Payment
    ) -> None:
        paying = self.with_wallets(moved=True)
        amount = "1,200.50" if paid is PAID else "5.00"
        ticket = repeat_of(paying, paid)
        assert f"{amount} EUR" not in said(ticket)
        while ticket.view().name != "amount":
            ticket.go(1)
        assert f"{amount} EUR" not in said(ticket)
        confirm(ticket)
        assert paying.port.submitted == []

    def test_is_shown_in_its_own_while_the_wallet_is_gone(self) -> None:
        ticket = repeat_of(self.with_wallets(moved=False), PAID)
        assert ticket.view().name == "from"
        [amount] = [one for one in ticket.view().fields if one.key == AMOUNT]
        assert amount.shown == "1,200.50 USD"
        ticket.chosen("wal-3")
        assert ticket.view().name == "confirm"
        assert "1,200.50 USD" in said(ticket)

    def test_is_not_repeated_from_another_wallet_than_the_one_that_is_gone(self) -> None:
        ticket = repeat_of(self.with_wallets(moved=False), replace(PAID, payment_address_id=None))
        ticket.chosen("adr-8")
        ticket.chosen("wal-6")
        assert ticket.view().name == "amount"
        assert typed_so_far(ticket) == ""

    @pytest.mark.parametrize("account", ["adr-1", "adr-8"])
    def test_of_a_template_whose_wallet_is_gone_is_asked_for(self, account: str) -> None:
        paying = self.with_wallets(moved=False)
        template = Template(
            name="Rent",
            profile=paying.ui.settings.profile.name,
            kind="payout",
            recipient=GLOBEX,
            payment_address=account,
            from_wallet=USD_DESK,
            amount="1200",
        )
        ticket = paying.ticket("payout", values_of(paying.ui, template))
        assert ticket.view().name == "from"
        ticket.chosen("wal-3" if account == "adr-1" else "wal-6")
        assert ticket.view().name == "amount"
        assert typed_so_far(ticket) == ""

    def test_of_a_wallet_that_is_gone_is_asked_for_if_nothing_names_its_currency(self) -> None:
        paying = self.with_wallets(moved=False)
        values = {TO: payee_key(GLOBEX), ACCOUNT: "adr-8", FROM: USD_DESK, AMOUNT: "1200"}
        ticket = paying.ticket("payout", values)
        assert ticket.view().name == "from"
        ticket.chosen("wal-6")
        assert ticket.view().name == "amount"
        assert typed_so_far(ticket) == ""

    @pytest.mark.parametrize("is_gone", [True, False])
    def test_of_a_payment_that_does_not_name_it_is_that_of_its_wallet(
        self, *, is_gone: bool
    ) -> None:
        paying = self.with_wallets(moved=False) if is_gone else Paying()
        values = repeated(paying.ui, replace(PAID, currency=None))
        assert values.get(AMOUNT) == (None if is_gone else "1200.5")
