"""Leaving with open intents asks once, and lists them afterwards."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import IntentId, SendPermission, Standing
from paytui.tui.app import PaytuiApp
from paytui.tui.notifications import exit_summary, open_intents
from paytui.tui.ui_context import SavedDraft
from tests.support.intents import intent_row
from tests.tui.dashboard import Dashboard, shows, tells, text, the_app, until
from tests.tui.ticket.paying import book

OPEN = "Something is still open"


def sends(ui: Dashboard, *, allowed: bool = True) -> Dashboard:
    ui.store.set_sending(
        SendPermission(allowed=allowed, why="" if allowed else "Another one sends.")
    )
    return ui


@pytest.mark.slow
@pytest.mark.parametrize(
    ("standing", "key"),
    [(Standing.RECORDED, "q"), (Standing.SENDING, "ctrl+c"), (Standing.IN_DOUBT, "q")],
)
def test_what_is_open_is_named_and_to_quit_again_leaves(
    ui: Dashboard, standing: Standing, key: str
) -> None:
    sends(ui).store.intents.put([intent_row(1, standing, title="Payout to [b]Bolt[/x]")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await shows(pilot, OPEN)
        assert "Payout to [b]Bolt[/x] (PT-00000001)" in text(pilot)
        assert pilot.app.is_running
        await pilot.press(key)
        await until(pilot, lambda: not pilot.app._running)

    ui.play(scenario)


def test_esc_stays(ui: Dashboard) -> None:
    sends(ui).store.intents.put([intent_row(1)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("q")
        await shows(pilot, OPEN)
        await pilot.press("escape")
        await until(pilot, lambda: OPEN not in text(pilot))
        assert pilot.app.is_running

    ui.play(scenario)


@pytest.mark.slow
def test_nobody_is_asked_where_nothing_is_open(ui: Dashboard) -> None:
    over = [one for one in Standing if not one.open]
    sends(ui).store.intents.put([intent_row(*row) for row in enumerate(over)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app._running)

    ui.play(scenario)


def test_what_is_open_is_named_also_where_nothing_is_sent_from_here_with_the_reason(
    ui: Dashboard,
) -> None:
    sends(ui, allowed=False).store.intents.put([intent_row(1)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("q")
        await shows(pilot, OPEN)
        assert "Another one sends." in text(pilot)
        assert "It is not tracked" not in text(pilot)
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app._running)

    ui.play(scenario)


def test_a_shell_is_told_what_is_open_the_doubtful_first_and_where_to_see_it(
    ui: Dashboard,
) -> None:
    ui.store.intents.put(
        [
            intent_row(1, Standing.RECORDED),
            intent_row(2, Standing.ACCEPTED),
            intent_row(3, Standing.IN_DOUBT),
            intent_row(4, Standing.SENDING),
        ]
    )
    assert exit_summary(open_intents(ui.store)).splitlines() == [
        "Still open:",
        "  in doubt: Payout 1,200.00 USD to Bolt (PT-00000003)",
        "  being sent: Payout 1,200.00 USD to Bolt (PT-00000004)",
        "  not sent: Payout 1,200.00 USD to Bolt (PT-00000001)",
        "`paytui audit` shows its history; resolve it in the dashboard.",
    ]


def test_who_leaves_forms_that_were_never_sent_is_asked_once(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        fill_in(pilot, "wallet", "payee")
        await pilot.press("q")
        await tells(pilot, "Quitting discards 2 unsent forms.")
        assert OPEN not in text(pilot)
        assert "It is not tracked" not in text(pilot)
        assert pilot.app.is_running
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app._running)

    ui.play(scenario)


def test_what_is_open_and_a_form_that_would_be_lost_are_both_named(ui: Dashboard) -> None:
    sends(ui).store.intents.put([intent_row(1)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        fill_in(pilot, "wallet")
        await pilot.press("q")
        await shows(pilot, OPEN)
        assert "PT-00000001" in text(pilot)
        await tells(pilot, "Quitting discards 1 unsent form.")

    ui.play(scenario)


def test_of_a_form_that_was_sent_nothing_is_lost(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        fill_in(pilot, "wallet", sent=IntentId("PT-00000001"))
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app._running)

    ui.play(scenario)


@pytest.mark.parametrize("is_filled", [True, False])
def test_a_ticket_that_is_open_is_lost_only_if_something_was_filled_in(is_filled: bool) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "▌ To")
        if is_filled:
            await pilot.press(*"globex", "enter", "ctrl+c")
            await tells(pilot, "Quitting discards 1 unsent form.")
            await pilot.press("escape")
            await shows(pilot, "▌ From")
            assert the_app(pilot).ui.drafts == {}
        else:
            await pilot.press("ctrl+c")
            await until(pilot, lambda: not pilot.app._running)

    Dashboard(store=book()).play(scenario)


def fill_in(pilot: Pilot[None], *forms: str, sent: IntentId | None = None) -> None:
    """Somebody left these forms with something in them."""
    app = pilot.app
    assert isinstance(app, PaytuiApp)
    for form in forms:
        app.ui.drafts[form, ""] = SavedDraft({"wallet_name": "Desk"}, sent)
