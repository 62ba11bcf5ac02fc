"""Always on screen: where we are, whose figures these are, and what is wrong, if anything is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from paytui.store.health import LinkState
from paytui.store.views import account_name
from paytui.tui.desk import Desk
from paytui.tui.feed_words import late_words
from paytui.tui.times import age, clock_time
from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.clock_cell import ClockCell
from paytui.tui.widgets.edges import Edges

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
        self._words = Edges()
        self._clock = ClockCell()

    def compose(self) -> ComposeResult:
        """The words and, beside them, the clock."""
        yield self._words
        yield self._clock

    def show(self) -> None:
        """Say what is the case now."""
        self._words.say(self._where(), self._warnings())

    def tick(self) -> None:
        """Let the clock go on, and judge again what depends on time."""
        self.show()
        if self._desk.settings.display.heartbeat:
            self._clock.tick(self._desk.time.latest(), self._desk.zone)

    def _where(self) -> Content:
        profile = self._desk.settings.profile
        scope = self._desk.scope
        whose = "all accounts" if scope is None else account_name(self._desk.store, scope)
        return Content("  ").join(
            [badge(profile.name, live=profile.live), toned(profile.host, Tone.MUTED), toned(whose)]
        )

    def _warnings(self) -> Content:
        warnings = list(self._troubles())
        return Content("  ").join([*warnings, Content("")]) if warnings else Content()

    def _troubles(self) -> Iterator[Content]:
        link = self._desk.store.link
        since = f" since {clock_time(link.since, self._desk.zone)}" if link.since else ""
        match link.state:
            case LinkState.CONNECTING:
                yield toned("connecting", Tone.MUTED)
            case LinkState.UNREACHABLE:
                yield toned(f"unreachable{since}", Tone.DOWN, bold=True)
            case LinkState.REFUSED:
                yield toned(f"login refused{since}, r tries again", Tone.DOWN, bold=True)
            case LinkState.UP:
                pass
        skew = self._desk.time.skew()
        if abs(skew) >= WORTH_A_WORD:
            which_way = "ahead" if skew > timedelta(0) else "behind"
            yield toned(f"host clock {age(abs(skew))} {which_way}", Tone.CLOSING)
        if late := late_words(self._desk):
            yield toned(late, Tone.CLOSING)
        if link.superseded:
            yield toned("another program uses this clientId", Tone.CLOSING, bold=True)
        if self._desk.settings.profile.read_only:
            yield toned("read-only", Tone.CLOSING)


def badge(name: str, *, live: bool) -> Content:
    """The profile's name; a live one is unmistakable in words and in colour."""
    if live:
        return Content.styled(f" {name.upper()} LIVE ", "bold white on $live")
    return Content.styled(f" {name} test ", "bold $accent on $line")
