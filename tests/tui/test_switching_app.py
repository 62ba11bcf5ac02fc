"""A screen that is switched to is painted at once, and all of it together."""

from __future__ import annotations

import pytest
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from paytui.api.models import WalletId
from paytui.tui.app import PaytuiApp
from paytui.tui.switching_app import SwitchingApp
from tests.tui.dashboard import Dashboard, shows, until

SCREENS = {"3": "4 wallets", "6": "3 payments", "1": "Overview", "8": "0 intents"}


def test_a_number_waits_for_nothing_but_its_screen(
    desk: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def for_long(app: SwitchingApp, delay: float = 0.05) -> None:
        SwitchingApp.delay_update(app, 3600)

    monkeypatch.setattr(PaytuiApp, "delay_update", for_long)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in (*SCREENS, *SCREENS):
            await pilot.press(key)
            await until(pilot, lambda: not pilot.app._batch_count)
            await shows(pilot, SCREENS[key])

    desk.play(scenario)


def test_nothing_of_it_is_painted_before_it_has_caught_up(
    desk: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a screen that was left long ago would show for a moment what was true then."""
    sent: list[str] = []
    display = App._display

    def noted(app: App[None], screen: Screen[object], painted: object) -> None:
        if isinstance(painted, CompositorUpdate) and not app._batch_count:
            sent.append(painted.render_segments(app.console))
        display(app, screen, None)

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        for key in ("3", "6", "1"):
            await pilot.press(key)
            await shows(pilot, SCREENS[key])
        desk.store.wallets.remove([WalletId(f"wal-{number}") for number in (1, 2, 3)])
        monkeypatch.setattr(App, "_display", noted)
        await pilot.press("3")
        await shows(pilot, "1 wallet")

    desk.play(scenario)
    painted = "".join(sent)
    assert "USD desk" in painted
    assert "AUD desk" not in painted


def test_what_nobody_ends_is_over_after_its_time(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app: App[None] = pilot.app
        app.delay_update(0.01)
        assert app._batch_count
        await until(pilot, lambda: not app._batch_count)

    desk.play(scenario)
