"""One process sends from the outbox of a profile; others are told why they cannot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.cli.wiring.compose import open_send_context
from paytui.config.load import load_settings
from paytui.config.settings import DeskSettings, OutboxSettings, Profile, Settings
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.intent_service import SendContext, SendingDisabled
from tests.config.loader import MINIMAL
from tests.outbox.made import entry
from tests.outbox.test_chain import tamper_with
from tests.support.clock import ManualClock
from tests.support.operator import OperatorsFile


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    profile = Profile(name="acme", base_url="https://api.acme.example", client_id="desk")
    return Settings(profile=profile, outbox=OutboxSettings(folder=tmp_path / "state"))


@pytest.fixture
def office(settings: Settings) -> Iterator[SendContext]:
    opened = opened_for(settings)
    assert isinstance(opened, SendContext)
    yield opened
    opened.outbox.close()


def opened_for(settings: Settings) -> SendContext | SendingDisabled:
    return open_send_context(settings, load_dialect(), ServiceTime(ManualClock()))


def test_the_first_who_comes_sends(office: SendContext, settings: Settings) -> None:
    assert office.retry_rules.base_url == settings.profile.base_url
    assert office.outbox.read() == []


def test_the_second_reads_and_is_told_who_sends(office: SendContext, settings: Settings) -> None:
    second = opened_for(settings)
    assert isinstance(second, SendingDisabled)
    assert str(os.getpid()) in second.why
    assert second.is_owned
    assert second.history is not None
    second.history.close()


def test_the_next_sends_once_the_first_has_ended(office: SendContext, settings: Settings) -> None:
    office.outbox.close()
    after = opened_for(settings)
    assert isinstance(after, SendContext)
    after.outbox.close()


def test_a_user_without_a_name_sends_by_number(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54321)  # as in a container: no such entry
    opened = opened_for(settings)
    assert isinstance(opened, SendContext)
    assert opened.retry_rules.user == "uid 54321"
    opened.outbox.close()


@pytest.mark.parametrize(("dsn", "role"), [("host=/none user=anna", "anna"), ("host=/none", "bob")])
def test_on_a_desk_the_database_role_sends(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, dsn: str, role: str
) -> None:
    monkeypatch.setenv("PGUSER", "bob")
    profile = replace(settings.profile, desk=DeskSettings(dsn=dsn))
    opened = opened_for(replace(settings, profile=profile))
    assert isinstance(opened, SendContext)
    assert opened.retry_rules.user == role
    opened.outbox.close()


@pytest.mark.usefixtures("office")
def test_another_profile_has_an_outbox_of_its_own(settings: Settings) -> None:
    other = opened_for(replace(settings, profile=replace(settings.profile, name="other")))
    assert isinstance(other, SendContext)
    other.outbox.close()


def test_a_read_only_profile_opens_none(settings: Settings, tmp_path: Path) -> None:
    closed = opened_for(replace(settings, profile=replace(settings.profile, read_only=True)))
    assert closed == SendingDisabled("This profile is read-only.")
    assert not (tmp_path / "state").exists()


def test_what_the_operator_has_made_read_only_sends_nothing_whatever_a_user_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators_file = OperatorsFile(tmp_path / "operator", monkeypatch)
    operators_file.says("read_only = true\n")
    config = tmp_path / "config.toml"
    config.write_text(f"{MINIMAL}read_only = false\n[outbox]\nfolder = 'state'\n")
    assert opened_for(load_settings(config, {})) == SendingDisabled("This profile is read-only.")


def test_a_folder_that_others_can_read_is_refused_and_named(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    (tmp_path / "state").chmod(0o755)
    closed = opened_for(settings)
    assert isinstance(closed, SendingDisabled)
    assert "chmod" in closed.why
    assert str(tmp_path / "state") in closed.why


def test_an_outbox_from_which_a_row_was_taken_sends_nothing_and_is_shown(
    settings: Settings, tmp_path: Path
) -> None:
    first = opened_for(settings)
    assert isinstance(first, SendContext)
    for number in (1, 2):
        first.outbox.record(entry(number))
    first.outbox.close()
    path = tmp_path / "state" / "acme.outbox.sqlite"
    tamper_with(path, lambda file: file.execute("DELETE FROM intents WHERE number = 1"))
    closed = opened_for(settings)
    assert isinstance(closed, SendingDisabled)
    assert closed.damaged
    assert "row 1 of its intents is missing" in closed.why
    assert closed.history is not None
    assert [each.entry.intent_id for each in closed.history.read()] == ["PT-00000002"]
    closed.history.close()


@pytest.mark.parametrize("wanted", [True, False])
def test_each_line_goes_to_the_hosts_log_where_that_is_asked_for(
    settings: Settings, wanted: bool
) -> None:
    outbox = replace(settings.outbox, audit_syslog=wanted)
    opened = opened_for(replace(settings, outbox=outbox))
    assert isinstance(opened, SendContext)
    assert (opened.log is not None) is wanted
    opened.outbox.close()


def test_what_is_never_sent_is_what_the_profile_says(
    office: SendContext, settings: Settings
) -> None:
    assert office.profile == settings.profile
