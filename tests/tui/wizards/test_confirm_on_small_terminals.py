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


def test_what_was_not_seen_to_its_end_cannot_be_confirmed() -> None:
    desk = Dashboard()
    fill(desk.store)
    desk.store.rate_sheets.put([sheet("one", desk.clock, {AUD_USD: "0.65123"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        desk.clock.advance(1)
        await pilot.press("enter")
        await pilot.pause()
        assert desk.port.submitted == []
        assert "▼ page down" in "\n".join(lines(pilot))
        await pilot.press("pagedown", "pagedown", "pagedown")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert len(desk.port.submitted) == 1

    desk.play(scenario, size=(80, 13))
