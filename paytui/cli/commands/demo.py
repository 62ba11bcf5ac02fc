"""`paytui demo`: the dashboard on a sandbox of its own."""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from paytui.cli.commands.sandbox import SECRET_VARIABLE
from paytui.cli.common import (
    CommandError,
    read_only_option,
    scale_option,
    seed_option,
    speed_option,
)
from paytui.cli.terminal import missing_terminal
from paytui.cli.wiring import startup
from paytui.platform.secret import Secret


@click.command()
@seed_option
@scale_option
@speed_option
@read_only_option
@click.pass_context
def demo(ctx: click.Context, *, seed: int, scale: int, speed: float, read_only: bool) -> None:
    """Look around: run the dashboard on a sandbox that is started for it and ends with it."""
    if problem := missing_terminal():
        raise CommandError(problem)
    startup.pause_gc()

    from paytui.cli.wiring.compose import run_dashboard
    from paytui.config.settings import CacheSettings, OutboxSettings, Profile, Settings

    click.echo("Starting a sandbox…", err=True)
    # A demo's outbox ends with its service: intents of another sandbox mean nothing here.
    with (
        TemporaryDirectory(prefix="paytui-demo-", ignore_cleanup_errors=True) as folder,
        SandboxProcess(seed=seed, scale=scale, speed=speed) as sandbox,
    ):
        profile = Profile(
            name="demo",
            base_url=sandbox.base_url,
            client_id=sandbox.client_id,
            live=False,
            read_only=read_only,
            description="Sandbox on this machine",
        )
        settings = Settings(
            profile=profile,
            outbox=OutboxSettings(folder=Path(folder) / "outbox"),
            cache=CacheSettings(enabled=False),
        )
        code = run_dashboard(settings, lambda: sandbox.secret)
    ctx.exit(code)


START_TIMEOUT = 120.0
"""Seconds: seeding a large history is slow."""

SANDBOX = (sys.executable, "-P", "-m", "paytui", "sandbox", "--until-stdin-closes")
STOP_TIMEOUT = 2.0
STDERR_TAIL = 2_000


class SandboxProcess:
    """A sandbox in a process of its own, with a fresh secret.

    It has a session of its own, so that ctrl+c in this terminal does not end it under the
    dashboard. It also ends when this process does: it watches its stdin, which then closes.

    Attributes:
        base_url: of the sandbox.
        client_id: of its only client.
        secret: of this client; passed in the environment, never by argv.

    Raises:
        CommandError: on entering, if it does not start.
    """

    base_url: str
    client_id: str

    def __init__(self, *, seed: int, scale: int, speed: float) -> None:
        self._options = [f"--seed={seed}", f"--scale={scale}", f"--speed={speed}"]
        self.secret = Secret(secrets.token_urlsafe(32))
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by _stop

    def __enter__(self) -> SandboxProcess:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [*SANDBOX, *self._options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=self._environment(),
            start_new_session=True,
        )
        try:
            line = json.loads(self._first_line())
            self.base_url, self.client_id = line["base_url"], line["client_id"]
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _environment(self) -> dict[str, str]:
        root = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        theirs = {name: value for name, value in os.environ.items() if not _is_secret(name)}
        return {**theirs, "PYTHONPATH": path, SECRET_VARIABLE: self.secret.reveal()}

    def _first_line(self) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        line = b""
        end = time.monotonic() + START_TIMEOUT
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(pipe, 4096) if ready else b""
            if not chunk:
                raise self._did_not_start()
            line += chunk
        return line

    def _did_not_start(self) -> CommandError:
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace")[-STDERR_TAIL:].strip()
        return CommandError(f"The sandbox did not start.\n{said}".rstrip())

    def _stop(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._stderr.close()
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _is_secret(name: str) -> bool:
    """Return True if a variable holds a secret of another service."""
    return name.startswith("PAYTUI_") and name.endswith(("CLIENT_SECRET", "WEBHOOK_SECRET"))
