"""Every state is readable without colours, by words and icons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain, pairwise

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from paytui.domain.intent import Standing
from paytui.domain.models import Kind, Problem, State
from paytui.domain.money import Pair
from paytui.store.health import Feed, Link, LinkState
from paytui.store.rate_board import BoardRow, board_rows
from paytui.store.screen_rows import Trust
from paytui.tui.app import PaytuiApp
from paytui.tui.format.cells import Cell, standing_cell, state_cell, toned, trust_cell
from paytui.tui.terminal.tty import ColourMode, Terminal
from paytui.tui.widgets.feeds import feed_words
from paytui.tui.widgets.rates import RateLine, change_column, countdown_words, phase
from paytui.tui.widgets.status import badge
from tests.support.clock import NOON, ManualClock
from tests.support.intents import intent_row
from tests.support.webhooks import event
from tests.tui.book import AUD, USD, sheet
from tests.tui.dashboard import Dashboard, shows, text, the_app, until

Look = tuple[str, bool, bool, bool]
"""Text, and whether it is bold, underlined, reversed."""

STATES = {
    "account": ("pending_checks", "registered", "rejected"),
    "wallet": ("pending", "active", "suspended", "closed"),
    "recipient": ("pending", "active", "rejected"),
    "payin": ("received", "compliance_review", "credited", "rejected"),
    "trade": ("awaiting_funds", "compliance_review", "exchanged", "rejected", "failed"),
    "payment": (
        "created",
        "compliance_review",
        "processing",
        "released",
        "completed",
        "rejected",
        "cancelled",
        "failed",
        "returned",
    ),
}
"""service.md, section by section."""


class Lines(Screen[None]):
    """Nothing but lines."""

    def __init__(self, shown: Sequence[Content]) -> None:
        super().__init__()
        self._shown = shown

    def compose(self) -> ComposeResult:
        yield from map(Static, self._shown)


def without_colours(shown: Sequence[Content]) -> list[Look]:
    """Return lines as on a terminal without colours."""
    found: list[Look] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.app.push_screen(Lines(shown))
        await pilot.pause()
        for strip in painted(the_app(pilot))[: len(shown)]:
            said = [segment for segment in strip if segment.text.strip()]
            styles = [segment.style or Style() for segment in said]
            assert all(style.color is None and style.bgcolor is None for style in styles)
            words = "".join(segment.text for segment in said).strip()
            bold, underlined, turned = zip(*map(_look, styles), strict=True)
            found.append((words, any(bold), any(underlined), any(turned)))

    Dashboard(terminal=Terminal(colours=ColourMode.NONE)).play(scenario)
    return found


def _look(style: Style) -> tuple[bool, bool, bool]:
    return bool(style.bold), bool(style.underline), bool(style.reverse)


def painted(app: PaytuiApp) -> list[list[Segment]]:
    """Return the output to the terminal, line by line."""
    return [list(strip) for strip in app.screen._compositor.render_strips()]


def of_cells(cells: Iterable[Cell]) -> list[Content]:
    return [toned(cell.text, cell.tone) for cell in cells]


def states() -> list[Content]:
    known = [state_cell(State(name)) for name in dict.fromkeys(chain(*STATES.values()))]
    return of_cells([*known, state_cell(State("NEWLY_INVENTED", known=False)), state_cell(None)])


def standings() -> list[Content]:
    plain = [standing_cell(replace(intent_row(1), standing=each)) for each in Standing]
    differs = replace(intent_row(1), standing=Standing.ACCEPTED, alerts=("amount differs",))
    return of_cells([*plain, standing_cell(differs)])


def phases() -> list[Content]:
    lefts = [timedelta(seconds=seconds) for seconds in (100, 20, 5, 0)]
    return [toned(countdown_words(left), phase(left).value, bold=True) for left in lefts]


def trusts() -> list[Content]:
    return of_cells([trust_cell(event(1, trust)) for trust in Trust])


def changes() -> list[Content]:
    """Return the changes of a rate since the last sheet, then the words in place of a change."""
    pair, clock = Pair(AUD, USD), ManualClock()
    told = ["0.65", "0.66", "0.65", "0.65"]
    sheets = [sheet(str(n), clock, {pair: rate}) for n, rate in enumerate(told)]
    rows = [board_rows(now, before)[0] for before, now in pairwise(sheets)]
    [new] = board_rows(sheets[0], None)
    found = [RateLine(row, expired=False) for row in (*rows, new)]
    ended = RateLine(new, expired=True)
    missing = RateLine(BoardRow(pair, None, None, reason="no market"), expired=False)
    return of_cells(change_column().cell(line) for line in (*found, ended, missing))


def feeds() -> list[Content]:
    """Return feeds: loading, cached, late, unread, truncated, unsupported, tracked, in order."""
    ui = Dashboard()
    now, read_at = ui.clock.now(), ui.clock.boot()
    problem = Problem("read payments", "503")
    feeds = [
        Feed(Kind.PAYMENTS),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at, cached=True),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at - 600),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at, problem=problem, failing_since=NOON),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at, total=90),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at, offered=False),
        Feed(Kind.PAYMENTS, as_of=now, read_at=read_at, offered=False, tracked=3),
    ]
    cells = []
    for feed in feeds:
        ui.store.set_feed(feed)
        cells.append(feed_words(ui.app().ui, Kind.PAYMENTS, 65))
    return of_cells(cells)


def profiles() -> list[Content]:
    return [badge("acme", live=True), badge("acme", live=False)]


FAMILIES: dict[str, Callable[[], list[Content]]] = {
    "intents": standings,
    "webhooks": trusts,
    "a countdown": phases,
    "rates": changes,
    "lists": feeds,
    "profiles": profiles,
}


def test_every_state_of_an_object_is_told() -> None:
    told_apart(without_colours(states()))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_everything_else_that_can_be_so_or_so_is_told(family: str) -> None:
    told_apart(without_colours(FAMILIES[family]()))


LINKS = {
    LinkState.CONNECTING: "connecting",
    LinkState.UNREACHABLE: "unreachable since",
    LinkState.REFUSED: "login refused since",
}
"""The words of the status bar on the service; none for a link that is up."""


def test_how_the_link_stands_is_told(ui: Dashboard) -> None:
    ui.terminal = Terminal(colours=ColourMode.NONE)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        for state, words in LINKS.items():
            ui.store.set_link(Link(state, since=NOON))
            ui.store.notify()
            await shows(pilot, words)
        ui.store.set_link(Link(LinkState.UP, since=NOON))
        ui.store.notify()
        await until(pilot, lambda: not any(words in text(pilot) for words in LINKS.values()))

    ui.play(scenario)


def told_apart(looks: list[Look]) -> None:
    """Each by its words alone, so that whoever has a screen read aloud tells them, too."""
    words = [text for text, *_ in looks]
    assert len(set(words)) == len(words), words
    assert all(re.search(r"[A-Za-z]{2}|^—$|^= 0$|[-+][0-9]", text) for text in words), words
