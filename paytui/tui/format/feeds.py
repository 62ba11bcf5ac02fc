"""The health of lists and webhooks in words. Ages are computed at each call, never counted."""

from __future__ import annotations

from datetime import timedelta

from paytui.api.resources import TRACKED
from paytui.domain.models import Kind
from paytui.store.health import Feed
from paytui.tui.context import UiContext
from paytui.tui.format.times import age, since_time
from paytui.tui.theme.themes import Cell, Tone

LATE = timedelta(seconds=30)
"""Delay of a read from which it is reported as late."""


def noun(kind: Kind) -> str:
    """Return the plural of a kind: `pay-in addresses`."""
    return kind.value.replace("_", " ").replace("payin", "pay-in")


def counted(number: int, many: str) -> str:
    """Return a count with its noun: `1 wallet`, `2,000 payments`."""
    return f"{number:,} {_singular(many) if number == 1 else many}"


def noun_of_one(kind: Kind) -> str:
    """Return the singular of a kind: `pay-in address`."""
    return _singular(noun(kind))


def _singular(many: str) -> str:
    return many.removesuffix("es") if many.endswith("sses") else many.removesuffix("s")


def feed_words(desk: UiContext, kind: Kind, held: int) -> Cell:
    """Return a remark on a list's health; empty while all is well.

    Args:
        desk: whose store and clock.
        kind: which list.
        held: how many objects the store holds.
    """
    feed = desk.store.feed(kind)
    if feed.problem is not None:
        return _failure(desk, feed)
    if not feed.offered and not feed.tracked:
        return Cell(f"no list of {noun(kind)} offered", Tone.CLOSING)
    if feed.as_of is None:
        return _tracked(desk, feed) if feed.unread else Cell("loading", Tone.MUTED)
    if feed.cached or _is_overdue(desk, feed):
        how = "cached, " if feed.cached else f"{noun(kind)} "
        return Cell(how + how_old(desk, feed), Tone.CLOSING)
    if feed.tracked:
        return _tracked(desk, feed)
    return _completeness(desk, feed, held)


def cached_words(desk: UiContext) -> str:
    """Return the age of the oldest cached row; empty once all was read."""
    feeds = map(desk.store.feed, desk.settings.polling.intervals)
    cached = [feed for feed in feeds if feed.cached]
    if not cached:
        return ""
    oldest = min(cached, key=lambda feed: feed.read_at or float("-inf"))
    return f"cached, {how_old(desk, oldest)}"


def late_words(desk: UiContext) -> str:
    """Return which lists are late, for the status bar; empty while none is."""
    feeds = map(desk.store.feed, desk.settings.polling.intervals)
    late = [feed.kind for feed in feeds if feed.problem is not None or _is_overdue(desk, feed)]
    if not late:
        return ""
    if len(late) > 1:
        return f"{len(late)} lists late"
    feed = desk.store.feed(late[0])
    how = how_old(desk, feed) if feed.as_of else "not read"
    return f"{noun(late[0])} {how}"


def is_late(desk: UiContext, kind: Kind) -> bool:
    """Return True if a list failed, or nothing came for longer than it should take."""
    feed = desk.store.feed(kind)
    return feed.problem is not None or feed.cached or _is_overdue(desk, feed)


def _is_overdue(desk: UiContext, feed: Feed) -> bool:
    """Return True if a read is late although no failure was reported."""
    is_read = (feed.offered or feed.tracked > feed.unread) and not feed.cached
    return is_read and feed_age(desk, feed) > LATE + timedelta(seconds=feed.every)


def feed_age(desk: UiContext, feed: Feed) -> timedelta:
    """Return the time since the list was last read completely, suspend included.

    Zero if unknown; see `is_of_unknown_age`.
    """
    if feed.read_at is None:
        return timedelta(0)
    return timedelta(seconds=desk.time.clock.boot() - feed.read_at)


def is_of_unknown_age(feed: Feed) -> bool:
    """Return True if it was cached under a wrong clock, or never read completely."""
    return feed.read_at is None


def how_old(desk: UiContext, feed: Feed) -> str:
    """Return the age of the shown data: `3 min old`."""
    return "of unknown age" if is_of_unknown_age(feed) else f"{age(feed_age(desk, feed))} old"


