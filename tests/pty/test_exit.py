"""Every way to end the dashboard ends it at once and restores the terminal."""

from __future__ import annotations

import signal

import pytest

from tests.pty.frozen import jam
from tests.support.deadline import eventually
from tests.support.terminal import Terminal

READY = r"\d\d:\d\d:\d\d UTC(.|\n)*Wallets"


@pytest.mark.slow
def test_the_quit_key_ends_it_and_restores_the_screen(dashboard: Terminal) -> None:
    dashboard.wait_for(READY)
    dashboard.send("q")
    assert dashboard.wait_for_exit() == 0
    eventually(lambda: not dashboard.in_alternate_screen)
    assert dashboard.echoes


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_restores_the_screen(
    dashboard: Terminal, number: signal.Signals
) -> None:
    dashboard.wait_for(READY)
    dashboard.signal(number)
    assert dashboard.wait_for_exit() == 128 + number
    eventually(lambda: not dashboard.in_alternate_screen)
    assert dashboard.echoes


@pytest.mark.slow
def test_a_signal_ends_it_though_the_terminal_is_frozen(dashboard: Terminal) -> None:
    dashboard.wait_for(READY)
    jam(dashboard)
    dashboard.signal(signal.SIGTERM)
    assert dashboard.wait_for_exit() == 128 + signal.SIGTERM
    assert dashboard.echoes


@pytest.mark.slow
def test_a_lost_terminal_ends_it(dashboard: Terminal) -> None:
    dashboard.wait_for(READY)
    dashboard.hang_up()
    assert dashboard.wait_for_exit() != 0
