"""Widgets for the health of feeds: one entry a feed, and the newest webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.platform.text import clean
from paytui.store.reports import EventRow
from paytui.tui.format.cells import trust_cell
from paytui.tui.format.feeds import counted, feed_words, listening_words, no_events_words, noun
from paytui.tui.theme.tones import Cell, Tone, toned
from paytui.tui.times import since_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.text import SplitLine

TROUBLE = "!"  # The sign of an incomplete feed; these come first
INDENT = 3  # Cells before the noun: a blank, the sign, a blank


class FeedHealth(Widget):
    """One entry a feed, wrapped between entries."""

    DEFAULT_CSS = """
    FeedHealth { height: auto; width: 1fr; }
    """

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._entries: tuple[Cell, ...] = ()

    def show(self) -> None:
        entries = tuple(sorted(_entries(self._ui), key=lambda cell: cell.text[0] != TROUBLE))
        if entries != self._entries:
            self._entries = entries
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  (Textual's own)
        return len(_lines(self._entries, width))

    def render(self) -> Content:
        return Content("\n").join(_lines(self._entries, self.content_size.width))


def _lines(entries: Iterable[Cell], width: int) -> list[Content]:
    """Return lines of entries; an entry longer than a line is wrapped and indented."""
    lines: list[Content] = [Content()]
    for cell in entries:
        whole = toned(f" {cell.text} ", cell.tone)
        first, *others = [whole] if whole.cell_length <= width else _wrapped(cell, width)
        if lines[-1].cell_length + first.cell_length > width and lines[-1]:
            lines.append(Content())
        lines[-1] += first
        lines.extend(others)
    return lines


def _wrapped(cell: Cell, width: int) -> list[Content]:
    sign, _, words = cell.text.partition(" ")
    first, *others = toned(words, cell.tone).wrap(max(1, width - INDENT - 1))
    return [
        toned(f" {sign} ", cell.tone) + first,
        *(Content(" " * INDENT) + piece for piece in others),
    ]


def _entries(ui: UiContext) -> Iterator[Cell]:
    # General troubles first: there may not be room for all entries.
    if news := ui.store.link.host_news:
        yield Cell(f"{TROUBLE} {clean(news)}", Tone.CLOSING)
    if why := ui.store.link.unshared:
        yield Cell(f"{TROUBLE} token not shared with other processes: {clean(why)}", Tone.CLOSING)
    if ui.scope is not None:
        yield Cell("all accounts:", Tone.MUTED)  # the lists are read for all of them
    for kind in KINDS:
        count = len(ui.store.table(kind))
        words = feed_words(ui, kind, count)
        if words.text == "loading":
            yield Cell(f"… {noun(kind)}", Tone.MUTED)
        elif words.text and words.tone is Tone.MUTED:
            tracked = ui.store.feed(kind).tracked
            told = f"{tracked:,} tracked" if tracked else words.text
            yield Cell(f"✓ {noun(kind)} {told}", Tone.MUTED)
        elif words.text:
            # Some of these texts include the name of the list.
            named = noun(kind) in words.text
            text = words.text if named else f"{noun(kind)} {words.text}"
            yield Cell(f"{TROUBLE} {text}", words.tone)
        else:
            yield Cell(f"✓ {noun(kind)} {count:,}", Tone.MUTED)


KINDS = (
    *(Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS, Kind.ACCOUNTS, Kind.RECIPIENTS),
    *(Kind.PAYMENT_ADDRESSES, Kind.PAYIN_ADDRESSES),
)


LINES = 3


class RecentWebhooks(Widget):
    """The newest webhooks; repaints when one arrives or changes."""

    DEFAULT_CSS = f"""
    RecentWebhooks {{ height: {LINES}; width: 1fr; }}
    """

    def __init__(self, ui: UiContext, title: SplitLine) -> None:
        super().__init__()
        self._ui = ui
        self._title = title
        self._lines: tuple[Content, ...] = ()

    def show(self) -> None:
        events = self._ui.store.events
        words = listening_words(self._ui)
        title = toned(f" {counted(len(events), 'webhooks')}", Tone.MUTED)
        self._title.say(title, toned(f"{words.text} ", words.tone))
        newest = nlargest(LINES, events.rows(), key=lambda row: row.number)
        lines = tuple(self._line(row) for row in newest)
        if not lines:
            width = max(1, self.content_size.width - 2)
            why = toned(no_events_words(self._ui), Tone.MUTED).wrap(width)
            lines = tuple(Content(" ") + piece for piece in why[:LINES])
        if len(lines) != len(self._lines) or not all(map(Content.is_same, lines, self._lines)):
            self._lines = lines
            self.refresh()

    def on_resize(self) -> None:
        self.show()

    def render(self) -> Content:
        width = self.content_size.width
        return Content("\n").join(line.truncate(width, ellipsis=True) for line in self._lines)

    def _line(self, row: EventRow) -> Content:
        ui, trust = self._ui, trust_cell(row)
        came = since_time(row.received_at, ui.time.latest(), ui.zone)
        parts = [toned(f" {came}", Tone.MUTED), toned(f"{trust.text:<11}", trust.tone)]
        parts += [toned(words) for words in (row.event_type, row.caused) if words]
        parts += [toned(row.object_id, Tone.MUTED)] if row.object_id else []
        return Content("  ").join(parts)
