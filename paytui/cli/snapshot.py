"""The report of `paytui status`: every feed, every object, and the exit code."""

from __future__ import annotations

from datetime import datetime

from paytui.api.resources import READS
from paytui.cli.exit_codes import ExitCode
from paytui.cli.jsonable import Json, jsonable, utc
from paytui.config.settings import Profile
from paytui.domain.models import Kind, Record
from paytui.store.health import Feed, LinkState
from paytui.store.store import Store
from paytui.store.table import Table
from paytui.worker.sync.health import AGAIN


def rows_of(store: Store, kind: Kind) -> list[Record]:
    """The objects of a kind, by identifier, so that two outputs can be compared."""
    table: Table[str, Record] = getattr(store, kind.value)
    return sorted(table.rows(), key=table.key)


def feed_error(feed: Feed, count: int) -> str | None:
    """Return why a list is incomplete; None if it is complete."""
    if feed.problem is not None:
        return str(feed.problem).replace(AGAIN, "Run the command again.")
    if feed.unread:
        return f"{feed.unread} as created: {feed.remark}"
    if not feed.offered and not feed.tracked:
        return "The service has no such list."
    if feed.skipped:
        return f"{feed.skipped} records could not be read."
    if feed.total is not None and feed.total > count:
        return f"Only {count} of {feed.total} were listed."
    return None if feed.ok else "Not read."


def problems(store: Store) -> list[str]:
    """Return the problems, one line each; a problem of the link only once."""
    if store.link.problem is not None:
        return [str(store.link.problem)]
    found = [(kind, feed_error(store.feed(kind), len(rows_of(store, kind)))) for kind in READS]
    return [f"{kind.value.replace('_', ' ')}: {error}" for kind, error in found if error]


def as_of(store: Store) -> datetime | None:
    """Service time: nothing that was read is older."""
    return min((time for kind in READS if (time := store.feed(kind).as_of)), default=None)


def as_json(store: Store, profile: Profile) -> dict[str, Json]:
    """The one object that `paytui status --json` prints."""
    oldest = as_of(store)
    return {
        "profile": profile.name,
        "base_url": profile.base_url,
        "as_of": utc(oldest) if oldest else None,
        "feeds": {kind.value: _feed(store, kind) for kind in READS},
        **{kind.value: [jsonable(row) for row in rows_of(store, kind)] for kind in READS},
    }


def _feed(store: Store, kind: Kind) -> Json:
    feed = store.feed(kind)
    count = len(rows_of(store, kind))
    return {
        "ok": feed.ok,
        "as_of": utc(feed.as_of) if feed.as_of else None,
        "count": count,
        "error": feed_error(feed, count),
        "remark": feed.remark or None,
    }


def exit_code(store: Store) -> ExitCode:
    """Return the exit code for the worst problem.

    A list that the service does not have is no failure; what is tracked instead and could not be
    read is one.
    """
    if store.link.state is LinkState.REFUSED:
        return ExitCode.REFUSED
    feeds = [store.feed(kind) for kind in READS]
    if not any(feed.ok for feed in feeds):
        return ExitCode.UNREACHABLE
    expected = [feed for feed in feeds if feed.offered or feed.problem or feed.unread]
    if any(feed_error(feed, len(rows_of(store, feed.kind))) for feed in expected):
        return ExitCode.IN_PART
    return ExitCode.DONE
