"""Choices of a form, matched by typed text."""

from __future__ import annotations

import pytest

from paytui.tui.forms.declarations import country_choices
from paytui.tui.forms.form import named_choice
from paytui.tui.ticket.choices import narrowed
from paytui.tui.ticket.model import Option

TWINS = (
    Option(key="acc-1", name="Acme", facts="acc-1"),
    Option(key="acc-2", name="Acme", facts="acc-2"),
)


def countries(text: str) -> list[str]:
    """Return the codes of the countries that a text may mean; it may also be sent as it is."""
    return [one.key for one in narrowed(country_choices(), text, free=True)]


@pytest.mark.parametrize("text", ["au", " AUSTRALIA "])
def test_a_country_is_known_by_its_code_and_by_its_name(text: str) -> None:
    choice = named_choice(country_choices(), text)
    assert choice is not None
    assert choice.key == "AU"


def test_of_two_of_a_name_none_is_meant_but_by_its_identifier() -> None:
    assert named_choice(TWINS, "acme") is None
    assert named_choice(TWINS, "acc-2") == TWINS[1]
    assert narrowed(TWINS, "acme acc-2") == (TWINS[1],)


def test_what_begins_with_what_is_typed_comes_first() -> None:
    assert countries("niger") == ["NE", "NG"]
    assert countries("guinea")[0] == "GN"


@pytest.mark.parametrize("text", ["aud", "zz"])
def test_a_piece_of_a_word_means_no_choice_where_it_may_be_sent_as_it_is(text: str) -> None:
    assert countries(text) == []
    assert narrowed(country_choices(), text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("se", "SE"),
        (" de ", "DE"),
        ("Niger", "NE"),
        ("oman", "OM"),
        ("king uni", "GB"),
        ("UK", "GB"),
    ],
)
def test_a_code_or_a_name_that_is_whole_comes_before_what_begins_so(text: str, code: str) -> None:
    assert countries(text)[0] == code
