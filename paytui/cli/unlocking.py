"""The programs that have to end well before what was locked is unlocked."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Awaitable, Callable, Sequence

from paytui.text import clean

PATIENCE = 60.0
"""Seconds in which somebody can touch a key or a reader."""


def unlocking(commands: Sequence[Sequence[str]]) -> Callable[[], Awaitable[str]]:
    """What runs all of them, and says why somebody is not let in; empty where they are."""

    async def prove() -> str:
        return await asyncio.to_thread(_run_all, commands)

    return prove


def _run_all(commands: Sequence[Sequence[str]]) -> str:
    for command in commands:
        if why_not := _run(command):
            return f"{clean(command[0], 40)} {why_not}: it stays locked."
    return ""


def _run(command: Sequence[str]) -> str:
    """Why it did not end well; it sees no terminal, which is ours."""
    try:
        done = subprocess.run(  # noqa: S603 - configured, and without a shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {PATIENCE:g} s"
    except OSError as error:
        return f"cannot be run: {error.strerror or 'unknown reason'}"
    return f"ended with exit status {done.returncode}" if done.returncode else ""
