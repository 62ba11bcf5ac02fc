"""`paytui audit`: confirmed intents on this machine, from the outbox alone."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paytui.cli.commands.audit import as_json, as_text
from paytui.cli.common import jsonable
from paytui.domain.intent import Action, IntentTerms
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.outbox.outbox import Outbox, open_outbox
from paytui.worker.intents.journal import row_of
from tests.outbox.made import ALL_TERMS, NOON, PROBLEM, entry, event
from tests.outbox.test_chain import tamper_with
from tests.support.commands import Paytui

SENDING = Event(
    kind=EventKind.SENDING,
    at=NOON + timedelta(seconds=1),
    method="POST",
    path="/v1/payments/payout",
)
ACCEPTED = Event(
    kind=EventKind.ACCEPTED, at=NOON + timedelta(seconds=2), status=201, object_id="p-1"
)
DOUBTED = Event(
    kind=EventKind.IN_DOUBT, at=NOON + timedelta(seconds=3), status=503, problem=PROBLEM
)

Audit = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def path(paytui: Paytui) -> Path:
    """Return the path of the user's own outbox by XDG: in ~/.local/state."""
    folder = paytui.home / ".local" / "state" / "paytui"
    folder.mkdir(parents=True)
    folder.chmod(0o700)
    return folder / "acme.outbox.sqlite"


@pytest.fixture
def audit(paytui: Paytui) -> Audit:
    config = paytui.home / "acme.toml"
    config.write_text("[profiles.acme]\nbase_url = 'https://api.example.com'\nclient_id = 'x'\n")
    return lambda *arguments, **more: paytui("audit", "--config", config, *arguments, **more)


@pytest.fixture
def outbox(path: Path) -> Outbox:
    """An accepted payout and one in doubt."""
    outbox = Outbox(path)
    for number, last in ((1, ACCEPTED), (2, DOUBTED)):
        outbox.record(entry(number))
        outbox.add(entry(number).intent_id, SENDING)
        outbox.add(entry(number).intent_id, last)
    return outbox


def test_it_tells_each_intent_and_what_happened_the_oldest_first(
    audit: Audit, outbox: Outbox
) -> None:
    done = audit()
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "PT-00000001  accepted  Payout 1,200.00 USD to Acme Pty Ltd\n"
        "    1,200.00 USD, 1 attempt, result p-1\n"
        "    for acme at https://api.example.com as desk\n"
        "    2026-03-02T12:00:01Z  confirmed by jo on desk-4\n"
        "    2026-03-02T12:00:01Z  sending  POST /v1/payments/payout\n"
        "    2026-03-02T12:00:02Z  accepted  status 201  p-1\n"
        "PT-00000002  in doubt  Payout 1,200.00 USD to Acme Pty Ltd\n"
        "    1,200.00 USD, 1 attempt, no result known\n"
        "    for acme at https://api.example.com as desk\n"
        "    2026-03-02T12:00:02Z  confirmed by jo on desk-4\n"
        "    2026-03-02T12:00:01Z  sending  POST /v1/payments/payout\n"
        "    2026-03-02T12:00:03Z  in doubt  status 503  "
        "503 (try later) [trace t-1]. Look at the payment.\n"
    )
    assert done.stderr == "1 in doubt, and may have been executed: PT-00000002\n"


@pytest.mark.slow
def test_what_was_on_its_way_when_its_sender_ended_is_in_doubt(
    audit: Audit, outbox: Outbox, path: Path
) -> None:
    """As a dashboard says that only reads: nobody is there to send it any more."""
    outbox.record(entry(3))
    outbox.add(entry(3).intent_id, SENDING)
    done = audit("--json")
    assert json.loads(done.stdout.splitlines()[2])["standing"] == "in doubt"
    assert done.stderr == "2 in doubt, and may have been executed: PT-00000002, PT-00000003\n"
    told = audit().stdout.splitlines()[-1]
    assert told.startswith("    paytui ended while it was being sent.")
    outbox.close()
    owned = open_outbox(path, host="desk-4", since=NOON)
    assert json.loads(audit("--json").stdout.splitlines()[2])["standing"] == "sending"
    owned.close()


