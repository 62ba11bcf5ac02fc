"""Runs of tests with and without planted bugs, each in a forked process.

Tests and the package are imported once. A bug in functions replaces their code in a fork. For any
other bug the package is imported anew, in a process that has imported only libraries.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from multiprocessing.connection import Connection
from types import CodeType, FunctionType, TracebackType
from typing import Self
from zlib import crc32

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.mutants.bugs import PACKAGE, ROOT, Bug, defining, plant
from tests.support.deadline import PATIENCE

LIBRARIES = (
    "babel.numbers",
    "click.testing",
    "httpx",
    "hypothesis.stateful",
    "pydantic",
    "pytest",
    "standardwebhooks",
    "starlette.applications",
    "textual.app",
    "textual.pilot",
    "textual.widgets",
    "uvicorn",
)
"""Libraries that take long to import. None of them may import paytui."""

OPTIONS = (
    "-q",
    "--tb=short",
    "-o",
    "addopts=",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:unraisableexception",
)

SHORT = "5"
"""Seconds. A test with a bug may wait for what never comes."""

LONGEST = 300
"""Seconds. A bug may make its test wait for ever."""

_FORKSERVER = multiprocessing.get_context("forkserver")
_FORK = multiprocessing.get_context("fork")

# One example that fails is enough, and it is the same in each run.
settings.register_profile(
    "first found",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=(HealthCheck.too_slow,),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of a run of tests.

    Attributes:
        red: the first test that failed in its own call, by its full name.
        is_green: whether there were tests, and none failed.
        said: what pytest says of failures.
    """

    red: str
    is_green: bool
    said: str


class Tests:
    """Test files that are collected once, in a process of their own; each run is a fork of that.

    Args:
        files: below the root of the project.
        planted: a bug that is planted before anything of the package is imported.
    """

    def __init__(self, files: Sequence[str], planted: Bug | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="paytui-mutants-")
        self._pipe, self._theirs = _FORKSERVER.Pipe()
        _FORKSERVER.set_forkserver_preload(list(LIBRARIES))
        arguments = (self._theirs, sorted(set(files)), self._folder.name, planted)
        self._process = _FORKSERVER.Process(target=_serve, args=arguments)

    def __enter__(self) -> Self:
        self._process.start()
        self._theirs.close()  # so that the end of the process is the end of the pipe
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()
        self._folder.cleanup()

    def run(self, test: str, bug: Bug | None = None) -> Verdict:
        """Run the cases of a test until one fails, with or without a bug in functions."""
        self._pipe.send((test, bug))
        found = self._pipe.recv()
        assert isinstance(found, Verdict), found
        return found


class Judge:
    """Tells whether tests fail for planted bugs, and for nothing else.

    Args:
        one_in: the share of tests that are also run without a bug.
    """

    def __init__(self, tests: Tests, one_in: int) -> None:
        self._tests = tests
        self._one_in = one_in
        self._green: dict[str, bool] = {}

    def objection(self, bug: Bug) -> str:
        """Return why a bug does not count as found, or nothing."""
        if bug.is_in_functions:
            found = self._tests.run(bug.red, bug)
            if found.red and self._is_green(found.red):
                return ""
        files = [_file(bug.red)]
        with Tests(files, planted=bug) as tests:
            found = tests.run(bug.red)
        if not found.red:
            return f"{bug.name}: {bug.red} does not fail\n{found.said}"
        if self._is_green(found.red):
            return ""
        with Tests(files) as tests:
            clean = tests.run(found.red)
        return "" if clean.is_green else f"{bug.name}: {found.red} fails without it\n{clean.said}"

    def _is_green(self, test: str) -> bool:
        if crc32(test.encode()) % self._one_in:
            return True
        if test not in self._green:
            self._green[test] = self._tests.run(test).is_green
        return self._green[test]


