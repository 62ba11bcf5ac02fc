"""A home directory for paytui, with nothing of this machine in it."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.bench.program import Program
from tests.support.commands import Paytui, RunningSandbox, SandboxConfig
from tests.support.deadline import eventually

HELLO_READY = "hello ready"
BALANCE = r"^ ?▌? ?AUD +[\d,]+\.\d\d"
"""A balance, last known or live."""

OVERVIEW = "1 Overview"
"""The dashboard itself, whose tabs name it."""

HELLO = Path(__file__).with_name("hello.py")


class Home:
    """A folder for all that programs keep, and what they find in their environment."""

    def __init__(self, folder: Path) -> None:
        self.paytui = Paytui(folder)

    def hello(self, argv: Sequence[str] = (sys.executable, str(HELLO))) -> Program:
        """Start the floor."""
        return Program(argv, self.paytui.environ)


class Desk:
    """The dashboard on a service; `more` are lines for its configuration."""

    def __init__(self, home: Home, service: RunningSandbox, name: str, more: str = "") -> None:
        self._environ = {**home.paytui.environ}
        for kind in ("CACHE", "STATE", "RUNTIME"):
            folder = home.paytui.home / name / kind.lower()
            folder.mkdir(parents=True, mode=0o700)
            self._environ[f"XDG_{kind}_{'DIR' if kind == 'RUNTIME' else 'HOME'}"] = str(folder)
        self.config = home.paytui.home / name / "config.toml"
        SandboxConfig(self.config, service).write(more)

    def start(self, paytui: Sequence[str] = (sys.executable, "-m", "paytui")) -> Program:
        """Start the dashboard."""
        return Program((*paytui, "run", "--config", str(self.config)), self._environ)

    def wait_for_indexes(self, seconds: float) -> None:
        """Wait until the cache has an index for each order of the payments."""
        eventually(self._is_indexed, seconds, 0.5)

    def _is_indexed(self) -> bool:
        [path] = Path(self._environ["XDG_CACHE_HOME"]).glob("paytui/*.cache.sqlite")
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as cache:
            last = "SELECT 1 FROM sqlite_schema WHERE name = 'payments_owner_sort'"
            return cache.execute(last).fetchone() is not None

    def forget(self) -> None:
        """Have the next start find no last known state."""
        cache = Path(self._environ["XDG_CACHE_HOME"])
        shutil.rmtree(cache)
        cache.mkdir(mode=0o700)
