"""A trade that starts from a pair: known values are filled in, others asked for."""

from __future__ import annotations

from paytui.domain.models import AccountId, WalletId
from paytui.domain.money import Pair
from paytui.tui.wizards.trade_wizard import TradeWizard, trade_from
from tests.tui.book import AUD, JPY, USD, wallet
from tests.tui.wizards.paying import said
from tests.tui.wizards.trading import Trading


def started(trading: Trading, pair: Pair) -> TradeWizard:
    return trade_from(trading.ui, pair)


def test_where_several_accounts_can_sell_it_is_asked_which() -> None:
    machine = started(Trading(), Pair(AUD, USD))
    assert machine.view().name == "account"
    assert "AUD > USD: choose the account to sell AUD from." in said(machine)


def test_the_account_is_clear_where_one_owns_all_wallets_that_can_sell() -> None:
    trading = Trading()
    trading.store.wallets.put([wallet(6, "JPY spare", "5", currency=JPY)])
    machine = started(trading, Pair(JPY, USD))
    assert machine.view().chosen == "wal-3"
    assert "JPY > USD: choose the wallet to sell JPY from." in said(machine)


def test_what_fits_the_pair_comes_up_under_the_cursor() -> None:
    trading = Trading()
    machine = started(trading, Pair(USD, AUD))
    assert machine.view().chosen == "wal-1"
    assert "USD > AUD: choose the wallet or recipient for the AUD." in said(machine)
    assert "USD desk" in said(machine)


def test_of_the_account_that_is_looked_at_the_wallets_are_clear() -> None:
    trading = Trading()
    trading.ui.scope = AccountId("acc-1")
    assert started(trading, Pair(AUD, USD)).view().name == "amount"


def test_whoever_sells_something_else_after_all_is_not_told_of_the_pair() -> None:
    trading = Trading()
    machine = started(trading, Pair(AUD, USD))
    machine.chosen("acc-1")
    assert "AUD > USD: choose the wallet to sell AUD from." in said(machine)
    machine.chosen("wal-3")
    machine.back()
    machine.chosen("wal-3")
    assert "AUD > USD" not in said(machine)


def test_where_who_sells_has_no_wallet_for_it_no_other_account_comes_up_under_the_cursor() -> None:
    trading = Trading()
    trading.store.wallets.remove([WalletId("wal-1")])
    machine = started(trading, Pair(USD, AUD))
    first = machine.view().options[0]
    assert machine.view().name == "buy into"
    assert machine.view().chosen is None
    assert (first.name, first.facts) == ("JPY desk", "Acme")
    assert "USD > AUD: choose the wallet or recipient for the AUD." in said(machine)


def test_the_wallet_of_another_account_is_named_as_one_in_the_list_and_where_it_is_confirmed() -> (
    None
):
    trading = Trading()
    machine = started(trading, Pair(USD, AUD))
    offered = [one for one in machine.view().options if not one.why_not]
    assert [one.name for one in offered] == ["AUD desk", "JPY desk", "AUD payroll"]
    assert offered[-1].facts == "other account: Bolt"
    machine.chosen("wal-2")
    machine.typed("5")
    machine.go_on()
    machine.go_on()
    machine.chosen("real-time")
    assert machine.view().name == "confirm"
    assert "AUD payroll · other account: Bolt" in said(machine)
