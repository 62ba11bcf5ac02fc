"""The exit code of a read: the worst of its outcomes."""

from __future__ import annotations

import pytest

from paytui.api.resources import READS
from paytui.cli.commands.export import ExportQuery
from paytui.cli.commands.status import exit_code, feed_error, problems
from paytui.cli.common import ExitCode
from paytui.domain.models import Kind, Problem
from paytui.platform.clock import ServiceTime
from paytui.store.health import Feed, Link, LinkState
from paytui.store.store import Store
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.health import feed_after
from tests.support.clock import NOON, ManualClock

FAILED = Problem("read wallet w1", "500")


def store_with(wallets: Feed) -> Store:
    """Payments were read well, of wallets there is this, and the service lists nothing else."""
    store = Store()
    for kind in READS:
        store.set_feed(Feed(kind, offered=False))
    store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON))
    store.set_feed(wallets)
    return store


def test_a_command_does_not_say_that_it_tries_again() -> None:
    store = store_with(Feed(Kind.WALLETS))
    time, cut = ServiceTime(ManualClock()), Part(complete=False)
    feed = feed_after(store.feed(Kind.WALLETS), [cut], [], None, time, every=5.0)
    assert "automatically" in str(feed.problem)
    told = feed_error(store_with(feed), Kind.WALLETS) or ""
    assert told.startswith("Could not read wallets: the list was cut short")
    assert told.endswith("Run the command again.")


def test_a_login_that_is_refused_after_the_lists_were_read_is_told() -> None:
    store, refused = Store(), Problem("sign in", "the secret was refused")
    for kind in READS:
        store.set_feed(Feed(kind, as_of=NOON))
    store.set_link(Link(LinkState.REFUSED, problem=refused))
    assert exit_code(store) is ExitCode.REFUSED
    assert problems(store) == [str(refused)]
    assert problems(store, (Kind.PAYMENTS,)) == []


@pytest.mark.parametrize(
    ("wallets", "code"),
    [
        (Feed(Kind.WALLETS, offered=False), ExitCode.DONE),
        (Feed(Kind.WALLETS, as_of=NOON, offered=False, tracked=1, total=0), ExitCode.DONE),
        (Feed(Kind.WALLETS, offered=False, tracked=1, problem=FAILED), ExitCode.IN_PART),
        (Feed(Kind.WALLETS, offered=False, tracked=2, unread=2), ExitCode.IN_PART),
        (Feed(Kind.WALLETS, as_of=NOON, offered=False, tracked=2, unread=1), ExitCode.IN_PART),
        (Feed(Kind.WALLETS, problem=FAILED), ExitCode.IN_PART),
        (Feed(Kind.WALLETS, as_of=NOON, remark="may be all", unsure=True), ExitCode.DONE),
        (Feed(Kind.WALLETS, as_of=NOON, skipped=1), ExitCode.IN_PART),
        (Feed(Kind.WALLETS, as_of=NOON, total=3), ExitCode.IN_PART),
    ],
    ids=[
        "no list",
        "tracked",
        "tracked and failed",
        "none can be read",
        "one cannot be read",
        "failed",
        "may be all",
        "unreadable",
        "in part",
    ],
)
def test_a_read_is_done_where_all_that_is_there_came(wallets: Feed, code: ExitCode) -> None:
    store = store_with(wallets)
    assert exit_code(store) is code
    if wallets.offered or wallets.tracked:
        assert ExportQuery("wallets").exit_code(store) == code


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (LinkState.UNREACHABLE, ExitCode.UNREACHABLE),
        (LinkState.REFUSED, ExitCode.REFUSED),
    ],
)
def test_where_nothing_could_be_read_it_tells_why(state: LinkState, code: ExitCode) -> None:
    store = Store()
    for kind in READS:
        store.set_feed(Feed(kind, problem=FAILED))
    store.set_link(Link(state, problem=FAILED))
    assert exit_code(store) is code
    assert ExportQuery("wallets").exit_code(store) is code
