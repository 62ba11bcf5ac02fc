"""Unlock commands must succeed before the dashboard unlocks."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from paytui.cli.wiring import secrets
from paytui.cli.wiring.secrets import unlock_check as proving
from paytui.config.settings import UnlockCommand


def said(*commands: tuple[str, ...], is_operators: bool = False) -> str:
    async def prove() -> str:
        return await proving([UnlockCommand(argv, is_operators) for argv in commands])()

    return asyncio.run(prove())


def test_without_a_program_what_is_typed_is_enough() -> None:
    assert said() == ""


def test_every_program_has_to_end_well() -> None:
    assert said(("true",), ("true",)) == ""
    assert said(("false",), ("true",)) == "false ended with exit status 1: it stays locked."
    assert said(("true",), ("false",)) == "false ended with exit status 1: it stays locked."


def test_one_that_is_not_there_lets_nobody_in() -> None:
    assert said(("/no/such/program",)).startswith("/no/such/program cannot be run: No such file")


def test_one_that_does_not_end_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "PATIENCE", 0.05)
    waits = (sys.executable, "-c", "import time; time.sleep(60)")
    assert "did not finish within 0.05 s" in said(waits)


def test_it_sees_no_terminal() -> None:
    assert said((sys.executable, "-c", "import sys; sys.exit(sys.stdin.isatty())")) == ""


def test_the_operators_is_led_by_nothing_of_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/home/ann")
    sees = ("/bin/sh", "-c", 'test "$LD_LIBRARY_PATH" = /home/ann')
    assert said(sees) == ""
    assert "exit status 1" in said(sees, is_operators=True)
    assert said(("sh", "-c", 'test "$PATH" = /usr/bin:/bin'), is_operators=True) == ""


def test_once_nobody_waits_it_ends_with_all_that_it_started_and_holds_nothing_up(
    tmp_path: Path,
) -> None:
    pipe = tmp_path / "open while they run"
    os.mkfifo(pipe)
    script = 'exec 3> "$0"; echo up >&3; (sleep 20; echo late >&3); true'
    command = UnlockCommand(("sh", "-c", script, str(pipe)))

    async def leave() -> int:
        asked = asyncio.ensure_future(proving([command])())
        reading = await asyncio.to_thread(os.open, pipe, os.O_RDONLY)
        assert await asyncio.to_thread(os.read, reading, 10) == b"up\n"
        asked.cancel()
        return reading

    reading = asyncio.run(leave())
    assert os.read(reading, 10) == b""  # all who could write are gone
    os.close(reading)
