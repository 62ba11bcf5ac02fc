"""The dashboard without a terminal: keys go in, lines of text come out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from textual.pilot import Pilot

from paytui.api.dialect import load_dialect
from paytui.cli.vocabulary import vocabulary_of
from paytui.clock import ServiceTime
from paytui.config.settings import Display, Profile, Rates, Settings
from paytui.intent import IntentMaker
from paytui.money import Pair
from paytui.store.store import Store
from paytui.surroundings import DIRECT, Surroundings
from paytui.tui.app import PaytuiApp
from paytui.tui.desk import Desk
from paytui.tui.terminal import CAPABLE, Terminal
from paytui.vocabulary import Vocabulary
from tests.support.clock import ManualClock
from tests.support.deadline import Deadline
from tests.support.noted_port import NotedPort

A_MOMENT = 0.01
"""Seconds, for a thread that something may come from."""

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
    """A dashboard on a store that the test fills."""

    store: Store = field(default_factory=Store)
    clock: ManualClock = field(default_factory=ManualClock)
    time: ServiceTime | None = None
    settings: Settings = field(default_factory=settings_of)
    port: NotedPort = field(default_factory=NotedPort)
    vocabulary: Vocabulary = field(default_factory=lambda: vocabulary_of(load_dialect()))
    terminal: Terminal = CAPABLE
    surroundings: Surroundings = DIRECT

    def app(self) -> PaytuiApp:
        """The app, not yet running."""
        time = self.time or ServiceTime(self.clock)
        maker = IntentMaker(random.Random(5))  # noqa: S311 - a test repeats itself
        desk = Desk(
            store=self.store,
            port=self.port,
            time=time,
            settings=self.settings,
            maker=maker,
            vocabulary=self.vocabulary,
            surroundings=self.surroundings,
        )
        return PaytuiApp(desk, terminal=self.terminal)

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


def lines(pilot: Pilot[None]) -> list[str]:
    """What is on screen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]


def text(pilot: Pilot[None]) -> str:
    """What is on screen."""
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


async def armed(desk: Dashboard, pilot: Pilot[None]) -> None:
    """Time in which a trader sees what is shown: a terminal that never answers takes half a second
    (design.md)."""
    await pilot.pause()
    desk.clock.advance(0.6)


async def tells(pilot: Pilot[None], words: str) -> None:
    """Wait until words are on screen, in columns of whatever width."""
    await until(pilot, lambda: words in " ".join(text(pilot).split()))


async def tick(pilot: Pilot[None]) -> None:
    """What happens every second."""
    the_app(pilot)._tick()
    await pilot.pause()


def the_app(pilot: Pilot[None]) -> PaytuiApp:
    """The app that a pilot steers."""
    app = pilot.app
    assert isinstance(app, PaytuiApp)
    return app
