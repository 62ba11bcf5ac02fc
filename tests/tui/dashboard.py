"""The dashboard without a terminal: keys go in, lines of text come out."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from textual import events
from textual.driver import Driver
from textual.pilot import Pilot

from paytui.cli.wiring.compose import vocabulary_of
from paytui.config.settings import Display, Profile, Rates, Settings
from paytui.domain.intent import IntentMaker
from paytui.domain.money import Pair
from paytui.domain.requests import DialectFeatures
from paytui.platform.clock import ServiceTime
from paytui.platform.host import DIRECT, TerminalEnvironment
from paytui.store.store import Store
from paytui.tui.app import PaytuiApp
from paytui.tui.store_bridge import WindowReader
from paytui.tui.terminal.tty import CAPABLE, Terminal
from paytui.tui.ui_context import UiContext
from tests.support.clock import ManualClock
from tests.support.deadline import Deadline
from tests.support.documented import documented
from tests.support.noted_port import NotedPort

A_MOMENT = 0.01
"""Seconds, for a thread that something may come from."""

_ASKED_AT = re.compile(r"\x1b\[(\d+);(\d+)H\x1b\[6n")

Scenario = Callable[["Dashboard", Pilot[None]], Awaitable[None]]


def settings_of(
    *,
    live: bool = False,
    read_only: bool = False,
    theme: str = "dark",
    watch: tuple[Pair, ...] | None = None,
    tint: str | None = None,
) -> Settings:
    """Settings of a test profile, or of one where real money moves."""
    profile = Profile(
        name="acme" if live else "demo",
        base_url="https://api.acme.example" if live else "http://127.0.0.1:8080",
        client_id="desk",
        live=live,
        read_only=read_only,
        payin_account_name="Acme Client Funds",
        tint=tint,
    )
    rates = Rates() if watch is None else Rates(watch=watch)
    return Settings(profile=profile, rates=rates, display=Display(theme=theme))


LONGEST = 300
"""Seconds that a scenario may take."""


@dataclass
class Dashboard:
    """A dashboard on a store that the test fills.

    Attributes:
        answers: whether its terminal tells at once where the cursor is; else once it is told to.
    """

    store: Store = field(default_factory=Store)
    clock: ManualClock = field(default_factory=ManualClock)
    time: ServiceTime | None = None
    settings: Settings = field(default_factory=settings_of)
    port: NotedPort = field(default_factory=NotedPort)
    vocabulary: DialectFeatures = field(default_factory=lambda: vocabulary_of(documented()))
    terminal: Terminal = CAPABLE
    surroundings: TerminalEnvironment = DIRECT
    answers: bool = True
    lists: WindowReader | None = None

    def app(self) -> PaytuiApp:
        """The app, not yet running."""
        time = self.time or ServiceTime(self.clock)
        maker = IntentMaker(random.Random(5))  # noqa: S311 - a test repeats itself
        ui = UiContext(
            store=self.store,
            port=self.port,
            time=time,
            settings=self.settings,
            maker=maker,
            vocabulary=self.vocabulary,
            surroundings=self.surroundings,
            lists=self.lists,
            random=random.Random(7),  # noqa: S311 - likewise
        )
        return AnsweringApp(ui, terminal=self.terminal, answers=self.answers)

    def play(self, scenario: Scenario, size: tuple[int, int] = (80, 24)) -> None:
        """Run the app and the scenario beside it."""

        async def run() -> None:
            app = self.app()
            async with (
                app.run_test(size=size, notifications=True) as pilot,
                asyncio.timeout(LONGEST),  # an app that has ended says why once it is left
            ):
                await pilot.pause()
                await scenario(self, pilot)

        asyncio.run(run())


class AnsweringApp(PaytuiApp):
    """At a terminal that tells where the cursor is, at once or when it is told to."""

    def __init__(
        self, ui: UiContext, *, terminal: Terminal = CAPABLE, answers: bool = True
    ) -> None:
        super().__init__(ui, terminal=terminal)
        self._answers_at_once = answers
        self._asked: list[tuple[int, int]] = []

    def answer(self, most: int | None = None) -> None:
        """Tell it as often as was asked, or `most` times."""
        asked, self._asked = self._asked[:most], self._asked[len(self._asked[:most]) :]
        for column, line in asked:
            self.post_message(events.CursorPosition(column - 1, line - 1))

    def _build_driver(
        self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None
    ) -> Driver:
        driver = super()._build_driver(headless, inline, mouse, size)
        if headless:
            driver.write = self._take  # type: ignore[method-assign]
        return driver

    def _take(self, data: str) -> None:
        for line, column in _ASKED_AT.findall(data):
            self._asked.append((int(column), int(line)))
            if self._answers_at_once:
                self.answer()


def lines(pilot: Pilot[None]) -> list[str]:
    """Return the lines of the screen."""
    strips = pilot.app.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]


def text(pilot: Pilot[None]) -> str:
    """Return the text of the screen."""
    return "\n".join(lines(pilot))


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait until something is so; fails with the screen when it never is."""
    deadline = Deadline(20)
    while not condition():
        assert not deadline.over, f"in vain on:\n{text(pilot)}"
        await pilot.pause()
        await asyncio.sleep(A_MOMENT)


async def shows(pilot: Pilot[None], words: str) -> None:
    """Wait until words are on screen."""
    await until(pilot, lambda: words in text(pilot))


async def choose(pilot: Pilot[None], name: str) -> None:
    """Go down a list to what is named so, and take it."""
    deadline = Deadline(20)
    while f"▌ {name}" not in text(pilot):
        assert not deadline.over, f"no {name} among\n{text(pilot)}"
        await pilot.press("down")
    await pilot.press("enter")


async def armed(ui: Dashboard, pilot: Pilot[None]) -> None:
    """The terminal has answered, and half a second has passed for one that never does."""
    await pilot.pause()
    ui.clock.advance(0.6)
    await pilot.pause()


async def tells(pilot: Pilot[None], words: str) -> None:
    """Wait until words are on screen, in columns of whatever width."""
    await until(pilot, lambda: words in " ".join(text(pilot).split()))


async def tick(pilot: Pilot[None]) -> None:
    """Run the timers of one second."""
    the_app(pilot)._tick()
    await pilot.pause()


def the_app(pilot: Pilot[None]) -> PaytuiApp:
    """The app that a pilot steers."""
    app = pilot.app
    assert isinstance(app, PaytuiApp)
    return app


async def answer(pilot: Pilot[None]) -> None:
    """The terminal tells where the cursor is, as often as it was asked, and that has arrived."""
    app = pilot.app
    assert isinstance(app, AnsweringApp)
    app.answer()
    for _ in range(3):  # on its way to what has the focus, and twice from there to the app
        await pilot.pause()
