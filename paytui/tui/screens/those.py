"""The list of what belongs to one object: the payments of an account, the trades of a wallet."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from paytui.api.models import Kind, Record
from paytui.store.belonging import belongs_to
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Those
from paytui.tui.details.links import name_of
from paytui.tui.screens.frame import Frame
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.screens.payin_addresses import PayInAddressesPage, payin_addresses
from paytui.tui.screens.payins import payins
from paytui.tui.screens.payments import payments
from paytui.tui.screens.recipients import recipients
from paytui.tui.screens.trades import trades
from paytui.tui.screens.wallets import wallets

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Record)


def those_page(desk: Desk, those: Those) -> Frame:
    """The list, whatever account is looked at elsewhere: it says itself whose rows it holds."""
    return _PAGES[those.kind](desk, those)


def _page(
    listing_of: Callable[[Desk], Listing[K, R]],
    shown: Callable[[Desk, Listing[K, R]], ListPage[K, R]] = ListPage,
) -> Callable[[Desk, Those], ListPage[K, R]]:
    def page(desk: Desk, those: Those) -> ListPage[K, R]:
        listing = replace(
            listing_of(desk),
            only=belongs_to(desk.store, those.of.kind, those.of.key),
            owner=lambda _: desk.scope,
            within=name_of(desk, those.of),
        )
        return shown(desk, listing)

    return page


_PAGES: dict[Kind, Callable[[Desk, Those], Frame]] = {
    Kind.WALLETS: _page(wallets),
    Kind.RECIPIENTS: _page(recipients),
    Kind.TRADES: _page(trades),
    Kind.PAYMENTS: _page(payments),
    Kind.PAYINS: _page(payins),
    Kind.PAYIN_ADDRESSES: _page(payin_addresses, PayInAddressesPage),
}
