"""Tracked identifiers follow their files, which are read only after a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.config.load import TrackedIdentifiersReader, load_settings
from paytui.config.saved_files import read_saved, read_tracked, tracked_path, write_tracked
from paytui.config.validation import ConfigError
from paytui.domain.models import Kind
from tests.config.loader import MINIMAL


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(f'{MINIMAL}[track]\nwallets = ["w1"]\n')
    return path


@pytest.fixture
def known(config: Path) -> TrackedIdentifiersReader:
    return TrackedIdentifiersReader(load_settings(config, {}))


def test_what_a_command_adds_and_forgets_is_known(
    config: Path, known: TrackedIdentifiersReader
) -> None:
    assert known().identifiers == {Kind.WALLETS: ("w1",)}
    write_tracked(tracked_path(config), {"acme": {Kind.WALLETS: ("w2",), Kind.TRADES: ("t1",)}})
    assert known().identifiers == {Kind.WALLETS: ("w1", "w2"), Kind.TRADES: ("t1",)}
    write_tracked(tracked_path(config), {"acme": {Kind.TRADES: ("t1",)}})
    assert known().identifiers == {Kind.WALLETS: ("w1",), Kind.TRADES: ("t1",)}
    tracked_path(config).unlink()
    assert known().identifiers == {Kind.WALLETS: ("w1",)}


def test_what_another_profile_tracks_is_its_own(
    config: Path, known: TrackedIdentifiersReader
) -> None:
    write_tracked(tracked_path(config), {"beta": {Kind.TRADES: ("t1",)}})
    assert known().identifiers == {Kind.WALLETS: ("w1",)}


def test_what_the_configuration_itself_says_anew_is_known(
    config: Path, known: TrackedIdentifiersReader
) -> None:
    config.write_text(f'{MINIMAL}[track]\nwallets = ["w1", "w3"]\n')
    assert known().identifiers == {Kind.WALLETS: ("w1", "w3")}


@pytest.mark.parametrize("text", ["[acme]\ntrades = 't1'\n", "[[["])
def test_a_file_that_cannot_be_used_leaves_what_was_known(
    config: Path, known: TrackedIdentifiersReader, text: str
) -> None:
    write_tracked(tracked_path(config), {"acme": {Kind.TRADES: ("t1",)}})
    before = known().identifiers
    tracked_path(config).write_text(text)
    assert known().identifiers == before
    write_tracked(tracked_path(config), {"acme": {Kind.TRADES: ("t2",)}})
    assert known().identifiers == {Kind.WALLETS: ("w1",), Kind.TRADES: ("t2",)}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[acme]\ntrades = 't1'\n", "is not as `paytui track` wrote it"),
        ("[[[", "is not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_until_it_is_mended(
    config: Path, known: TrackedIdentifiersReader, text: str, what: str
) -> None:
    assert known().problem is None
    tracked_path(config).write_text(text)
    problem = known().problem
    assert problem is not None
    assert problem.what.startswith(f"config.tracked.toml {what}")
    assert "track the identifiers again" in problem.remedy
    tracked_path(config).unlink()
    assert known().problem is None


def test_where_in_the_configuration_something_is_wrong_is_told(
    config: Path, known: TrackedIdentifiersReader
) -> None:
    config.write_text(f"{MINIMAL}[track]\nwallets = [17]\n")
    problem = known().problem
    assert problem is not None
    line = MINIMAL.count("\n") + 2
    assert problem.what.startswith(f"config.toml line {line} track.wallets")


def test_files_that_did_not_change_are_not_read_again(
    config: Path, known: TrackedIdentifiersReader
) -> None:
    assert known() is known()


def test_a_file_that_cannot_be_read_is_not_to_be_moved_away(tmp_path: Path) -> None:
    for read in (read_tracked, read_saved):
        with pytest.raises(ConfigError, match=r"Is a directory\. Fix its permissions\.$"):
            read(tmp_path)
