"""A sandbox in a process of its own, as `paytui sandbox` runs it, with its config."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.support.forks import AT_START, Forked, Forks
from tests.support.tcp import own_port

ROOT = Path(__file__).resolve().parents[2]
SECRET = "sandbox-secret-of-the-tests"
LONG = 60
"""Seconds that a busy machine may take for what takes it milliseconds."""


class SandboxProcess:
    """Runs as soon as it is made; can be killed, and started again on its port and database.

    With `forks` it is forked, which is cheaper.
    """

    def __init__(self, folder: Path, *options: str, forks: Forks | None = None) -> None:
        self._forks = forks
        self.config = folder / "config.toml"
        self._options = ("--database", str(folder / "bank.sqlite3"), *options)
        self._write_config: tuple[str, ...] = ("--write-config", str(self.config))
        self._port = 0
        self._held = ExitStack()
        self.start()

    def start(self) -> None:
        """Run it, until it answers."""
        command = ("sandbox", "--port", str(self._port), *self._options, *self._write_config)
        environ = {**os.environ, "PAYTUI_SANDBOX_SECRET": SECRET}
        self.process: subprocess.Popen[str] | Forked
        if self._forks is not None:
            ours = {name: text for name, text in environ.items() if not name.startswith(AT_START)}
            self.process = self._forks.start(command, ours, ROOT)
        else:
            self.process = subprocess.Popen(
                (sys.executable, "-m", "paytui", *command),
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environ,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the sandbox ended before it answered"
        self.base_url: str = json.loads(line)["base_url"]
        self._port = int(self.base_url.rpartition(":")[2])
        self._held.close()
        self._write_config = ()

    def kill(self) -> None:
        """End it as a power cut would; until the next start nobody else gets its port."""
        self.process.kill()
        self.process.communicate(timeout=LONG)
        self._held.enter_context(own_port(self._port))

    def control(self, action: str, body: Mapping[str, object]) -> dict[str, object]:
        """Do something behind the service's back (`/_sandbox/`)."""
        answer = httpx.post(
            f"{self.base_url}/_sandbox/{action}", json=body, trust_env=False, timeout=LONG
        )
        answer.raise_for_status()
        found: dict[str, object] = answer.json()["item"]
        return found

    def clear_faults(self) -> None:
        """Nothing goes wrong any more."""
        url = f"{self.base_url}/_sandbox/faults"
        httpx.delete(url, trust_env=False, timeout=LONG).raise_for_status()

    def requests(self) -> dict[str, int]:
        """Return the number of requests of each operation since the process started."""
        answer = httpx.get(f"{self.base_url}/_sandbox/requests", trust_env=False, timeout=LONG)
        answer.raise_for_status()
        found: dict[str, int] = answer.json()["item"]
        return found

    def __enter__(self) -> SandboxProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._held.close()
