"""Links to the screens of attention items and of related lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from textual.app import App
from textual.screen import Screen

from paytui.domain.intent import IntentId
from paytui.domain.models import AccountId, Kind, Record, WalletId
from paytui.store.relations import belongs_to
from paytui.store.views.attention import Attention, AttentionTarget
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Ref, RelatedList, name_of
from paytui.tui.screens.activity import IntentScreen
from paytui.tui.screens.base import BaseScreen
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.payins import PayInAddressesPage, payin_addresses, payins
from paytui.tui.screens.payments import payments
from paytui.tui.screens.recipients import RecipientsPage, recipients
from paytui.tui.screens.trades import trades
from paytui.tui.screens.wallets import WalletsPage, wallets

T = TypeVar("T")

_LISTED: Mapping[Kind, Callable[[UiContext], Screen[None]]] = MappingProxyType(
    {
        Kind.PAYINS: lambda desk: ListPage(desk, payins(desk)),
        Kind.PAYIN_ADDRESSES: lambda desk: ListPage(desk, payin_addresses(desk)),
    }
)
"""Lists without a number key."""

_MODES = MappingProxyType({Kind.RATE_SHEETS: "rates", Kind.PAYMENT_ADDRESSES: "recipients"})
"""The numbered screens of kinds that have none of their own name."""


def go_to(app: App[T], desk: UiContext, item: Attention) -> None:
    """Open the screen where an attention item is dealt with."""
    match item.place:
        case AttentionTarget.OBJECT:
            app.push_screen(DetailScreen(desk, Ref(item.kind, item.key)))
        case AttentionTarget.INTENT:
            app.push_screen(IntentScreen(desk, IntentId(item.key)))
        case AttentionTarget.WIZARD:
            app.switch_mode(item.key)
        case AttentionTarget.LIST if item.kind in _LISTED:
            app.push_screen(_LISTED[item.kind](desk))
        case AttentionTarget.LIST:
            app.switch_mode(_MODES.get(item.kind, item.kind.value))


K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Record)


def related_page(desk: UiContext, those: RelatedList) -> BaseScreen:
    """Return the list of a related kind, such as an account's payments.

    It ignores the account in scope: its title names the owner.
    """
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


def _only(desk: UiContext, listing: ListSpec[K, R], those: RelatedList) -> ListSpec[K, R]:
    return replace(
        listing,
        only=belongs_to(desk.store, those.of.kind, those.of.key, those.kind),
        owner=lambda _: desk.scope,
        within=name_of(desk, those.of),
    )
