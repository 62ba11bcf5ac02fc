"""The health of lists and webhooks in words, and the widgets that show it.

Ages are computed at each call, never counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from heapq import nlargest
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from paytui.api.resources import TRACKED
from paytui.domain.intent import IntentRow
from paytui.domain.models import Kind, singular
from paytui.platform.text import clean
from paytui.store.health import Feed
from paytui.store.screen_rows import EventRow
from paytui.tui.format.cells import Cell, Tone, toned, trust_cell
from paytui.tui.times import age, clock_seconds, since_time
from paytui.tui.widgets.text import RuleLine, TextBlock

if TYPE_CHECKING:
    from paytui.tui.ui_context import UiContext


LATE = timedelta(seconds=30)  # Delay of a read from which it is reported as late


def counted(number: int, many: str) -> str:
    """Return a count with its noun: `1 wallet`, `2,000 payments`."""
    return f"{number:,} {singular(many) if number == 1 else many}"


def lacks_rows(ui: UiContext, kinds: Iterable[Kind]) -> bool:
    """Return True if rows of these lists are known to be missing."""
    return any(ui.store.feed(kind).lacks(_held(ui, kind)) for kind in kinds)


def counted_rows(ui: UiContext, kinds: Collection[Kind], number: int, many: str) -> str:
    """Return a count of rows: `5,135+ payments` while some are missing.

    Without a number if no row of these lists is known: it would read as if there were none.
    """
    if not lacks_rows(ui, kinds):
        return counted(number, many)
    return f"{number:,}+ {many}" if any(len(ui.store.table(kind)) for kind in kinds) else many


def _held(ui: UiContext, kind: Kind) -> int:
    """Return how many objects of a list can be shown: of a cached one all, while it is written."""
    told = ui.store.feed(kind).total or 0
    return max(len(ui.store.table(kind)), told if ui.cache_of(kind) else 0)


def unread_words(ui: UiContext, feed: Feed, nothing: str = "not read") -> str:
    """Return how far a list was read that was never read completely."""
    is_part = feed.as_of is None and len(ui.store.table(feed.kind)) > 0
    return "read in part" if is_part else nothing


def kind_title(kind: Kind) -> str:
    """Return the title of one object of a kind: `Pay-in address`."""
    return kind.noun_of_one.capitalize()


def feed_words(ui: UiContext, kind: Kind, held: int) -> Cell:
    feed = ui.store.feed(kind)
    if feed.problem is not None:
        return _failure(ui, feed)
    if not feed.offered and not feed.tracked:
        return Cell(f"this service lists no {kind.noun}", Tone.CLOSING)
    if feed.as_of is None:
        return _tracked(ui, feed) if feed.unread else Cell("loading", Tone.MUTED)
    if feed.cached or _is_overdue(ui, feed):
        how = "cached, " if feed.cached else f"{kind.noun} "
        return Cell(how + how_old(ui, feed), Tone.CLOSING)
    if feed.tracked:
        return _tracked(ui, feed)
    return _completeness(ui, feed, held)


def cached_words(ui: UiContext) -> str:
    feeds = map(ui.store.feed, ui.settings.polling.intervals)
    cached = [feed for feed in feeds if feed.cached]
    if not cached:
        return ""
    oldest = min(cached, key=lambda feed: feed.read_at or float("-inf"))
    return f"cached, {how_old(ui, oldest)}"


def late_words(ui: UiContext) -> str:
    """Return which lists are late, for the status bar; empty while none is."""
    feeds = map(ui.store.feed, ui.settings.polling.intervals)
    late = [feed.kind for feed in feeds if feed.problem is not None or _is_overdue(ui, feed)]
    if not late:
        return ""
    if len(late) > 1:
        return f"{len(late)} lists late"
    feed = ui.store.feed(late[0])
    how = how_old(ui, feed) if feed.as_of else unread_words(ui, feed)
    return f"{late[0].noun} {how}"


def is_late(ui: UiContext, kind: Kind) -> bool:
    """Return True if a list failed, or nothing came for longer than it should take."""
    feed = ui.store.feed(kind)
    return feed.problem is not None or feed.cached or _is_overdue(ui, feed)


def _is_overdue(ui: UiContext, feed: Feed) -> bool:
    """Return True if a read is late although no failure was reported."""
    is_read = (feed.offered or feed.tracked > feed.unread) and not feed.cached
    return is_read and feed_age(ui, feed) > LATE + timedelta(seconds=feed.every)


def feed_age(ui: UiContext, feed: Feed) -> timedelta:
    """Return the time since the list was last read completely, suspend included.

    Zero if unknown; see `is_of_unknown_age`.
    """
    if feed.read_at is None:
        return timedelta(0)
    return timedelta(seconds=ui.time.clock.boot() - feed.read_at)


def is_of_unknown_age(feed: Feed) -> bool:
    """Return True if it was cached under a wrong clock, or never read completely."""
    return feed.read_at is None


def how_old(ui: UiContext, feed: Feed) -> str:
    return "of unknown age" if is_of_unknown_age(feed) else f"{age(feed_age(ui, feed))} old"


def empty_words(ui: UiContext, kind: Kind) -> str:
    feed = ui.store.feed(kind)
    if feed.problem is not None:
        return str(feed.problem)
    if not feed.offered and not feed.tracked:
        return _not_offered(ui, kind)
    if not feed.was_read:
        return f"Loading {kind.noun} …"
    return f"No {kind.noun} yet." if ui.scope is None else f"No {kind.noun} of this account."


def _tracked(ui: UiContext, feed: Feed) -> Cell:
    unread = f"{feed.unread:,} as created, cannot be read"
    if feed.unread == feed.tracked:
        return Cell(f"no list; {unread}", Tone.CLOSING)
    if feed.unread:
        return Cell(f"no list, {feed.tracked:,} tracked; {unread}", Tone.CLOSING)
    more = "; more: paytui track ID…" if ui.vocabulary.reads(feed.kind) else ""
    return Cell(f"no list, {feed.tracked:,} tracked{more}", Tone.MUTED)


def _not_offered(ui: UiContext, kind: Kind) -> str:
    if kind is Kind.RATE_SHEETS:
        return (
            "This service offers no locked rates. If it does, set create_rate_sheet in the dialect."
        )
    is_read = kind in TRACKED and ui.vocabulary.reads(kind)
    way_round = (
        "Track known ones: paytui track ID…" if is_read else ("It cannot read single ones either.")
    )
    return f"This service offers no list of {kind.noun}. {way_round}"


def _failure(ui: UiContext, feed: Feed) -> Cell:
    what = _what(feed)
    began, now = feed.failing_since, ui.time.latest()
    since = f", since {since_time(began, now, ui.zone)}" if began else ""
    if feed.as_of is None:
        return Cell(f"{feed.kind.noun} {unread_words(ui, feed)}: {what}{since}", Tone.DOWN)
    return Cell(f"{feed.kind.noun} {how_old(ui, feed)}: {what}{since}", Tone.CLOSING)


def _what(feed: Feed) -> str:
    """Return the problem, with the identifier if they are read one by one."""
    if feed.problem is None:
        return ""
    if feed.tracked:
        return f"could not {feed.problem.attempted}: {feed.problem.what}"
    return feed.problem.what


def _completeness(ui: UiContext, feed: Feed, held: int) -> Cell:
    words, left_out = [], ui.store.left_out(feed.kind)
    if ui.cache_of(feed.kind):
        held = max(held, feed.total or 0)  # the list says how many of them it shows
    if feed.total is not None and feed.total > held:
        unread = feed.total - held - left_out - feed.skipped
        if unread > 0:
            words.append(f"{unread:,} of {feed.total:,} not read")
        elif left_out:
            words.append(f"{held:,} of {feed.total:,}")
    if feed.skipped:
        words.append(f"{feed.skipped:,} unreadable")
    if kept := len(ui.store.table(feed.kind).unconfirmed()):
        words.append(f"{kept:,} from the cache")
    on_purpose = not feed.skipped and not kept and (feed.total or 0) <= held + left_out
    if feed.remark:
        words.append(feed.remark)
    return Cell(", ".join(words), Tone.MUTED if on_purpose else Tone.CLOSING)


NOT_WANTED = "Webhooks are off. Enable [webhooks] in the configuration to receive them."


def listening_words(ui: UiContext) -> Cell:
    """Return `listening on 127.0.0.1:8787`, or why paytui does not listen."""
    listening = ui.store.listening
    if not ui.settings.webhooks.enabled:
        return Cell("listener off", Tone.MUTED)
    if listening.problem is not None:
        return Cell(f"not listening: {listening.problem.what}", Tone.CLOSING)
    if not listening.address:
        return Cell("not listening yet", Tone.MUTED)
    unsigned = "" if listening.signed else ", unsigned"
    return Cell(f"listening on {listening.address}{unsigned}", Tone.MUTED)


def no_events_words(ui: UiContext) -> str:
    listening = ui.store.listening
    if not ui.settings.webhooks.enabled:
        return NOT_WANTED
    if listening.problem is not None:
        return str(listening.problem)
    if not listening.signed:
        return "No webhooks yet. No secret is set, so forged ones cannot be detected."
    return "No webhooks yet. Lists are polled as well."


def looked_for(ui: UiContext, row: IntentRow) -> str:
    """Return the progress of looking for an intent in doubt, or why paytui cannot look."""
    kind = row.action.becomes
    listed = kind.noun
    if not ui.store.feed(kind).offered:
        return (
            f"paytui cannot search for it: the service has no list of {listed}. Ask the operator."
        )
    if row.is_colleagues:
        where = "one" if row.candidates else "none"
        resolved = f"{row.user}'s program resolves it when it runs, or you settle it here."
        return f"Its reference is in {where} of the {listed} read here. {resolved}"
    looked = ui.store.looked.get(row.intent_id)
    if looked is None:
        return f"paytui searches the {listed} for it and resolves it when found."
    times = "once" if looked.times == 1 else f"{looked.times:,} times"
    missing = "not found"
    if row.may_arrive_until is not None:
        missing += " yet; it may still arrive"
    found = "only possible matches" if row.candidates else missing
    last = clock_seconds(looked.at, ui.zone)
    return f"paytui searched all {listed} {times}, last at {last}: {found}."


BOOKED_OTHERWISE = (
    "The service executed it, but not as it was confirmed: accept it as it is on Activity (8, d)."
)


# Widgets

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
            rest = words.text.removeprefix(f"{kind.noun} ")
            alike.setdefault(Cell(rest, words.tone), []).append(kind.noun)
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
        which = incomplete[0].noun if len(incomplete) == 1 else f"{len(incomplete)} lists"
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


class RecentWebhooks(Vertical):
    """The newest webhooks, below their number."""

    DEFAULT_CSS = f"""
    RecentWebhooks {{ height: {LINES + 1}; }}
    """

    def __init__(self, ui: UiContext) -> None:
        self._title, self._text = RuleLine(classes="title"), TextBlock(classes="")
        super().__init__(self._title, self._text)
        self._ui = ui

    def show(self) -> None:
        events, width = self._ui.store.events, self.content_size.width
        words = listening_words(self._ui)
        title = toned(f" {counted(len(events), 'webhooks')}", Tone.MUTED)
        self._title.say(title, toned(f"{words.text} ", words.tone))
        newest = nlargest(LINES, events.rows(), key=lambda row: row.number)
        lines = [self._line(row).truncate(width, ellipsis=True) for row in newest]
        if not lines:
            why = toned(no_events_words(self._ui), Tone.MUTED).wrap(max(1, width - 2))
            lines = [Content(" ") + piece for piece in why[:LINES]]
        self._text.show(Content("\n").join(lines))

    def on_resize(self) -> None:
        self.show()

    def _line(self, row: EventRow) -> Content:
        ui, trust = self._ui, trust_cell(row)
        came = since_time(row.received_at, ui.time.latest(), ui.zone)
        parts = [toned(f" {came}", Tone.MUTED), toned(f"{trust.text:<11}", trust.tone)]
        parts += [toned(words) for words in (row.event_type, row.caused) if words]
        parts += [toned(row.object_id, Tone.MUTED)] if row.object_id else []
        return Content("  ").join(parts)
