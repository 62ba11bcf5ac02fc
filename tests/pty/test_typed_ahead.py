"""Keys typed into a frozen terminal, or held by a clipboard, confirm nothing."""

from __future__ import annotations

import re

import pytest

from tests.pty import trade
from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService
from tests.support.deadline import Deadline, eventually
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

LIFETIME = 20
"""Seconds for which a rate is locked here."""

THROUGH_THE_TICKET = ["t", *"aud cad 1k", *["\r"] * 19]
"""Thirty keys, which lead to the review and on."""


@pytest.mark.slow
def test_thirty_keys_one_by_one_book_nothing(run_service: RunService, run_desk: RunDesk) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    terminal = run_desk(service)
    terminal.wait_for(trade.READY)

    terminal.freeze()
    for key in THROUGH_THE_TICKET:
        terminal.send(key)
        passes(0.3)
    terminal.thaw()

    stands_unconfirmed(terminal, service)


@pytest.mark.slow
def test_thirty_keys_at_once_book_nothing(run_service: RunService, run_desk: RunDesk) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    terminal = run_desk(service)
    trade.to_amount(terminal)

    terminal.freeze()
    terminal.send("\r" * 30)
    polls_go_on(service)
    terminal.thaw()

    stands_unconfirmed(terminal, service)


@pytest.mark.slow
def test_a_rate_that_expired_on_a_frozen_terminal_books_nothing_and_a_new_one_is_offered(
    run_service: RunService, run_desk: RunDesk
) -> None:
    service = run_service("--scale", "20", "--speed", "0", "--sheet-lifetime", str(LIFETIME))
    terminal = run_desk(service)
    trade.to_confirm(terminal)

    terminal.freeze()
    passes(LIFETIME)
    terminal.send("\r" * 5)
    terminal.thaw()

    terminal.wait_for("Trade · confirm(.|\n)*expired(.|\n)*New rate")
    assert service.requests()["book_trade"] == 0

    terminal.send("r")
    terminal.wait_for(r"enter: book(.|\n)*Rate .+ locked")
    intent = confirm(terminal, r"Status +\S+ accepted")
    assert len(trade.booked(service, intent)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("pasted", ["b\x1b\r\x1b" + "#" * 40, "b\x1b[201~\r"])
def test_what_is_pasted_books_nothing(
    run_service: RunService, run_desk: RunDesk, pasted: str
) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    terminal = run_desk(service)
    trade.to_confirm(terminal)
    terminal.wait_for(lambda _: terminal.painted.count(b"\x1b[6n") >= 2)  # and it was answered

    terminal.send(f"\x1b[200~{pasted}\x1b[201~")

    press_until(terminal, "?", "This screen")
    assert service.requests()["book_trade"] == 0
    terminal.send("\x1b")
    stands_unconfirmed(terminal, service)


def press_until(terminal: Terminal, key: str, wanted: str) -> None:
    """Press a key until it is heard."""

    def is_heard(screen: str) -> bool:
        if re.search(wanted, screen):
            return True
        terminal.send(key)
        return False

    terminal.wait_for(is_heard)


def stands_unconfirmed(terminal: Terminal, service: SandboxProcess) -> None:
    """Assert that typed-ahead keys stopped at the review, which then can be confirmed."""
    terminal.wait_for(trade.CONFIRM)
    assert service.requests()["book_trade"] == 0
    intent = confirm(terminal, r"Status +\S+ accepted")
    assert len(trade.booked(service, intent)) == 1


def polls_go_on(service: SandboxProcess) -> None:
    """For long enough that a dashboard that confirms what was typed has done so."""
    asked = service.requests()["list_wallets"]
    eventually(lambda: service.requests()["list_wallets"] >= asked + 2, seconds=40)


def passes(seconds: float) -> None:
    """Time, which is what a terminal is frozen for."""
    deadline = Deadline(seconds)
    eventually(lambda: deadline.over, seconds=seconds + 20)
