"""Each kind of field parses and validates text, by the standards and by hand."""

from __future__ import annotations

import pytest

from paytui.tui.forms.form import Field, FieldKind, finding, wire_value
from paytui.tui.ticket.model import Option

CHOICES = (
    Option(key="AUD", name="AUD"),
    Option(key="AU", name="Australia"),
    Option(key="acc-1", name="Acme"),
    Option(key="acc-2", name="Acme"),
    Option(key="old", name="old", why_not="It was removed."),
)


def field(kind: FieldKind) -> Field:
    suggests = kind in (FieldKind.CURRENCY, FieldKind.COUNTRY)
    choices = CHOICES if suggests or kind is FieldKind.CHOICE else ()
    others = "is not known." if suggests else ""
    return Field(key="x", label="X", kind=kind, choices=lambda: choices, others=others)


@pytest.mark.parametrize(
    ("kind", "typed", "out"),
    [
        (FieldKind.TEXT, "  Globex  Ltd ", "Globex  Ltd"),
        (FieldKind.TEXT, "a\x1b[31mb", "a\ufffd[31mb"),
        (FieldKind.LONG_DIGITS, " 06 2000\u00a0123 456 ", "062000123456"),
        (FieldKind.CODE, "de89 3704 0044", "DE8937040044"),
        (FieldKind.CURRENCY, "xyz", "XYZ"),
        (FieldKind.COUNTRY, "australia", "AU"),
        (FieldKind.CHOICE, "acc-2", "acc-2"),
        (FieldKind.CHOICE, "acme", "acme"),
        (FieldKind.YES_NO, "yes", "true"),
        (FieldKind.YES_NO, "no", "false"),
        (FieldKind.PHONE, "0412 345 678", "0412 345 678"),
    ],
)
def test_a_text_goes_out_as_its_kind_has_it(kind: FieldKind, typed: str, out: str) -> None:
    assert wire_value(field(kind), typed) == out


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (FieldKind.DATE, "2024-02-29"),
        (FieldKind.DATE_TIME, "2030-01-31"),
        (FieldKind.DATE_TIME, "2030-01-31 14:30"),
        (FieldKind.DATE_TIME, "2030-01-31T14:30:00+10:00"),
        (FieldKind.NUMBER, "-1200.50"),
        (FieldKind.EMAIL, "ada.lovelace+desk@mail.example.co"),
        (FieldKind.PHONE, "+61 (0)2 9000-0000"),
        (FieldKind.CURRENCY, "AUD"),
        (FieldKind.COUNTRY, "AU"),
        (FieldKind.CHOICE, "acc-1"),
        (FieldKind.YES_NO, "true"),
    ],
)
def test_what_is_written_as_it_should_be_is_right(kind: FieldKind, text: str) -> None:
    assert finding(field(kind), text) is None


@pytest.mark.parametrize(
    ("kind", "text", "overridable"),
    [
        (FieldKind.DATE, "2023-02-29", False),
        (FieldKind.DATE, "20240229", False),
        (FieldKind.DATE_TIME, "2030-01-31 25:00", False),
        (FieldKind.NUMBER, "1,200", False),
        (FieldKind.NUMBER, "NaN", False),
        (FieldKind.NUMBER, "1_000", False),
        (FieldKind.NUMBER, "1e5", False),
        (FieldKind.NUMBER, "007", False),
        (FieldKind.NUMBER, "\u0663", False),
        (FieldKind.EMAIL, "ada@mail", True),
        (FieldKind.PHONE, "call me", True),
        (FieldKind.CURRENCY, "AU", False),
        (FieldKind.CURRENCY, "XYZ", True),
        (FieldKind.COUNTRY, "XX", True),
        (FieldKind.COUNTRY, "ADA@EXAMPLE.COM", False),
        (FieldKind.CHOICE, "Acme", False),
        (FieldKind.CHOICE, "old", False),
        (FieldKind.YES_NO, "perhaps", False),
    ],
)
def test_only_what_no_request_can_carry_cannot_be_overridden(
    kind: FieldKind, text: str, overridable: bool
) -> None:
    found = finding(field(kind), text)
    assert found is not None
    assert found.overridable == overridable
