"""On a small terminal a confirm step may cut off facts, but no warning and not what is typed."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of
from tests.tui.wizards.trading import fill, to_confirm


def test_what_is_typed_and_the_warnings_stand_above_the_facts() -> None:
    desk = Dashboard(settings=settings_of(live=True))
    fill(desk.store)
    desk.store.rate_sheets.put([sheet("one", desk.clock, {AUD_USD: "0.65123"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        found = [
            next(number for number, line in enumerate(lines(pilot)) if words in line)
            for words in ("Type 250000 to confirm", "enter books it", "You sell")
        ]
        assert found == sorted(found)
        await pilot.press("escape")
        await pilot.pause()
        shown = "\n".join(lines(pilot))
        assert "5 of 6" in shown

    desk.play(scenario, size=(60, 20))
