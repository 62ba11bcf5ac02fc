"""The detail of an object: what it is now, and how fresh that is."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.api.models import Kind
from tests.tui.book import failed
from tests.tui.dashboard import Dashboard, lines, shows, tick


@pytest.mark.parametrize(
    ("keys", "kind"),
    [(("3", "enter"), Kind.WALLETS), (("1", "tab", "enter"), Kind.PAYMENTS)],
    ids=["from a list", "from what needs attention"],
)
def test_a_detail_view_says_how_old_its_figures_are(
    desk: Dashboard, keys: tuple[str, ...], kind: Kind
) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "payout 12,000.00 AUD")
        await pilot.press(*keys)
        await shows(pilot, "esc Back")
        assert "old" not in lines(pilot)[1]
        desk.clock.advance(245)
        failed(desk.store, kind, "503")
        await shows(pilot, f"{kind.value} 4 min old: 503, since 14:02")
        desk.clock.advance(60)
        await tick(pilot)
        assert lines(pilot)[1].endswith(f"{kind.value} 5 min old: 503, since 14:02")

    desk.play(scenario, size=(120, 40))
