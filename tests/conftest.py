"""Tiers, plugins and folders that all tests share; CONTRIBUTING.md describes the tiers."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # no stubs

    from tests.support.forks import Forks
    from tests.support.seat import Seat

TESTS = Path(__file__).parent

FIRST = re.compile(r"tests/(?:mutants|simulation|soak)/|any_order|late_delivery")
"""The long ones. If they come first, other processes have something left to do beside them, and one
process alone has to import what the planted bugs need."""

CAMPAIGNS = ("soak", "bench", "real")
"""Folders in which every test is slow."""

PLUGINS = {
    "snap_compare|SnapshotAssertion": ("syrupy", "pytest_textual_snapshot"),
    "hypothesis": ("_hypothesis_pytestplugin", "tests.support.hypothesis_profile"),
    "schemathesis": ("schemathesis.pytest.plugin",),
}
"""A pattern that a file holds, and the plugins that it needs. Each takes 0.1 to 0.5 s to import."""

# What a shell starts in its background ignores ctrl+c, and so does whatever that starts in turn:
# tests that interrupt a command would wait for it for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add `--all`, and load the plugins that the given files need."""
    parser.addoption("--all", action="store_true", help="run every test, the slow ones too")
    config: Any = pluginmanager.get_plugin("pytestconfig")
    given = parser.parse_known_args(config.invocation_params.args).file_or_dir
    sources = [path.read_text() for path in _test_files(given)]
    for pattern, plugins in PLUGINS.items():
        if any(re.search(pattern, source) for source in sources):
            for plugin in plugins:
                pluginmanager.import_plugin(plugin)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return the number of workers: none for named files, which run faster than workers start.

    With `--all` there are two a core, since many slow tests wait for a terminal or a network.
    """
    if _named(config):
        return 0
    return 2 * (os.cpu_count() or 1) if config.getoption("--all") else None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Import a share of the test files in each worker, so that the others find them compiled.

    Of new files, every worker would compile all at once: 12 s of CPU each.
    """
    if given := getattr(session.config, "workerinput", None):
        files = sorted(path.resolve() for path in _test_files(session.config.args))
        for path in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
            with contextlib.suppress(Exception):  # collection tells what is wrong with it
                import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out, unless their file is named; begin with the long ones if all are run."""
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in CAMPAIGNS:
            item.add_marker("slow")
    if config.getoption("--all"):
        items.sort(key=lambda item: not FIRST.search(item.nodeid))
        return
    named = _named(config)
    slow = [item for item in items if item.get_closest_marker("slow") and item.path not in named]
    config.stash[LEFT_OUT] = len(slow)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left out"] = len(slow)
    if slow:
        config.hook.pytest_deselected(items=slow)
        left_out = set(slow)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    """Take over from a worker how many tests were left out."""
    node.config.stash[LEFT_OUT] = node.workeroutput.get("left out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out, and how to run it."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(
            f"The core tier. {left_out} slow tests were left out; .venv/bin/pytest --all runs them."
            "\nCampaigns: python -m tests.simulation, tests.mutants, tests.fuzz, tests.soak,"
            " tests.bench; each has --help."
        )


LEFT_OUT = pytest.StashKey[int]()


def _named(config: pytest.Config) -> set[Path]:
    """Return the test files that the command line names."""
    paths = (Path(arg.partition("::")[0]) for arg in config.args)
    return {path.resolve() for path in paths if path.suffix == ".py"}


def _test_files(given: list[str]) -> Iterator[Path]:
    """Yield every test file under the paths of a command line, or all where it has none."""
    for path in [Path(arg.partition("::")[0]) for arg in given] or [TESTS]:
        yield from [path] if path.is_file() else path.rglob("test_*.py")


@pytest.fixture(scope="session", autouse=True)
def seldom_collected() -> None:
    """Leave what was imported to no garbage collector, and the rest for longer.

    By default it takes up to a sixth of the tests' time.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.fixture(scope="session", autouse=True)
def runtime_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tokens and caches of tests away from the user's own."""
    folder = tmp_path_factory.mktemp("runtime")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        yield


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """A process that has imported paytui, and is forked for each command."""
    from tests.support.forks import Forks

    with Forks() as forks:
        yield forks


@pytest.fixture
def seat() -> Iterator[Seat]:
    """At the other side of a terminal."""
    from tests.support.seat import Seat

    seat = Seat()
    yield seat
    seat.close()
