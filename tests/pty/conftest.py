"""The real program at a real terminal, on a real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.pty.other import OtherDesk, other_desk_in
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, Terminal

RunService = Callable[..., SandboxProcess]


@pytest.fixture
def run_service(tmp_path: Path) -> Iterator[RunService]:
    """Starts a service with the options given."""
    with ExitStack() as stack:
        yield lambda *options: stack.enter_context(SandboxProcess(tmp_path, *options))


@pytest.fixture
def run_dashboard() -> Iterator[Callable[[SandboxProcess], Terminal]]:
    """Starts the dashboard on a service."""
    with ExitStack() as stack:

        def run(service: SandboxProcess) -> Terminal:
            command = (*PAYTUI, "run", "--config", str(service.config))
            return stack.enter_context(Terminal(command, size=(80, 40)))

        yield run


@pytest.fixture
def other_desk(tmp_path: Path) -> Iterator[OtherDesk]:
    """The dashboard on a service that spells everything otherwise."""
    with other_desk_in(tmp_path) as desk:
        yield desk


@pytest.fixture
def dashboard(
    run_service: RunService, run_dashboard: Callable[[SandboxProcess], Terminal]
) -> Terminal:
    """The dashboard on a small book in which nothing happens by itself."""
    return run_dashboard(run_service("--scale", "20", "--speed", "0"))
