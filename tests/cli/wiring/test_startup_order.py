"""The order in which the dashboard and the worker are loaded."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paytui.cli.wiring import dashboard
from paytui.cli.wiring.dashboard import (
    StartupBalances,
    run_dashboard,
    start_before_paint,
    worker_after_paint,
)
from paytui.config.settings import CacheSettings, OutboxSettings, Profile, Settings
from paytui.platform import interpreter
from paytui.platform.crash import no_report
from paytui.store.store import Store
from paytui.tui import exit as tui_exit
from paytui.tui.app import PaytuiApp
from paytui.tui.terminal.splash import SplashScreen
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import WorkerHost
from tests.support.client import known_secret
from tests.support.deadline import eventually

WORKER = "paytui-worker"


@pytest.fixture(autouse=True)
def no_garbage_looked_for() -> Iterator[None]:
    interpreter.pause_gc()
    yield
    gc.enable()


def test_a_worker_that_is_not_loaded_first_starts_once_the_dashboard_is_painted() -> None:
    host, painted = worker_after_paint(fails, Store(), no_report)
    before = host.is_started
    painted()
    assert (before, host.is_started) == (False, True)
    eventually(gc.isenabled)  # both are loaded, as far as they can be
    host.stop()


def test_one_that_is_loaded_first_is_not_started_again() -> None:
    host, painted = worker_after_paint(fails, Store(), no_report)
    start_before_paint(host)
    assert host.is_started
    assert not gc.isenabled()  # the dashboard is still being loaded
    painted()
    assert gc.isenabled()
    host.stop()


def test_reads_make_way_for_the_dashboard_until_it_is_painted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read that began before it is loaded would hold its first picture up."""
    ways: list[tuple[bool, bool]] = []

    def run(app: PaytuiApp, **_: object) -> int:
        way = app.ui.store.ui_priority
        before = way.loading
        assert app._painted is not None
        app._painted()
        ways.append((before, way.loading))
        return 0

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(tui_exit, "run_dashboard", run)
    run_dashboard(settings_in(tmp_path), known_secret, early=SplashScreen())
    assert ways == [(True, False)]


def test_whoever_interrupts_while_it_is_loaded_first_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(host: WorkerHost) -> None:
        start_before_paint(host)
        assert WORKER in names_of_threads()
        raise KeyboardInterrupt

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr(dashboard, "start_before_paint", interrupted)
    monkeypatch.setattr(StartupBalances, "show_as_read", lambda _: True)
    with pytest.raises(KeyboardInterrupt):
        run_dashboard(settings_in(tmp_path), known_secret, early=SplashScreen())
    eventually(lambda: WORKER not in names_of_threads())


def settings_in(folder: Path) -> Settings:
    """Return the settings of an unreachable service that keeps everything in a folder."""
    return Settings(
        profile=Profile(name="acme", base_url="http://127.0.0.1:9", client_id="desk"),
        outbox=OutboxSettings(folder=folder / "state"),
        cache=CacheSettings(enabled=False),
    )


def names_of_threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def fails() -> Worker:
    """Nothing is to be read here."""
    raise LookupError
