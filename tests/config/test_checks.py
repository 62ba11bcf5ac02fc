"""What a type says of what is written, and that all mistakes are told, each in its place."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from paytui.config.checks import After, Before, Invalid, Refused, Within, check_of
from paytui.config.table import Table, entry


def no_shouting(value: str) -> str:
    if value.isupper():
        raise Refused("must not shout", "Write it in small letters.")
    return value.strip()


def length(value: object) -> int:
    return len(str(value))


Quiet = Annotated[str, After(no_shouting)]


class Inner(Table):
    name: Quiet = entry(example='"a"')
    size: Annotated[int, Within(1, 9)] | None = entry(None, example="3")


class Outer(Table):
    inner: Inner = entry(Inner(name="none"), example="[inner]")
    many: list[Quiet] = entry([], example='["a"]')
    by_name: dict[Quiet, bool] = entry({}, example="{ a = true }")
    word: Literal["on", "off", "auto"] | None = entry(None, example='"on"')
    any: object = entry(None, example="1")


def told(tree: object) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        Outer.read(tree)
    return [(".".join(one.key), one.message) for one in refused.value.mistakes]


def test_what_is_left_out_is_as_it_is_declared() -> None:
    table = Outer.read({})
    assert (table.inner.name, table.many, table.word) == ("none", [], None)


def test_what_is_written_is_there_as_it_is_meant() -> None:
    table = Outer.read(
        {
            "inner": {"name": " a ", "size": 9},
            "many": ["b ", "c"],
            "by_name": {"d": True},
            "word": "auto",
            "any": {"x": [1]},
        }
    )
    assert (table.inner.name, table.inner.size) == ("a", 9)
    assert (table.many, table.by_name) == (["b", "c"], {"d": True})
    assert (table.word, table.any) == ("auto", {"x": [1]})
    assert table.said("inner", "any", "word") == {"many": ["b", "c"], "by_name": {"d": True}}


def test_every_mistake_is_told_where_it_stands() -> None:
    assert told(
        {
            "inner": {"size": 10, "sise": 1},
            "many": ["ok", "LOUD", 3],
            "by_name": {"LOUD": True, "d": 1},
            "word": "of",
        }
    ) == [
        ("inner.name", "is missing"),
        ("inner.size", "must be a whole number from 1 to 9"),
        ("inner.sise", "is not a key that paytui knows"),
        ("many.1", "must not shout"),
        ("many.2", "must be text in quotes"),
        ("by_name.LOUD", "must not shout"),
        ("by_name.d", "must be true or false"),
        ("word", "must be 'on', 'off' or 'auto'"),
    ]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"inner": 3}, "must be a table"),
        ({"many": "a"}, "must be a list"),
        ({"by_name": ["a"]}, "must be a table"),
        ({"inner": {"name": "a", "size": True}}, "must be a whole number from 1 to 9"),
        ({"inner": {"name": "a", "size": "3"}}, "must be a whole number from 1 to 9"),
        ({"inner": {"name": "a", "size": 3.0}}, "must be a whole number from 1 to 9"),
        ({"by_name": {"a": 1}}, "must be true or false"),
        ({"many": [True]}, "must be text in quotes"),
    ],
)
def test_nothing_is_taken_for_what_it_is_not(tree: object, message: str) -> None:
    assert [words for _, words in told(tree)] == [message]


def test_a_value_can_be_made_of_whatever_is_written() -> None:
    check = check_of(Annotated[int, Before(length)])
    assert check("four", ()) == 4
    assert check([1], ()) == 3
