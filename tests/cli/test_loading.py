"""The order in which the dashboard and what reads the service are loaded."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from paytui.cli import no_garbage
from paytui.cli.loading import load_first, loaded_with
from paytui.crash import without_report
from paytui.store.store import Store
from paytui.worker.worker import Worker
from tests.support.deadline import eventually


@pytest.fixture(autouse=True)
def no_garbage_looked_for() -> Iterator[None]:
    no_garbage.begin()
    yield
    gc.unfreeze()
    gc.enable()


def test_a_worker_that_is_not_loaded_first_starts_once_the_dashboard_is_painted() -> None:
    host, painted = loaded_with(fails, Store(), without_report)
    before = host.is_started
    painted()
    assert (before, host.is_started) == (False, True)
    eventually(gc.isenabled)  # both are loaded, as far as they can be
    host.stop()


def test_one_that_is_loaded_first_is_not_started_again() -> None:
    host, painted = loaded_with(fails, Store(), without_report)
    load_first(host)
    assert host.is_started
    assert not gc.isenabled()  # the dashboard is still being loaded
    painted()
    assert gc.isenabled()
    host.stop()


def fails() -> Worker:
    """Nothing is to be read here."""
    raise LookupError