@contextlib.contextmanager
def judge_of(bugs: Sequence[Bug], one_in: int = 1) -> Iterator[Judge]:
    """Provide a judge of bugs."""
    with Tests([_file(bug.red) for bug in bugs]) as tests:
        yield Judge(tests, one_in)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _serve(pipe: Connection, files: Sequence[str], folder: str, planted: Bug | None) -> None:
    """Collect files, and run what is asked for until the other end is closed."""
    if planted is not None:
        plant(planted)
        os.environ[PATIENCE] = SHORT
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    options = [*OPTIONS, "--rootdir", str(ROOT), "--basetemp", folder]
    said = StringIO()
    with (
        _postgres(files),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        pytest.main([*options, *files], plugins=[_Server(pipe, said)])
    with contextlib.suppress(OSError):
        pipe.send(said.getvalue())


@contextlib.contextmanager
def _postgres(files: Sequence[str]) -> Iterator[None]:
    """Run a PostgreSQL for all tests of desks: to start one takes longer than most of them."""
    if not any(file.startswith("tests/desk/") for file in files):
        yield
        return
    from tests.desk.server import ALL_TRADERS, SHARED, running_server

    with running_server(ALL_TRADERS) as os.environ[SHARED]:
        yield


class _Server:
    """A plugin that runs tests on demand instead of all of them in turn."""

    def __init__(self, pipe: Connection, said: StringIO) -> None:
        self._pipe = pipe
        self._said = said
        self._reports: list[pytest.TestReport] = []

    def pytest_sessionstart(self) -> None:
        settings.load_profile("first found")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._reports.append(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        # Made here, it is the same folder for all forks.
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        functions = _functions()
        defining()
        gc.collect()
        gc.freeze()
        with contextlib.suppress(EOFError):
            while True:
                test, bug = self._pipe.recv()
                wanted = [item for item in session.items if _is_case(item.nodeid, test)]
                self._pipe.send(self._forked(wanted, bug, functions))
        return True

    def _forked(
        self, items: Sequence[pytest.Item], bug: Bug | None, functions: _Functions
    ) -> Verdict:
        ours, theirs = _FORK.Pipe(duplex=False)
        process = _FORK.Process(target=self._run, args=(theirs, items, bug, functions))
        process.start()
        theirs.close()
        try:
            found = ours.recv() if ours.poll(LONGEST) else None
        except EOFError:
            found = None
        process.kill()
        process.join()
        return found or Verdict("", is_green=False, said="the process ended, or took too long")

    def _run(
        self,
        pipe: Connection,
        items: Sequence[pytest.Item],
        bug: Bug | None,
        functions: _Functions,
    ) -> None:
        said = ""
        if bug is not None:
            os.environ[PATIENCE] = SHORT
            if not _swap(bug, functions):
                pipe.send(Verdict("", is_green=False, said="functions cannot be replaced"))
                return
        red = ""
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            failed = [report for report in self._reports if report.failed]
            said = "\n".join(report.longreprtext for report in failed)
            red = next((report.nodeid for report in failed if report.when == "call"), "")
            if failed:
                break
        pipe.send(Verdict(red, is_green=bool(items) and not said, said=said))


def _is_case(nodeid: str, test: str) -> bool:
    return nodeid == test or nodeid.startswith(f"{test}[")


_Functions = dict[tuple[str, str, int], list[FunctionType]]
"""The functions of the package, by file, qualified name and first line."""


def _functions() -> _Functions:
    found: _Functions = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found.setdefault(_key(each.__code__), []).append(each)
    return {key: held for key, held in found.items() if key[0].startswith(str(PACKAGE))}


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _swap(bug: Bug, functions: _Functions) -> bool:
    """Give functions the code that they have with a bug; return False where that is impossible."""
    swapped = False
    for file, tree in bug.trees().items():
        for code in _codes(compile(tree, str(file), "exec")):
            for function in functions.get(_key(code), ()):
                if function.__code__ != code:
                    if function.__code__.co_freevars != code.co_freevars:
                        return False
                    function.__code__ = code
                    swapped = True
    return swapped


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)
