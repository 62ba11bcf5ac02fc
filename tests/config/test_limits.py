"""Limits of a profile: amounts to type before sending, and amounts never sent."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.settings import OutboxSettings, Settings
from paytui.config.validation import ConfigError
from tests.config.loader import MINIMAL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def loaded(path: Path, more: str = "") -> Settings:
    path.write_text(MINIMAL + more)
    return load_settings(path, {})


def test_without_limits_none_are_known(path: Path) -> None:
    profile = loaded(path).profile
    assert (profile.confirm_above, profile.refuse_above) == ({}, {})


def test_limits_are_exact_and_by_currency(path: Path) -> None:
    written = 'confirm_above = { aud = "99999999999999.99", JPY = 1000000 }\n'
    profile = loaded(path, f'{written}refuse_above = {{ USD = "0" }}\n').profile
    assert profile.confirm_above == {"AUD": Decimal("99999999999999.99"), "JPY": Decimal(1000000)}
    assert profile.refuse_above == {"USD": Decimal(0)}


@pytest.mark.parametrize("value", ["0.1", '"-5"', '"1e6"', '"1,000"', "true"])
def test_an_amount_that_could_be_read_otherwise_is_refused(path: Path, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(path, f"confirm_above = {{ AUD = {value} }}\n")
    assert caught.value.key == "profiles.acme.confirm_above.AUD"
    assert caught.value.message == "must be an amount in digits"


def test_a_currency_that_is_none_is_refused(path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(path, 'refuse_above = { dollars = "5" }\n')
    assert "three letters" in caught.value.message


def test_an_outbox_is_tagged_and_in_the_state_folder_unless_told_otherwise(path: Path) -> None:
    assert loaded(path).outbox == OutboxSettings(
        folder=None, tag_reference=True, audit_syslog=False
    )


def test_an_outbox_lies_beside_the_configuration_that_names_it(path: Path) -> None:
    outbox = loaded(path, '[outbox]\nfolder = "kept"\naudit_syslog = true\n').outbox
    assert outbox == OutboxSettings(
        folder=path.parent / "kept", tag_reference=True, audit_syslog=True
    )
