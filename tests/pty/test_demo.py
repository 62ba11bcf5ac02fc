"""`paytui demo`, as a new user sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.pty import wallet
from tests.support.deadline import eventually
from tests.support.processes import children, is_running
from tests.support.terminal import PAYTUI, Terminal

HOST = re.compile(r"(127\.0\.0\.1:\d+) +all accounts")


@pytest.fixture
def demo() -> Iterator[Terminal]:
    with Terminal((*PAYTUI, "demo", "--speed", "20"), size=(120, 40)) as terminal:
        yield terminal


@pytest.mark.slow
@pytest.mark.covers("real-time-funds")
def test_a_pay_in_raises_the_balance_on_the_screen(demo: Terminal) -> None:
    host = HOST.search(demo.wait_for(HOST.pattern))
    assert host
    before = wallet.open_first(demo)
    pay_in = {"walletId": before.wallet_id, "amount": wallet.PAY_IN}
    url = f"http://{host[1]}/_sandbox/payins"
    httpx.post(url, json=pay_in, trust_env=False, timeout=60).raise_for_status()
    demo.wait_for(wallet.raised_by_pay_in(before))


@pytest.mark.slow
def test_the_sandbox_ends_with_the_dashboard(demo: Terminal) -> None:
    demo.wait_for(HOST.pattern)
    sandboxes = children(demo.process.pid)
    assert sandboxes
    demo.send("q")
    assert demo.wait_for_exit() == 0
    eventually(lambda: not any(map(is_running, sandboxes)))


@pytest.mark.slow
def test_the_sandbox_ends_though_the_dashboard_is_killed(demo: Terminal) -> None:
    demo.wait_for(HOST.pattern)
    sandboxes = children(demo.process.pid)
    assert sandboxes
    demo.process.kill()
    eventually(lambda: not any(map(is_running, sandboxes)))


@pytest.mark.slow
def test_a_demo_can_be_looked_at_without_moving_money() -> None:
    command = (*PAYTUI, "demo", "--read-only", "--scale", "20")
    with Terminal(command, size=(120, 40)) as terminal:
        terminal.wait_for("demo test +read-only")
        terminal.send("t")
        terminal.wait_for("This profile is read-only: nothing is sent from here.")
