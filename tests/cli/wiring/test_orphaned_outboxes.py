"""A renamed profile or moved folder is told of open intents in its former outbox."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paytui.cli.wiring.compose import orphaned_outboxes
from paytui.config.settings import OutboxSettings, Profile, Settings
from paytui.outbox.entry import EventKind
from paytui.outbox.file import make_folder, outbox_path
from paytui.outbox.outbox import Outbox
from tests.outbox.made import entry, event

URL = "https://api.acme.example"


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    profile = Profile(name="new", base_url=URL, client_id="desk")
    return Settings(profile=profile, outbox=OutboxSettings(folder=tmp_path / "state"))


def opened(profile: str, folder: Path | None, *, url: str = URL) -> Path:
    """An outbox that holds one open intent and one that has ended."""
    path = outbox_path(profile, folder)
    make_folder(path)
    outbox = Outbox(path)
    for number in (1, 2):
        outbox.record(entry(number, base_url=url))
    outbox.add(entry(2).intent_id, event(EventKind.ACCEPTED, object_id="p1"))
    outbox.close()
    return path


def test_what_is_open_under_another_name_is_told_with_how_it_is_settled(settings: Settings) -> None:
    path = opened("old", settings.outbox.folder)
    [words] = orphaned_outboxes(settings)
    assert words.startswith(f"1 intent is open in {path}")
    assert '"old"' in words


def test_what_is_open_in_the_folder_of_before_is_told_too(settings: Settings) -> None:
    path = opened("new", None)
    [words] = orphaned_outboxes(settings)
    assert str(path) in words
    assert str(path.parent) in words


def test_what_is_for_another_service_or_client_is_not_ours_to_tell(settings: Settings) -> None:
    opened("old", settings.outbox.folder, url="https://api.other.example")
    assert orphaned_outboxes(settings) == []
    other = replace(settings.profile, client_id="somebody else")
    opened("older", settings.outbox.folder)
    assert orphaned_outboxes(replace(settings, profile=other)) == []


def test_a_profile_with_an_outbox_of_its_own_looks_for_no_other(settings: Settings) -> None:
    opened("old", settings.outbox.folder)
    opened("new", settings.outbox.folder)
    assert orphaned_outboxes(settings) == []


def test_an_outbox_that_cannot_be_read_keeps_nobody_from_starting(settings: Settings) -> None:
    path = opened("old", settings.outbox.folder)
    path.write_bytes(b"no database at all")
    assert orphaned_outboxes(settings) == []
