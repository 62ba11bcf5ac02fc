"""`paytui export`, compared with plain HTTP reads of the same service."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.commands import SECRET, Paytui, RunningSandbox, SandboxConfig
from tests.support.forks import Forks
from tests.support.service import Item, PlainReader

Desk = tuple[Paytui, SandboxConfig]


@pytest.fixture(scope="module")
def sandbox_desk(
    tmp_path_factory: pytest.TempPathFactory, forks: Forks
) -> Iterator[tuple[Desk, RunningSandbox]]:
    """A sandbox in which nothing moves, for all tests that only read it."""
    paytui = Paytui(tmp_path_factory.mktemp("export") / "home", forks)
    with paytui.sandbox("--scale", "120", "--speed", "0") as running:
        yield (paytui, SandboxConfig(paytui.home / "sandbox.toml", running)), running


@pytest.fixture
def desk(sandbox_desk: tuple[Desk, RunningSandbox]) -> Desk:
    return sandbox_desk[0]


@pytest.fixture
def payments(sandbox_desk: tuple[Desk, RunningSandbox]) -> list[Item]:
    """The payments, as the service sends them."""
    reader = PlainReader(sandbox_desk[1].base_url, SECRET)
    found = reader.all("/payments")
    reader.close()
    return found


def export(desk: Desk, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    paytui, config = desk
    return paytui("export", *arguments, "--config", config.path)


def exported(desk: Desk, *arguments: str) -> list[dict[str, Any]]:
    """Payments by the command, as JSON lines."""
    done = export(desk, "payments", "--format", "jsonl", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line, parse_float=Decimal) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_csv_holds_every_payment_with_every_digit(desk: Desk, payments: list[Item]) -> None:
    done = export(desk, "payments")
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr
    rows = {
        row["payment_transaction_id"]: row
        for row in csv.DictReader(io.StringIO(done.stdout, newline=""))
    }
    assert rows.keys() == {item["paymentTransactionId"] for item in payments}
    for item in payments:
        row = rows[item["paymentTransactionId"]]
        assert (row["amount"], row["currency"]) == (item["amount"], item["currency"])
        assert row["created_at"][:19] == item["createdAt"][:19]
        assert row["created_at"].endswith("+00:00")


@pytest.mark.slow
def test_a_filter_keeps_what_a_condition_by_hand_keeps(desk: Desk, payments: list[Item]) -> None:
    rows = exported(desk, "--filter", "ccy:usd amount>1k -status:completed")
    expected = {
        item["paymentTransactionId"]
        for item in payments
        if item["currency"] == "USD"
        and Decimal(item["amount"]) > 1000
        and item["status"].lower() != "completed"
    }
    assert expected
    assert {row["payment_transaction_id"] for row in rows} == expected


@pytest.mark.slow
def test_rows_are_in_the_order_that_is_asked_for(desk: Desk) -> None:
    rows = exported(desk, "--sort", "currency,-amount")
    keys = [(row["currency"], -Decimal(row["amount"])) for row in rows]
    assert len(rows) == 120
    assert keys == sorted(keys)


@pytest.mark.slow
def test_without_an_order_two_exports_are_alike(desk: Desk) -> None:
    assert exported(desk) == sorted(
        exported(desk), key=lambda row: str(row["payment_transaction_id"])
    )


@pytest.mark.slow
def test_other_tables_are_there_as_well(desk: Desk) -> None:
    done = export(desk, "payin_addresses", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


class TestFiles:
    @pytest.mark.slow
    def test_a_file_is_written_for_its_owner_alone(self, desk: Desk, tmp_path: Path) -> None:
        path = tmp_path / "p.json"
        done = export(desk, "payments", "--format", "json", "--output", path)
        assert (done.returncode, done.stdout) == (0, "")
        assert len(json.loads(path.read_text())) == 120
        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.slow
    def test_a_file_that_is_there_is_replaced_only_by_force(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        path = tmp_path / "p.csv"
        path.write_text("precious")
        refused = export(desk, "payments", "--output", path)
        assert (refused.returncode, path.read_text()) == (2, "precious")
        assert "exists and is not overwritten. See --force." in refused.stderr
        assert "Reading" not in refused.stderr
        assert export(desk, "payments", "--output", path, "--force").returncode == 0
        assert path.read_text().startswith("payment_transaction_id,")

    @pytest.mark.slow
    def test_a_dash_is_stdout(self, desk: Desk) -> None:
        paytui, _ = desk
        done = export(desk, "payments", "--format", "json", "--output", "-")
        assert (done.returncode, len(json.loads(done.stdout))) == (0, 120)
        assert not (paytui.home / "-").exists()

    @pytest.mark.slow
    def test_a_folder_that_is_not_there_is_named(self, desk: Desk, tmp_path: Path) -> None:
        done = export(desk, "payments", "--output", tmp_path / "no" / "p.csv")
        assert done.returncode == 2
        assert "no/p.csv: cannot be written: No such file or directory." in done.stderr


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ("--filter", "usd stauts:released"),
                '--filter: Unknown field "stauts". Did you mean status?',
            ),
            (("--sort", "colour"), "--sort: No field colour to sort by."),
            (("--columns", "to,colour"), "--columns: No column colour. Known: created, type, "),
        ],
    )
    def test_what_cannot_work_is_refused_before_anything_is_read(
        self, desk: Desk, arguments: tuple[str, ...], message: str
    ) -> None:
        done = export(desk, "payments", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert "Reading" not in done.stderr

    @pytest.mark.slow
    def test_a_refused_secret_is_3_and_writes_nothing(
        self, paytui: Paytui, sandbox_config: SandboxConfig, tmp_path: Path
    ) -> None:
        sandbox_config.write_secret("wrong-s3cret")
        path = tmp_path / "p.csv"
        done = export((paytui, sandbox_config), "payments", "--output", path)
        assert done.returncode == 3
        assert not path.exists()
        assert "sign in" in done.stderr

    @pytest.mark.slow
    def test_a_table_that_fails_is_5_and_does_not_concern_the_others(
        self, paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
    ) -> None:
        fault = {"operation": "list_payments", "kind": "503", "times": 100}
        httpx.post(f"{sandbox.base_url}/_sandbox/faults", json=fault, trust_env=False, timeout=60)
        done = export((paytui, sandbox_config), "payments")
        assert (done.returncode, done.stdout) == (5, "")
        assert "503" in done.stderr
        assert export((paytui, sandbox_config), "wallets").returncode == 0


@pytest.mark.slow
def test_textual_is_never_loaded(desk: Desk) -> None:
    paytui, config = desk
    loaded = paytui.modules_after("export", "payments", "--config", config.path)
    assert "httpx" in loaded
    assert not {"textual", "paytui.tui", "paytui.sandbox"} & loaded
