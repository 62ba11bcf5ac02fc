"""Run a program of one event loop, and log the delays of the loop.

    python -m tests.bench.probed LOG paytui ARGUMENTS…
    python -m tests.bench.probed LOG hello

A line each time that it is late: the moment (of a clock that all processes share), the seconds, and
how many of these its thread waited for a processor that others had.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from tests.bench.process import waited_seconds

EVERY = 0.005
"""Seconds between two looks at the clock."""

WORTH_A_LINE = 0.01


def watch_first_loop(log: TextIO) -> None:
    """Have the loop of the first thread note what it kept waiting."""
    run = asyncio.Runner.run

    async def beside(main: Coroutine[Any, Any, Any]) -> object:
        probe = asyncio.create_task(_probe(log))
        try:
            return await main
        finally:
            probe.cancel()

    def watched(runner: asyncio.Runner, main: Coroutine[Any, Any, Any]) -> object:
        is_first = threading.current_thread() is threading.main_thread()
        return run(runner, beside(main) if is_first else main)

    asyncio.Runner.run = watched  # type: ignore[assignment,method-assign]


async def _probe(log: TextIO) -> None:
    while True:
        due, waited = perf_counter() + EVERY, waited_seconds()
        await asyncio.sleep(EVERY)
        late = perf_counter() - due
        if late >= WORTH_A_LINE:
            log.write(f"{due} {late} {min(late, waited_seconds() - waited)}\n")
            log.flush()


def main() -> None:
    """Start what the command line names."""
    path, program, *arguments = sys.argv[1:]
    with Path(path).open("w") as log:
        watch_first_loop(log)
        if program == "hello":
            from tests.bench.hello import Hello

            Hello().run()
            return
        from paytui.cli.main import main as paytui

        sys.argv = [program, *arguments]
        paytui()


if __name__ == "__main__":
    main()
