"""The numbered screens: each is imported and built when it is first shown, and then kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.tui.context import UiContext
from paytui.tui.screens.base import MainPage


def _overview(desk: UiContext) -> MainPage:
    from paytui.tui.screens.overview import OverviewPage

    return OverviewPage(desk)


def _accounts(desk: UiContext) -> MainPage:
    from paytui.tui.screens.accounts import AccountsPage

    return AccountsPage(desk)


def _wallets(desk: UiContext) -> MainPage:
    from paytui.tui.screens.wallets import WalletsPage

    return WalletsPage(desk)


def _rates(desk: UiContext) -> MainPage:
    from paytui.tui.screens.rates import RatesPage

    return RatesPage(desk)


def _trades(desk: UiContext) -> MainPage:
    from paytui.tui.screens.listing import ListPage
    from paytui.tui.screens.trades import trades

    return ListPage(desk, trades(desk))


def _payments(desk: UiContext) -> MainPage:
    from paytui.tui.screens.listing import ListPage
    from paytui.tui.screens.payments import payments

    return ListPage(desk, payments(desk))


def _recipients(desk: UiContext) -> MainPage:
    from paytui.tui.screens.recipients import RecipientsPage

    return RecipientsPage(desk)


def _activity(desk: UiContext) -> MainPage:
    from paytui.tui.screens.activity import ActivityPage

    return ActivityPage(desk)


PAGES: Mapping[str, Callable[[UiContext], MainPage]] = MappingProxyType(
    {
        "overview": _overview,
        "accounts": _accounts,
        "wallets": _wallets,
        "rates": _rates,
        "trades": _trades,
        "payments": _payments,
        "recipients": _recipients,
        "activity": _activity,
    }
)
"""Builders of the screens by mode; each imports its module at its first call."""
