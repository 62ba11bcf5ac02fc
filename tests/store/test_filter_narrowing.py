"""A narrower filter looks only at the rows of the wider one."""

from __future__ import annotations

import pytest

from paytui.domain.models import Kind
from paytui.store.fields import fields_of
from paytui.store.filter import narrows

KNOWN = fields_of(Kind.PAYMENTS)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("acme", ""),
        ("acme", "acm"),
        ("acme", "acme"),
        ("acme sydney", "acme"),
        ("sydney acme", "acm"),
        ("reference:inv7", "reference:inv"),
        ("status:released", "status:rel"),
        ("acme amount>10", "acme"),
    ],
)
def test_more_of_a_word_or_one_word_more_narrows(text: str, other: str) -> None:
    assert narrows(text, other, KNOWN)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("", "acme"),
        ("acm", "acme"),
        ("-acme", "-acm"),  # what is not there is missing from more rows
        ("amount>100", "amount>10"),
        ("amount:10", "amount:1"),
        ("age<1h", "age<1h"),  # time goes on
        ("created:2026-03-02", "created:2026-03-0"),
        ("status:rel,comp", "status:rel"),
        ("reference=inv7", "reference=inv"),
        ("reference:acme", "acme"),
    ],
)
def test_of_all_else_nothing_is_said(text: str, other: str) -> None:
    assert not narrows(text, other, KNOWN)
