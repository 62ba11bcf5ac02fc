"""`paytui book`: the recorded history, printed, exported and pruned."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paytui.book.file import BookWriter
from paytui.cli.main import cli
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))

Book = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "acme.book.sqlite"


@pytest.fixture
def book(tmp_path: Path) -> Book:
    config = tmp_path / "acme.toml"
    config.write_text(
        "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
        f"[outbox]\nfolder = '{tmp_path / 'state'}'\n"
    )
    return lambda *words: CliRunner().invoke(cli, ["book", *words, "--config", str(config)])


def record(path: Path) -> None:
    with closing(BookWriter(path)) as writer:
        for days, rate in ((0, "0.65120"), (1, "0.66")):
            time = NOON + timedelta(days=days)
            writer.add_rates(f"s{days}", time, {AUD_USD: Decimal(rate)})
            writer.add_balances(time, {WalletId("w-1"): (Decimal(rate), None, Decimal(0))})


def test_the_history_is_shown_exported_and_pruned(book: Book, path: Path) -> None:
    record(path)

    shown = book("show").output.splitlines()
    assert shown[0].startswith(f"{path}, 0.")
    assert shown[2:] == [
        "rate AUD > USD  2026-03-02 12:00:00  2026-03-03 12:00:00        2",
        "balances        2026-03-02 12:00:00  2026-03-03 12:00:00        2",
    ]
    rates = book("export", "rates", "--since", "2026-03-03").output
    assert rates == (
        "sell,buy,began,ended,first,low,high,last\n"
        "AUD,USD,2026-03-03T12:00:00.000Z,2026-03-03T12:00:00.000Z,0.66,0.66,0.66,0.66\n"
    )
    balances = (
        "wallet_id,since,available,reserved,pending\nw-1,2026-03-02T12:00:00.000Z,0.65120,,0\n"
    )
    assert book("export", "balances").output.startswith(balances)

    assert book("prune", "--before", "2026-03-03").exit_code == 0
    assert "0.65120" not in book("export", "rates").output
    assert book("export", "watches").output.splitlines()[1:] == [
        "2026-03-03T12:00:00.000Z,2026-03-03T12:00:00.000Z"
    ]


def test_without_history_and_beside_a_dashboard(book: Book, path: Path) -> None:
    shown = book("show")
    assert shown.exit_code == 0
    assert f"Nothing was recorded yet: there is no {path}." in shown.output
    with closing(BookWriter(path)):
        refused = book("prune", "--before", "2026-03-03")
    assert refused.exit_code == 2
    assert "another process writes it" in refused.output
    assert book("prune", "--before", "1h").exit_code == 2
