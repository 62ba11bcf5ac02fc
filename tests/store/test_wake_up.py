from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread

from paytui.store.table import WakeUp


class CountingLoop(asyncio.SelectorEventLoop):
    """Counts what other threads hand to it."""

    handed = 0

    def call_soon_threadsafe(  # type: ignore[override] # the base class ties arguments to callback
        self, callback: Callable[..., object], *args: object
    ) -> asyncio.Handle:
        self.handed += 1
        return super().call_soon_threadsafe(callback, *args)


def test_a_loop_that_never_runs_is_handed_one_wake_up_however_often_it_is_woken() -> None:
    loop = CountingLoop()
    wake = WakeUp(loop)

    def notify_often() -> None:
        for _ in range(10_000):
            wake()

    thread = Thread(target=notify_often)
    thread.start()
    thread.join()
    assert loop.handed == 1
    loop.close()


def test_a_wake_up_after_the_last_one_was_served_wakes_again() -> None:
    async def twice() -> int:
        wake, served = WakeUp(asyncio.get_running_loop()), 0
        for _ in range(2):
            wake()
            await wake.wait()
            served += 1
        return served

    assert asyncio.run(twice()) == 2


def test_a_change_while_the_reader_reads_is_not_lost() -> None:
    async def read_while_changing() -> bool:
        wake = WakeUp(asyncio.get_running_loop())
        wake()
        await wake.wait()
        wake()  # the reader is at it
        async with asyncio.timeout(5):
            await wake.wait()
        return True

    assert asyncio.run(read_while_changing())


def test_no_wake_up_means_that_the_reader_keeps_waiting() -> None:
    async def wait_in_vain() -> bool:
        wake = WakeUp(asyncio.get_running_loop())
        wake()
        await wake.wait()
        waiting = asyncio.ensure_future(wake.wait())
        for _ in range(10):
            await asyncio.sleep(0)
        waiting.cancel()
        return waiting.done()

    assert not asyncio.run(wait_in_vain())


def test_waking_a_closed_loop_does_no_harm() -> None:
    loop = asyncio.new_event_loop()
    wake = WakeUp(loop)
    loop.close()
    wake()
