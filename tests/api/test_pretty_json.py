"""JSON formatted for reading: what is shown, and that it is exact."""

from __future__ import annotations

import pytest

from paytui.api.raw_reads import pretty
from paytui.domain.exact_json import NotJson, parse_verbatim

PLENTY = 10_000


def shown(text: str, limit: int = PLENTY) -> list[str]:
    lines, _ = pretty(parse_verbatim(text), limit)
    return lines


def test_each_member_has_a_line_under_what_it_belongs_to() -> None:
    text = '{"a":{"b":[1,"x",null],"c":{}},"d":[],"e":true}'
    assert shown(text) == [
        "{",
        '  "a": {',
        '    "b": [',
        "      1,",
        '      "x",',
        "      null",
        "    ],",
        '    "c": {}',
        "  },",
        '  "d": [],',
        '  "e": true',
        "}",
    ]


@pytest.mark.parametrize(
    "number",
    ["99999999999999.99", "1.10", "-0", "1E+2", "0.1e-7", "1" * 5000, "0." + "3" * 500, "NaN"],
    ids=["money", "trailing zero", "minus", "exponent", "small", "long", "fine", "no number"],
)
def test_a_number_stays_as_it_was_written(number: str) -> None:
    assert shown(f'{{"amount": {number}}}') == ["{", f'  "amount": {number}', "}"]


def test_a_string_of_digits_keeps_its_quotes() -> None:
    assert shown('["12.50"]') == ["[", '  "12.50"', "]"]


def test_letters_are_shown_as_letters_and_controls_by_their_number() -> None:
    assert shown('"K\\u00f6ln \\u001b[2J"') == ['"Köln \\u001b[2J"']


def test_what_is_too_long_is_cut_and_says_so() -> None:
    lines, cut = pretty(parse_verbatim('["aaaa", "bbbb", "cccc"]'), 20)
    assert cut
    assert "\n".join(lines) == '[\n  "aaaa",\n  "bbbb"'


def test_one_endless_string_is_cut_too() -> None:
    lines, cut = pretty(parse_verbatim('["' + "x" * 100_000 + '"]'), 100)
    assert cut
    assert len("\n".join(lines)) <= 100


def test_what_fits_to_the_letter_is_whole() -> None:
    assert pretty(parse_verbatim('["aaaa"]'), len('[\n  "aaaa"\n]')) == (
        ["[", '  "aaaa"', "]"],
        False,
    )


def test_what_is_nested_deeper_than_anybody_reads_says_so() -> None:
    lines, cut = pretty(parse_verbatim("[" * 500 + "]" * 500), PLENTY)
    assert cut
    assert any(line.endswith("…") for line in lines)


def test_a_string_that_ends_in_an_ellipsis_is_not_taken_for_a_cut() -> None:
    assert pretty(parse_verbatim('["wait…"]'), PLENTY)[1] is False


def test_what_is_no_json_says_so() -> None:
    with pytest.raises(NotJson, match="not JSON"):
        parse_verbatim("<html>")
