from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.events import Mount
from textual.widgets import LoadingIndicator

from paytui.config.load import load_settings
from paytui.domain.models import Kind
from tests.support.parsed_once import parsed_once
from tests.support.quiet import quiet
from tests.tui.book import JPY, USD, account, payment, read, wallet
from tests.tui.dashboard import Dashboard


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal that the tests are started from shows in what they see."""
    for name in ("NO_COLOR", "COLORTERM", "TERM_PROGRAM", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.fixture(scope="session", autouse=True)
def loaded_screens() -> None:
    """Load all screens: one that is loaded while a test presses keys holds them back."""
    names = "accounts activity find overview rates recipients transactions wallets"
    for name in names.split():
        import_module(f"paytui.tui.screens.{name}")


@pytest.fixture
def empty() -> Dashboard:
    """A dashboard that knows nothing yet."""
    return Dashboard()


@pytest.fixture
def ui() -> Dashboard:
    """A dashboard on a small book: two accounts, four wallets, three payments."""
    ui = Dashboard()
    ui.store.accounts.put([account(1, "Acme"), account(2, "Bolt")])
    ui.store.wallets.put(
        [
            wallet(1, "AUD desk", "1204330.15"),
            wallet(2, "AUD payroll", "70000", account=2),
            wallet(3, "JPY desk", "45120900", currency=JPY),
            wallet(4, "USD desk", "88210.4", currency=USD, account=2),
        ]
    )
    ui.store.payments.put(
        [
            payment(1, "100", minutes_ago=3),
            payment(2, "2500.5", "processing", minutes_ago=2),
            payment(3, "12000", "rejected", minutes_ago=1),
        ]
    )
    read(ui.store, ui.clock, *(kind for kind in Kind if kind is not Kind.RATE_SHEETS))
    return ui


@pytest.fixture
def configured(ui: Dashboard, config: Path) -> Dashboard:
    """A dashboard whose settings stand in a file, which is the test's."""
    return replace(ui, settings=load_settings(config, {}))


@pytest.fixture(autouse=True, scope="session")
def no_longer_than_needed() -> Iterator[None]:
    """A key is followed by the next one as soon as all is done that it leads to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textual.app.wait_for_idle", quiet)
        patch.setattr("textual.pilot.wait_for_idle", quiet)
        patch.setattr("textual.screen.UPDATE_PERIOD", 0.001)
        # It paints itself anew 16 times a second though nothing of it moves here: the palette,
        # which holds one, would never be quiet.
        patch.setattr("textual.widgets.LoadingIndicator._on_mount", _stay_still)
        patch.setattr(Stylesheet, "_parse_rules", parsed_once(Stylesheet._parse_rules))
        yield


def _stay_still(_: LoadingIndicator, __: Mount) -> None:
    pass
