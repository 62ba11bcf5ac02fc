"""Balances are readable before the dashboard is loaded; the terminal is restored."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.pty.conftest import RunService
from tests.pty.held_start import HeldStart
from tests.support.deadline import eventually
from tests.support.terminal import Terminal

BALANCE = r"AUD +1,204,330\.15"
OPENS, CLOSES = b"\x1b[?1049h", b"\x1b[?1049l"
COLOUR = re.compile(rb"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


@pytest.fixture
def held(tmp_path: Path) -> HeldStart:
    """A start after a run that knew balances."""
    (tmp_path / "held").mkdir()
    held = HeldStart(tmp_path / "held")
    held.leave()
    return held


@pytest.fixture
def early(held: HeldStart) -> Iterator[Terminal]:
    """A dashboard just before it is loaded."""
    with held.start() as terminal:
        held.waits()
        yield terminal


def test_balances_are_readable_before_the_dashboard_is_loaded(early: Terminal) -> None:
    screen = early.wait_for(rf"{BALANCE}(.|\n)*JPY +45,120,900")
    whose, when, *_ = screen.splitlines()
    assert whose == " ACME LIVE   127.0.0.1:9  all accounts"
    assert re.fullmatch(
        r" LAST KNOWN \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, 3 h ago · starting…", when
    )
    assert not COLOUR.search(early.painted)  # nothing that could mean that it is live


@pytest.mark.slow
def test_the_dashboard_goes_on_with_the_same_screen_and_leaves_nothing_of_it(
    held: HeldStart, early: Terminal
) -> None:
    early.wait_for(BALANCE)
    held.let_go()
    screen = early.wait_for("1 Overview(.|\n)*AUD +1,204,330.15(.|\n)*Quit")
    assert "LAST KNOWN" not in screen
    assert "starting" not in screen
    early.wait_for("cached, 3 h old")
    early.send("q")
    assert early.wait_for_exit() == 0
    eventually(lambda: not early.in_alternate_screen)
    assert early.echoes
    assert (early.painted.count(OPENS), early.painted.count(CLOSES)) == (1, 1)


@pytest.mark.slow
def test_keys_that_are_typed_meanwhile_are_not_echoed_and_reach_the_dashboard(
    held: HeldStart, early: Terminal
) -> None:
    early.wait_for(BALANCE)
    assert not early.echoes
    early.send("333333")
    held.let_go()
    early.wait_for("AUD desk")  # a wallet, which the third screen lists
    assert b"333333" not in early.painted


@pytest.mark.slow
def test_the_key_that_stops_a_program_does_not(held: HeldStart, early: Terminal) -> None:
    early.wait_for(BALANCE)
    early.send("\x1a")
    held.let_go()
    early.wait_for("1 Overview")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_it_and_gives_the_terminal_back(
    early: Terminal, number: signal.Signals
) -> None:
    early.wait_for(BALANCE)
    early.signal(number)
    assert early.wait_for_exit() == -number
    eventually(lambda: not early.in_alternate_screen)
    assert early.echoes


def test_the_key_that_interrupts_ends_it_and_gives_the_terminal_back(early: Terminal) -> None:
    early.wait_for(BALANCE)
    early.send("\x03")
    assert early.wait_for_exit() == -signal.SIGINT
    eventually(lambda: not early.in_alternate_screen)
    assert early.echoes


def test_what_is_wrong_is_said_on_the_screen_that_was_there_before(held: HeldStart) -> None:
    held.configure(more="dialect = 'own.toml'\n")
    with held.start() as terminal:
        assert terminal.wait_for_exit() == 2
        eventually(lambda: b"profiles.acme.dialect" in terminal.painted)
        early, said = terminal.painted.split(CLOSES)
        assert b"LAST KNOWN" in early
        assert b"cannot be read" in said
        assert terminal.echoes


def test_another_profiles_balances_are_not_shown(held: HeldStart) -> None:
    held.configure(client_id="other")
    knows_nothing(held)


def test_a_cache_that_others_can_read_is_not_shown(held: HeldStart) -> None:
    held.cache.chmod(0o644)
    knows_nothing(held)


def test_without_a_cache_nothing_is_known(held: HeldStart) -> None:
    held.configure(more="[cache]\nenabled = false\n")
    knows_nothing(held)


def test_a_terminal_that_is_too_small_stays_as_it_was(held: HeldStart) -> None:
    with held.start(size=(59, 24)) as terminal:
        held.waits()
        terminal.wait_for("client secret from")
        assert OPENS not in terminal.painted
        assert terminal.echoes


@pytest.mark.slow
def test_where_nothing_is_known_balances_are_readable_as_soon_as_they_are_read(
    held: HeldStart, run_service: RunService
) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    with held.start(config=service.config) as terminal:
        screen = terminal.wait_for(r"AUD +[\d,]+\.\d\d")
        held.waits()
        assert re.search(r"\n READ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · starting", screen)
        assert "LAST KNOWN" not in screen
        held.let_go()
        assert "READ" not in terminal.wait_for("1 Overview(.|\n)*AUD +[\\d,]+(.|\n)*Quit")
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
        eventually(lambda: not terminal.in_alternate_screen)
        assert terminal.echoes


def test_a_clock_that_was_set_back_is_remarked(held: HeldStart) -> None:
    held.leave(read_at=datetime.now(UTC) + timedelta(hours=1))
    with held.start() as terminal:
        terminal.wait_for(BALANCE)
        assert "UTC, in the future?" in terminal.text


def knows_nothing(held: HeldStart) -> None:
    """No balance is on the terminal when the dashboard is about to be loaded."""
    with held.start() as terminal:
        held.waits()
        terminal.wait_for("No balances are known yet · starting")
        assert b"AUD" not in terminal.painted
        assert not terminal.echoes
