"""The search text of a row is made once, and again after it or a name in it changed."""

from __future__ import annotations

import pytest

from paytui.domain.models import Account, AccountId, Kind
from paytui.store.fields import fields_of, search_text
from paytui.store.search_text import SearchTextCache

ANNA = Account(AccountId("a1"), first_name="Anna", last_name="Müller")


class Maker:
    """Makes texts and counts how many."""

    def __init__(self) -> None:
        self.made = 0
        self._make = search_text(fields_of(Kind.ACCOUNTS))

    def __call__(self, row: object) -> str:
        self.made += 1
        return self._make(row)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def texts(maker: Maker) -> SearchTextCache:
    return SearchTextCache(maker, lambda row: row.account_id)


def test_it_holds_what_the_fields_hold_each_folded_on_a_line_of_its_own(
    texts: SearchTextCache,
) -> None:
    assert {"a1", "anna", "muller"} <= set(texts(ANNA).split("\n"))


def test_what_stands_beside_accents_is_folded_as_well() -> None:
    made = search_text(fields_of(Kind.ACCOUNTS))
    row = Account(AccountId("A_1"), first_name="ANNA", last_name="Müller", company_name="M\u0308X")
    other = Account(AccountId("A_2"), first_name="ANNA", last_name="Müller")
    assert {"a 1", "anna", "muller", "mx"} <= set(made(row).split("\n"))
    assert {"a 2", "anna", "muller"} <= set(made(other).split("\n"))


def test_it_is_made_once(texts: SearchTextCache, maker: Maker) -> None:
    assert texts(ANNA) == texts(ANNA)
    assert maker.made == 1


def test_a_row_that_changed_has_another(texts: SearchTextCache, maker: Maker) -> None:
    texts(ANNA)
    assert "berta" in texts(Account(AccountId("a1"), first_name="Berta"))
    assert "anna" in texts(ANNA)
    assert maker.made == 3


def test_what_is_forgotten_is_made_anew(texts: SearchTextCache, maker: Maker) -> None:
    berta = Account(AccountId("b1"), first_name="Berta")
    texts(ANNA), texts(berta)
    texts.clear()
    texts(ANNA), texts(berta)
    assert maker.made == 4
