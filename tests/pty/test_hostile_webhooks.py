"""Hostile webhooks at a real terminal: no crash, no action, no foreign escape sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.support.escapes import foreign
from tests.support.hostile.events import naming_objects, readable, unreadable
from tests.support.hostile.service import HostileService
from tests.support.served import served
from tests.support.tcp import own_port
from tests.support.terminal import PAYTUI, ROOT, Terminal

PATH = "/hooks/0123456789abcdef"
LISTED = re.compile(r"\d+ webhooks, by")
C1 = bytes(range(0x80, 0x100))
"""In a header: of controls, the only ones that HTTP lets through."""


@dataclass(frozen=True, slots=True)
class Listening:
    """A dashboard that hears webhooks of anybody who knows where."""

    terminal: Terminal
    service: HostileService
    url: str

    def hear(self, number: int, body: bytes) -> int:
        """Return the response to a webhook with a new body."""
        name = C1 + str(number).encode()
        headers = {b"webhook-id": name, b"webhook-timestamp": name, b"webhook-signature": name}
        return httpx.post(
            self.url, content=body, headers=headers, trust_env=False, timeout=60
        ).status_code


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Listening]:
    service = HostileService()
    with served(service) as url, own_port() as port:
        config = tmp_path / "config.toml"
        config.write_text(
            f"[profiles.x]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
            f"[webhooks]\nenabled = true\nport = {port}\npath = '{PATH}'\n"
        )
        folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("STATE", "CACHE", "DATA")}
        env = {**folders, "PAYTUI_CLIENT_SECRET": "x", "PYTHONPATH": str(ROOT)}
        command = (*PAYTUI, "run", "--config", str(config))
        with Terminal(command, size=(120, 40), env=env, answers=True) as terminal:
            terminal.wait_for(r"8 unreadable")
            terminal.send("8")
            terminal.wait_for(f"listening on 127.0.0.1:{port}")
            yield Listening(terminal, service, f"http://127.0.0.1:{port}{PATH}")


@pytest.mark.slow
def test_hostile_webhooks_are_looked_at_one_by_one(desk: Listening) -> None:
    terminal = desk.terminal
    taken = [*naming_objects(), *readable()]
    assert {desk.hear(number, body) for number, body in enumerate(unreadable())} == {400}
    assert {desk.hear(number, body) for number, body in enumerate(taken)} == {204}
    terminal.send("w")
    terminal.wait_for(r"\d+ webhooks")
    for _ in taken:  # each of them as the newest above it is left, down to the oldest
        terminal.send("\r")
        terminal.wait_for(lambda screen: "Meaning" in screen and not LISTED.search(screen))
        terminal.send("G\x1b[6~")
        terminal.send("\x1b")
        # A key right behind the escape would be taken for one with it.
        terminal.wait_for(
            lambda screen: "Meaning" not in screen and LISTED.search(screen) is not None
        )
        terminal.send("j")
    terminal.send("/")
    terminal.wait_for("words")
    terminal.send("joined\r")
    terminal.wait_for("filtered")
    terminal.send("q")
    assert terminal.wait_for_exit() == 0
    assert {path.rpartition("/")[2] for path in desk.service.posted} <= {"rate-sheets"}
    assert foreign(bytes(terminal.painted)) == []
    assert b"[@click=app.quit]press me[/]" in terminal.painted
    assert b"evil.example" in terminal.painted
