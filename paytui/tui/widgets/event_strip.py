"""The newest webhooks in a few lines, under the list of intents."""

from __future__ import annotations

from heapq import nlargest

from textual.content import Content
from textual.widget import Widget

from paytui.store.reports import EventRow
from paytui.tui.context import Desk
from paytui.tui.format.cells import trust_cell
from paytui.tui.format.feeds import counted, listening_words, no_events_words
from paytui.tui.format.times import since_time
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.edges import Edges

LINES = 3


class EventStrip(Widget):
    """Repaints when a webhook came, or something came of one."""

    DEFAULT_CSS = f"""
    EventStrip {{ height: {LINES}; width: 1fr; }}
    """

    def __init__(self, desk: Desk, title: Edges) -> None:
        super().__init__()
        self._desk = desk
        self._title = title
        self._lines: tuple[Content, ...] = ()

    def show(self) -> None:
        """Show the newest there are now."""
        events = self._desk.store.events
        words = listening_words(self._desk)
        title = toned(f" {counted(len(events), 'webhooks')}", Tone.MUTED)
        self._title.say(title, toned(f"{words.text} ", words.tone))
        newest = nlargest(LINES, events.rows(), key=lambda row: row.number)
        lines = tuple(self._line(row) for row in newest)
        if not lines:
            width = max(1, self.content_size.width - 2)
            why = toned(no_events_words(self._desk), Tone.MUTED).wrap(width)
            lines = tuple(Content(" ") + piece for piece in why[:LINES])
        if not _same(lines, self._lines):
            self._lines = lines
            self.refresh()

    def on_resize(self) -> None:
        """Fit words that take several lines into the new width."""
        self.show()

    def render(self) -> Content:
        """A line each; what is cut ends in an ellipsis."""
        width = self.content_size.width
        return Content("\n").join(line.truncate(width, ellipsis=True) for line in self._lines)

    def _line(self, row: EventRow) -> Content:
        desk, trust = self._desk, trust_cell(row)
        came = since_time(row.received_at, desk.time.latest(), desk.zone)
        parts = [toned(f" {came}", Tone.MUTED), toned(f"{trust.text:<11}", trust.tone)]
        parts += [toned(words) for words in (row.event_type, row.caused) if words]
        parts += [toned(row.object_id, Tone.MUTED)] if row.object_id else []
        return Content("  ").join(parts)


def _same(ones: tuple[Content, ...], others: tuple[Content, ...]) -> bool:
    return len(ones) == len(others) and all(map(Content.is_same, ones, others))
