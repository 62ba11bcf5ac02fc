"""A toast ends by itself, however late it is shown."""

from __future__ import annotations

import time

from textual.pilot import Pilot
from textual.widgets._toast import Toast

from paytui.tui.toasting_app import Toasted
from tests.tui.dashboard import Dashboard, until


def test_one_whose_time_is_over_before_it_is_shown_ends_and_nothing_hangs(desk: Dashboard) -> None:
    late = Toasted("Payout accepted.", timeout=5, raised_at=time.time() - 60)
    assert late.has_expired
    assert late.time_left > 0

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.app.screen.mount(Toast(late))
        await until(pilot, lambda: not pilot.app.screen.query(Toast))

    desk.play(scenario)


def test_one_from_before_the_clock_was_set_back_is_shown_no_longer_for_it() -> None:
    ahead = Toasted("Payout accepted.", timeout=5, raised_at=time.time() + 7200)
    assert ahead.time_left == 5


def test_all_that_the_dashboard_says_ends_so(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.screen.notify("Said by a screen.")
        pilot.app.notify("Said by the app.")
        await until(pilot, lambda: len(pilot.app._notifications) == 2)
        assert all(isinstance(said, Toasted) for said in pilot.app._notifications)

    desk.play(scenario)
