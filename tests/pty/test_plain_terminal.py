"""An old terminal: no colours, and a locale without UTF-8."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.forks import Forks
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, Terminal

PLAIN = {"TERM": "vt100", "COLORTERM": "truecolor", "LC_ALL": "", "LC_CTYPE": "", "LANG": "C"}
"""LC_ALL and LC_CTYPE are as if they were not there (POSIX)."""

WITHOUT = r"\A(?!(.|\n)*{})"

WAY = (
    ("2", "accounts, by"),
    ("3", "wallets, by"),
    ("4", "pairs"),
    ("5", "trades, by"),
    ("6", "payments, by"),
    ("\r", "From and to"),
    ("7", "recipients, by"),
    ("8", "Nothing confirmed"),
    ("?", "Everywhere"),
    ("\x1b", WITHOUT.format("Everywhere")),
    (",", "Heartbeat"),
    ("\r", "enter: choose"),
    ("\x1b", WITHOUT.format("enter: choose")),
    ("\x1b", WITHOUT.format("Heartbeat")),
    ("6", "payments, by"),
    ("e", "enter: export"),
    ("\x1b", WITHOUT.format("enter: export")),
    ("t", "Trade . sell"),
    ("\x1b", WITHOUT.format("Trade . sell")),
    ("p", "Payout . amount"),
    ("\x1b", WITHOUT.format("Payout . amount")),
)
"""The keys to type, and the text that must then be on screen."""

_LOOKS = re.compile(rb"\x1b\[([\d;]*)m")

WITHOUT_COLOURS = {b"", b"0", b"1", b"2", b"3", b"4", b"7", b"9"}
"""Attributes of ECMA-48 §8.3.117: none of them is a colour."""


@pytest.mark.slow
def test_all_that_is_sent_to_it_is_ascii_and_without_colours(tmp_path: Path, forks: Forks) -> None:
    env = {
        **PLAIN,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    with SandboxProcess(tmp_path, "--scale", "20", "--speed", "0", forks=forks) as service:
        command = (*PAYTUI, "run", "--config", str(service.config))
        for _ in ("without", "with what was known last"):
            with Terminal(command, env=env, answers=True) as terminal:
                terminal.wait_for(r"Overview(.|\n)*\+ all lists current")
                for keys, shown in WAY:
                    terminal.send(keys)
                    terminal.wait_for(shown)
                sent = bytes(terminal.painted)
                terminal.send("q")
                terminal.wait_for_exit()
            assert sent.isascii()
            codes = {code for found in _LOOKS.findall(sent) for code in found.split(b";")}
            assert codes <= WITHOUT_COLOURS
            assert b"7" in codes
