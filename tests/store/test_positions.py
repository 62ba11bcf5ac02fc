"""Net positions by currency; every expected value is worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain.models import (
    AccountId,
    Payment,
    PaymentAddressId,
    PaymentId,
    RecipientId,
    State,
    Trade,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.figures import (
    PendingFlows,
    Position,
    is_open_payment,
    is_open_trade,
    positions,
    totals,
)
from tests.store.made import ACME, AUD, OTHER, USD, state, trade, wallet

AUD_WALLET = wallet("aud", AUD, "700", reserved="300")
USD_WALLET = wallet("usd", USD, "50")
THEIRS = wallet("theirs", AUD, "10", account_id=OTHER)


def paid(
    amount: str | None,
    status: str = "created",
    *,
    into: WalletId | None = None,
    account_id: AccountId | None = ACME,
) -> Payment:
    """A payout from the AUD wallet, or a transfer."""
    return Payment(
        PaymentId("p"),
        payment_type="transfer" if into else "payout",
        account_id=account_id,
        source_wallet_id=AUD_WALLET.wallet_id,
        destination_wallet_id=into,
        amount=None if amount is None else Decimal(amount),
        currency=AUD,
        status=state(status),
    )


def net(
    wallets: Iterable[Wallet],
    trades: Iterable[Trade] = (),
    payments: Iterable[Payment] = (),
    account_id: AccountId | None = None,
) -> dict[CurrencyCode, Decimal | None]:
    return {one.currency: one.net for one in _positions(wallets, trades, payments, account_id)}


def _positions(
    wallets: Iterable[Wallet],
    trades: Iterable[Trade] = (),
    payments: Iterable[Payment] = (),
    account_id: AccountId | None = None,
    *,
    all_wallets: bool = True,
) -> list[Position]:
    known = {one.wallet_id: one for one in wallets}
    under_way = PendingFlows(known.get, account_id)
    for one in filter(is_open_trade, trades):
        under_way.add(one)
    for payment in filter(is_open_payment, payments):
        under_way.add(payment)
    held = [one for one in known.values() if account_id in (None, one.account_id)]
    return positions(totals(held), under_way, all_wallets=all_wallets)


def test_where_nothing_is_under_way_it_is_what_is_held_reserved_or_not() -> None:
    """700 + 300."""
    assert net([AUD_WALLET, USD_WALLET]) == {AUD: Decimal(1000), USD: Decimal(50)}


def test_an_open_trade_takes_what_it_sells_and_brings_what_it_buys() -> None:
    """1,000 - 300 and 50 + 195.50: what is sold is reserved, and taken off once."""
    found = net([AUD_WALLET, USD_WALLET], [trade("t", "300", "195.50", "compliance_review")])
    assert found == {AUD: Decimal(700), USD: Decimal("245.50")}


def test_a_trade_that_waits_for_funds_may_bring_a_position_below_zero() -> None:
    """1,000 - 5,000."""
    assert net([AUD_WALLET], [trade("t", "5000", "3250", "awaiting_funds")]) == {
        AUD: Decimal(-4000),
        USD: Decimal(3250),
    }


@pytest.mark.parametrize("status", ["exchanged", "rejected", "failed"])
def test_a_trade_that_is_over_moves_nothing_any_more(status: str) -> None:
    assert net([AUD_WALLET], [trade("t", "300", "195", status)]) == {AUD: Decimal(1000)}


def test_a_trade_in_a_state_that_no_dialect_lists_is_open() -> None:
    """service.md, "The dialect": such a state is treated as not final."""
    odd = replace(trade("t", "300", "195"), status=State("ON_THE_DESK", known=False))
    assert net([AUD_WALLET], [odd])[AUD] == Decimal(700)


def test_a_trade_that_does_not_tell_its_state_is_not_counted() -> None:
    assert net([AUD_WALLET], [replace(trade("t", "300", "195"), status=None)]) == {
        AUD: Decimal(1000)
    }


def test_a_trade_that_pays_a_recipient_brings_nothing() -> None:
    paying = replace(
        trade("t", "300", "195"),
        recipient_id=RecipientId("r"),
        payment_address_id=PaymentAddressId("a"),
    )
    assert net([AUD_WALLET, USD_WALLET], [paying]) == {AUD: Decimal(700), USD: Decimal(50)}


@pytest.mark.parametrize("status", ["created", "compliance_review", "processing"])
def test_an_open_payout_takes_its_amount(status: str) -> None:
    """1,000 - 120."""
    assert net([AUD_WALLET], payments=[paid("120", status)]) == {AUD: Decimal(880)}


@pytest.mark.parametrize(
    "status", ["released", "completed", "returned", "rejected", "cancelled", "failed"]
)
def test_a_payout_has_left_once_it_is_released_and_never_leaves_where_it_came_to_nothing(
    status: str,
) -> None:
    assert net([AUD_WALLET], payments=[paid("120", status)]) == {AUD: Decimal(1000)}


def test_a_transfer_within_the_book_changes_no_position() -> None:
    """1,000 + 10 - 120 + 120."""
    found = net([AUD_WALLET, THEIRS], payments=[paid("120", into=THEIRS.wallet_id)])
    assert found == {AUD: Decimal(1010)}


def test_a_transfer_is_taken_from_one_account_and_brought_to_the_other() -> None:
    """Acme: 1,000 - 120; the other: 10 + 120."""
    wallets, moved = [AUD_WALLET, THEIRS], [paid("120", into=THEIRS.wallet_id)]
    assert net(wallets, payments=moved, account_id=ACME) == {AUD: Decimal(880)}
    assert net(wallets, payments=moved, account_id=OTHER) == {AUD: Decimal(130)}


def test_a_transfer_to_a_wallet_that_nobody_knows_leaves() -> None:
    moved = [paid("120", into=WalletId("elsewhere"))]
    assert net([AUD_WALLET], payments=moved) == {AUD: Decimal(880)}


def test_whose_a_payment_is_can_be_told_by_its_wallet() -> None:
    mute = [paid("120", account_id=None)]
    assert net([AUD_WALLET, THEIRS], payments=mute, account_id=ACME) == {AUD: Decimal(880)}
    assert net([AUD_WALLET, THEIRS], payments=mute, account_id=OTHER) == {AUD: Decimal(10)}


def test_what_a_trade_buys_for_another_account_is_that_account_s() -> None:
    usd_of_other = wallet("usd-o", USD, "5", account_id=OTHER)
    for_other = replace(trade("t", "300", "195"), buy_wallet_id=usd_of_other.wallet_id)
    wallets = [AUD_WALLET, usd_of_other]
    assert net(wallets, [for_other], account_id=ACME) == {AUD: Decimal(700)}
    assert net(wallets, [for_other], account_id=OTHER) == {USD: Decimal(200)}


def test_what_does_not_tell_its_amount_is_counted_as_untold() -> None:
    (aud, usd) = _positions([AUD_WALLET], [trade("t", "300", None)], [paid(None)])
    assert (aud.net, aud.untold) == (Decimal(700), 1)
    assert (usd.net, usd.untold) == (Decimal(0), 1)


def test_a_currency_in_which_no_wallet_tells_its_balance_has_no_position() -> None:
    (aud,) = _positions([wallet("mute", AUD)], payments=[paid("5")])
    assert aud.net is None


def test_a_currency_without_wallets_holds_nothing_once_all_wallets_are_known() -> None:
    (_, usd) = _positions([AUD_WALLET], [trade("t", "300", "195.50")])
    assert (usd.total.available, usd.net) == (Decimal(0), Decimal("195.50"))


def test_of_a_currency_whose_wallets_were_not_read_nobody_knows_what_is_held() -> None:
    found = _positions([AUD_WALLET], [trade("t", "300", "195.50")], all_wallets=False)
    (aud, usd) = found
    assert (aud.total.available, aud.net) == (Decimal(700), Decimal(700))
    assert (usd.total.available, usd.net) == (None, None)


def test_a_position_is_exact_beyond_the_digits_of_a_default_decimal() -> None:
    """0.02 - 1,111,111,111,111,111,111,111,111,111.11."""
    found = net([wallet("aud", AUD, "0.02")], [trade("t", "1111111111111111111111111111.11", "1")])
    assert found[AUD] == Decimal("-1111111111111111111111111111.09")
