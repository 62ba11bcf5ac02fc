"""Numbers and codes, spelled out for reading aloud."""

from __future__ import annotations

import pytest

from paytui.tui.format.ticket import grouped_bic, grouped_number, spell_out


@pytest.mark.parametrize(
    ("number", "groups"),
    [
        ("123456789", "123 456 789"),
        ("1234567890", "123 456 789 0"),
        ("12", "12"),
        ("12-34 5", "12-34 5"),
    ],
)
def test_an_account_number_stands_in_groups_unless_its_author_grouped_it(
    number: str, groups: str
) -> None:
    assert grouped_number(number) == groups


@pytest.mark.parametrize(
    ("bic", "parts"),
    [("SBOXAU2SXXX", "SBOX AU 2S XXX"), ("SBOXAU2S", "SBOX AU 2S"), ("SBOX AU2S", "SBOX AU2S")],
)
def test_a_bic_stands_in_institution_country_location_and_branch(bic: str, parts: str) -> None:
    assert grouped_bic(bic) == parts


def test_what_is_spelled_has_a_word_for_each_sign_and_keeps_its_groups() -> None:
    assert spell_out("802-985") == "eight zero two, nine eight five"
    assert spell_out("SBOX AU 2S") == "Sierra Bravo Oscar X-ray, Alfa Uniform, two Sierra"
    assert spell_out("é1") == "é one"
