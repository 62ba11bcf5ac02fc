"""The status bar: parts that give way in little room, and parts that never do."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.content import Content
from textual.pilot import Pilot

from paytui.config.settings import Settings
from paytui.domain.intent import SendPermission
from paytui.domain.intent import Standing as IntentStanding
from paytui.domain.models import AccountId, Kind
from paytui.outbox.outbox import Owner
from paytui.store.health import Link, LinkState
from paytui.tui.app import PaytuiApp
from paytui.tui.widgets.status import StatusContent, Trouble, arrange
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import account, failed
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tick, until


def trouble(full: str, short: str) -> Trouble:
    return Trouble(Content(full), Content(short))


STANDING = StatusContent(
    fixed=Content(" ACME LIVE   read-only"),
    scope=Content("Bolt Trading"),
    host=Content("api.acme.example"),
    troubles=(trouble("login refused since 12:00", "login refused"), trouble("9 late", "9 late")),
)


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (91, "read-only  api.acme.example  Bolt Trading  login refused since 12:00  9 late"),
        (83, "read-only  api.acm…  Bolt Trading  login refused since 12:00  9 late"),
        (73, "read-only  Bolt Trading  login refused since 12:00  9 late"),
        (70, "read-only  Bolt Tra…  login refused since 12:00  9 late"),
        (59, "read-only  login refused since 12:00  9 late"),
        (58, "read-only  Bolt Tra…  login refused  9 late"),
        (40, "read-only  login refused…"),
        (22, "read-only"),
    ],
)
def test_the_host_gives_way_then_the_account_then_the_length_of_warnings(
    width: int, words: str
) -> None:
    shown = arrange(STANDING, width).plain
    assert shown.split() == ["ACME", "LIVE", *words.split()]
    assert cell_len(shown) == width


def in_trouble(settings: Settings) -> Dashboard:
    """Everything that can be wrong is wrong at once."""
    ui = Dashboard(settings=settings)
    ui.store.accounts.put([account(2, "Bolt Trading International Proprietary Limited")])
    ui.store.set_link(Link(LinkState.REFUSED, since=NOON, superseded=True))
    for kind in Kind:
        failed(ui.store, kind, "503")
    return ui


@pytest.mark.parametrize(("width", "read_only"), [(60, True), (80, False)])
def test_no_warning_pushes_the_word_live_the_clock_or_read_only_off_the_screen(
    width: int, read_only: bool
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, PaytuiApp)
        app.show_account(AccountId("acc-2"))
        await shows(pilot, "login refused")
        await tick(pilot)
        line = lines(pilot)[0]
        assert line.startswith(" ACME LIVE ")
        assert line.endswith("12:00:00 UTC")
        assert ("read-only" in line) is read_only

    in_trouble(settings_of(live=True, read_only=read_only)).play(scenario, size=(width, 20))


def test_where_there_is_room_for_the_profile_alone_the_clock_gives_way() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tick(pilot)
        await shows(pilot, "ACME LIVE   read-only")
        assert "UTC" not in lines(pilot)[0]
        await pilot.resize_terminal(60, 20)
        await shows(pilot, "12:00:00 UTC")

    in_trouble(settings_of(live=True, read_only=True)).play(scenario, size=(30, 20))


@pytest.mark.slow
def test_a_token_that_is_not_shared_is_told_with_its_reason(ui: Dashboard) -> None:
    why = "the token file /run/paytui/token is one that anyone can write"
    ui.store.set_link(Link(LinkState.UP, since=NOON, unshared=why))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "token not shared")
        assert "token not shared  12:00:00 UTC" in lines(pilot)[0]
        await shows(pilot, "! token not shared with other processes: the token file /run/paytui")

    ui.play(scenario, size=(200, 40))


@pytest.mark.slow
def test_a_new_certificate_of_the_service_is_told_with_what_it_is(ui: Dashboard) -> None:
    news = "the certificate of api.acme.example is a new one, by Acme Trust as before"
    ui.store.set_link(Link(LinkState.UP, since=NOON, host_news=news))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "new certificate  12:00:00 UTC")
        await shows(pilot, "! the certificate of api.acme.example is a new one, by Acme Trust")

    ui.play(scenario, size=(200, 40))


def test_a_token_that_is_shared_is_not_worth_a_word(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12:00:00 UTC")
        assert "shared" not in "\n".join(lines(pilot))

    ui.play(scenario)


def test_intents_in_doubt_are_counted_while_there_are_any(ui: Dashboard) -> None:
    ui.store.intents.put([intent_row(1), intent_row(2), intent_row(3, IntentStanding.ACCEPTED)])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "2 in doubt")
        assert "2 in doubt  12:00:00 UTC" in lines(pilot)[0]
        ui.store.intents.put([intent_row(1, IntentStanding.DONE)])
        ui.store.notify()
        await shows(pilot, "1 in doubt")
        ui.store.intents.put([intent_row(2, IntentStanding.NOT_DONE)])
        ui.store.notify()
        await until(pilot, lambda: "in doubt" not in lines(pilot)[0])

    ui.play(scenario)


@pytest.mark.slow
def test_what_is_in_doubt_is_told_before_anything_else_that_is_wrong() -> None:
    ui = in_trouble(settings_of(live=True))
    ui.store.intents.put([intent_row(1)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1 in doubt  login refused")

    ui.play(scenario)


def test_where_nothing_can_be_sent_that_is_said_with_the_reason(ui: Dashboard) -> None:
    why = "Could not own the outbox: process 4711 on desk-1 sends from it. End that one."
    ui.store.set_sending(SendPermission(allowed=False, why=why))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test   read-only")
        await shows(pilot, "Could not own the outbox: process 4711 on desk")
        await pilot.resize_terminal(60, 20)
        await shows(pilot, "cannot send")
        assert "read-only" in lines(pilot)[0]
        ui.store.set_sending(SendPermission(allowed=False, why=why, short="desk away"))
        await shows(pilot, "desk away")
        assert "read-only" not in lines(pilot)[0]

    ui.play(scenario, size=(120, 24))


def test_what_to_do_to_send_is_said_in_place_of_a_reason_that_has_no_room(ui: Dashboard) -> None:
    owner = Owner("process 16827 on vm", "2026-03-02 12:00 UTC")
    why = str(owner.problem)
    ui.store.set_sending(SendPermission(allowed=False, why=why, brief=owner.brief))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "end process 16827 on vm to send here")
        assert "read-only" in lines(pilot)[0]

    ui.play(scenario, size=(120, 24))


def test_before_the_outbox_was_looked_at_nothing_is_said_of_it(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12:00:00 UTC")
        assert "read-only" not in lines(pilot)[0]
        assert "cannot send" not in lines(pilot)[0]

    ui.play(scenario)
