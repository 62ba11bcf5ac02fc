"""A choice that is changed, or made later: no wallet or amount goes on to mean something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from paytui.domain.models import State, WalletId
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import AMOUNT, FROM, TO
from paytui.tui.ticket.model import Values
from tests.tui.book import AUD, AUD_USD, JPY, USD, wallet
from tests.tui.ticket.paying import USD_BOLT, USD_DESK, USD_SPARE, Paying, confirm, said
from tests.tui.ticket.trading import Trading

CLOSED = State("closed")


def reach(ticket: Ticket[Any], name: str) -> None:
    """Go back to the first field, then on to the field of this name."""
    for step in [-1] * 12 + [1] * 12:
        if ticket.view().name == name:
            return
        ticket.go(step)
    raise AssertionError(f"no field {name}: {said(ticket)}")


def choose(ticket: Ticket[Any], name: str, key: str) -> None:
    reach(ticket, name)
    assert key in [option.key for option in ticket.view().options]
    ticket.chosen(key)


def drafted(ticket: Ticket[Any]) -> Values:
    assert ticket.draft is not None
    return ticket.draft


@pytest.mark.parametrize(("field", "choice"), [("sell", "JPY"), ("from", "wal-2")])
def test_a_trade_of_another_customer_leaves_the_wallet_of_the_first_one(
    field: str, choice: str
) -> None:
    """Acme sells AUD into its own wallet; then Bolt is to sell, from the only JPY or from AUD."""
    trading = Trading()
    trading.store.wallets.put([wallet(3, "JPY Bolt", "900", currency=JPY, account=2)])
    ticket = trading.ticket({"sell": "AUD", "from_wallet": "wal-1"})
    choose(ticket, "into", "wal-4")
    assert drafted(ticket)["to"] == "wal-4"
    choose(ticket, field, choice)
    assert "to" not in drafted(ticket)
    assert f"Into was cleared: {field.capitalize()} changed." in said(ticket)


def test_a_wallet_of_another_account_that_was_chosen_as_such_stays() -> None:
    trading = Trading()
    trading.store.wallets.put([wallet(8, "USD Bolt", "1", currency=USD, account=2)])
    trading.store.wallets.put([wallet(9, "AUD spare", "1")])
    ticket = trading.ticket({"sell": "AUD", "from_wallet": "wal-1"})
    choose(ticket, "into", "wal-8")
    choose(ticket, "from", "wal-9")
    assert drafted(ticket)["to"] == "wal-8"


def test_a_transfer_of_another_customer_leaves_the_wallet_of_the_first_one() -> None:
    ticket = Paying().ticket("transfer", {FROM: USD_DESK, TO: USD_SPARE, AMOUNT: "5"})
    choose(ticket, "from", USD_BOLT)
    assert TO not in drafted(ticket)
    assert "To was cleared: From changed." in said(ticket)


def test_an_amount_that_was_typed_for_no_currency_waits_for_the_wallet() -> None:
    paying = Paying()
    store = paying.store
    suspended = State("suspended")
    store.wallets.put([replace(row, status=suspended) for row in store.wallets.rows()])
    ticket = paying.ticket("payout", {})
    reach(ticket, "amount")
    ticket.typed("1000")
    # Of two wallets that become the only one in turn, neither gives it a currency.
    for currency, number in ((USD, 2), (JPY, 11), (USD, 2)):
        others = [row for row in store.wallets.rows() if row.wallet_id != f"wal-{number}"]
        store.wallets.put([replace(row, status=suspended) for row in others])
        store.wallets.put([wallet(number, f"{currency} desk", "5000", currency=currency)])
        ticket.store_changed()
        fields = {field.key: field for field in ticket.view().fields}
        assert (fields[FROM].text, fields[AMOUNT].shown) == ("", "")
    choose(ticket, "from", USD_DESK)
    assert {one.key: one.shown for one in ticket.view().fields}[AMOUNT] == "1,000.00 USD"
    # The service corrects the wallet's currency: the amount stays what was seen.
    store.wallets.put([wallet(2, "USD desk", "5000", currency=AUD)])
    ticket.store_changed()
    reach(ticket, "amount")
    assert "This amount is in USD: type it in AUD." in said(ticket)


def test_a_bought_amount_that_was_typed_for_no_currency_waits_for_it() -> None:
    trading = Trading()
    ticket = trading.ticket({"sell": "AUD"})
    reach(ticket, "buy amount")
    ticket.typed("1000")
    trading.store.recipients.put(
        [replace(row, status=CLOSED) for row in trading.store.recipients.rows()]
    )
    for usd, jpy in ((True, False), (False, True)):
        open_or_closed = {True: State("active"), False: CLOSED}
        trading.store.wallets.put(
            [
                wallet(3, "JPY desk", "1", currency=JPY, status=open_or_closed[jpy]),
                wallet(4, "USD desk", "1", currency=USD, status=open_or_closed[usd]),
            ]
        )
        ticket.store_changed()
        fields = {field.key: field for field in ticket.view().fields}
        assert (fields["buy"].text, fields["buy_amount"].shown) == ("", "")


def test_a_wallet_whose_identifier_reads_like_a_payee_is_a_wallet() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    odd = replace(wallet(7, "Strange", "1", currency=USD), wallet_id=WalletId("payee rec-1"))
    trading.store.wallets.put([odd])
    values = {"sell": "AUD", "buy": "USD", "from_wallet": "wal-1", "sell_amount": "1000"}
    ticket = trading.ticket(values)
    choose(ticket, "into", "payee rec-1")
    assert "into Strange" in said(ticket)
    confirm(ticket)
    request = trading.port.submitted[-1].request
    assert (request.buy_wallet_id, request.recipient_id) == ("payee rec-1", None)  # type: ignore[union-attr]
