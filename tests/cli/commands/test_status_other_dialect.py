"""`paytui status` over HTTP on a service with other names for everything."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from paytui.platform.clock import SystemClock
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.commands import SECRET, Paytui
from tests.support.forks import Forks
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.respelled.items import twenty_digits
from tests.support.served import served

SAME = ("accounts", "recipients", "payment_addresses")
AMOUNTS = {"wallets": "available_balance", "payins": "amount", "payments": "amount"}


def told(paytui: Paytui, url: str, folder: Path, dialect: str = "") -> tuple[int, dict[str, Any]]:
    config = folder / "config.toml"
    config.write_text(
        f"[profiles.test]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n{dialect}"
    )
    done = paytui("status", "--json", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
    found: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, found


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, forks: Forks
) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("both")
    paytui = Paytui(folder / "home", forks)
    app = create_app(SandboxOptions(client_secret=SECRET, scale=40, speed=0), SystemClock())
    with served(app) as url:
        code, documented = told(paytui, url, folder)
        assert code == 0
    with served(OtherService(app).app()) as url:
        code, other = told(paytui, url, folder, f"dialect = '{DIALECT}'\n")
        assert code == 0
    return documented, other


@pytest.mark.slow
@pytest.mark.parametrize("table", SAME)
def test_with_nothing_but_a_dialect_the_tables_are_the_same(
    both: tuple[dict[str, Any], dict[str, Any]], table: str
) -> None:
    documented, other = both
    assert other[table] == documented[table]
    assert other[table]


@pytest.mark.slow
@pytest.mark.parametrize("table", list(AMOUNTS))
def test_amounts_of_twenty_digits_arrive_whole(
    both: tuple[dict[str, Any], dict[str, Any]], table: str
) -> None:
    documented, other = both
    assert [Decimal(row[AMOUNTS[table]]) for row in other[table]] == [
        twenty_digits(Decimal(row[AMOUNTS[table]])) for row in documented[table]
    ]


@pytest.mark.slow
def test_lists_that_it_has_not_are_told_and_are_no_failure(
    both: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    _, other = both
    assert other["feeds"]["trades"]["error"] == "The service has no such list."
    assert other["feeds"]["payments"]["error"] is None
