"""The last changes of feeds and link, kept by name for a crash report."""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.intent import SendPermission
from paytui.domain.models import Kind, Problem
from paytui.store.health import Feed, Link, LinkState
from paytui.store.store import Store
from tests.support.clock import NOON

SECRET = "s3nt1nel"
READ = Feed(Kind.PAYMENTS, as_of=NOON, read_at=5_000.0)
FAILED = replace(READ, problem=Problem("read payments", SECRET, said=SECRET))


def test_each_change_is_named_in_its_order_and_what_stays_is_not() -> None:
    store = Store()
    store.set_feed(replace(READ, cached=True))
    for feed in (READ, replace(READ, read_at=5_005.0), FAILED, FAILED, READ):
        store.set_feed(feed)
    store.set_feed(Feed(Kind.TRADES, offered=False))
    store.set_link(Link(LinkState.UP))
    store.set_link(Link(LinkState.UNREACHABLE, problem=FAILED.problem))
    store.set_sending(SendPermission(allowed=True, why=""))
    store.set_sending(SendPermission(allowed=False, why=SECRET))
    assert tuple(store.happenings) == (
        "payments cached",
        "payments read",
        "payments failed",
        "payments read",
        "trades not offered",
        "link up",
        "link unreachable",
        "sending on",
        "sending off",
    )


def test_the_thirty_newest_are_kept() -> None:
    store = Store()
    for _ in range(40):
        store.set_feed(READ)
        store.set_feed(FAILED)
    assert tuple(store.happenings) == ("payments read", "payments failed") * 15
