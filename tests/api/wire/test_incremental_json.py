"""Long JSON is parsed in short slices, with the same result as at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.api.wire.json import PIECE, in_pieces, parse_in_turns
from paytui.domain.exact_json import Json, NotJson, parse
from tests.api.scene import Scene
from tests.support.scripted import Reply

T = TypeVar("T")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(float("nan")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=30,
)
a_few = settings(max_examples=100, deadline=None)


def in_the_end(body: bytes) -> Json:
    return asyncio.run(parse_in_turns(body))


@pytest.mark.slow
@a_few
@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_it_is_the_same_as_read_at_once(
    value: object, indent: int | None, ascii_only: bool
) -> None:
    body = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    assert in_the_end(body) == parse(body)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": [0.10, 1e3, NaN]}',
        " [ ] ",
        '{"a": {"b": {"c": {"d": [1]}}}}',
        '{ "a" : [ { "b" : [ ] } , 2 ] , "c" : { } }\n',
        "\ufeff[1]",
    ],
)
def test_what_is_written_otherwise_is_read_alike(text: str) -> None:
    assert in_the_end(text.encode()) == parse(text.encode())


@pytest.mark.parametrize(
    "text", ["", "[", "[1,]", "[1 2]", '{"a" 1}', '{"a": 1,}', "{1: 2}", "[1] 2", "[1}", '{"a": x}']
)
def test_what_is_wrong_with_it_is_said_as_if_it_was_read_at_once(text: str) -> None:
    with pytest.raises(NotJson) as at_once:
        parse(text.encode())
    with pytest.raises(NotJson) as by_pieces:
        in_the_end(text.encode())
    assert str(by_pieces.value) == str(at_once.value)


RECORDS: list[Json] = [
    {"id": f"payment-{number:06}", "amount": "12.50"} for number in range(20_000)
]
RECORD = len(json.dumps(RECORDS[0])) + len(", ")


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        '{{"data": {}, "total": 20000}}',
        '{{"data": {{"payments": {}}}}}',
        '{{"a": {{}}, "b": {}}}',
    ],
)
def test_no_piece_is_longer_than_it_may_be(around: str) -> None:
    body = around.format(json.dumps(RECORDS)).encode()
    places = [0, *in_pieces(body), len(body)]
    assert len(places) > len(body) // (PIECE + RECORD)
    assert all(end - start < PIECE + RECORD + len(around) for start, end in pairwise(places))


async def beside_others(reading: Coroutine[object, object, T]) -> tuple[T, int]:
    """Return the result of reading, and the turns of other tasks meanwhile."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(others())
    try:
        return await reading, turns
    finally:
        beside.cancel()


def test_others_have_their_turns_in_between() -> None:
    body = json.dumps(RECORDS).encode()
    records, turns = asyncio.run(beside_others(parse_in_turns(body)))
    assert records == RECORDS
    assert turns >= len(body) // (PIECE + RECORD) - 1


def turns_during(records: int) -> int:
    """Return the turns of other tasks while a list of wallets in one response is read."""
    wallets = [{"walletId": f"wallet-{number:06}", "currency": "AUD"} for number in range(records)]
    scene = Scene({"/v2/wallets": Reply({"items": wallets, "total": records})})
    listing, turns = asyncio.run(beside_others(scene.client.list_wallets()))
    assert len(listing.records) == records
    return turns


def test_a_list_that_comes_in_one_long_answer_keeps_nobody_waiting() -> None:
    pieces = 16_000 * len('{"walletId": "wallet-000001", "currency": "AUD"}') // PIECE
    assert turns_during(16_000) - turns_during(10) >= pieces - 2
