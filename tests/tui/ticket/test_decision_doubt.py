"""The outcome of an intent in doubt tells what happened, why, and what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.config.key_bindings import keymap
from paytui.domain.intent import Standing
from paytui.domain.models import Problem
from tests.support.clock import NOON
from tests.tui.ticket.paying import Paying, confirm, said

DO_THIS = (
    "Do not enter a new one. If it is not found, ask the service, then press 8, then d to decide."
)
LOST = Problem("create payout", "the connection was lost", trace_id="t-7")


@pytest.fixture
def paying() -> Paying:
    return Paying()


def test_it_tells_what_happened_and_why_and_what_to_do(paying: Paying) -> None:
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(Standing.IN_DOUBT, problem=LOST, repeat_until=NOON)
    assert "Problem the connection was lost" in said(ticket)
    assert [cell.text for cell in ticket.view().words] == [
        "? It may have been executed: the service gave no clear answer.",
        "paytui searches the payments for it and resolves it when found.",
        "paytui may send the same request again, with its idempotency key, until 12:00:00 UTC.",
        DO_THIS,
    ]


@pytest.mark.parametrize(
    ("standing", "alerts", "words"),
    [
        (Standing.IN_DOUBT, (), "press f8, then x to decide"),
        (Standing.REFUSED, ("pay-9 carries its reference.",), "see Activity (f8) before"),
    ],
)
def test_it_names_the_keys_that_the_trader_has(
    paying: Paying, standing: Standing, alerts: tuple[str, ...], words: str
) -> None:
    keys = keymap("default", {"screen.activity": ("f8",), "intent.decide": ("x",)})
    ticket = paying.ready_payout()
    paying.ui.settings = replace(paying.ui.settings, keys=keys)
    confirm(ticket)
    paying.stands(standing, alerts=alerts)
    assert words in said(ticket)
