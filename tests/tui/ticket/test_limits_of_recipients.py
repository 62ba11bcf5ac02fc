"""A recipient's own limits bind payouts, trades and decisions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from paytui.config.settings import AmountLimits
from paytui.domain.intent import Standing
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ui_context import UiContext
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, USD
from tests.tui.ticket.paying import GLOBEX, USD_DESK, Paying, confirm, said
from tests.tui.ticket.trading import Trading

MOST = "the most that goes to this recipient"


def limit(ui: UiContext, **bounds: str) -> None:
    """Globex, or Foundry, gets no more than this."""
    amounts = {name: {USD: Decimal(amount)} for name, amount in bounds.items()}
    profile = replace(ui.settings.profile, recipients={GLOBEX: AmountLimits(**amounts)})
    ui.settings = replace(ui.settings, profile=profile)


def test_a_payout_above_it_is_not_sent() -> None:
    paying = Paying()
    limit(paying.ui, refuse_above="1199.99")
    ticket = paying.ready_payout("1200")
    assert ticket.view().name == "amount"
    assert MOST in said(ticket)
    confirm(ticket)
    assert paying.port.submitted == []


def test_it_is_said_while_the_amount_is_typed() -> None:
    paying = Paying()
    limit(paying.ui, refuse_above="1199.99")
    ticket = paying.payout(USD_DESK, GLOBEX)
    ticket.typed("1200")
    assert MOST in said(ticket)


def test_what_is_typed_for_it_is_typed_although_no_real_money_moves() -> None:
    paying = Paying()
    limit(paying.ui, confirm_above="1000")
    ticket = paying.ready_payout("1200")
    assert ticket.view().asked == "1200"


def test_a_trade_that_pays_more_than_it_is_not_confirmed() -> None:
    trading = Trading()
    limit(trading.ui, refuse_above="650")  # 1,000.00 AUD at 0.65123 are 651.23 USD
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = trading.ticket(
        {"from_wallet": "wal-1", "to": payee_key("rec-1"), "reference": "Invoice 42"}
    )
    ticket.typed("1000")
    assert MOST in said(ticket)
    ticket.go_on()
    assert ticket.view().name == "sell amount"
    assert MOST in said(ticket)
    confirm(ticket)
    assert trading.port.submitted == []


def test_it_holds_when_what_was_recorded_is_to_be_sent() -> None:
    paying = Paying()
    ticket = paying.ready_payout("1200")
    confirm(ticket)
    [intent] = paying.port.submitted
    row = row_of(intent, Standing.RECORDED)
    paying.store.intents.put([row])
    limit(paying.ui, refuse_above="1199.99")
    decision = Ticket(DecisionTask(paying.ui, row))
    decision.chosen("send it now")
    assert MOST in said(decision)
    confirm_decision = decision.view().confirms
    decision.confirm(confirm_decision)
    assert paying.port.decided == []
