"""The real program at a real terminal, on a real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.pty.other import NewDesk, OtherDesk, new_desk_in, other_desk_in
from tests.support.forks import Forks
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, Terminal

RunService = Callable[..., SandboxProcess]
RunDesk = Callable[[SandboxProcess], Terminal]


@pytest.fixture
def run_service(tmp_path: Path, forks: Forks) -> Iterator[RunService]:
    """Starts a service with the options given."""
    with ExitStack() as stack:
        yield lambda *options: stack.enter_context(SandboxProcess(tmp_path, *options, forks=forks))


@pytest.fixture
def run_dashboard(tmp_path: Path) -> Iterator[RunDesk]:
    """Starts the dashboard on a service; all that are started share an outbox."""
    with ExitStack() as stack:
        yield lambda service: stack.enter_context(_at(service, tmp_path, size=(80, 40)))


@pytest.fixture
def run_desk(tmp_path: Path) -> Iterator[RunDesk]:
    """The same at a terminal of the least size that shows all, which answers as real ones do."""
    with ExitStack() as stack:
        yield lambda service: stack.enter_context(_at(service, tmp_path, answers=True))


@pytest.fixture
def other_desk(tmp_path: Path) -> Iterator[OtherDesk]:
    """The dashboard on a service that spells everything otherwise."""
    with other_desk_in(tmp_path) as desk:
        yield desk


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[NewDesk]:
    """The dashboard on that service without a history."""
    with new_desk_in(tmp_path) as desk:
        yield desk


@pytest.fixture
def dashboard(run_service: RunService, run_dashboard: RunDesk) -> Terminal:
    """The dashboard on a small book in which nothing happens by itself."""
    return run_dashboard(run_service("--scale", "20", "--speed", "0"))


def _at(
    service: SandboxProcess,
    folder: Path,
    size: tuple[int, int] = (80, 24),
    *,
    answers: bool = False,
) -> Terminal:
    command = (*PAYTUI, "run", "--config", str(service.config))
    env = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CACHE_HOME": str(folder / "cache")}
    return Terminal(command, size=size, env=env, answers=answers)
