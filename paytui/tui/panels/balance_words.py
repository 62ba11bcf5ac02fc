"""What balances and net positions lack, and by which rates they were added up, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from textual.content import Content

from paytui.domain.models import Kind, RateSheet
from paytui.store.health import Feed
from paytui.store.views.figures import CurrencyTotal, Worth
from paytui.tui.context import Desk
from paytui.tui.format.feeds import counted, how_old, noun
from paytui.tui.format.times import age
from paytui.tui.theme.themes import Tone, toned

AGE_STEP = 30
"""Seconds: the age of rates is told in these steps, so that it does not tick."""

ABOUT = "≈"
"""Before what all currencies come to in one."""

UNDER_WAY = (Kind.TRADES, Kind.PAYMENTS)
"""The lists that net positions rest on beside the wallets."""


def not_read(desk: Desk) -> list[Kind]:
    """Which lists of what is under way were never read, although there are such."""
    feeds = map(desk.store.feed, UNDER_WAY)
    return [feed.kind for feed in feeds if feed.as_of is None and (feed.offered or feed.tracked)]


def all_wallets_known(desk: Desk) -> bool:
    """Whether the list of wallets was read whole, so that there are no others."""
    feed, held = desk.store.feed(Kind.WALLETS), len(desk.store.wallets)
    whole = not feed.skipped and not feed.cut and (feed.total is None or feed.total <= held)
    return feed.offered and feed.as_of is not None and whole


def untold_words(held: Iterable[CurrencyTotal]) -> str:
    """Which sums lack the balances of some of their wallets; empty where none does."""
    partly = [total for total in held if total.untold and total.available is not None]
    if not partly:
        return ""
    if len(partly) > 1:
        return f"{len(partly)} currencies lack balances"
    return f"{partly[0].currency} lacks {counted(partly[0].untold, 'balances')}"


def lacks(desk: Desk, untold: int) -> str:
    """What net positions lack, in few cells; empty where they lack nothing."""
    feeds = [desk.store.feed(kind) for kind in UNDER_WAY]
    absent = [feed.kind for feed in feeds if not feed.offered and not feed.tracked]
    if unread := not_read(desk):
        return "net: " + (f"{noun(unread[0])} not read" if len(unread) == 1 else "lists not read")
    if absent:
        return "net " + (f"without {noun(absent[0])}" if len(absent) == 1 else "is what is held")
    if partly := next(filter(None, (_part(desk, feed) for feed in feeds)), ""):
        return f"net: {partly}"
    return f"net lacks {counted(untold, 'amounts')}" if untold else ""


def _part(desk: Desk, feed: Feed) -> str:
    """How old a list is, or how much of it is held, where it is not all: `3 of 5,300 payments`."""
    if feed.cached:
        return f"{noun(feed.kind)} {how_old(desk, feed)}"
    held = len(desk.store.table(feed.kind))
    if feed.total is not None and feed.total > held + desk.store.left_out(feed.kind):
        return f"{held:,} of {feed.total:,} {noun(feed.kind)}"
    if feed.cut:
        return f"{noun(feed.kind)} cut short"
    return f"{feed.skipped:,} unreadable {noun(feed.kind)}" if feed.skipped else ""


def footnote(desk: Desk, found: Worth, sheet: RateSheet | None) -> Content:
    """By which rates all was added up, how old they are, and what is left out."""
    words = [f"{ABOUT}{found.currency}: {_rates_words(desk, sheet)}"]
    if found.without:
        words.append(f"without {', '.join(found.without)}: no rate")
    if found.untold:
        words.append(f"without {', '.join(found.untold)}: balance not told")
    is_whole = not found.without and not found.untold
    return toned("; ".join(words), Tone.MUTED if is_whole else Tone.CLOSING)


def _rates_words(desk: Desk, sheet: RateSheet | None) -> str:
    if sheet is None:
        return "no rates yet"
    old = int(desk.time.clock.boot() - sheet.sent_at) // AGE_STEP * AGE_STEP
    if old < AGE_STEP:
        return f"rates under {AGE_STEP} s old"
    return f"rates {age(timedelta(seconds=old))} old"
