"""What needs attention, as rows of a list, and where each of them leads."""

from __future__ import annotations

from paytui.api.models import Kind, State
from paytui.intent import IntentId
from paytui.store.views import Attention, Urgency
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.frame import Frame
from paytui.tui.screens.intent import IntentScreen
from paytui.tui.state_cell import state_words
from paytui.tui.times import age
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column

_SIGNS = {
    Urgency.DOUBT: Cell("?", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}


def attention_key(item: Attention) -> tuple[Kind, str | None, State | str]:
    """What tells two of them apart."""
    return item.kind, item.key, item.matter


def attention_columns(desk: Desk) -> tuple[Column[Attention], ...]:
    """Sign, subject, matter, and for how long; the most urgent and newest first."""
    return (
        Column(
            title="",
            cell=lambda item: _SIGNS[item.urgency],
            width=2,
            key=lambda item: (item.urgency, item.since is not None, item.since),
        ),
        Column(
            title="What",
            cell=lambda item: Cell(item.subject),
            width=10,
            whole=True,
            most=30,
        ),
        Column(
            title="Matter",
            cell=_matter,
            width=8,
            grows=True,
            most=40,
        ),
        Column(
            title="Since",
            cell=lambda item: _since(desk, item),
            width=6,
            right=True,
            gives_way=1,
        ),
    )


def detail_of(desk: Desk, item: Attention) -> Frame | None:
    """The detail view of what it is about; None where it is about a whole feed."""
    if item.key is None:
        return None
    if item.is_intent:
        return IntentScreen(desk, IntentId(item.key))
    return DetailScreen(desk, Ref(item.kind, item.key))


def _matter(item: Attention) -> Cell:
    words = state_words(item.matter) if isinstance(item.matter, State) else item.matter
    return Cell(words, _SIGNS[item.urgency].tone)


def _since(desk: Desk, item: Attention) -> Cell:
    period = "" if item.since is None else age(desk.time.latest() - item.since)
    return Cell(period, Tone.MUTED)
