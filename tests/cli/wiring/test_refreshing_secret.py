"""The secret of a running dashboard: read again each time, kept while it is unreadable."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.cli.wiring.secrets import RefreshingSecret
from paytui.platform.secret import SecretError, SecretFile


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "acme.secret"
    path.touch(mode=0o600)
    path.write_text("first\n")
    return path


def test_a_rotated_secret_is_found(file: Path) -> None:
    kept = RefreshingSecret(SecretFile(file))
    assert kept().reveal() == "first"
    file.write_text("second\n")
    assert kept().reveal() == "second"


def test_the_last_one_stands_in_while_the_source_fails(file: Path) -> None:
    kept = RefreshingSecret(SecretFile(file))
    kept()
    file.chmod(0o644)
    assert kept().reveal() == "first"


def test_without_one_to_begin_with_it_says_why(file: Path) -> None:
    file.write_text("")
    with pytest.raises(SecretError, match="holds no secret"):
        RefreshingSecret(SecretFile(file))
