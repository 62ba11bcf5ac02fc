"""Commands in processes that are forked from one that has imported paytui.

Importing it anew takes most commands more time than all else that they do.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Self

ROOT = Path(__file__).resolve().parents[2]

LOADED_LATE = (
    "anyio._backends._asyncio",
    "httpcore._async.connection_pool",
    "httpx._transports.default",
    "uvicorn.lifespan.off",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.http.h11_impl",
)
"""Modules of libraries that no import statement of paytui names."""

AT_START = ("LANG", "LC_", "PYTHON")
"""Variables that Python reads as it starts, by how their names begin."""

_LONGEST = 1 << 16
"""Bytes of a request."""


class Forked:
    """A running command, with the part of `subprocess.Popen` that tests use.

    Attributes:
        returncode: as that of `Popen`, once it was waited for.
    """

    def __init__(
        self, told: socket.socket, stdin: IO[str], stdout: IO[str], stderr: IO[str]
    ) -> None:
        self.stdin: IO[str] | None = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.returncode: int | None = None
        self._told = told
        self._lines = told.makefile()
        self.pid = int(self._lines.readline())

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        ended, _, _ = select.select([self._told], [], [], 0)
        return self.wait(0) if ended and self.returncode is None else self.returncode

    def wait(self, timeout: float) -> int:
        """Return the exit code once it has ended.

        Raises:
            TimeoutError: it has not within the time, in seconds.
        """
        if self.returncode is None:
            self._told.settimeout(timeout)
            self.returncode = int(self._lines.readline())
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float, stdin: str = "") -> tuple[str, str]:
        """Write a short input, and return what it wrote until its end; nothing if called again."""
        if self.stdout.closed:
            return "", ""
        if self.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.stdin as file:
                file.write(stdin)
        out, err = self.stdout.read(), self.stderr.read()
        self.wait(timeout)
        for each in (self.stdout, self.stderr, self._lines, self._told):
            each.close()
        return out, err


class Forks:
    """A process that has imported paytui, and is forked for each command."""

    def __init__(self) -> None:
        self._environ = {
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
        }
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            env=self._environ,
            # Never used, but what Python does with its streams depends on what they are.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._requests.close()
        with self._process:
            pass

    def can_run_in(self, environ: Mapping[str, str]) -> bool:
        """Return True if Python would have started no otherwise with these variables."""
        return _at_start(environ) == _at_start(self._environ)

    def start(self, arguments: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Forked:
        """Start a command, connected to pipes."""
        (stdin, ours_in), (ours_out, stdout), (ours_err, stderr) = os.pipe(), os.pipe(), os.pipe()
        told, theirs = socket.socketpair()
        request = json.dumps([list(arguments), dict(environ), str(cwd)]).encode()
        given = (stdin, stdout, stderr, theirs.fileno())
        socket.send_fds(self._requests, [request], given)
        for each in given[:3]:
            os.close(each)
        theirs.close()
        return Forked(told, open(ours_in, "w"), open(ours_out), open(ours_err))  # noqa: PTH123


def _at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name.startswith(AT_START)}


def _serve(requests: socket.socket) -> None:
    """Return in a fork for each command, or exit once no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        request, given, _, _ = socket.recv_fds(requests, _LONGEST, 4)
        if not request:
            sys.exit()
        if os.fork() == 0:
            arguments, environ, cwd = json.loads(request)
            _fork(arguments, environ, cwd, given)
            requests.close()
            return
        for each in given:
            os.close(each)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


def _fork(arguments: list[str], environ: dict[str, str], cwd: str, given: list[int]) -> None:
    """Return in the process of the command; its parent tells of its end."""
    *streams, told = given
    if pid := os.fork():
        for each in streams:
            os.close(each)
        os.write(told, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    for number, each in enumerate(streams):
        os.dup2(each, number)
    for each in given:
        os.close(each)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    sys.argv = ["paytui", *arguments]


def _load() -> None:
    """Import all of paytui."""
    import paytui

    for module in pkgutil.walk_packages(paytui.__path__, "paytui."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in LOADED_LATE:
        import_module(name)
    gc.freeze()


if __name__ == "__main__":
    _load()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("paytui", run_name="__main__", alter_sys=True)
