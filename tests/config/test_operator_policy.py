"""The operator's policy binds every user, who can only be stricter."""

from __future__ import annotations

import os
import tomllib
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from paytui.cli.commands.setup import NewProfile
from paytui.config import operator_policy
from paytui.config.load import RuntimeSettings
from paytui.config.operator_policy import FILE, OWNER
from paytui.config.settings import (
    AmountLimits,
    LockSettings,
    OperatorFile,
    OperatorLimits,
    UnlockCommand,
)
from paytui.config.validation import ConfigError
from tests.config.loader import MINIMAL, Loader
from tests.support.operator import OperatorsFile

LIMITED = f"""\
{MINIMAL}live = false
confirm_above = {{ AUD = "9999999", USD = "50" }}
refuse_above = {{ AUD = "9999999", JPY = "7" }}
[profiles.acme.recipients.rec-1]
refuse_above = {{ AUD = "1000" }}
"""


def test_it_lies_where_only_root_writes_and_nothing_names_another() -> None:
    assert (Path("/etc/paytui/config.toml"), 0) == (FILE, OWNER)


def test_the_environment_does_not_lead_past_it(
    load: Loader, operators_file: OperatorsFile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    operators_file.says("read_only = true\n")
    for name in ("XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "HOME", "PAYTUI_OPERATOR"):
        monkeypatch.setenv(name, str(tmp_path))
    assert load(MINIMAL, environ=dict(os.environ)).profile.read_only


def test_without_one_nothing_changes(load: Loader, operators_file: OperatorsFile) -> None:
    settings = load(LIMITED)
    assert not operators_file.path.exists()
    assert not settings.operator_locked
    assert settings.profile.confirm_above == {"AUD": Decimal(9999999), "USD": Decimal(50)}
    assert settings.profile.always_typed_above == {}


def test_a_user_cannot_take_read_only_back(load: Loader, operators_file: OperatorsFile) -> None:
    operators_file.says("\nread_only = true\n")
    settings = load(f"{MINIMAL}read_only = false\n")
    assert settings.profile.read_only
    origin = settings.origins["profiles.acme.read_only"]
    assert origin == f"set by the operator, {operators_file.path}:2"


def test_that_it_is_the_operators_is_said_although_the_command_line_asks_for_it_too(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says("read_only = true\n")
    settings = load(MINIMAL, read_only=True)
    assert "set by the operator" in settings.origins["profiles.acme.read_only"]


def test_a_first_profile_of_a_service_that_is_not_allowed_is_refused_before_it_is_tried(
    tmp_path: Path, operators_file: OperatorsFile
) -> None:
    operators_file.says('base_urls = ["https://api.bank.example"]\n')
    table = {"base_url": "https://api.acme.example", "client_id": "desk"}
    first = NewProfile(name="acme", entries=table)
    with pytest.raises(ConfigError, match="not allowed on this machine"):
        first.settings(tmp_path / "config.toml")


def test_of_two_limits_the_tighter_holds_by_currency(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says(
        "[limits]\n"
        'confirm_above = { AUD = "1000", USD = "100", EUR = "5" }\n'
        'refuse_above = { AUD = "5000", USD = "6000" }\n'
    )
    profile = load(LIMITED).profile
    assert profile.confirm_above == {"AUD": Decimal(1000), "USD": Decimal(50)}
    assert profile.refuse_above == {
        "AUD": Decimal(5000),
        "USD": Decimal(6000),
        "JPY": Decimal(7),
    }


def test_a_currency_that_a_user_leaves_out_stays_one_that_is_always_typed(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('[limits]\nconfirm_above = { EUR = "5" }\n')
    assert "EUR" not in load(MINIMAL).profile.confirm_above


def test_what_the_operator_has_typed_is_typed_on_profiles_that_call_themselves_tests_too(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('[limits]\nconfirm_above = { AUD = "1000" }\n')
    profile = load(f"{MINIMAL}live = false\n").profile
    assert profile.always_typed_above == {"AUD": Decimal(1000)}


def test_limits_of_a_recipient_are_the_tighter_of_both_files(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says(
        '[limits.recipients.rec-1]\nrefuse_above = { AUD = "2000", USD = "3" }\n'
        '[limits.recipients.rec-2]\nconfirm_above = { AUD = "4" }\n'
    )
    of = load(LIMITED).profile.recipients
    assert of["rec-1"].refuse_above == {"AUD": Decimal(1000), "USD": Decimal(3)}
    assert of["rec-2"].confirm_above == {"AUD": Decimal(4)}


@pytest.mark.parametrize(
    ("operators", "users", "holds"),
    [("10m", "1h", 600), ("10m", "2m", 120), ("10m", None, 600), (None, "2m", 120)],
)
def test_of_two_locks_the_sooner_comes(
    load: Loader,
    operators_file: OperatorsFile,
    operators: str | None,
    users: str | None,
    holds: int,
) -> None:
    if operators is not None:
        operators_file.says(f'[lock]\nafter = "{operators}"\n')
    own = "" if users is None else f'[lock]\nafter = "{users}"\n'
    assert load(MINIMAL + own).lock.after == timedelta(seconds=holds)


def test_a_users_own_way_to_unlock_does_not_stand_in_for_the_operators(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('[lock]\nafter = "10m"\nunlock_command = ["/bin/pam-touch"]\n')
    settings = load(f'{MINIMAL}[lock]\nunlock_command = ["true"]\n')
    assert settings.lock.unlock_command == (
        UnlockCommand(("/bin/pam-touch",), is_operators=True),
        UnlockCommand(("true",)),
    )


def test_the_copy_in_the_system_log_cannot_be_switched_off(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says("audit_syslog = true\n")
    settings = load(f"{MINIMAL}[outbox]\naudit_syslog = false\n")
    assert settings.outbox.audit_syslog
    assert "set by the operator" in settings.origins["outbox.audit_syslog"]


def test_a_service_that_is_not_allowed_is_refused(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('base_urls = ["https://api.bank.example"]\n')
    error = load.refusal(MINIMAL)
    assert error.key == "profiles.acme.base_url"
    assert f"{operators_file.path}:1" in error.message
    assert error.remedy == "Allowed here: https://api.bank.example."


def test_a_service_that_is_allowed_is_reached_however_it_is_written(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('base_urls = ["https://api.acme.example/"]\n')
    assert load(MINIMAL).profile.base_url == "https://api.acme.example"


def test_what_was_chosen_on_screen_does_not_loosen_it(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('[limits]\nconfirm_above = { AUD = "1000" }\n')
    load.path.with_name("config.saved.toml").write_text(
        '[profiles.acme.confirm_above]\nAUD = "9999999"\n'
    )
    assert load(MINIMAL).profile.confirm_above == {"AUD": Decimal(1000)}


def test_what_the_operator_set_is_not_chosen_and_a_stricter_limit_of_ones_own_is(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.says('[limits]\nconfirm_above = { AUD = "1000" }\n')
    settings = load(f'{MINIMAL}confirm_above = {{ AUD = "9999999" }}\n')
    key = ("profiles", "acme", "confirm_above", "AUD")
    with pytest.raises(ConfigError, match="not yours to change: set by the operator"):
        RuntimeSettings(settings).set_value(settings, key, "2000")
    usd = ("profiles", "acme", "confirm_above", "USD")
    chosen = RuntimeSettings(settings).set_value(settings, usd, "2000")
    assert chosen.profile.confirm_above == {"AUD": Decimal(1000), "USD": Decimal(2000)}


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_can_write_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile, mode: int
) -> None:
    operators_file.says("read_only = true\n")
    operators_file.path.chmod(mode)
    error = load.refusal(MINIMAL)
    assert error.message == "could have been written by others than the operator"


def test_a_folder_in_which_others_could_put_another_file_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.path.parent.chmod(0o777)
    assert "by others" in load.refusal(MINIMAL).message
    operators_file.says("read_only = true\n")
    assert "by others" in load.refusal(MINIMAL).message


def test_a_file_of_somebody_else_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators_file.says("read_only = true\n")
    monkeypatch.setattr(operator_policy, "OWNER", 4711)
    assert "by others" in load.refusal(MINIMAL).message


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("read_onyl = true\n", "read_onyl", "Did you mean read_only?"),
        ("[limits]\nrefuse_above = { AUD = 0.5 }\n", "limits.refuse_above.AUD", "in digits"),
        ("[lock]\nafter = 3\n", "lock.after", "at least 10 s"),
        ("read_only\n", "", "is not valid TOML"),
        ('[lock]\nunlock_command = ["true"]\n', "lock.unlock_command", "whole path"),
    ],
)
def test_a_file_that_says_what_none_can_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile, text: str, key: str, says: str
) -> None:
    operators_file.says(text)
    error = load.refusal(MINIMAL)
    assert (error.file, error.key) == (operators_file.path, key)
    assert says in str(error)


def test_a_link_to_where_it_is_not_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile, tmp_path: Path
) -> None:
    operators_file.path.symlink_to(tmp_path / "not mounted" / "config.toml")
    assert "a broken link" in load.refusal(MINIMAL).message
    operators_file.path.unlink()
    operators_file.path.parent.rmdir()
    operators_file.path.parent.symlink_to(tmp_path / "not mounted")
    assert "a broken link" in load.refusal(MINIMAL).message


def test_a_folder_that_is_a_link_may_hold_none(
    load: Loader, operators_file: OperatorsFile, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    operators_file.path.parent.rmdir()
    operators_file.path.parent.symlink_to(tmp_path / "elsewhere")
    assert not load(MINIMAL).operator_locked


def test_one_that_cannot_be_read_lets_nothing_start(
    load: Loader, operators_file: OperatorsFile
) -> None:
    operators_file.path.mkdir()
    assert "cannot be read" in load.refusal(MINIMAL).message


def test_its_example_shows_every_key_and_is_one(
    load: Loader, operators_file: OperatorsFile
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "operator.example.toml").read_text()
    tree = tomllib.loads(text)
    assert set(tree) == set(OperatorFile.names())
    assert set(tree["limits"]) == set(OperatorLimits.names())
    [recipient] = tree["limits"]["recipients"].values()
    assert set(recipient) == set(AmountLimits.names())
    assert set(tree["lock"]) == set(LockSettings.names())
    operators_file.says(text)
    assert load(MINIMAL).profile.read_only
