"""`paytui config show` tells the user which values the operator set, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.cli.commands.config import shown_config
from paytui.config.load import read_document
from tests.config.loader import MINIMAL
from tests.support.operator import OperatorsFile


@pytest.fixture
def operators_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OperatorsFile:
    return OperatorsFile(tmp_path / "operator", monkeypatch)


def shown(folder: Path, text: str) -> dict[str, str]:
    """Return the origin of each value."""
    path = folder / "config.toml"
    path.write_text(text)
    lines = [line.split("  # ") for line in shown_config(read_document(path), None, {})]
    return {line[0].rstrip(): line[1] for line in lines if len(line) == 2}


def test_each_of_its_settings_names_its_file_and_line(
    tmp_path: Path, operators_file: OperatorsFile
) -> None:
    operators_file.says(
        "read_only = true\naudit_syslog = true\n"
        '[limits]\nconfirm_above = { AUD = "5" }\nrefuse_above = { AUD = "10" }\n'
        '[lock]\nafter = "10m"\n'
    )
    origins = shown(tmp_path, f'{MINIMAL}confirm_above = {{ AUD = "1000" }}\n')
    by = f"set by the operator, {operators_file.path}"
    assert origins["read_only = true"] == f"{by}:1"
    assert origins["audit_syslog = true"] == f"{by}:2"
    assert origins['confirm_above = { AUD = "5" }'] == f"config.toml:4; {by}:4"
    assert origins['refuse_above = { AUD = "10" }'] == f"default; {by}:5"
    assert origins['after = "600s"'] == f"{by}:7"


def test_what_no_user_could_set_is_told_too(tmp_path: Path, operators_file: OperatorsFile) -> None:
    operators_file.says(
        'base_urls = ["https://api.acme.example"]\n[limits]\nconfirm_above = { AUD = "5" }\n'
    )
    origins = shown(tmp_path, f"{MINIMAL}live = false\n")
    by = f"set by the operator, {operators_file.path}"
    assert origins['base_urls = ["https://api.acme.example"]'] == f"{by}:1"
    assert origins['always_typed_above = { AUD = "5" }'] == f"{by}:3"


def test_a_recipients_limits_are_told_by_its_identifier(
    tmp_path: Path, operators_file: OperatorsFile
) -> None:
    operators_file.says("")
    table = '[profiles.acme.recipients.rec-1]\nrefuse_above = { AUD = "10" }\n'
    origins = shown(tmp_path, f"{MINIMAL}{table}")
    assert origins['recipients."rec-1".refuse_above = { AUD = "10" }'] == "config.toml"
