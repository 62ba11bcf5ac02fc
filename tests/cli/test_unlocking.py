"""Programs that have to end well before what was locked is unlocked."""

from __future__ import annotations

import asyncio
import sys

import pytest

from paytui.cli import unlocking
from paytui.cli.unlocking import unlocking as proving


def said(*commands: tuple[str, ...]) -> str:
    async def prove() -> str:
        return await proving(commands)()

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
    monkeypatch.setattr(unlocking, "PATIENCE", 0.05)
    waits = (sys.executable, "-c", "import time; time.sleep(60)")
    assert "did not end within 0.05 s" in said(waits)


def test_it_sees_no_terminal() -> None:
    assert said((sys.executable, "-c", "import sys; sys.exit(sys.stdin.isatty())")) == ""
