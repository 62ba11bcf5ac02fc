"""The way from the key that confirms a payout to its acceptance is short."""

from __future__ import annotations

from pathlib import Path

from tests.bench.confirm_walk import MOST_CALLS, MOST_MODULES, measure

SENT = {"paytui.api.http.request_sender", "paytui.worker.intents.journal"}


def test_a_confirmed_payout_passes_few_calls_and_few_modules(tmp_path: Path) -> None:
    found = measure(tmp_path)
    assert 0 < len(found["way"]) <= MOST_CALLS
    assert found["to_accepted"].keys() >= SENT, "it goes through tasks that are not counted"
    assert len(found["to_accepted"]) <= MOST_MODULES, sorted(found["to_accepted"])