def empty_words(desk: UiContext, kind: Kind) -> str:
    """Return the text for an empty list."""
    feed = desk.store.feed(kind)
    if feed.problem is not None:
        return str(feed.problem)
    if not feed.offered and not feed.tracked:
        return _not_offered(desk, kind)
    if not feed.was_read:
        return f"Loading {noun(kind)} …"
    return f"No {noun(kind)} yet." if desk.scope is None else f"No {noun(kind)} of this account."


def _tracked(desk: UiContext, feed: Feed) -> Cell:
    """Return how many objects are tracked, and how many cannot be read."""
    unread = f"{feed.unread:,} as created, cannot be read"
    if feed.unread == feed.tracked:
        return Cell(f"no list; {unread}", Tone.CLOSING)
    if feed.unread:
        return Cell(f"no list, {feed.tracked:,} tracked; {unread}", Tone.CLOSING)
    more = "; more: paytui track ID…" if desk.vocabulary.reads(feed.kind) else ""
    return Cell(f"no list, {feed.tracked:,} tracked{more}", Tone.MUTED)


def _not_offered(desk: UiContext, kind: Kind) -> str:
    if kind is Kind.RATE_SHEETS:
        return "This service locks no rates. If it does, its dialect says how: create_rate_sheet."
    is_read = kind in TRACKED and desk.vocabulary.reads(kind)
    way_round = "Add what you know: paytui track ID…" if is_read else "Nor can it read one."
    return f"This service offers no list of {noun(kind)}. {way_round}"


def _failure(desk: UiContext, feed: Feed) -> Cell:
    what = _what(feed)
    began, now = feed.failing_since, desk.time.latest()
    since = f", since {since_time(began, now, desk.zone)}" if began else ""
    if feed.as_of is None:
        return Cell(f"{noun(feed.kind)} not read: {what}{since}", Tone.DOWN)
    return Cell(f"{noun(feed.kind)} {how_old(desk, feed)}: {what}{since}", Tone.CLOSING)


def _what(feed: Feed) -> str:
    """Return the problem, with the identifier if they are read one by one."""
    if feed.problem is None:
        return ""
    if feed.tracked:
        return f"could not {feed.problem.attempted}: {feed.problem.what}"
    return feed.problem.what


def _completeness(desk: UiContext, feed: Feed, held: int) -> Cell:
    words, left_out = [], desk.store.left_out(feed.kind)
    if feed.total is not None and feed.total > held:
        words.append(f"{held:,} of {feed.total:,}")
    if feed.skipped:
        words.append(f"{feed.skipped:,} unreadable")
    if kept := len(desk.store.table(feed.kind).unconfirmed()):
        words.append(f"{kept:,} as the cache has them")
    on_purpose = not feed.skipped and not kept and (feed.total or 0) <= held + left_out
    if feed.remark:
        words.append(feed.remark)
    return Cell(", ".join(words), Tone.MUTED if on_purpose else Tone.CLOSING)


NOT_WANTED = "Webhooks are off. Enable [webhooks] in the configuration to receive them."


def listening_words(desk: UiContext) -> Cell:
    """Return `listening on 127.0.0.1:8787`, or why paytui does not listen."""
    listening = desk.store.listening
    if not desk.settings.webhooks.enabled:
        return Cell("listener off", Tone.MUTED)
    if listening.problem is not None:
        return Cell(f"not listening: {listening.problem.what}", Tone.CLOSING)
    if not listening.address:
        return Cell("not listening yet", Tone.MUTED)
    unsigned = "" if listening.signed else ", unsigned"
    return Cell(f"listening on {listening.address}{unsigned}", Tone.MUTED)


def no_events_words(desk: UiContext) -> str:
    """Return the text for an empty list of webhooks."""
    listening = desk.store.listening
    if not desk.settings.webhooks.enabled:
        return NOT_WANTED
    if listening.problem is not None:
        return str(listening.problem)
    if not listening.signed:
        return "No webhook has come yet. No secret is set, so none can be told from a forgery."
    return "No webhook received yet. Lists are polled as well."
