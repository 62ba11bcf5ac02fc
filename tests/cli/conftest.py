"""The command `paytui` as a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import Paytui, RunningSandbox, SandboxConfig
from tests.support.forks import Forks


@pytest.fixture
def paytui(tmp_path: Path, forks: Forks) -> Paytui:
    """Runs commands as a user who has configured nothing."""
    return Paytui(tmp_path / "home", forks)


@pytest.fixture
def sandbox(paytui: Paytui) -> Iterator[RunningSandbox]:
    """A sandbox with a small history in which nothing moves by itself."""
    with paytui.sandbox("--scale", "40", "--speed", "0") as running:
        yield running


@pytest.fixture
def sandbox_config(paytui: Paytui, sandbox: RunningSandbox) -> SandboxConfig:
    """A configuration that reaches the sandbox."""
    return SandboxConfig(paytui.home / "sandbox.toml", sandbox)