@pytest.mark.slow
def test_a_whole_record_is_verified_and_its_head_compared_with_that_of_the_log(
    audit: Audit, outbox: Outbox, path: Path
) -> None:
    first = outbox.head
    outbox.record(entry(3))
    done = audit("--verify", "--head", first)
    assert (done.returncode, done.stdout) == (0, f"{outbox.head}\n")
    assert done.stderr == f"{path} is complete: its chain covers 7 intents and events.\n"
    as_in_the_log = audit("--verify", "--head", f"chain={first}")
    assert as_in_the_log.returncode == 0
    outbox.close()
    tamper_with(path, cut_off_the_end)
    assert audit("--verify").returncode == 0
    cut = audit("--verify", "--head", outbox.head)
    assert cut.returncode == 2
    assert f"{path} matches its chain, but the chain has no {outbox.head}" in cut.stderr
    assert "Nothing can be sent" not in cut.stderr  # the dashboard sends, for all it can know
    assert audit("--head", first).returncode == 2


def cut_off_the_end(file: sqlite3.Connection) -> None:
    """The last intent with its link, and every trace that SQLite keeps."""
    file.execute("DELETE FROM intents WHERE number = 3")
    file.execute("DELETE FROM chain WHERE number = 8")
    file.execute("UPDATE sqlite_sequence SET seq = seq - 1 WHERE name IN ('intents', 'chain')")


@pytest.mark.slow
def test_a_record_from_which_a_row_was_taken_is_told_and_what_is_left_is_printed(
    audit: Audit, outbox: Outbox, path: Path
) -> None:
    outbox.close()
    tamper_with(path, lambda file: file.execute("DELETE FROM events WHERE number = 2"))
    for arguments in ((), ("--verify",)):
        done = audit(*arguments)
        assert done.returncode == 2
        assert "is damaged (row 2 of its events is missing)" in done.stderr
    assert audit().stdout.startswith("PT-00000001  in doubt")
    assert audit("--verify").stdout == ""


@pytest.mark.parametrize(
    ("option", "attempted"),
    [("--verify", "read the outbox"), ("--set-aside", "put the outbox aside")],
)
def test_where_no_record_is_it_says_why_and_what_to_do(
    audit: Audit, path: Path, option: str, attempted: str
) -> None:
    done = audit(option)
    assert done.returncode == 2
    assert done.stdout == ""
    told, remedy = done.stderr.split(": there is no ")
    assert told.endswith(f"Could not {attempted}")
    assert remedy == (
        f"{path}. Nothing was confirmed here with this profile, or the file was moved: check "
        "--profile and outbox.folder, or restore the file from a copy.\n"
    )


def test_json_tells_all_of_it_one_object_a_line(audit: Audit, outbox: Outbox) -> None:
    done = audit("--json")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first == {
        "intent_id": "PT-00000001",
        "key": "key-1",
        "profile": "acme",
        "base_url": "https://api.example.com",
        "client_id": "desk",
        "action": "create_payout",
        "method": "POST",
        "path": "/v1/payments/payout",
        "key_header": "Idempotency-Key",
        "title": "Payout 1,200.00 USD to Acme Pty Ltd",
        "terms": first["terms"],
        "confirmed_at": "2026-03-02T12:00:01Z",
        "user": "jo",
        "host": "desk-4",
        "replay_safe": True,
        "resend_until": "2026-03-02T12:10:00Z",
        "host_time": None,
        "body_sha256": hashlib.sha256(b'{"amount":1200.00,"n":1}').hexdigest(),
        "body_purged": False,
        "standing": "accepted",
        "since": "2026-03-02T12:00:02Z",
        "attempts": 1,
        "object_id": "p-1",
        "candidates": [],
        "alerts": [],
        "events": first["events"],
    }
    assert first["terms"]["amount"] == "1200.00"
    assert [each["kind"] for each in first["events"]] == ["sending", "accepted"]
    assert second["standing"] == "in doubt"
    assert second["events"][1]["problem"]["said"] == "try later"


@pytest.mark.slow
def test_bodies_are_told_only_when_they_are_asked_for(audit: Audit, outbox: Outbox) -> None:
    assert '"n":' not in audit("--json").stdout.replace("\\", "")
    told = [json.loads(line)["body"] for line in audit("--json", "--bodies").stdout.splitlines()]
    assert told == ['{"amount":1200.00,"n":1}', '{"amount":1200.00,"n":2}']
    assert audit("--bodies").returncode == 2


