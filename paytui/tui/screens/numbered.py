"""The numbered screens: each is made when it is first shown, and stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.tui.desk import Desk
from paytui.tui.screens.accounts import AccountsPage
from paytui.tui.screens.activity import ActivityPage
from paytui.tui.screens.listing import ListPage
from paytui.tui.screens.overview import OverviewPage
from paytui.tui.screens.page import Page
from paytui.tui.screens.payments import payments
from paytui.tui.screens.rates import RatesPage
from paytui.tui.screens.recipients import RecipientsPage
from paytui.tui.screens.trades import trades
from paytui.tui.screens.wallets import WalletsPage

PAGES: Mapping[str, Callable[[Desk], Page]] = MappingProxyType(
    {
        "overview": OverviewPage,
        "accounts": AccountsPage,
        "wallets": WalletsPage,
        "rates": RatesPage,
        "trades": lambda desk: ListPage(desk, trades(desk)),
        "payments": lambda desk: ListPage(desk, payments(desk)),
        "recipients": RecipientsPage,
        "activity": ActivityPage,
    }
)
"""What makes the screen of each mode."""
