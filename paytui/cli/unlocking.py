"""The programs that have to end well before what was locked is unlocked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from paytui.config.settings import UnlockCommand
from paytui.platform.daemon_thread import in_a_thread
from paytui.platform.text import clean

PATIENCE = 60.0
"""Seconds in which somebody can touch a key or a reader."""

OPERATORS = {"PATH": "/usr/bin:/bin"}
"""The environment of an operator's program: nothing in it is the user's."""


def unlocking(commands: Sequence[UnlockCommand]) -> Callable[[], Awaitable[str]]:
    """What runs all of them, and says why somebody is not let in; empty where they are."""

    async def prove() -> str:
        for command in commands:
            if why_not := await _run(command):
                return f"{clean(command.argv[0], 40)} {why_not}: it stays locked."
        return ""

    return prove


async def _run(command: UnlockCommand) -> str:
    """Why it did not end well; it is ended where nobody waits for it any more."""
    try:
        process = _start(command)
    except OSError as error:
        return f"cannot be run: {error.strerror or 'unknown reason'}"
    try:
        async with asyncio.timeout(PATIENCE):
            status = await in_a_thread(process.wait)
    except TimeoutError:
        return f"did not end within {PATIENCE:g} s"
    finally:
        _end(process)
    return f"ended with exit status {status}" if status else ""


def _start(command: UnlockCommand) -> subprocess.Popen[bytes]:
    """It sees no terminal, which is ours."""
    return subprocess.Popen(  # noqa: S603 - configured, and without a shell
        command.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=OPERATORS if command.is_operators else None,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and what it started; one that runs as another user is left to itself."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