def test_where_the_service_dates_otherwise_than_the_host_both_times_are_told() -> None:
    year, near = timedelta(days=365), NOON + timedelta(seconds=62)
    confirmed = replace(entry(), confirmed_at=NOON + year, host_time=NOON)
    sending = replace(SENDING, at=NOON + year, host_time=NOON)
    recorded = RecordedIntent(confirmed, (sending, replace(ACCEPTED, host_time=near)))
    row = row_of(recorded)
    assert as_text(recorded, row).splitlines()[3:] == [
        "    2027-03-02T12:00:00Z (host 2026-03-02T12:00:00Z)  confirmed by jo on desk-4",
        "    2027-03-02T12:00:00Z (host 2026-03-02T12:00:00Z)  sending  POST /v1/payments/payout",
        "    2026-03-02T12:00:02Z  accepted  status 201  p-1",
    ]
    told = json.loads(json.dumps(as_json(recorded, row, bodies=False), default=jsonable))
    times = [told["confirmed_at"], told["host_time"]]
    assert times == ["2027-03-02T12:00:00Z", "2026-03-02T12:00:00Z"]
    times = [each["host_time"] for each in told["events"]]
    assert times == ["2026-03-02T12:00:00Z", "2026-03-02T12:01:02Z"]


@pytest.mark.slow
def test_a_service_that_dates_back_hides_nothing_from_since(audit: Audit, path: Path) -> None:
    outbox, now = Outbox(path), datetime.now(UTC)
    outbox.record(replace(entry(), host_time=now))
    outbox.record(entry(2))
    outbox.add(entry(2).intent_id, replace(SENDING, host_time=now))
    outbox.record(entry(3))
    assert identifiers(audit("--json", "--since", "2h")) == ["1", "2"]


def identifiers(done: subprocess.CompletedProcess[str]) -> list[Any]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["intent_id"][-1] for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_since_keeps_what_something_happened_to_since_then(audit: Audit, path: Path) -> None:
    outbox, now = Outbox(path), datetime.now(UTC)
    for number, hours in ((1, 50), (2, 5), (3, 1)):
        outbox.record(replace(entry(number), confirmed_at=now - timedelta(hours=hours)))
    assert identifiers(audit("--json", "--since", "2h")) == ["3"]
    assert identifiers(audit("--json", "--since", "1d")) == ["2", "3"]
    assert identifiers(audit("--json", "--since", "1w")) == ["1", "2", "3"]
    three_hours_ago = (now - timedelta(hours=3)).isoformat()
    assert identifiers(audit("--json", "--since", three_hours_ago)) == ["3"]
    assert identifiers(audit("--json", "--since", "2026-03-02")) == ["1", "2", "3"]
    outbox.add(entry(1).intent_id, replace(SENDING, at=now))
    assert identifiers(audit("--json", "--since", "2h")) == ["1", "3"]


@pytest.mark.parametrize("text", ["", "2026-13-01", "999999w"])
def test_a_time_that_is_none_is_refused(audit: Audit, text: str) -> None:
    done = audit(f"--since={text}")
    assert done.returncode == 2
    assert "Use 2h, 7d, 2026-03-02" in done.stderr


def test_what_a_person_decided_and_what_it_may_be_are_told(audit: Audit, outbox: Outbox) -> None:
    sighted = replace(event(EventKind.SIGHTED, 60), candidates=("p-7", "p-8"))
    outbox.add(entry(2).intent_id, sighted)
    outbox.add(entry(2).intent_id, replace(event(EventKind.DONE, 90, object_id="p-8"), user="kim"))
    done = audit()
    assert done.stdout.splitlines()[-2:] == [
        "    2026-03-02T12:01:00Z  sighted  it may be p-7 or p-8",
        "    2026-03-02T12:01:30Z  settled as done  p-8  by kim",
    ]
    assert "1,200.00 USD, 1 attempt, result p-8" in done.stdout
    assert done.stderr == ""


def test_what_was_booked_otherwise_is_told_with_its_object_and_figures(
    audit: Audit, outbox: Outbox
) -> None:
    words = "The amount that was booked is 1300; 1200 was confirmed."
    doubt = event(EventKind.IN_DOUBT, 60, object_id="p-7", words=words)
    outbox.add(entry(2).intent_id, doubt)
    done = audit()
    assert "PT-00000002  in doubt" in done.stdout
    assert "1,200.00 USD, 1 attempt, booked otherwise as p-7" in done.stdout
    assert done.stdout.splitlines()[-1] == f"    2026-03-02T12:01:00Z  in doubt  p-7  {words}"
    assert done.stderr == "1 in doubt, and may have been executed: PT-00000002\n"
    told = json.loads(audit("--json").stdout.splitlines()[-1])
    assert (told["standing"], told["object_id"], told["alerts"]) == ("in doubt", "p-7", [words])


