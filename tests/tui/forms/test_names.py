"""Names in which one letter passes for another."""

from __future__ import annotations

import pytest

from paytui.tui.forms.draft import Draft
from paytui.tui.forms.names import judge_name

CYRILLIC_A = "\u0410"


def test_a_letter_of_another_script_in_a_word_is_told() -> None:
    finding = judge_name(f"{CYRILLIC_A}cme Pty Ltd", Draft())
    assert finding is not None
    assert finding.overridable
    assert "Cyrillic" in finding.words
    assert "Latin" in finding.words


@pytest.mark.parametrize(
    "name",
    [
        "Acme Pty Ltd",
        "Søren Ångström-O'Neill",
        "\u041e\u041e\u041e \u0420\u043e\u043c\u0430\u0448\u043a\u0430 Export",
        "\u0391\u03b8\u03ae\u03bd\u03b1",
        "\u682a\u5f0f\u4f1a\u793e\u30c8\u30e8\u30bf",
        "7-Eleven No. 3",
    ],
)
def test_whole_words_of_any_script_are_names(name: str) -> None:
    assert judge_name(name, Draft()) is None
