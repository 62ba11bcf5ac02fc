"""Long JSON is parsed in a thread beside others, with the same result as at once."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from threading import setprofile
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.api.wire.json import parse_in_turns
from paytui.domain.exact_json import Json, NotJson, parse
from paytui.platform.processes import run_in_daemon_thread
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(float("nan")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=30,
)
a_few = settings(max_examples=100, deadline=None)


def in_the_end(body: bytes) -> Json:
    return asyncio.run(run_in_daemon_thread(partial(parse_in_turns, body)))


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
    with pytest.raises(NotJson) as in_thread:
        in_the_end(text.encode())
    assert str(in_thread.value) == str(at_once.value)


def test_python_runs_after_each_object_so_that_threads_can_take_turns() -> None:
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    records: list[Json] = [{"id": f"payment-{number}"} for number in range(1_000)]
    setprofile(count)
    try:
        assert in_the_end(json.dumps(records).encode()) == records
    finally:
        setprofile(None)
    assert calls >= len(records)


def turns_during(records: int) -> int:
    """Return the turns of other tasks while a list of wallets in one response is read."""
    wallets = [{"walletId": f"wallet-{number:06}", "currency": "AUD"} for number in range(records)]
    service = ScriptedService({"/v2/wallets": Reply({"items": wallets, "total": records})})
    client = client_of(service, ManualClock(), in_thread=run_in_daemon_thread)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def read() -> None:
        beside = asyncio.create_task(others())
        assert len((await client.list_wallets()).records) == records
        beside.cancel()

    asyncio.run(read())
    return turns


def test_a_list_that_comes_in_one_long_answer_keeps_no_task_waiting() -> None:
    assert turns_during(16_000) > turns_during(10)
