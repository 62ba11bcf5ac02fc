"""A misspelt name gets the closest match, a strange one none."""

from __future__ import annotations

import pytest

from paytui.platform.text import closest_match, did_you_mean

KNOWN = ("prefix", "paths", "Limits")


@pytest.mark.parametrize(
    ("name", "near"),
    [("prefx", "prefix"), ("PATH", "paths"), ("limit", "Limits"), ("faults", None), ("", None)],
)
def test_the_nearest_is_in_any_case_and_never_far(name: str, near: str | None) -> None:
    assert closest_match(name, KNOWN) == near
    assert did_you_mean(name, KNOWN) == ("" if near is None else f"Did you mean {near}? ")


def test_who_has_to_be_surer_says_so() -> None:
    assert closest_match("prefxx", KNOWN, alike=0.85) is None
    assert closest_match("prefxx", KNOWN) == "prefix"
