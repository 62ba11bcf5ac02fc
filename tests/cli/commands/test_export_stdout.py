"""`paytui export` to a stdout that is full, closed or cannot encode UTF-8, and its exit code."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paytui.cli.commands.export import ExportQuery
from paytui.cli.commands.export import export as command
from paytui.domain.models import Kind, Payment, PaymentId
from paytui.store.export import Format
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.support.answering import Answering, Query, payment
from tests.support.clock import NOON
from tests.support.commands import SECRET, Paytui
from tests.support.scripted import Reply
from tests.support.served import served

FEW, MANY = 3, 1_200
"""Less than a buffer holds, and far more."""


@pytest.fixture
def count() -> int:
    return FEW


@pytest.fixture
def export(paytui: Paytui, count: int) -> Iterator[list[str | Path]]:
    """The command line of an export of so many payments to Zürich."""

    def answer(query: Query) -> Reply:
        page = int(query["page"])
        numbers = range((page - 1) * 500, min(count, page * 500))
        rows = [{**payment(number), "reference": "Zürich ✓"} for number in numbers]
        return Reply({"items": rows, "total": count})

    with served(Answering(answer)) as url:
        config = paytui.home / "config.toml"
        config.write_text(
            f"[profiles.test]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
        )
        yield [*paytui.argv("export", "payments", "--config", config)]


def run_here(monkeypatch: pytest.MonkeyPatch, paytui: Paytui, *words: str | Path) -> Result:
    """Run the command in this process, on a service with one payment that is `released`."""
    rows = [{**payment(1), "status": "Released"}]
    for name, value in paytui.environ.items():
        monkeypatch.setenv(name, value)
    with served(Answering(lambda _: Reply({"items": rows, "total": 1}))) as url:
        config = paytui.home / "config.toml"
        config.write_text(
            f"[profiles.test]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
        )
        argv = ["payments", "--config", str(config), *map(str, words)]
        return CliRunner().invoke(command, argv, env={"PAYTUI_CLIENT_SECRET": SECRET})


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("status:foo", 2),
        ("-status:foo", 0),
        ("status:failed", 0),  # no payment is, but one could be
        ("ccy:nzd", 0),  # likewise
    ],
)
def test_a_state_that_no_payment_can_have_is_refused(
    monkeypatch: pytest.MonkeyPatch, paytui: Paytui, wanted: str, code: int
) -> None:
    path = paytui.home / "p.csv"
    done = run_here(monkeypatch, paytui, "--filter", wanted, "--output", path)
    assert (done.exit_code, path.exists()) == (code, code == 0)
    said = "--filter: No such status: foo. Known: " in done.stderr
    assert said is (code == 2)


def test_a_pipe_whose_reader_is_gone_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store()
    store.payments.put([Payment(PaymentId("p1"))])
    store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON))
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr("sys.stdout", stdout)
        query = ExportQuery("payments")
        query.write(store, Format.CSV, None, force=False)
    assert capsys.readouterr().err == ""


def run(
    paytui: Paytui, argv: list[str | Path], out: int, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    environ = {**paytui.environ, "PAYTUI_CLIENT_SECRET": SECRET, **variables}
    return subprocess.run(
        argv, env=environ, cwd=paytui.home, stdout=out, stderr=subprocess.PIPE, check=False
    )


@pytest.mark.slow
def test_what_is_written_is_utf_8_as_in_a_file(paytui: Paytui, export: list[str | Path]) -> None:
    done = run(paytui, export, subprocess.PIPE, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode("utf-8"), newline="")))
    assert [row["reference"] for row in rows] == ["Zürich ✓"] * FEW


@pytest.mark.slow
@pytest.mark.parametrize(("count", "form"), [(FEW, "csv"), (MANY, "json")])
def test_a_full_disk_is_told_in_one_line(
    paytui: Paytui, export: list[str | Path], form: str
) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(paytui, [*export, "--format", form], full.fileno())
    assert done.returncode == 1
    last = done.stderr.decode().splitlines()[-1]
    assert last == "Error: stdout cannot be written: No space left on device."
    assert b"Traceback" not in done.stderr
