"""`paytui desk` makes the schema, and shows who is there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from time import time

import psycopg
import pytest
from click.testing import CliRunner, Result
from psycopg.conninfo import make_conninfo

from paytui.cli.common import ExitCode
from paytui.cli.main import cli
from paytui.cli.wiring.desk import desk_finding
from paytui.config.load import load_settings
from paytui.config.settings import Profile
from paytui.desk.database import DeskAway, connect, migrations
from paytui.platform.files import owner_key

Run = Callable[..., Result]


@pytest.fixture
def empty(server: str) -> str:
    """Return the superuser's connection string to a database without a desk."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS empty")
        connection.execute("CREATE DATABASE empty")
    return make_conninfo(server, dbname="empty")


@pytest.fixture
def run(tmp_path: Path, empty: str) -> Run:
    config = tmp_path / "acme.toml"
    config.write_text(
        "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
        f'[profiles.acme.desk]\ndsn = "{make_conninfo(empty, user="anna")}"\n'
    )
    return lambda *words: CliRunner().invoke(cli, ["desk", *words, "--config", str(config)])


def test_init_makes_a_desk_once_and_status_shows_its_seats(run: Run, empty: str) -> None:
    assert "has no desk. Run: paytui desk init" in run("status").output
    assert "CREATE TABLE paytui.tokens" in run("init").output
    assert run("init", "--dsn", empty, "--trader", "anna").output.startswith(
        f"The desk is ready: {len(migrations())} migrations applied, 1 traders added."
    )
    assert "the schema was up to date" in run("init", "--dsn", empty).output

    with connect(make_conninfo(empty, user="anna")) as connection:
        connection.execute("SELECT paytui.enter('host-7', 4711, '0.9')")
        connection.execute("SELECT paytui.enter(E'\\x1b]0;x\\x07', 1, '1')")
        client = owner_key("https://api.example.com", "x")
        connection.execute("SELECT paytui.look(%s, 1, 0, '', '{wallets,payments}')", (client,))
        connection.execute("SELECT paytui.release(%s, 1, '{payments}')", (client,))
        publish = (
            "SELECT paytui.publish(%s, kind, fence, 1, %s, true, 'sealed') FROM paytui.readers"
        )
        connection.execute(f"{publish} WHERE kind = 'wallets'", (client, time() - 100))
    said = run("status").output
    assert re.search(r"^payments +none +not yet +0 +0$", said, re.MULTILINE)
    assert re.search(r"^wallets +1 +10\d s ago +1 +6$", said, re.MULTILINE)
    header, other, seat, *_ = said.splitlines()
    assert other.isprintable()
    assert header.split() == ["Seat", "Trader", "Host", "Process", "paytui", "Seen"]
    assert seat.split()[:5] == ["1", "anna", "host-7", "4711", "0.9"]


def test_a_status_that_may_not_be_read_is_told(run: Run, empty: str) -> None:
    run("init", "--dsn", empty, "--trader", "anna")
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("REVOKE SELECT ON paytui.seats FROM paytui_trader")
    refused = run("status")
    assert refused.exit_code == ExitCode.UNREACHABLE
    assert "permission denied" in refused.output


def test_init_sets_the_limits_of_the_profile_and_status_shows_their_use(
    run: Run, empty: str, tmp_path: Path
) -> None:
    config = tmp_path / "acme.toml"
    config.write_text(
        config.read_text()
        + "[profiles.acme.desk.approval]\nabove = {AUD = '50000'}\n"
        + "[profiles.acme.desk.day]\nat_most = {AUD = '1000000', USD = '5'}\n"
        + "per_trader = {AUD = '500000'}\nstarts = '07:00 Australia/Sydney'\n"
    )
    assert "SELECT paytui.set_limits(" in run("init").output
    for _ in range(2):
        said = run("init", "--dsn", empty, "--trader", "anna").output
        assert said.endswith("1 traders added, limits set.\n")
    with psycopg.connect(empty, autocommit=True) as connection:
        rows = connection.execute("SELECT kind, made_by FROM paytui.log").fetchall()
        assert rows == [("limits", "postgres")]
        connection.execute(
            "INSERT INTO paytui.charges SELECT 'PT-1', 'AUD', 60000.5, paytui.service_of(limits), "
            "'anna', NULL, paytui.day_of(limits, clock_timestamp()), true "
            "FROM (SELECT document::jsonb FROM paytui.log) AS its(limits)"
        )
    assert run("status").output.splitlines()[-6:] == [
        "Above 50,000.00 AUD a colleague must approve, within 1:00:00.",
        "The day starts at 07:00 Australia/Sydney.",
        "Today  Currency       Used       At most",
        "all    AUD       60,000.50  1,000,000.00",
        "all    USD            0.00          5.00",
        "anna   AUD       60,000.50    500,000.00",
    ]


def test_a_role_that_may_not_changes_nothing(run: Run, empty: str) -> None:
    refused = run("init", "--dsn", make_conninfo(empty, user="bob"))
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: Nothing was changed: ")


def test_a_newer_schema_is_not_used(admin: str, anna: str) -> None:
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("INSERT INTO paytui.migrations (number, name) VALUES (99, 'later')")
    with pytest.raises(DeskAway, match=r"its schema is 99.*Update paytui"):
        connect(anna)


def test_doctor_warns_of_a_superuser(tmp_path: Path, admin: str, anna: str) -> None:
    def checked(dsn: str) -> str:
        config = tmp_path / "acme.toml"
        config.write_text(
            "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
            f'[profiles.acme.desk]\ndsn = "{dsn}"\n'
        )
        profile: Profile = load_settings(config, {}).profile
        return desk_finding(profile).what

    assert checked(admin) == "the role is a superuser"
    assert checked(anna) == "its database answers; the token is shared by all seats"


@pytest.mark.parametrize(
    "dsn", ["host=db password=sentinel", "postgresql://anna:sentinel@db/desk", " "]
)
def test_a_configuration_holds_no_password(tmp_path: Path, dsn: str) -> None:
    config = tmp_path / "acme.toml"
    config.write_text(
        "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
        f'[profiles.acme.desk]\ndsn = "{dsn}"\n'
    )
    refused = CliRunner().invoke(cli, ["config", "validate", "--config", str(config)])
    assert refused.exit_code == 2
    assert "sentinel" not in refused.output
