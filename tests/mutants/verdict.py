"""What tests say of a planted bug, or of none."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.mutants.bug import ROOT, Bug
from tests.support.deadline import PATIENCE

OPTIONS = (
    "-q",
    "-x",
    "-o",
    "addopts=",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:unraisableexception",
    "--rootdir",
    str(ROOT),
)
SHORT = "5"
"""Seconds. Where a bug is planted, what is waited for never comes. The same tests are green without
it in no longer, so that it is the bug that they fail for."""

NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
"""None of the tests needs any, and they take longer to come than most tests to run."""

MORE_OPTIONS = "PYTEST_ADDOPTS"
"""Meant for the tests of tests, and of plugins that are not there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a run of tests ended.

    Attributes:
        code: pytest's exit code.
        red: the tests that failed in their own call, by their full names; one that failed before
            or after it says nothing of a bug.
        met: whether the module that holds the bug was imported at all.
        said: what pytest printed.
    """

    code: int
    red: tuple[str, ...]
    met: bool
    said: str


settings.register_profile(
    "first found",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
"""One example is enough, the same each time, and no other run is told of it."""


class _Reports:
    """Notes which tests failed in their own call."""

    def __init__(self) -> None:
        self.red: list[str] = []

    def pytest_sessionstart(self) -> None:
        settings.load_profile("first found")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.when == "call":
            self.red.append(report.nodeid)


def verdict(tests: Sequence[str], folder: Path, bug: Bug | None = None) -> Verdict:
    """Run tests in this process, in which nothing of paytui has been imported.

    Args:
        folder: where their temporary files go.
        bug: is planted before them.
    """
    if bug is not None:
        bug.plant()
    os.chdir(ROOT)
    os.environ[NO_PLUGINS] = "1"
    os.environ.pop(MORE_OPTIONS, None)
    os.environ[PATIENCE] = SHORT
    reports, said = _Reports(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main([*OPTIONS, "--basetemp", str(folder), *tests], plugins=[reports])
    met = bug is not None and bug.module in sys.modules
    return Verdict(int(code), tuple(reports.red), met, said.getvalue())
