"""A slow source blocks neither the event loop nor the exit of the process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from threading import Event

import pytest

from paytui.platform.processes import run_in_daemon_thread
from paytui.platform.secret import Secret, SecretError

ENDS = """
import asyncio, threading
from paytui.platform.processes import run_in_daemon_thread

async def give_up():
    asked = asyncio.create_task(run_in_daemon_thread(threading.Event().wait))
    await asyncio.sleep(0)

asyncio.run(give_up())
print("ended")
"""


def test_the_loop_goes_on_meanwhile() -> None:
    told = Event()

    def slow() -> Secret:
        assert told.wait(20)
        return Secret("s")

    async def scene() -> str:
        asked = asyncio.create_task(run_in_daemon_thread(slow))
        await asyncio.sleep(0)
        told.set()  # only a loop that goes on gets here
        return (await asked).reveal()

    assert asyncio.run(scene()) == "s"


def test_what_went_wrong_is_passed_on() -> None:
    def fail() -> Secret:
        raise SecretError("secret_command (op)", "timed out", "Run it by hand.")

    with pytest.raises(SecretError, match="timed out"):
        asyncio.run(run_in_daemon_thread(fail))


def test_a_source_that_never_answers_does_not_hold_up_the_end_of_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ended\n", "")
