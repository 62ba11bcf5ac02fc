"""What needs attention, as rows of a list."""

from __future__ import annotations

from paytui.domain.models import Kind, State
from paytui.store.views.attention import Attention, Place, Urgency
from paytui.tui.context import Desk
from paytui.tui.format.cells import state_words
from paytui.tui.format.times import age
from paytui.tui.table.columns import Column
from paytui.tui.theme.themes import Cell, Tone

Key = tuple[Place, Kind, str, Urgency, str]

_SIGNS = {
    Urgency.DOUBT: Cell("?", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}


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


def _matter(item: Attention) -> Cell:
    words = state_words(item.matter) if isinstance(item.matter, State) else item.matter
    return Cell(words, _SIGNS[item.urgency].tone)


def _since(desk: Desk, item: Attention) -> Cell:
    period = "" if item.since is None else age(desk.time.latest() - item.since)
    return Cell(period, Tone.MUTED)
