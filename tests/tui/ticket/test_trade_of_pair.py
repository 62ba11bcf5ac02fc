"""A trade that starts from a pair: known values are filled in, others asked for."""

from __future__ import annotations

from paytui.domain.models import AccountId, WalletId
from paytui.domain.money import Pair
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.templates import values_about
from paytui.tui.ticket.trade import Deal
from tests.tui.book import AUD, USD, account, wallet
from tests.tui.ticket.paying import said
from tests.tui.ticket.trading import Trading


def started(trading: Trading, pair: Pair, amount: str = "5") -> Ticket[Deal]:
    """Return a ticket of a pair with an amount."""
    ticket = trading.ticket(values_about(trading.ui, "trade", pair))
    assert ticket.view().name == "sell amount"
    ticket.typed(amount)
    ticket.go_on()
    return ticket


def possible(ticket: Ticket[Deal]) -> list[str]:
    return [one.name for one in ticket.view().options if not one.why_not]


def test_a_balance_is_sold() -> None:
    assert values_about(Trading().ui, "trade", USD) == {"sell": "USD"}


def test_where_several_wallets_can_sell_it_is_asked_which() -> None:
    ticket = started(Trading(), Pair(AUD, USD))
    assert ticket.view().name == "from"
    assert possible(ticket) == ["AUD desk", "AUD payroll"]
    why = {one.name: one.why_not for one in ticket.view().options if one.why_not}
    assert why["JPY desk"] == "wrong currency (JPY)"


def test_a_pair_of_which_nothing_can_be_sold_says_so() -> None:
    ticket = Trading().ticket({"sell": "GBP", "buy": "USD"})
    assert ticket.view().name == "sell"
    ticket.go_on()
    assert ticket.view().name == "sell"
    assert "GBP: no wallet." in said(ticket)


def test_a_pair_of_which_nothing_can_be_bought_says_so() -> None:
    ticket = Trading().ticket({"sell": "AUD", "buy": "GBP"})
    assert ticket.view().name == "buy"
    ticket.go_on()
    assert ticket.view().name == "buy"
    assert "GBP: no wallet or recipient." in said(ticket)


def test_the_only_wallet_of_the_selling_account_is_bought_into_whatever_others_have() -> None:
    trading = Trading()
    assert "AUD payroll" in [one.wallet_name for one in trading.store.wallets.rows()]
    ticket = started(trading, Pair(USD, AUD))
    assert ticket.view().name == "confirm"
    assert "into AUD desk" in said(ticket)


def test_of_the_account_that_is_looked_at_the_wallets_are_clear() -> None:
    trading = Trading()
    trading.ui.scope = AccountId("acc-1")
    assert started(trading, Pair(AUD, USD)).view().name == "confirm"


def test_where_several_wallets_of_the_account_fit_it_is_asked_which() -> None:
    trading = Trading()
    trading.store.wallets.put([wallet(6, "AUD spare", "5")])
    ticket = started(trading, Pair(USD, AUD))
    assert ticket.view().name == "into"
    assert possible(ticket) == ["AUD desk", "AUD spare", "AUD payroll"]
    assert ticket.view().options[2].facts == "! Bolt, other account"


def test_where_who_sells_has_no_wallet_for_it_no_other_accounts_is_taken_by_itself() -> None:
    trading = Trading()
    trading.store.wallets.remove([WalletId("wal-1")])
    trading.store.accounts.put([account(2, "Bolt B.V.")])
    ticket = started(trading, Pair(USD, AUD))
    assert ticket.view().name == "into"
    ticket.typed("payroll")
    ticket.go_on()
    assert ticket.view().name == "into"
    ticket.chosen("wal-2")
    assert ticket.view().name == "confirm"
    assert "! The money goes to another account: Bolt B.V.\n" in said(ticket)
    assert "into AUD payroll  ! Bolt B.V., other account, 70,000.00 AUD available" in said(ticket)


def test_recipients_come_after_own_wallets_and_before_those_of_others() -> None:
    trading = Trading()
    trading.store.wallets.put([wallet(6, "USD Bolt", "5", currency=USD, account=2)])
    ticket = trading.ticket(
        {"sell": "JPY", "buy": "USD", "sell_amount": "5", "from_wallet": "wal-3", "to": "wal-9"}
    )
    assert ticket.view().name == "into"
    assert possible(ticket) == ["USD desk", "Foundry Inc", "USD Bolt"]
    ticket.go_on()
    assert ticket.view().name == "into"  # what was chosen is gone: nothing takes its place
    ticket.move(1)
    ticket.go_on()
    assert ticket.view().name == "confirm"
    assert "into USD desk" in said(ticket)


def test_a_wallet_under_the_cursor_that_cannot_pay_sells_nothing() -> None:
    trading = Trading()
    closed = trading.store.wallets.get(WalletId("wal-5"))
    assert values_about(trading.ui, "trade", closed) == {}
