"""What needs attention, as rows of a list, and where each of them leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from textual.app import App
from textual.screen import Screen

from paytui.api.models import Kind, State
from paytui.intent import IntentId
from paytui.store.views.attention import Attention, Place, Urgency
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.intent import IntentScreen
from paytui.tui.screens.listing import ListPage
from paytui.tui.screens.payin_addresses import payin_addresses
from paytui.tui.screens.payins import payins
from paytui.tui.state_cell import state_words
from paytui.tui.times import age
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column

T = TypeVar("T")
Key = tuple[Place, Kind, str, Urgency, str]

_SIGNS = {
    Urgency.DOUBT: Cell("?", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}

_LISTED: Mapping[Kind, Callable[[Desk], Screen[None]]] = MappingProxyType(
    {
        Kind.PAYINS: lambda desk: ListPage(desk, payins(desk)),
        Kind.PAYIN_ADDRESSES: lambda desk: ListPage(desk, payin_addresses(desk)),
    }
)
"""Lists that have no number."""

_MODES = MappingProxyType({Kind.RATE_SHEETS: "rates", Kind.PAYMENT_ADDRESSES: "recipients"})
"""Where objects are seen whose own name no numbered screen has."""


def attention_key(item: Attention) -> Key:
    """What tells two of them apart; what only tells the time is no part of it."""
    matter = item.matter if item.place is Place.INTENT else ""
    return item.place, item.kind, item.key, item.urgency, str(matter)


def attention_columns(desk: Desk) -> tuple[Column[Attention], ...]:
    """Sign, what, how much, matter, and for how long; the most urgent and newest first."""
    return (
        Column(
            title="",
            cell=lambda item: _SIGNS[item.urgency],
            width=2,
            key=lambda item: (item.urgency, item.since is not None, item.since),
        ),
        Column(title="What", cell=lambda item: Cell(item.subject), width=10, grows=True, most=32),
        Column(
            title="Amount", cell=lambda item: Cell(item.amount), width=6, whole=True, right=True
        ),
        Column(title="Matter", cell=_matter, width=11, grows=True),
        Column(
            title="Since",
            cell=lambda item: _since(desk, item),
            width=6,
            right=True,
            gives_way=1,
        ),
    )


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


def _matter(item: Attention) -> Cell:
    words = state_words(item.matter) if isinstance(item.matter, State) else item.matter
    return Cell(words, _SIGNS[item.urgency].tone)


def _since(desk: Desk, item: Attention) -> Cell:
    period = "" if item.since is None else age(desk.time.latest() - item.since)
    return Cell(period, Tone.MUTED)
