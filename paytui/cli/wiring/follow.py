"""A worker that sends nothing, run for a command until it is interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime

from paytui.cli.checks.run import MetricsSample
from paytui.cli.commands.watch_changes import Change
from paytui.cli.commands.watch_feed import Watcher
from paytui.cli.wiring.compose import (
    GetSecret,
    ProfileContext,
    build_worker,
    new_context,
    run_in_loop,
)
from paytui.cli.wiring.outbox import read_only_outbox
from paytui.config.settings import Settings
from paytui.store.table import WakeUp
from paytui.worker.host import Inbox
from paytui.worker.worker import Worker

SAMPLE_INTERVAL = 1.0
"""Seconds."""


def watch_service(
    settings: Settings,
    secret: GetSecret,
    tell: Callable[[Change, datetime], None],
    *,
    initial: bool,
) -> None:
    """Report each change, and its time by the service's clock, until interrupted.

    Raises:
        DialectError: the profile's dialect cannot be used.
        LoginRefused: the service rejects the client id and secret.
        OSError: what `tell` raised.
    """
    context = new_context(settings, secret)
    store, time = context.store, context.time
    watcher = Watcher(store, time.clock, settings.profile.host, initial=initial)

    async def follow(_: Worker, running: asyncio.Task[None]) -> None:
        wake = WakeUp(asyncio.get_running_loop())
        store.subscribe(wake)
        running.add_done_callback(lambda _: wake())
        await asyncio.sleep(0)  # the worker reads the outbox first: its intents are no news
        while not running.done():
            for change in watcher.changes():
                tell(change, time.latest())
            with suppress(TimeoutError):
                async with asyncio.timeout(watcher.look_again):
                    await wake.wait()

    _run_worker(context, follow)


def watch_metrics(
    settings: Settings, secret: GetSecret, tell: Callable[[MetricsSample], None]
) -> None:
    """Report the metrics of a worker of its own each second, until interrupted.

    Raises:
        DialectError: the profile's dialect cannot be used.
        OSError: what `tell` raised.
    """
    context = new_context(settings, secret)

    async def follow(worker: Worker, running: asyncio.Task[None]) -> None:
        while True:
            await asyncio.wait([running], timeout=SAMPLE_INTERVAL)
            if running.done():
                return
            state = context.store.link.state
            tell(MetricsSample(context.time.latest(), state, worker.vitals()))

    _run_worker(context, follow)


def _run_worker(
    context: ProfileContext,
    follow: Callable[[Worker, asyncio.Task[None]], Coroutine[None, None, None]],
) -> None:
    async def run() -> None:
        worker = build_worker(context, office=read_only_outbox(context.settings))
        running = asyncio.create_task(worker.run(Inbox()))
        try:
            await follow(worker, running)
            await running
        finally:
            running.cancel()
            await asyncio.wait([running])
            await worker.aclose()

    run_in_loop(run())
