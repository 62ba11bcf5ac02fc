"""The detail of an object: what it is now, and how fresh that is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.api.models import Kind, State
from tests.tui.book import failed, payment
from tests.tui.dashboard import Dashboard, lines, shows, text, tick


@pytest.mark.parametrize(
    ("keys", "kind"),
    [(("3", "enter"), Kind.WALLETS), (("enter",), Kind.PAYMENTS)],
    ids=["from a list", "from what needs attention"],
)
def test_a_detail_view_says_how_old_its_figures_are(
    desk: Dashboard, keys: tuple[str, ...], kind: Kind
) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12,000.00 AUD")
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


def test_words_of_the_service_go_on_in_the_next_line_however_long_they_are(
    desk: Dashboard,
) -> None:
    state = "waiting_for_a_correspondent_bank_in_another_country"
    row = replace(payment(9, "1", state), status=State(state, known=False), reference="ab " * 60)
    desk.store.payments.put([row])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payment pay-9")
        painted = text(pilot)
        assert painted.count("ab ab") >= 4
        assert painted.split().count("ab") == 60
        label = "".join(line[1:20].strip() for line in lines(pilot)[2:-1])
        assert state in label
        assert "? now, not in the dialect" in painted

    desk.play(scenario)
