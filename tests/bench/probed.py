"""Run a program of one event loop, and log the delays of the loop.

    python -m tests.bench.probed LOG paytui ARGUMENTS…
    python -m tests.bench.probed LOG hello

A line each time that it is late: the moment (of a clock that all processes share), the seconds, and
how many of these its thread waited for a processor that others had.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from tests.bench.process import waited_seconds

EVERY = 0.005
"""Seconds between two looks at the clock."""

WORTH_A_LINE = 0.01

Run = Callable[..., Any]


def watched(run: Run, log: TextIO) -> Run:
    """`asyncio.run`, with somebody in the loop who notes what it kept waiting."""

    async def beside(main: Coroutine[Any, Any, Any]) -> object:
        probe = asyncio.create_task(_probe(log))
        try:
            return await main
        finally:
            probe.cancel()

    return lambda main, **options: run(beside(main), **options)


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
        asyncio.run = watched(asyncio.run, log)
        if program == "hello":
            from tests.bench.hello import Hello

            Hello().run()
            return
        from paytui.cli.main import main as paytui

        sys.argv = [program, *arguments]
        paytui()


if __name__ == "__main__":
    main()
