"""`paytui desk` makes the schema, and shows who is there."""

from __future__ import annotations

import asyncio
import json
import os
import re
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner, Result
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import InsufficientPrivilege

from paytui.cli.common import ExitCode
from paytui.cli.main import cli
from paytui.cli.wiring.desk import desk_findings
from paytui.config.load import load_settings
from paytui.desk.checks import commit_time
from paytui.desk.database import Database, DeskAway, as_away, connect, has_pooler, migrations
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import Epoch, Head
from paytui.platform.files import owner_key
from tests.desk.server import PROGRAMS, owner_does
from tests.desk.storm import pooled
from tests.desk.test_mandates import mandate
from tests.support import tcp

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
    assert "has no desk. The administrator runs: paytui desk init --dsn" in run("status").output
    assert "CREATE TABLE paytui.tokens" in run("init").output
    assert run("init", "--dsn", empty, "--trader", "anna").output.startswith(
        f"The desk is ready: {len(migrations())} migrations applied, traders: anna."
    )
    assert "the schema was up to date" in run("init", "--dsn", empty).output

    with connect(make_conninfo(empty, user="anna")) as connection:
        connection.execute("SELECT paytui.enter('one', 'host-7', 4711, '0.9')")
        connection.execute("SELECT paytui.enter('other', E'\\x1b]0;x\\x07', 1, '1')")
        client = owner_key("https://api.example.com", "x")
        meet = "SELECT paytui.meet(%s, 1, 'payout', 'rcp-1', '{wal-1}', '')"
        connection.execute(meet, (client,))
        connection.execute("SELECT paytui.take_turn(%s, 1, 0, '', '{wallets,payments}')", (client,))
        connection.execute("SELECT paytui.release(%s, 1, '{payments}', '{}')", (client,))
        publish = (
            "SELECT paytui.publish(%s, kind, fence, 1, %s, true, 'sealed') FROM paytui.readers"
        )
        connection.execute(f"{publish} WHERE kind = 'wallets'", (client, time() - 100))
    said = run("status").output
    assert re.search(r"^payments +none +not yet +0 +0$", said, re.MULTILINE)
    assert re.search(r"^wallets +1 +10\d s ago +1 +6$", said, re.MULTILINE)
    header, other, seat, *_ = said.splitlines()
    assert other.isprintable()
    assert header.split() == ["Seat", "Trader", "Host", "Process", "paytui", "Seen", "Ticket"]
    assert seat.split()[:5] == ["1", "anna", "host-7", "4711", "0.9"]
    assert seat.endswith("s ago  payout, recipient rcp-1, wallet wal-1")
    assert other.endswith("s ago  closed")
    assert "\nStandbys: 0 connected; commits wait for none\nCommits: confirmed in " in said


def test_the_log_is_shown_verified_and_opened_without_a_host(run: Run, empty: str) -> None:
    run("init", "--dsn", empty, "--trader", "anna", "--trader", "bob")
    recorded = """[{"intent": "PT-AAAAAAAA", "local": 0, "kind": "recorded", "document": "{}"}]"""
    with connect(make_conninfo(empty, user="anna")) as connection:
        for host in ("host-7", "host-8"):
            enter = "SELECT paytui.enter_outbox('c', %s, %s, '', %s, '/o', '1')"
            connection.execute(enter, (host, host, host))
        connection.execute("SELECT paytui.hand_in('host-7', %s, '0')", (recorded,))
    assert run("verify").output.startswith("The desk's log is intact, head 1.")
    assert run("lost", "host-7").output == "Error: The log does not wait for host-7.\n"
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("UPDATE paytui.epoch SET timeline = timeline - 1")
        connection.execute("SELECT paytui.this_epoch()")
    *_, told, waits, _, _, count, header, row = run("status").output.splitlines()
    assert told.startswith("Log: head 1.")
    assert told.endswith("epoch 2, timeline 1")
    assert waits == "Nothing is sent: the log waits for anna on host-7 (/o), anna on host-8 (/o)."
    assert count == "Open intents: 1"
    assert header.split() == ["Intent", "Status", "Trader", "Host"]
    assert row.split() == ["PT-AAAAAAAA", "not", "sent", "anna", "host-7"]

    with connect(make_conninfo(empty, user="bob")) as connection:
        connection.execute("SELECT paytui.say_lost('host-8')")
    waits = "Waits for anna on host-7 (/o)\n"
    assert run("lost", "host-7").output.startswith(f"{waits}Nothing was changed.")
    for _ in range(2):  # one trader counts once
        assert run("lost", "host-7", "--yes").output.startswith(f"{waits}Counted,")
    with connect(make_conninfo(empty, user="bob")) as connection:
        connection.execute("SELECT paytui.say_lost('host-7')")
    assert (
        run("lost", "host-8", "--yes").output == "Lost: anna on host-8 (/o)\nIntents can be sent.\n"
    )
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("ALTER TABLE paytui.log DISABLE TRIGGER append_only")
        connection.execute("UPDATE paytui.log SET document = '[]'")
    altered = run("verify")
    assert altered.exit_code == ExitCode.FAILED
    assert altered.output == "Error: The desk's log was altered: row 1 was changed.\n"


