"""A desk on a sandbox with a history, in which nothing moves by itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.big_book import BigBook
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop
from tests.worker.desk import Desk
from tests.worker.long_list import settle

Run = Callable[[Coroutine[object, object, None]], None]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def service(clock: ManualClock) -> Starlette:
    return still_service(clock)


@pytest.fixture
def desk(service: Starlette, clock: ManualClock) -> Desk:
    return Desk(service, clock)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of an outbox."""
    return tmp_path / "demo.outbox.sqlite"


@pytest.fixture
def run(clock: ManualClock) -> Iterator[Run]:
    """Runs a coroutine on a loop whose time is the clock's."""
    loop = VirtualLoop(clock)
    yield loop.run_until_complete
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    """Four pages of 500, newest first, all of them completed a month ago."""
    return BigBook(clock, 2_000)


@pytest.fixture
def all_read(run: Run, desk: Desk) -> Run:
    """Runs a coroutine beside a worker that has read every list once."""

    async def beside(watch: Coroutine[object, object, None]) -> None:
        async with desk.at_work():
            await desk.until(desk.all_ok)
            await watch

    return lambda watch: run(beside(watch))


@pytest.fixture
def settled(run: Run, desk: Desk, book: BigBook) -> Run:
    """Runs a coroutine beside a worker that has read the whole book once."""

    async def beside(watch: Coroutine[object, object, None]) -> None:
        async with desk.at_work():
            await settle(desk, book)
            await watch

    return lambda watch: run(beside(watch))


def still_service(clock: ManualClock) -> Starlette:
    """A service with a history, in which nothing moves by itself."""
    return create_app(SandboxOptions(client_secret=SECRET, scale=40, speed=0), clock)
