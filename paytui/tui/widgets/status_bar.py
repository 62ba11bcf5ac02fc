"""Always on screen: where we are, whose figures these are, and what is wrong, if anything is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from paytui.store.health import Link, LinkState
from paytui.store.views import account_name
from paytui.tui.desk import Desk
from paytui.tui.feed_words import late_words
from paytui.tui.times import age, since_time
from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.clock_cell import ClockCell
from paytui.tui.widgets.status_words import Standing, StatusWords, Trouble

WORTH_A_WORD = timedelta(seconds=5)
"""Skew of the host's clock; nothing depends on it, but other programs on the host may."""


class StatusBar(Horizontal):
    """Profile and host, account in scope, warnings, and the clock in a widget of its own."""

    DEFAULT_CSS = """
    StatusBar { height: 1; background: $surface; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._words = StatusWords()
        self._clock = ClockCell()

    def compose(self) -> ComposeResult:
        """The words and, beside them, the clock."""
        yield self._words
        yield self._clock

    def show(self) -> None:
        """Say what is the case now."""
        standing = self._standing()
        self._words.say(standing)
        if self.is_mounted and self.size:
            needed = standing.fixed.cell_length + self._clock.render().cell_length + 1
            self._clock.display = needed <= self.size.width

    def on_resize(self) -> None:
        """Give up the clock where there is no room for more than the profile."""
        self.show()

    def tick(self) -> None:
        """Let the clock go on, and judge again what depends on time."""
        self.show()
        if self._desk.settings.display.heartbeat:
            self._clock.tick(self._desk.time.latest(), self._desk.zone)

    def _standing(self) -> Standing:
        profile, scope = self._desk.settings.profile, self._desk.scope
        name = badge(profile.name, live=profile.live)
        held = toned("  read-only", Tone.CLOSING) if profile.read_only else Content()
        whose = "all accounts" if scope is None else account_name(self._desk.store, scope)
        return Standing(
            fixed=name + held,
            scope=toned(whose),
            host=toned(profile.host, Tone.MUTED),
            troubles=tuple(self._troubles()),
        )

    def _troubles(self) -> Iterator[Trouble]:
        link = self._desk.store.link
        yield from self._link_troubles(link)
        if link.superseded:
            words = "another program uses this clientId", "clientId in use"
            yield _trouble(*words, Tone.CLOSING, bold=True)
        if link.unshared:
            yield _trouble("token not shared", "not shared", Tone.CLOSING)
        if late := late_words(self._desk):
            yield _trouble(late, late, Tone.CLOSING)
        skew = self._desk.time.skew()
        if abs(skew) >= WORTH_A_WORD:
            which_way = "ahead" if skew > timedelta(0) else "behind"
            words = f"host clock {age(abs(skew))} {which_way}", f"clock {which_way}"
            yield _trouble(*words, Tone.CLOSING)

    def _link_troubles(self, link: Link) -> Iterator[Trouble]:
        now, zone = self._desk.time.latest(), self._desk.zone
        since = f" since {since_time(link.since, now, zone)}" if link.since else ""
        match link.state:
            case LinkState.CONNECTING:
                yield _trouble("connecting", "connecting", Tone.MUTED)
            case LinkState.UNREACHABLE:
                yield _trouble(f"unreachable{since}", "unreachable", Tone.DOWN, bold=True)
            case LinkState.REFUSED:
                full = f"login refused{since}, r tries again"
                yield _trouble(full, "login refused", Tone.DOWN, bold=True)
            case LinkState.UP:
                pass


def _trouble(full: str, short: str, tone: Tone, *, bold: bool = False) -> Trouble:
    return Trouble(toned(full, tone, bold=bold), toned(short, tone, bold=bold))


def badge(name: str, *, live: bool) -> Content:
    """The profile's name; a live one is unmistakable in words and in colour."""
    if live:
        return Content.styled(f" {name.upper()} LIVE ", "bold white on $live")
    return Content.styled(f" {name} test ", "bold $accent on $line")
