"""The worker in a thread of its own, in real time."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest
from starlette.types import Receive, Scope, Send

from paytui.domain.intent import SendPermission
from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from paytui.platform.clock import SystemClock
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from paytui.store.health import LinkState
from paytui.store.store import Store
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import WorkerHost
from tests.support.client import SECRET
from tests.support.deadline import eventually
from tests.worker.desk import Desk

AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
AMPLE = 20.0
"""Seconds that a stop may take on a busy machine before a test gives up."""


@pytest.fixture
def desk() -> Desk:
    """A desk on a sandbox that lives in whichever thread first asks for it."""
    return Desk(MadeOnFirstUse(), SystemClock())


class MadeOnFirstUse:
    """A sandbox whose database belongs to the thread that uses it."""

    def __init__(self) -> None:
        self._options = SandboxOptions(client_secret=SECRET, scale=10, speed=0)
        self.wait_for_ever = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.wait_for_ever:
            await asyncio.Event().wait()
        if not hasattr(self, "_app"):
            self._app = create_app(self._options, SystemClock())
        await self._app(scope, receive, send)


def test_it_fills_the_store_and_stops_when_told(desk: Desk) -> None:
    host = WorkerHost(lambda: desk.worker, desk.store)
    host.start()
    eventually(desk.all_ok)
    assert host.stop(AMPLE)
    assert desk.network.closed
    assert "paytui-worker" not in {thread.name for thread in threading.enumerate()}


def test_the_port_reaches_the_worker_whether_asked_before_or_after_the_start(desk: Desk) -> None:
    host = WorkerHost(lambda: desk.worker, desk.store)
    host.port.watch_rates((AUD_USD,))
    host.start()
    eventually(lambda: desk.count(Kind.RATE_SHEETS) == 1)
    eventually(desk.all_ok)
    before = desk.network.counts["/v2/accounts"]
    host.port.refresh()
    eventually(lambda: desk.network.counts["/v2/accounts"] > before)
    assert host.stop(AMPLE)
    host.port.refresh()
    host.port.watch_rates(())


def test_it_can_be_waited_for_until_it_is_built(desk: Desk) -> None:
    go_on, done = threading.Event(), threading.Event()

    def build() -> Worker:
        assert go_on.wait(AMPLE)
        done.set()
        return desk.worker

    host = WorkerHost(build, desk.store)
    before = host.is_started
    host.start()
    assert (before, host.is_started) == (False, True)
    host.wait_until_built(0.0)  # no longer than it is told
    assert not done.is_set()
    go_on.set()
    host.wait_until_built(AMPLE)
    assert done.is_set()
    assert host.stop(AMPLE)


def test_one_that_cannot_be_built_is_waited_for_no_longer() -> None:
    def fail() -> Worker:
        raise LookupError

    store = Store()
    host = WorkerHost(fail, store)
    host.start()
    host.wait_until_built(AMPLE)
    eventually(lambda: store.link.state is LinkState.STOPPED)
    assert host.stop(AMPLE)


def test_it_stops_in_the_middle_of_a_request_that_is_never_answered(desk: Desk) -> None:
    app = desk.network.app
    assert isinstance(app, MadeOnFirstUse)
    app.wait_for_ever = True
    host = WorkerHost(lambda: desk.worker, desk.store)
    host.start()
    eventually(lambda: bool(desk.network.requests))
    assert host.stop(AMPLE)
    assert desk.network.closed


def test_stopping_what_never_started_or_has_stopped_does_no_harm(desk: Desk) -> None:
    never = WorkerHost(lambda: desk.worker, desk.store)
    assert never.stop()
    host = WorkerHost(lambda: desk.worker, desk.store)
    host.start()
    assert host.stop(AMPLE)
    assert host.stop(AMPLE)


def test_a_worker_that_ends_by_a_mistake_is_told_by_the_link_and_nothing_is_sent() -> None:
    def fail() -> Worker:
        raise LookupError("the secret is abc")

    store, woken = Store(), threading.Event()
    store.set_sending(SendPermission(allowed=True, why=""))
    store.subscribe(woken.set)
    kept: list[BaseException] = []

    def keep(error: BaseException, on: Sequence[str]) -> str:
        kept.append(error)
        return f"It is kept: {on}."

    host = WorkerHost(fail, store, keep)
    host.start()
    assert woken.wait(AMPLE)
    assert host.stop(AMPLE)
    assert store.link.state is LinkState.STOPPED
    assert "LookupError" in str(store.link.problem)
    assert "Updates have stopped. Quit and restart paytui." in str(store.link.problem)
    assert "It is kept: ['worker']." in str(store.link.problem)
    assert [type(error) for error in kept] == [LookupError]
    assert "abc" not in str(store.link.problem)
    assert store.sending == SendPermission(allowed=False, why=str(store.link.problem))


def test_it_is_told_even_where_keeping_a_report_of_it_goes_wrong() -> None:
    def fail() -> Worker:
        raise LookupError

    store, told = Store(), []
    store.subscribe(lambda: told.append((store.link.state, store.sending.allowed)))

    def keep(error: BaseException, on: Sequence[str]) -> str:
        assert told == [(LinkState.STOPPED, False)]
        raise OSError("abc")

    host = WorkerHost(fail, store, keep)
    host.start()
    eventually(lambda: "could be saved" in str(store.link.problem))
    assert host.stop(AMPLE)
    assert store.link.state is LinkState.STOPPED
    assert not store.sending.allowed
    assert "Updates have stopped. Quit and restart paytui. " in str(store.link.problem)
    assert "No crash report could be saved: OSError." in str(store.link.problem)


HUNG_LOOKUP = """
import random, socket, threading
from datetime import timedelta

from paytui.api.client import Client, Credentials
from paytui.api.dialect import load_dialect
from paytui.domain.models import Kind
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.platform.secret import Secret
from paytui.store.store import Store
from paytui.worker.worker_thread import WorkerHost
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import Worker

asked = threading.Event()


def never_answers(*args, **options):
    asked.set()
    threading.Event().wait()


socket.getaddrinfo = never_answers
time, rng, store = ServiceTime(SystemClock()), random.Random(1), Store()


def build():
    credentials = Credentials("demo", lambda: Secret("s"))
    client = Client("https://nowhere.example", credentials, load_dialect(), time, rng)
    pace = PollSchedule(dict.fromkeys(Kind, timedelta(seconds=5)))
    return Worker(client, store, time, rng, pace)


host = WorkerHost(build, store)
host.start()
assert asked.wait(20)
print("stopped" if host.stop(20) else "still running")
"""


def test_a_name_server_that_never_answers_does_not_hold_up_the_end_of_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HUNG_LOOKUP], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "stopped\n"
    assert ended.stderr == ""
