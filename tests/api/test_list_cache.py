"""A response is recognised by its bytes and by its pagination headers."""

from __future__ import annotations

import pytest

from paytui.api.http.response import Answer
from paytui.api.paging import CachedPage, IdSet, ListCache
from paytui.api.wire.envelope import ListPart

ASKED = {"page": "1"}
LEAF = CachedPage.of(ListPart([None]), ["p1"], 0)


def answer(**headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(200, named, b'[{"paymentTransactionId": "p1"}]', sent=0.0)


def remembering(known: Answer) -> ListCache:
    memory = ListCache()
    memory.begin(trusted=True)
    assert memory.same(ASKED, known) is None
    memory.keep(ASKED, LEAF)
    return memory


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ({}, {}, True),
        ({"date": "then"}, {"date": "now"}, True),
        ({"x_total_count": "1"}, {"x_total_count": "1"}, True),
        ({"x_total_count": "1"}, {"x_total_count": "2"}, False),
        ({}, {"link": '</p?page=2>; rel="next"'}, False),
    ],
)
def test_the_same_bytes_are_the_same_unless_the_headers_tell_otherwise(
    then: dict[str, str], now: dict[str, str], *, same: bool
) -> None:
    memory = remembering(answer(**then))
    assert (memory.same(ASKED, answer(**now)) is LEAF) is same


def test_how_long_a_page_was_that_nothing_followed_is_forgotten_where_nothing_is_trusted() -> None:
    memory = ListCache()
    memory.alone = 37
    memory.begin(trusted=True)
    assert memory.alone == 37
    memory.begin(trusted=False)
    assert memory.alone == 0


def test_identifiers_of_a_page_are_kept_as_they_came() -> None:
    ids = ("p1", "a long one with ü", "\ud800")
    page = CachedPage.of(ListPart([{}, {}, {}]), ids, 1)
    assert page.ids == ids
    assert page.around.items == [None, None, None]
    assert CachedPage.of(ListPart([]), (), 0).ids == ()


def test_an_identifier_is_new_once() -> None:
    ids = IdSet()
    assert sum(ids.add(f"p{number % 7_000}" for number in range(10_000))) == 7_000
    assert ids.add(("p7000", "p6999", "p7000", "\ud800")) == [True, False, False, True]
    assert len(ids) == 7_002
