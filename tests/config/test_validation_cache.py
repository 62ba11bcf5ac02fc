"""A validated file is not validated again, and nothing else is taken for it."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from paytui.config import validation_cache
from paytui.config.load import load_settings
from paytui.config.settings import Settings
from paytui.config.validation import ConfigError, T, validate
from paytui.config.validation_cache import CachingValidator, validation_cache_path
from tests.config.loader import MINIMAL

ALL_KINDS = f"""{MINIMAL}
confirm_above = {{ AUD = "100000.50" }}
dialect = "acme.dialect.toml"
[polling]
wallets = "7s"
[rates]
watch = ["AUD/USD"]
[overview]
day_starts = "07:00 Australia/Sydney"
[alerts]
when = ["AUD/USD bid above 0.660"]
[lock]
unlock_command = ["fprintd-verify"]
[keys]
list.sort = ["f6"]
[views.trades.today]
filter = "age<1d"
sort = ["-created"]
"""


class Desk:
    """A configuration that is loaded again and again, and how often it was validated."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.config = folder / "config.toml"
        self.config.write_text(ALL_KINDS, encoding="utf-8")
        self.kept = folder / "cache" / "kept.accepted.json"
        self.validated = 0
        patch.setattr(validation_cache, "validate", self._counted)

    def start(self) -> Settings:
        check = CachingValidator(self.kept)
        settings = load_settings(self.config, {}, check=check)
        check.keep()
        return settings

    def validates(self) -> bool:
        """Return True if another start validates anything."""
        before = self.validated
        self.start()
        return self.validated > before

    def _counted(self, table: type[T], tree: Mapping[str, object]) -> T:
        self.validated += 1
        return validate(table, tree)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def test_a_second_start_is_set_as_the_first_and_validates_nothing(desk: Desk) -> None:
    first = desk.start()
    assert desk.validated == 1
    assert desk.start() == first == load_settings(desk.config, {})
    assert desk.validated == 1
    assert stat.S_IMODE(desk.kept.stat().st_mode) == 0o600
    assert list(desk.kept.parent.iterdir()) == [desk.kept]


def test_what_was_chosen_and_what_is_tracked_is_kept_too(desk: Desk) -> None:
    desk.config.with_name("config.saved.toml").write_text("[display]\nheartbeat = false\n")
    desk.config.with_name("config.tracked.toml").write_text('[acme]\ntrades = ["t-1"]\n')
    first = desk.start()
    assert not desk.validates()
    assert desk.start() == first
    assert not first.display.heartbeat


@pytest.mark.parametrize("name", ["config.toml", "config.saved.toml", "config.tracked.toml"])
def test_a_file_that_was_changed_is_validated(desk: Desk, name: str) -> None:
    desk.start()
    with desk.config.with_name(name).open("a", encoding="utf-8") as file:
        file.write('[acme]\ntrades = ["t-1"]\n' if "tracked" in name else "[display]\n")
    assert desk.validates()
    assert not desk.validates()


def test_a_change_that_no_configuration_can_say_is_refused_as_ever(desk: Desk) -> None:
    desk.start()
    desk.config.write_text(ALL_KINDS.replace('"7s"', '"never"'), encoding="utf-8")
    with pytest.raises(ConfigError, match="must be a duration"):
        desk.start()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("https://api.acme.example", "https://api.evil.example"),
        ("100000.50", "900000.50"),
        ("ProfileTable", "Polling"),
        ("}", ""),
    ],
)
def test_what_is_kept_and_was_changed_by_others_is_not_believed(
    desk: Desk, before: str, after: str
) -> None:
    first = desk.start()
    text = desk.kept.read_text()
    assert before in text
    desk.kept.write_text(text.replace(before, after))
    assert desk.start() == first
    assert desk.validated == 2


@pytest.mark.parametrize("kept", [b"", b"\xff\xfe", b"null\nnull"])
def test_what_is_no_such_file_at_all_is_written_anew(desk: Desk, kept: bytes) -> None:
    desk.start()
    desk.kept.write_bytes(kept)
    assert desk.validates()
    assert not desk.validates()


def test_what_others_can_read_is_not_read(desk: Desk) -> None:
    desk.start()
    desk.kept.chmod(0o644)
    assert desk.validates()


@pytest.mark.parametrize("rule", ["__version__", "value_parsers"])
def test_another_version_or_other_rules_validate_again(
    desk: Desk, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.start()
    monkeypatch.setattr(
        validation_cache, rule, "0.0.9" if rule == "__version__" else validation_cache
    )
    assert desk.validates()


def test_keys_that_look_like_what_is_kept_are_not_taken_for_it(desk: Desk) -> None:
    desk.config.write_text(f'{MINIMAL}[floors]\n"=" = "1"\n', encoding="utf-8")
    first = desk.start()
    assert desk.start() == first
    assert list(first.floors) == ["="]


def test_where_nothing_can_be_kept_nothing_is(desk: Desk) -> None:
    desk.kept.parent.write_text("in the way")
    assert desk.start() == desk.start()


def test_each_configuration_has_a_file_of_its_own(tmp_path: Path) -> None:
    one, other = (
        validation_cache_path(tmp_path / "a.toml"),
        validation_cache_path(tmp_path / "b.toml"),
    )
    assert one != other
    assert "a.toml" not in str(one)
