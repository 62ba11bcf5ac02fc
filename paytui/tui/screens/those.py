"""The list of what belongs to one object: the payments of an account, the trades of a wallet."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TypeVar

from paytui.domain.models import AccountId, Kind, Record, WalletId
from paytui.store.relations import belongs_to
from paytui.tui.context import Desk
from paytui.tui.details.facts import Those
from paytui.tui.details.links import name_of
from paytui.tui.screens.frame import Frame
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.screens.payin_addresses import PayInAddressesPage, payin_addresses
from paytui.tui.screens.payins import payins
from paytui.tui.screens.payments import payments
from paytui.tui.screens.recipients import RecipientsPage, recipients
from paytui.tui.screens.trades import trades
from paytui.tui.screens.wallets import WalletsPage, wallets

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Record)


def those_page(desk: Desk, those: Those) -> Frame:
    """The list, whatever account is looked at elsewhere: it says itself whose rows it holds."""
    key = those.of.key
    match those.kind:
        case Kind.WALLETS:
            return WalletsPage(desk, _only(desk, wallets(desk), those), AccountId(key))
        case Kind.PAYIN_ADDRESSES:
            listing = _only(desk, payin_addresses(desk), those)
            return PayInAddressesPage(desk, listing, WalletId(key))
        case Kind.PAYINS:
            return ListPage(desk, _only(desk, payins(desk), those))
        case Kind.RECIPIENTS:
            return RecipientsPage(desk, _only(desk, recipients(desk), those), AccountId(key))
        case Kind.TRADES:
            return ListPage(desk, _only(desk, trades(desk), those))
        case _:
            return ListPage(desk, _only(desk, payments(desk), those))


def _only(desk: Desk, listing: Listing[K, R], those: Those) -> Listing[K, R]:
    return replace(
        listing,
        only=belongs_to(desk.store, those.of.kind, those.of.key, those.kind),
        owner=lambda _: desk.scope,
        within=name_of(desk, those.of),
    )
