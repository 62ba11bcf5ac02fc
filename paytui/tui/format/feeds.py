"""The health of lists and webhooks in words. Ages are computed at each call, never counted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from paytui.api.resources import TRACKED
from paytui.domain.intent import IntentRow
from paytui.domain.models import Kind
from paytui.store.health import Feed
from paytui.tui.format.cells import Cell, Tone
from paytui.tui.times import age, clock_seconds, since_time

if TYPE_CHECKING:
    from paytui.tui.ui_context import UiContext

LATE = timedelta(seconds=30)  # Delay of a read from which it is reported as late


def noun(kind: Kind) -> str:
    """Return the plural of a kind: `pay-in addresses`."""
    return kind.value.replace("_", " ").replace("payin", "pay-in")


def counted(number: int, many: str) -> str:
    """Return a count with its noun: `1 wallet`, `2,000 payments`."""
    return f"{number:,} {_singular(many) if number == 1 else many}"


def noun_of_one(kind: Kind) -> str:
    """Return the singular of a kind: `pay-in address`."""
    return _singular(noun(kind))


def kind_title(kind: Kind) -> str:
    """Return the title of one object of a kind: `Pay-in address`."""
    return noun_of_one(kind).capitalize()


def _singular(many: str) -> str:
    return many.removesuffix("es") if many.endswith("sses") else many.removesuffix("s")


def feed_words(ui: UiContext, kind: Kind, held: int) -> Cell:
    feed = ui.store.feed(kind)
    if feed.problem is not None:
        return _failure(ui, feed)
    if not feed.offered and not feed.tracked:
        return Cell(f"this service lists no {noun(kind)}", Tone.CLOSING)
    if feed.as_of is None:
        return _tracked(ui, feed) if feed.unread else Cell("loading", Tone.MUTED)
    if feed.cached or _is_overdue(ui, feed):
        how = "cached, " if feed.cached else f"{noun(kind)} "
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
    how = how_old(ui, feed) if feed.as_of else "not read"
    return f"{noun(late[0])} {how}"


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
        return f"Loading {noun(kind)} …"
    return f"No {noun(kind)} yet." if ui.scope is None else f"No {noun(kind)} of this account."


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
    return f"This service offers no list of {noun(kind)}. {way_round}"


def _failure(ui: UiContext, feed: Feed) -> Cell:
    what = _what(feed)
    began, now = feed.failing_since, ui.time.latest()
    since = f", since {since_time(began, now, ui.zone)}" if began else ""
    if feed.as_of is None:
        return Cell(f"{noun(feed.kind)} not read: {what}{since}", Tone.DOWN)
    return Cell(f"{noun(feed.kind)} {how_old(ui, feed)}: {what}{since}", Tone.CLOSING)


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
    listed = noun(kind)
    if not ui.store.feed(kind).offered:
        return (
            f"paytui cannot search for it: the service has no list of {listed}. Ask the operator."
        )
    if row.is_colleagues:
        where = "one" if row.candidates else "none"
        return f"Its reference is in {where} of the {listed} read here. Its program resolves it."
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