def test_text_from_outside_cannot_move_the_cursor(audit: Audit, path: Path) -> None:
    hostile = "\x1b[2J\nPT-99999999  accepted"
    outbox = Outbox(path)
    outbox.record(entry(title=hostile, user=hostile, host=hostile))
    outbox.add(entry().intent_id, event(EventKind.ALERT, words=hostile))
    done = audit()
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 5


def test_a_locked_rate_is_told_with_every_digit(audit: Audit, path: Path) -> None:
    Outbox(path).record(entry(terms=ALL_TERMS))
    done = audit()
    assert "    99,999,999,999,999.99 AUD, 1 AUD = 0.6512300 USD, 0 attempts, no" in done.stdout
    assert done.stderr == "1 recorded and never sent: PT-00000001\n"


def test_where_nothing_was_recorded_nothing_is_made(audit: Audit, path: Path) -> None:
    done = audit()
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"Nothing was ever recorded: there is no {path}.\n"
    assert list(path.parent.iterdir()) == []


@pytest.mark.slow
def test_each_profile_has_an_outbox_of_its_own_in_the_folder_that_is_set(paytui: Paytui) -> None:
    folder = paytui.home / "kept here"
    folder.mkdir(mode=0o700)
    config = paytui.home / "two.toml"
    config.write_text(
        f"default_profile = 'one'\n[outbox]\nfolder = '{folder}'\n"
        "[profiles.one]\nbase_url = 'https://one.example'\nclient_id = 'x'\n"
        "[profiles.two]\nbase_url = 'https://two.example'\nclient_id = 'x'\n"
    )
    for number, name in ((1, "one"), (2, "two")):
        Outbox(folder / f"{name}.outbox.sqlite").record(entry(number, profile=name))
    assert identifiers(paytui("audit", "--json", "--config", config)) == ["1"]
    assert identifiers(paytui("audit", "--json", "--config", config, "--profile", "two")) == ["2"]


@pytest.mark.slow
def test_a_damaged_outbox_is_put_aside_by_a_word_of_its_user_and_kept(
    audit: Audit, outbox: Outbox, path: Path
) -> None:
    outbox.close()
    assert audit("--set-aside").returncode == 2
    content = b"damaged" + path.read_bytes()[7:]
    path.write_bytes(content)
    done = audit()
    assert done.returncode == 2
    assert "is damaged" in done.stderr
    assert "paytui audit --set-aside" in done.stderr
    done = audit("--set-aside")
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.rstrip("\n")).read_bytes() == content
    assert "Nothing was ever recorded" in audit().stderr


def test_it_loads_neither_screens_nor_http(paytui: Paytui, audit: Audit, outbox: Outbox) -> None:
    arguments = ["audit", "--config", str(paytui.home / "acme.toml")]
    program = (
        "import sys; from paytui.cli.main import cli\n"
        f"cli.main({arguments!r}, standalone_mode=False)\n"
        "print([name for name in ('textual', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=paytui.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0].startswith("PT-00000001")
    assert done.stdout.splitlines()[-1] == "[]"


PERSON = b'{"firstName":"Zoraida"}'


@pytest.fixture
def account(path: Path) -> Outbox:
    """An individual account that was opened, and one that is in doubt."""
    outbox = Outbox(path)
    action = Action.CREATE_INDIVIDUAL_ACCOUNT
    for number, last in ((1, ACCEPTED), (2, DOUBTED)):
        whole = entry(number, action=action, body=PERSON, title="Individual account")
        outbox.record(replace(whole, terms=IntentTerms()))
        outbox.add(whole.intent_id, SENDING)
        outbox.add(whole.intent_id, last)
    return outbox


def test_what_was_filled_in_is_told_where_no_money_moves(path: Path, audit: Audit) -> None:
    asked = (("currency", "USD"), ("wallet_name", "USD desk"))
    wallet = entry(1, action=Action.CREATE_WALLET, terms=IntentTerms(asked=asked))
    Outbox(path).record(wallet)
    assert "requested: currency USD, wallet_name USD desk" in audit().stdout


def test_personal_data_that_is_gone_is_said_to_be_purged(account: Outbox, audit: Audit) -> None:
    told = audit().stdout
    assert told.count("request with personal data: purged once accepted") == 1
    assert "Zoraida" not in told


def test_programs_are_told_its_hash_and_that_it_is_purged(account: Outbox, audit: Audit) -> None:
    first, second = map(json.loads, audit("--json", "--bodies").stdout.splitlines())
    assert (first["body"], first["body_purged"]) == (None, True)
    assert (second["body"], second["body_purged"]) == (PERSON.decode(), False)
    assert first["body_sha256"] == second["body_sha256"] == hashlib.sha256(PERSON).hexdigest()
