"""Payees with names that a terminal cannot show are told apart by id."""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.models import WalletId
from paytui.tui.terminal.tty import in_ascii
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.trade import Deal
from tests.tui.book import AUD_USD
from tests.tui.ticket.paying import USD_DESK, Paying, address, recipient, said
from tests.tui.ticket.trading import Trading


def trade_for(name: str) -> Ticket[Deal]:
    """A trade for a payee of this name, at the field of its target."""
    trading = Trading()
    trading.ui.in_ascii = True
    [payee] = trading.store.recipients.rows()
    named = replace(payee, company_name=name, first_name=None, last_name=None)
    trading.store.recipients.put([named])
    trading.hold("one", {AUD_USD: "0.65123"})
    trading.store.wallets.remove([WalletId("wal-4")])
    written = {"sell_amount": "1000", "reference": "Invoice 42"}
    return trading.ticket({"from_wallet": "wal-1", "buy": "USD", **written})


def test_the_question_to_whom_tells_two_such_payees_apart() -> None:
    paying = Paying()
    paying.store.recipients.put([recipient(8, "王明", address(18, 8))])
    paying.store.recipients.put([recipient(9, "李华", address(19, 9))])
    assert "王明 | USD |" in said(paying.payout(USD_DESK))
    paying.ui.in_ascii = True
    shown = in_ascii(said(paying.payout(USD_DESK)))
    assert "???? | USD  id rec-8 |" in shown
    assert "???? | USD  id rec-9 |" in shown
    assert "Globex | USD |" in shown


def test_a_trade_asks_for_whom_and_confirms_it_with_the_id() -> None:
    ticket = trade_for("王明")
    assert "???? | recipient  USD  id rec-1" in in_ascii(said(ticket))
    ticket.chosen(payee_key("rec-1"))
    assert ticket.view().name == "confirm"
    assert "Recipient id rec-1" in said(ticket)


def test_a_payee_whose_name_can_be_read_needs_no_id() -> None:
    assert "Zoe Muller | recipient  " in in_ascii(said(trade_for("Zoë Müller")))
