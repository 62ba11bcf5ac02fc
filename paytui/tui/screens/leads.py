"""Where what needs attention leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from textual.app import App
from textual.screen import Screen

from paytui.domain.intent import IntentId
from paytui.domain.models import Kind
from paytui.store.views.attention import Attention, Place
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.intent import IntentScreen
from paytui.tui.screens.listing import ListPage
from paytui.tui.screens.payin_addresses import payin_addresses
from paytui.tui.screens.payins import payins

T = TypeVar("T")

_LISTED: Mapping[Kind, Callable[[Desk], Screen[None]]] = MappingProxyType(
    {
        Kind.PAYINS: lambda desk: ListPage(desk, payins(desk)),
        Kind.PAYIN_ADDRESSES: lambda desk: ListPage(desk, payin_addresses(desk)),
    }
)
"""Lists that have no number."""

_MODES = MappingProxyType({Kind.RATE_SHEETS: "rates", Kind.PAYMENT_ADDRESSES: "recipients"})
"""Where objects are seen whose own name no numbered screen has."""


def go_to(app: App[T], desk: Desk, item: Attention) -> None:
    """Show the place where it is seen to."""
    match item.place:
        case Place.OBJECT:
            app.push_screen(DetailScreen(desk, Ref(item.kind, item.key)))
        case Place.INTENT:
            app.push_screen(IntentScreen(desk, IntentId(item.key)))
        case Place.WIZARD:
            app.switch_mode(item.key)
        case Place.LIST if item.kind in _LISTED:
            app.push_screen(_LISTED[item.kind](desk))
        case Place.LIST:
            app.switch_mode(_MODES.get(item.kind, item.kind.value))
