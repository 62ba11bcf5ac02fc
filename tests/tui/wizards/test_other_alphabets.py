"""Payees with names that a terminal cannot show are told apart by id."""

from __future__ import annotations

from dataclasses import replace

from paytui.tui.terminal.tty import in_ascii
from paytui.tui.wizards.trade_wizard import TradeWizard, trade_from
from tests.tui.book import AUD_USD
from tests.tui.wizards.paying import USD_DESK, Paying, address, recipient, said
from tests.tui.wizards.trading import Trading


def trade_for(name: str) -> TradeWizard:
    """A trade for a payee of this name, at the question whom it is for."""
    trading = Trading()
    [payee] = trading.store.recipients.rows()
    named = replace(payee, company_name=name, first_name=None, last_name=None)
    trading.store.recipients.put([named])
    trading.hold("one", {AUD_USD: "0.65123"})
    return trade_from(trading.ui, trading.store.wallets.rows()[0])


def test_the_question_to_whom_tells_two_such_payees_apart() -> None:
    paying = Paying()
    paying.store.recipients.put([recipient(8, "王明", address(18, 8))])
    paying.store.recipients.put([recipient(9, "李华", address(19, 9))])
    shown = in_ascii(said(paying.payout(USD_DESK)))
    assert "???? | rec-8 |" in shown
    assert "???? | rec-9 |" in shown
    assert "Globex |  |" in shown


def test_a_trade_asks_for_whom_and_confirms_it_with_the_id() -> None:
    machine = trade_for("王明")
    assert "???? | recipient rec-1  " in in_ascii(said(machine))
    machine.chosen("adr-1")
    machine.typed("1000")
    machine.go_on()
    machine.typed("Invoice 42")
    machine.go_on()
    machine.chosen("locked")
    assert machine.view().name == "confirm"
    assert "Recipient id rec-1" in said(machine)


def test_a_payee_whose_name_can_be_read_needs_no_id() -> None:
    assert "Zoe Muller | recipient  " in in_ascii(said(trade_for("Zoë Müller")))
