"""A dashboard held at its start, before Textual is imported."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paytui.domain.models import Kind
from paytui.platform.files import owner_key
from paytui.store.cache.write import CacheWriter
from paytui.store.health import Feed
from tests.support.deadline import eventually
from tests.support.terminal import Terminal
from tests.tui.book import JPY, wallet

HELD = """
import sys
from importlib.machinery import PathFinder
from pathlib import Path

class Held:
    def find_spec(self, name, path=None, target=None):
        if name != "textual":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        load = spec.loader.exec_module

        def load_when_let_go(module):
            Path(gate + ".reached").touch()
            open(gate).close()  # until somebody opens the other end
            load(module)

        spec.loader.exec_module = load_when_let_go  # where other threads can import
        return spec

gate = sys.argv.pop()
sys.meta_path.insert(0, Held())
from paytui.cli.main import main
main()
"""

SERVICE = "http://127.0.0.1:9"
"""Nobody listens there."""

OLD = timedelta(hours=3)


class HeldStart:
    """Starts of the dashboard in a home of its own, in which another run has left what it knew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._gate = folder / "gate"
        os.mkfifo(self._gate, 0o600)
        self.secret_file = folder / "secret"
        self.secret_file.touch(mode=0o600)
        self.secret_file.write_text("s3nt1nel-hunter2\n")
        self.config = folder / "config.toml"
        self.configure()

    def configure(self, *, client_id: str = "desk", more: str = "") -> None:
        """Write the configuration."""
        self.config.write_text(
            f"[profiles.acme]\nbase_url = '{SERVICE}'\nclient_id = '{client_id}'\nlive = true\n"
            f"secret_file = 'secret'\n{more}"
        )

    @property
    def cache(self) -> Path:
        """The cache of the configuration's first client."""
        name = f"{owner_key(SERVICE, 'desk')}.cache.sqlite"
        return self._folder / "cache" / "paytui" / name

    def leave(self, read_at: datetime | None = None) -> None:
        """Leave the data of another run of the first client, by default of three hours ago."""
        self.cache.parent.parent.mkdir(exist_ok=True)
        read_at = read_at or datetime.now(UTC) - OLD
        writer = CacheWriter(self.cache)
        held = [wallet(1, "AUD desk", "1204330.15"), wallet(2, "JPY", "45120900", currency=JPY)]
        writer.keep(Kind.WALLETS, held, [])
        writer.note(Feed(Kind.WALLETS, as_of=read_at, read_at=0.0, total=2), read_at)
        writer.close()

    def start(self, size: tuple[int, int] = (80, 24), config: Path | None = None) -> Terminal:
        """Start it, on a configuration of its own or another."""
        env = {
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "XDG_STATE_HOME": str(self._folder / "state"),
        }
        argv = (
            sys.executable,
            "-c",
            HELD,
            "run",
            "--config",
            str(config or self.config),
            str(self._gate),
        )
        return Terminal(argv, size=size, env=env)

    def waits(self) -> None:
        """Wait until it has come to where it is held."""
        eventually(self._gate.with_name("gate.reached").exists)

    def let_go(self) -> None:
        """Let it go on."""
        os.close(os.open(self._gate, os.O_WRONLY))
