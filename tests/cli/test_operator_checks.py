"""`paytui doctor` shows the operator's settings, and a file that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.cli.common import ProfileChoice
from paytui.cli.machine_checks import configuration
from tests.cli.findings import told
from tests.config.loader import MINIMAL
from tests.support.operator import OperatorsFile


@pytest.fixture
def operators_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OperatorsFile:
    return OperatorsFile(tmp_path / "operator", monkeypatch)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(MINIMAL)
    return path


def test_what_the_operator_has_set_is_told(config: Path, operators_file: OperatorsFile) -> None:
    operators_file.says('read_only = true\n[lock]\nafter = "10m"\n')
    said = [finding.what for finding in configuration(ProfileChoice(config, None))]
    assert "this machine's operator has set lock.after, profiles.acme.read_only" in said


def test_without_one_nothing_is_said_of_it(config: Path, operators_file: OperatorsFile) -> None:
    assert not operators_file.path.exists()
    assert not any("operator" in found.what for found in configuration(ProfileChoice(config, None)))


def test_one_that_cannot_be_trusted_is_an_error_with_what_mends_it(
    config: Path, operators_file: OperatorsFile
) -> None:
    operators_file.says("read_only = true\n")
    operators_file.path.chmod(0o666)
    [finding] = configuration(ProfileChoice(config, None))
    assert list(told([finding])) == [("configuration", "error")]
    assert "could have been written by others" in finding.what
    assert "its owner and only writer" in finding.remedy
