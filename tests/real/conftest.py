"""The dashboard in the environments of traders: tmux, and a login over SSH."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.forks import Forks
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, ROOT


@dataclass(frozen=True, slots=True)
class Place:
    """A service in which nothing happens by itself, and a home.

    Attributes:
        environ: what the dashboard needs to find both.
    """

    service: SandboxProcess
    home: Path

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            # So that "the rest of a key comes later" needs no stop-watch.
            "ESCDELAY": "2500",
        }

    def configure(self, text: str) -> None:
        """Add to the configuration."""
        with self.service.config.open("a", encoding="utf-8") as file:
            file.write(text)

    def command(self) -> tuple[str, ...]:
        """Return the command for the dashboard."""
        variables = (f"{name}={value}" for name, value in self.environ.items())
        return ("env", *variables, *PAYTUI, "run", "--config", str(self.service.config))


@pytest.fixture
def place(tmp_path: Path, forks: Forks) -> Iterator[Place]:
    with SandboxProcess(tmp_path, "--scale", "20", "--speed", "0", forks=forks) as service:
        yield Place(service, tmp_path)
