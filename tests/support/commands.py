"""The command `paytui`, run as a process in a home of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.forks import Forked, Forks

ROOT = Path(__file__).resolve().parents[2]
SECRET = "s3nt1nel-hunter2"
PATIENCE = 120


def environ_of(home: Path) -> dict[str, str]:
    """Return an environment that holds nothing of the machine's own."""
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "TZ": "UTC",
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_RUNTIME_DIR": str(home / "run"),
    }


class Paytui:
    """Runs commands in an environment that holds nothing of the machine's own.

    With `forks`, commands that are run to their end and sandboxes are forked, which is cheaper.
    """

    def __init__(self, home: Path, forks: Forks | None = None) -> None:
        self.home = home
        self._forks = forks
        home.mkdir()
        self.environ = environ_of(home)

    def __call__(
        self, *arguments: str | Path, stdin: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, without a terminal."""
        environ = {**self.environ, **variables}
        if self._forks is not None and self._forks.can_run_in(environ):
            words = [str(word) for word in arguments]
            forked = self._forks.start(words, environ, self.home)
            out, err = forked.communicate(PATIENCE, stdin)
            return subprocess.CompletedProcess(words, forked.wait(PATIENCE), out, err)
        return subprocess.run(
            self.argv(*arguments),
            input=stdin,
            env=environ,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def modules_after(self, *arguments: str | Path) -> set[str]:
        """The modules that a command, which must succeed, has loaded by its end."""
        code = (
            "import sys\nfrom paytui.cli.main import main\n"
            f"sys.argv = {['paytui', *map(str, arguments)]!r}\n"
            "try:\n    main()\n"
            "finally:\n    print(*sys.modules, file=sys.stderr)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=self.environ,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return set(done.stderr.split())

    def start(self, *arguments: str | Path, **variables: str) -> subprocess.Popen[str]:
        """Start a command and return at once."""
        with interruptible():
            return subprocess.Popen(
                self.argv(*arguments),
                env={**self.environ, **variables},
                cwd=self.home,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    def argv(self, *arguments: str | Path) -> Sequence[str | Path]:
        """The command line of a command."""
        return [sys.executable, "-m", "paytui", *arguments]

    @contextmanager
    def sandbox(self, *options: str | Path, secret: str = SECRET) -> Iterator[RunningSandbox]:
        """A sandbox that answers, until the end of the block."""
        process: subprocess.Popen[str] | Forked
        if self._forks is None:
            process = self.start("sandbox", *options, PAYTUI_SANDBOX_SECRET=secret)
        else:
            words = ["sandbox", *map(str, options)]
            environ = {**self.environ, "PAYTUI_SANDBOX_SECRET": secret}
            process = self._forks.start(words, environ, self.home)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.communicate(timeout=PATIENCE)[1]
            yield RunningSandbox(process, **json.loads(line), secret=secret)
        finally:
            process.kill()
            process.communicate(timeout=PATIENCE)


@contextmanager
def interruptible() -> Iterator[None]:
    """Processes start as from a prompt; those of a shell's background job would ignore ctrl+c."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True, slots=True)
class RunningSandbox:
    """A sandbox, and what its one line told."""

    process: subprocess.Popen[str] | Forked
    base_url: str
    client_id: str
    pid: int
    secret: str

    def interrupt(self) -> int:
        """Press ctrl+c; returns its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


class SandboxConfig:
    """A configuration for a sandbox, with the secret in a private file."""

    def __init__(self, path: Path, sandbox: RunningSandbox) -> None:
        self.path = path
        self.base_url = sandbox.base_url
        self.secret_file = path.with_suffix(".secret")
        self.secret_file.touch(mode=0o600)
        self.write_secret(sandbox.secret)
        self.write()

    def write_secret(self, secret: str) -> None:
        """Put another secret into the file."""
        self.secret_file.write_text(f"{secret}\n")

    def write(self, more: str = "") -> None:
        """Write the configuration, with more lines at its end."""
        self.path.write_text(
            f"[profiles.test]\nbase_url = '{self.base_url}'\nclient_id = 'demo'\nlive = false\n"
            f"secret_file = '{self.secret_file.name}'\n{more}"
        )
