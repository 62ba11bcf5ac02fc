"""The screen below a dialog stays live."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.store.health import Link, LinkState
from tests.support.clock import NOON
from tests.tui.book import account, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, tick

DIALOGS = {"help": "question_mark", "accounts": "a", "palette": "ctrl+p"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dialog", "beside_it"),
    [("accounts", "1,274,335.15"), ("palette", "unreachable since 12:00")],
)
def test_under_a_dialog_clock_warnings_and_figures_go_on(
    ui: Dashboard, dialog: str, beside_it: str
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1,274,330.15")
        await pilot.press(DIALOGS[dialog])
        ui.clock.advance(5)
        await tick(pilot)
        assert "12:00:05 UTC" in lines(pilot)[0]
        ui.store.wallets.put([wallet(9, "AUD petty cash", "5")])
        ui.store.set_link(Link(LinkState.UNREACHABLE, since=NOON))
        ui.store.notify()
        await shows(pilot, beside_it)
        assert "unreachable since 12:00" in lines(pilot)[0]

    ui.play(scenario, size=(160, 40))


def test_the_account_picker_follows_the_store(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("a", "j", "j")  # all accounts, Acme, Bolt
        ui.store.accounts.put([account(3, "Argo"), account(4, "Zulu")])
        ui.store.notify()
        await shows(pilot, "Argo")
        assert "Zulu" in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "  Bolt")
        assert "Bolt" in lines(pilot)[0]

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("dialog", ["help", "palette"])
def test_a_dialog_opened_before_anything_was_shown_leaves_no_blank_behind(
    empty: Dashboard, dialog: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", DIALOGS[dialog])
        await shows(pilot, "connecting")
        assert "demo test" in lines(pilot)[0]

    empty.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("dialog", ["question_mark", "a"])
def test_a_toast_covers_no_word_of_a_dialog(ui: Dashboard, dialog: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.notify(" ".join(["toast"] * 30), markup=False)
        await shows(pilot, "toast")
        await pilot.press(dialog)
        await shows(pilot, "toast")
        await pilot.pause()
        drawn = [line for line in lines(pilot) if "╭" in line or "╰" in line]
        assert len(drawn) == 2, text(pilot)
        assert "esc" in drawn[1]

    ui.play(scenario, size=(60, 20))
