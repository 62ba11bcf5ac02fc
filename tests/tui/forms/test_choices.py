"""Choices, matched by typed text."""

from __future__ import annotations

import pytest

from paytui.tui.forms.common_fields import country_choices
from paytui.tui.forms.schema import Choice, best_match, matching, named_choice, prefix_matches

TWINS = (
    Choice(key="acc-1", words="Acme", about="acc-1"),
    Choice(key="acc-2", words="Acme", about="acc-2"),
)


@pytest.mark.parametrize("text", ["au", " AUSTRALIA "])
def test_a_country_is_known_by_its_code_and_by_its_name(text: str) -> None:
    choice = named_choice(country_choices(), text)
    assert choice is not None
    assert choice.key == "AU"


def test_of_two_of_a_name_none_is_meant_but_by_its_identifier() -> None:
    assert named_choice(TWINS, "acme") is None
    assert named_choice(TWINS, "acc-2") == TWINS[1]
    assert matching(TWINS, "acme acc-2") == [TWINS[1]]


def test_what_begins_with_what_is_typed_comes_first() -> None:
    assert [one.key for one in matching(country_choices(), "niger")] == ["NE", "NG"]
    assert matching(country_choices(), "guinea")[0].key == "GN"


def test_a_piece_of_a_word_finds_a_choice_and_is_no_way_to_make_it() -> None:
    (found,) = matching(country_choices(), "zz")
    assert "Brazzaville" in found.words
    assert prefix_matches(country_choices(), "zz") == []
    assert prefix_matches(country_choices(), "germ")[0].key == "DE"


@pytest.mark.parametrize(
    ("text", "code"),
    [("se", "SE"), (" de ", "DE"), ("Niger", "NE"), ("oman", "OM")],
)
def test_a_code_or_a_name_that_is_whole_comes_before_what_begins_so(text: str, code: str) -> None:
    assert matching(country_choices(), text)[0].key == code
    choice = best_match(country_choices(), text)
    assert choice is not None
    assert choice.key == code


@pytest.mark.parametrize("text", ["aud", "zz", "", " "])
def test_what_is_only_a_piece_of_a_word_is_likely_to_mean_no_choice(text: str) -> None:
    assert best_match(country_choices(), text) is None


def test_words_that_begin_so_in_any_order_are_likely_to_mean_a_choice() -> None:
    assert best_match(TWINS, "acc-2 ac") == TWINS[1]
    kingdom = best_match(country_choices(), "king uni")
    assert kingdom is not None
    assert kingdom.key == "GB"
