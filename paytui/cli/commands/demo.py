"""`paytui demo`: a dashboard on a sandbox of its own, or two that share a desk."""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from paytui.cli.commands.sandbox import (
    REPORTING,
    SECRET_VARIABLE,
    profile_of,
    scale_option,
    seed_option,
    speed_option,
)
from paytui.cli.common import CommandError, missing_terminal, read_only_option
from paytui.platform import interpreter
from paytui.platform.secret import Secret

if TYPE_CHECKING:
    from paytui.config.settings import Settings


@click.command()
@seed_option
@scale_option
@speed_option
@read_only_option
@click.option(
    "--desk",
    "has_desk",
    is_flag=True,
    help="Share a desk with a second dashboard, by a PostgreSQL of its own.",
)
@click.pass_context
def demo(
    ctx: click.Context, *, seed: int, scale: int, speed: float, read_only: bool, has_desk: bool
) -> None:
    """Look around: run the dashboard on a sandbox that is started for it and ends with it.

    With --desk it prints how to run a colleague's dashboard in another terminal.
    """
    if problem := missing_terminal():
        raise CommandError(problem)
    interpreter.pause_gc()

    from paytui.book.file import book_path
    from paytui.cli.wiring.dashboard import run_dashboard
    from paytui.cli.wiring.demo import TRADERS, demo_folder, outbox_folder

    click.echo(f"Starting a sandbox{' and PostgreSQL' if has_desk else ''}…", err=True)
    # A demo's outbox ends with its service: intents of another sandbox mean nothing here.
    with _ended_in_order(), demo_folder() as folder, ExitStack() as stack:
        traders = TRADERS if has_desk else (ALONE,)
        books = [book_path(trader, outbox_folder(folder, trader)) for trader in traders]
        service = SandboxProcess(seed=seed, scale=scale, speed=speed, past_books=books)
        sandbox = stack.enter_context(service)
        if has_desk:
            settings = stack.enter_context(_desk_settings(folder, sandbox, read_only=read_only))
        else:
            settings = _settings(folder, sandbox, read_only=read_only)
        code = run_dashboard(settings, lambda: sandbox.secret)
    ctx.exit(code)


ALONE = "demo"  # The profile's name without a desk


def _settings(folder: Path, sandbox: SandboxProcess, *, read_only: bool) -> Settings:
    from paytui.cli.wiring.demo import outbox_folder
    from paytui.config import settings as its

    return its.Settings(
        profile=its.Profile(name=ALONE, read_only=read_only, **profile_of(sandbox.base_url)),
        outbox=its.OutboxSettings(folder=outbox_folder(folder, ALONE)),
        cache=its.CacheSettings(enabled=False),
        templates=folder / "templates",
        overview=its.OverviewSettings(reporting_currency=REPORTING),
    )


@contextmanager
def _desk_settings(folder: Path, sandbox: SandboxProcess, *, read_only: bool) -> Iterator[Settings]:
    """Run a desk, print how to run the other dashboard, and wait until that was read."""
    from paytui.cli.wiring.demo import HERE, THERE, demo_desk
    from paytui.config.load import load_settings

    overview = {"reporting_currency": str(REPORTING)}
    service = profile_of(sandbox.base_url)
    with demo_desk(folder, service, sandbox.secret, overview) as (config, launcher):
        click.echo(
            f"\nThe traders {HERE} and {THERE} share a desk. In another terminal, run\n\n"
            f"    sh {launcher}\n    sh {launcher} desk status\n\n"
            f"for {THERE}'s dashboard and the state of the desk.\n",
            err=True,
        )
        start = f"Press enter for {HERE}'s dashboard here. When you quit it, all is removed."
        click.prompt(start, default="", show_default=False, prompt_suffix=" ", err=True)
        os.environ["PGPASSFILE"] = str(folder / "none")  # the server asks for no password
        yield load_settings(config, os.environ, profile=HERE, read_only=read_only)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a signal end this process by SystemExit, so that all is removed."""

    def leave(number: int, _: FrameType | None) -> NoReturn:
        sys.exit(128 + number)

    before = {each: signal.signal(each, leave) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


START_TIMEOUT = 120.0  # Seconds: seeding a large history is slow

SANDBOX = (sys.executable, "-P", "-m", "paytui", "sandbox", "--until-stdin-closes")
STOP_TIMEOUT = 2.0
STDERR_TAIL = 2_000

SECRETS_OF_OTHERS = ("CLIENT_SECRET", "WEBHOOK_SECRET")  # Endings of variables


class SandboxProcess:
    """A sandbox in a process of its own, with a fresh secret.

    It has a session of its own, so that ctrl+c in this terminal does not end it under the
    dashboard. It also ends when this process does: it watches its stdin, which then closes.

    Its client secret is passed in the environment, never by argv. It records its past in books.

    Entering raises CommandError if it does not start.
    """

    base_url: str

    def __init__(
        self, *, seed: int, scale: int, speed: float, past_books: Sequence[Path] = ()
    ) -> None:
        self._options = [f"--seed={seed}", f"--scale={scale}", f"--speed={speed}"]
        self._options += [f"--past-book={book}" for book in past_books]
        self.secret = Secret(secrets.token_urlsafe(32))
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed at exit

    def __enter__(self) -> SandboxProcess:
        root = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        theirs = {
            name: value
            for name, value in os.environ.items()
            if not (name.startswith("PAYTUI_") and name.endswith(SECRETS_OF_OTHERS))
        }
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [*SANDBOX, *self._options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**theirs, "PYTHONPATH": path, SECRET_VARIABLE: self.secret.reveal()},
            start_new_session=True,
        )
        try:
            self.base_url = json.loads(self._first_line())["base_url"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def _first_line(self) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        line = b""
        end = time.monotonic() + START_TIMEOUT
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(pipe, 4096) if ready else b""
            if not chunk:
                self._stderr.seek(0)
                said = self._stderr.read().decode(errors="replace")[-STDERR_TAIL:].strip()
                raise CommandError(f"The sandbox did not start.\n{said}".rstrip())
            line += chunk
        return line

    def __exit__(self, *_: object) -> None:
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
