"""The health of feeds: what is wrong, or one phrase; and the newest webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.platform.text import clean
from paytui.store.reports import EventRow
from paytui.tui.format.cells import Cell, Tone, toned, trust_cell
from paytui.tui.format.feeds import (
    counted,
    feed_words,
    is_late,
    listening_words,
    no_events_words,
    noun,
)
from paytui.tui.times import since_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.text import SplitLine

TROUBLE = "!"  # The sign of a feed that is not as it should be
MANY = 3  # Lists with the same trouble from which they are counted, not named
INDENT = 3  # Cells before the noun: a blank, the sign, a blank


class FeedHealth(Widget):
    """One entry for each feed that is late, fails or is incomplete; hidden without any.

    Attributes:
        phrase: the state of the lists, from the longest form to the shortest; or nothing.
    """

    DEFAULT_CSS = """
    FeedHealth { height: auto; width: 1fr; }
    """

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._entries: tuple[Cell, ...] = ()
        self.phrase: tuple[Cell, ...] = ()
        self.display = False

    def show(self) -> None:
        ui = self._ui
        words = {kind: feed_words(ui, kind, len(ui.store.table(kind))) for kind in KINDS}
        self.phrase = _phrase(ui, words)
        entries = tuple(_troubles(ui, words))
        if entries != self._entries:
            self._entries = entries
            self.display = bool(entries)
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


def _troubles(ui: UiContext, feeds: Mapping[Kind, Cell]) -> Iterator[Cell]:
    # General troubles first: there may not be room for all entries.
    if news := ui.store.link.host_news:
        yield Cell(f"{TROUBLE} {clean(news)}", Tone.CLOSING)
    if why := ui.store.link.unshared:
        yield Cell(f"{TROUBLE} token not shared with other processes: {clean(why)}", Tone.CLOSING)
    alike: dict[Cell, list[str]] = {}
    for kind, words in feeds.items():
        if words.text and words.tone is not Tone.MUTED:
            # Some of these texts begin with the name of the list.
            rest = words.text.removeprefix(f"{noun(kind)} ")
            alike.setdefault(Cell(rest, words.tone), []).append(noun(kind))
    # The lists are read for all accounts, and so are their counts.
    whose = "" if ui.scope is None else " (all accounts)"
    for words, nouns in alike.items():
        for name in nouns if len(nouns) < MANY else [counted(len(nouns), "lists")]:
            text = words.text if name in words.text else f"{name} {words.text}"
            yield Cell(f"{TROUBLE} {text}{whose}", words.tone)


def _phrase(ui: UiContext, words: Mapping[Kind, Cell]) -> tuple[Cell, ...]:
    """Return `! 3 lists incomplete` and `! incomplete`, or `✓ all lists current`.

    Late lists are in the status bar; a list that the service does not have is not missed.
    """
    feeds = [ui.store.feed(kind) for kind, one in words.items() if one.tone is not Tone.MUTED]
    troubled = [f.kind for f in feeds if words[f.kind].text and (f.offered or f.tracked)]
    if incomplete := [kind for kind in troubled if not is_late(ui, kind)]:
        which = noun(incomplete[0]) if len(incomplete) == 1 else f"{len(incomplete)} lists"
        forms = f"{TROUBLE} {which} incomplete", f"{TROUBLE} incomplete"
        return tuple(Cell(form, Tone.CLOSING) for form in forms)
    if troubled:
        return ()
    if loading := sum(one.text == "loading" for one in words.values()):
        return (Cell(f"… loading {counted(loading, 'lists')}", Tone.MUTED),)
    return (Cell("✓ all lists current", Tone.MUTED),)


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
