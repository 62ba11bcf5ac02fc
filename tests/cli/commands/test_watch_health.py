"""`watch` tells once that a service is down or back, and a failing list if it persists."""

from __future__ import annotations

import pytest

from paytui.cli.commands.watch import Watcher, text_line
from paytui.cli.common import CommandError
from paytui.domain.models import Kind, Problem
from paytui.store.health import Feed, Link, LinkState
from paytui.store.store import Store
from tests.support.clock import NOON, ManualClock

CUT = Problem("read payments", "connection refused")
BROKEN = Problem("read trades", "503")


class Desk:
    """A store that a test fills, and what is told of it."""

    def __init__(self) -> None:
        self.store, self.clock = Store(), ManualClock()
        self.watcher = Watcher(self.store, self.clock, "api.acme.example", initial=False)

    def told(self) -> list[str]:
        return [text_line(change, NOON).partition("Z ")[2] for change in self.watcher.changes()]

    def looks_again(self) -> bool:
        return self.watcher.look_again is not None

    def link(self, state: LinkState, problem: Problem | None = None) -> None:
        self.store.set_link(Link(state, problem=problem))

    def feed(self, kind: Kind, problem: Problem | None = None) -> None:
        self.store.set_feed(Feed(kind, as_of=NOON, problem=problem))

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_that_the_service_answers_at_first_is_no_news(desk: Desk) -> None:
    assert desk.told() == []
    desk.link(LinkState.UP)
    assert desk.told() == []


def test_a_service_that_goes_is_one_line_and_its_return_another(desk: Desk) -> None:
    desk.link(LinkState.UP)
    assert desk.told() == []
    for kind in (Kind.PAYMENTS, Kind.TRADES, Kind.WALLETS):
        desk.feed(kind, CUT)
    assert desk.told() == [], "a moment's failure is not yet worth a line"
    desk.wait(5)
    desk.link(LinkState.UNREACHABLE, CUT)
    assert desk.told() == ["service api.acme.example: answers → unreachable (connection refused)"]
    desk.wait(3600)
    assert desk.told() == []
    desk.link(LinkState.CONNECTING, CUT)
    assert desk.told() == []
    desk.link(LinkState.UP)
    assert desk.told() == ["service api.acme.example: unreachable → answers"]
    desk.feed(Kind.PAYMENTS)
    assert desk.told() == []


def test_a_service_that_is_not_there_at_first_is_told_too(desk: Desk) -> None:
    desk.link(LinkState.UNREACHABLE, CUT)
    assert desk.told() == ["service api.acme.example: unreachable (connection refused)"]


def test_a_list_that_fails_for_long_is_told_once_and_so_is_its_return(desk: Desk) -> None:
    desk.link(LinkState.UP)
    desk.feed(Kind.TRADES, BROKEN)
    assert desk.told() == []
    assert desk.looks_again(), "it may become worth telling by itself"
    desk.wait(16)
    assert desk.told() == ["list trades: read → fails (503)"]
    assert not desk.looks_again()
    desk.wait(600)
    assert desk.told() == []
    desk.feed(Kind.TRADES)
    assert desk.told() == ["list trades: fails → read"]


def test_a_list_that_fails_for_a_moment_is_not_told(desk: Desk) -> None:
    desk.link(LinkState.UP)
    desk.feed(Kind.TRADES, BROKEN)
    assert desk.told() == []
    desk.wait(10)
    desk.feed(Kind.TRADES)
    assert desk.told() == []
    desk.wait(10)
    desk.feed(Kind.TRADES, BROKEN)
    assert desk.told() == []


def test_a_login_that_is_refused_later_is_told_and_waited_for(desk: Desk) -> None:
    desk.link(LinkState.UP)
    assert desk.told() == []
    desk.link(LinkState.REFUSED, Problem("sign in", "401"))
    assert desk.told() == ["service api.acme.example: answers → login refused (401)"]


def test_a_login_that_is_refused_from_the_start_ends_it(desk: Desk) -> None:
    desk.link(LinkState.REFUSED, Problem("sign in", "401", remedy="Check the secret."))
    with pytest.raises(CommandError, match=r"Could not sign in: 401\. Check"):
        desk.told()
