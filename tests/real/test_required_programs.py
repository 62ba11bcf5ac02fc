"""Tests of real terminals fail without their programs if required, else are skipped."""

from __future__ import annotations

import pytest

from tests.support.needed import ASKED_FOR, need

NOWHERE = "no-such-program"


@pytest.mark.parametrize(
    ("asked", "outcome"), [("1", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_what_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, asked: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv(ASKED_FOR, asked)
    with pytest.raises(outcome, match=f"not installed: {NOWHERE} .*packages of Debian"):
        need("sh", NOWHERE)


def test_what_is_there_is_found() -> None:
    (shell,) = need("sh")
    assert shell.endswith("/sh")