def test_the_printed_sql_gives_all_functions_to_the_owner_role(run: Run, empty: str) -> None:
    psql = (PROGRAMS / "psql", "--quiet", "--set=ON_ERROR_STOP=1", empty)
    subprocess.run(psql, input=run("init", "--trader", "anna").output, text=True, check=True)
    with psycopg.connect(empty) as connection:
        owners = connection.execute(
            "SELECT DISTINCT proowner::regrole::text FROM pg_proc "
            "WHERE pronamespace = 'paytui'::regnamespace"
        )
        assert owners.fetchall() == [("paytui_owner",)]
    assert "Log: empty" in run("status").output


def test_who_ran_init_keeps_no_right_to_set_limits(run: Run, empty: str) -> None:
    run("init", "--dsn", empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("CREATE ROLE dba CREATEROLE")
        connection.execute("GRANT CREATE ON DATABASE empty TO dba")
        try:
            dba = make_conninfo(empty, options="-c role=dba")
            # As PostgreSQL grants roles to who creates them.
            grant = "GRANT paytui_owner, paytui_trader TO dba WITH ADMIN TRUE, INHERIT FALSE"
            connection.execute(f"{grant}, SET FALSE")
            for _ in range(2):
                assert run("init", "--dsn", dba).output.startswith("The desk is ready")
                kept = "SELECT pg_has_role('dba', 'paytui_owner', 'USAGE')"
                assert connection.execute(kept).fetchall() == [(False,)]
        finally:
            connection.execute("DROP OWNED BY dba")
            connection.execute("DROP ROLE dba")
    assert run("init").output.endswith("REVOKE paytui_owner FROM CURRENT_USER;\nCOMMIT;\n")


def test_an_error_says_what_to_do_and_not_that_it_is_tried_again(
    run: Run, tmp_path: Path, empty: str
) -> None:
    refused = as_away(InsufficientPrivilege("permission denied for schema paytui\nLINE 1"))
    assert str(refused).endswith(
        "(permission denied for schema paytui). "
        "An administrator adds it: paytui desk init --trader ROLE"
    )
    config = tmp_path / "acme.toml"
    config.write_text(config.read_text().replace(str(conninfo_to_dict(empty)["host"]), "/nowhere"))
    assert "tried again" not in run("status").output


def test_a_password_file_that_others_can_read_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = tmp_path / "pgpass"
    passwords.touch(0o644)
    passwords.chmod(0o644)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    assert f"can be read by others (mode 0644). Run: chmod 600 {passwords}" in run("status").output


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
        assert said.endswith(", limits set, traders: anna.\n")
    with psycopg.connect(empty, autocommit=True) as connection:
        rows = connection.execute("SELECT kind, made_by FROM paytui.log").fetchall()
        assert rows == [("limits", "postgres")]
        connection.execute(
            "INSERT INTO paytui.charges SELECT 'PT-1', 'AUD', 60000.5, client, 'anna', NULL, "
            "paytui.day_of(document::jsonb, clock_timestamp()), true "
            "FROM paytui.log JOIN paytui.outboxes USING (outbox)"
        )
        client = owner_key("https://api.example.com", "x")
        enter = "SELECT paytui.enter_outbox(%s, '', 'run', '', '', '', '')"
        connection.execute(enter, (client,))
        handed_in = json.dumps([asdict(row) for row in mandate()])
        connection.execute("SELECT paytui.hand_in('run', %s, '0')", (handed_in,))
    assert run("status").output.splitlines()[-8:] == [
        "Above 50,000.00 AUD a colleague must approve, within 1:00:00.",
        "The day starts at 07:00 Australia/Sydney.",
        "Today  Currency       Used       At most",
        "all    AUD       60,000.50  1,000,000.00",
        "all    USD            0.00          5.00",
        "anna   AUD       60,000.50    500,000.00",
        "Mandate      Trader    Pair         Left          Of  Rate  Approvals  Ends in",
        "PT-MMMMMMMM  postgres  AUD > USD  100.00  100.00 AUD  0.66          0   60 min",
    ]


def test_a_role_that_may_not_changes_nothing(run: Run, empty: str) -> None:
    refused = run("init", "--dsn", make_conninfo(empty, user="bob"))
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: Nothing was changed: ")
    unknown = run("init", "--dsn", empty, "--trader", "nemo")
    said = 'Nothing was changed: role "nemo" does not exist. Create it first: createuser'
    assert unknown.output.startswith(f"Error: {said}")


def test_a_newer_schema_is_not_used(admin: str, anna: str) -> None:
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("INSERT INTO paytui.migrations (number, name) VALUES (99, 'later')")
    with pytest.raises(DeskAway, match=r"its schema is 99.*Update paytui"):
        connect(anna)


def test_doctor_tells_what_is_unsafe_and_how_news_and_commits_go(
    tmp_path: Path, admin: str, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paytui.desk.checks.LONGEST_NEWS", 60.0)  # on a busy machine

    def checked(dsn: str) -> list[str]:
        config = tmp_path / "acme.toml"
        config.write_text(
            "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
            f'[profiles.acme.desk]\ndsn = "{dsn}"\n'
        )
        return _checked(config)

    slow = (
        "warning desk.dsn sets tcp_user_timeout=0 "
        "Remove that from desk.dsn: the screen may tell late that the desk is away."
    )
    idle = (
        "warning a transaction that was begun and left may hold up all traders "
        "Set idle_in_transaction_session_timeout = '15s' for this database."
    )
    database = f"ALTER DATABASE {conninfo_to_dict(admin)['dbname']}"
    owner_does(admin, f"{database} SET idle_in_transaction_session_timeout = 0")
    *weak, news, commits = checked(make_conninfo(anna, tcp_user_timeout=0))
    assert weak == [slow, idle]
    assert re.fullmatch(r"ok notifications arrive in \d+ ms ", news)
    alone = r"ok its database confirms commits, by this server alone in \d+ ms "
    assert re.fullmatch(alone, commits)

    owner_does(
        admin,
        f"{database} SET idle_in_transaction_session_timeout = '15s'",
        f"{database} SET synchronous_commit = off",
    )
    superuser, commits, *_ = checked(admin)
    assert superuser.startswith("warning the role is a superuser Give each trader a role")
    assert commits.startswith("warning synchronous_commit is off Set it to on")
    owner_does(admin, "GRANT paytui_owner TO anna")
    try:
        assert checked(anna)[0].startswith("warning the role owns the desk's tables")
    finally:
        owner_does(admin, "REVOKE paytui_owner FROM anna")


def _checked(config: Path) -> list[str]:
    found = desk_findings(load_settings(config, {}))
    return [f"{each.verdict} {each.what} {each.remedy}" for each in found]


def test_doctor_tells_why_this_profile_can_send_nothing(tmp_path: Path, anna: str) -> None:
    config = tmp_path / "acme.toml"
    config.write_text(
        f"[outbox]\nfolder = '{tmp_path}'\n"
        "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
        f'[profiles.acme.desk]\ndsn = "{anna}"\n'
    )
    with closing(Outbox(tmp_path / "acme.outbox.sqlite")) as outbox:
        memory = DeskRecord(outbox)
        [server] = owner_does(anna, "SELECT server, timeline FROM paytui.epoch")
        assert not any(each.startswith("error") for each in _checked(config))
        memory.note(Head(Epoch(1, *server), 5, "0" * 64))  # type: ignore[arg-type]
        *_, refused = _checked(config)
        assert refused.startswith(
            "error the desk's log was set back or changed (it ends at row 0, and row 5 was seen)"
        )
        memory.note(Head(Epoch(2, *server), 5, "0" * 64))  # type: ignore[arg-type]
        *_, refused = _checked(config)
        assert refused.startswith("error it is an old primary (its epoch is 1, and 2 was seen)")
    (tmp_path / "acme.outbox.sqlite").unlink()
    with config.open("a") as file:
        file.write("[profiles.acme.desk.approval]\nabove = {AUD = '50000'}\n")
    [refused] = [each for each in _checked(config) if each.startswith("error")]
    assert refused.startswith("error Nothing is sent: this profile has other limits than its desk.")


@pytest.mark.slow
def test_a_pooler_by_transactions_is_told(server: str, anna: str, tmp_path: Path) -> None:
    with TemporaryDirectory() as folder, pooled(Path(folder), server, wanted=True) as door:
        dsn = make_conninfo(anna, host=conninfo_to_dict(door)["host"], port=6432)
        config = tmp_path / "acme.toml"
        config.write_text(
            "[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n"
            f'[profiles.acme.desk]\ndsn = "{dsn}"\n'
        )
        *_, news, _ = desk_findings(load_settings(config, {}))
        assert news.what.startswith("a pooler in transaction mode drops notifications")
        with connect(dsn) as through, connect(anna) as direct:
            assert has_pooler(through)
            assert has_pooler(direct) is False


def test_what_is_between_is_not_known_if_the_server_sees_another_port(anna: str) -> None:
    """It may be a pooler that passes on the number of a server."""

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        door = f"{conninfo_to_dict(anna)['host']}/.s.PGSQL.5432"
        answers, questions = await asyncio.open_unix_connection(door)

        async def pump(one: asyncio.StreamReader, other: asyncio.StreamWriter) -> None:
            with closing(other):
                while some := await one.read(65_536):
                    other.write(some)

        async with asyncio.TaskGroup() as both:
            both.create_task(pump(reader, questions))
            both.create_task(pump(answers, writer))
        await questions.wait_closed()

    def look(url: str) -> None:
        port = urlsplit(url).port
        with connect(make_conninfo(anna, host="127.0.0.1", port=port)) as through:
            assert has_pooler(through) is None

    async def scene() -> None:
        async with tcp.server(relay) as url:
            await asyncio.to_thread(look, url)

    asyncio.run(scene())


def test_a_commit_that_a_standby_does_not_confirm_is_told(admin: str, anna: str) -> None:
    reset = "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"
    wait = "SELECT pg_advisory_xact_lock(1), pg_logical_emit_message(true, 'x', '')"
    told = "confirms no commit (its synchronous standby is away). Its administrator starts"

    async def scene() -> None:
        desk, stuck = Database(anna), Database(anna, 0.3)
        await stuck.call(lambda link: link.execute("SELECT"))
        with pytest.raises(DeskAway, match="does not answer"):
            await stuck.call(lambda link: link.execute(wait))
        await desk.call(lambda link: link.execute("SET lock_timeout = '50ms'"))
        with pytest.raises(DeskAway, match=re.escape(told)):
            await desk.call(lambda link: link.execute(wait))
        desk.close()
        stuck.close()

    owner_does(admin, "ALTER SYSTEM SET synchronous_standby_names = 'x'", "SELECT pg_reload_conf()")
    try:
        with connect(anna) as link, pytest.raises(DeskAway, match=re.escape(told)):
            commit_time(link, 0.3)
        asyncio.run(scene())
    finally:
        owner_does(admin, *reset)


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


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be another user")
def test_a_demo_server_lets_no_other_user_of_the_host_in(server: str) -> None:
    data = Path(str(conninfo_to_dict(server)["host"]))
    folders = (data, data.parent)
    before = [stat.S_IMODE(folder.stat().st_mode) for folder in folders]
    command = (PROGRAMS / "psql", make_conninfo(server, user="anna"), "-c", "SELECT 1")

    def said() -> str:
        told = subprocess.PIPE
        with subprocess.Popen(command, user="daemon", stderr=told, text=True, cwd="/") as psql:
            return psql.communicate()[1]

    assert "Permission denied" in said()
    try:
        for folder in folders:
            folder.chmod(0o755)
        assert "Peer authentication failed" in said()
    finally:
        for folder, mode in zip(folders, before, strict=True):
            folder.chmod(mode)
