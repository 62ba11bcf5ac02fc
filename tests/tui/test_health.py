"""Health: the state of paytui itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.store.health import Latency, Link, LinkState, WorkerMetrics
from paytui.tui.app import PaytuiApp
from paytui.tui.terminal.driver import OutputMetrics
from tests.tui.dashboard import Dashboard, lines, shows, tells, text, tick

VITALS = WorkerMetrics(
    at=5000.0,
    running=3 * 86400 + 4 * 3600 + 5 * 60,
    requests=12345,
    unanswered=7,
    sent=2_000_000,
    received=940,
    sign_ins=1012,
    back_offs=31,
    too_many=4,
    waiting=2,
    wake_ups=6543,
    requests_a_minute=12.4,
    bytes_a_minute=20480.0,
    latencies=(Latency("read", 60, 0.0121, 1.25), Latency("price", 2, 0.4, 0.9)),
)


def test_it_shows_what_the_worker_tells(ui: Dashboard) -> None:
    ui.store.vitals = VITALS
    ui.store.set_link(Link(LinkState.UP, services=("wallets", "payments")))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("f8")
        await tells(pilot, "Requests 12,345 12 a minute")
        for words in (
            "Unanswered 7",
            "Sent 1.9 MiB",
            "Received 940 B both 20.0 KiB a minute",
            "Tokens 1,012",
            "Token for wallets, payments",
            "Back-offs 31",
            "Too many 4",
            "Read median 12 ms, p95 1.2 s of 60",
            "Price median 400 ms, p95 900 ms of 2",
            "Running 3 d 04:05",
            "Reads waiting 2",
            "Wake-ups 6,543",
        ):
            await tells(pilot, words)

    ui.play(scenario, size=(80, 40))


@pytest.mark.slow
def test_it_follows_and_counts_what_is_painted(ui: Dashboard) -> None:
    ui.store.vitals = VITALS

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, PaytuiApp)
        await pilot.press("f8")
        await tells(pilot, "Requests 12,345")
        app.painting.mark(5000.0)
        for _time in range(10):
            app.painting.note("x" * 150)
        ui.store.vitals = replace(VITALS, at=5030.0, requests=12400)
        await tick(pilot)
        await tells(pilot, "Requests 12,400")
        # By hand: ten paints of 150 bytes in half a minute.
        await tells(pilot, "Paints 20 a minute")
        await tells(pilot, "Painted 2.9 KiB a minute")

    ui.play(scenario, size=(80, 40))


def test_nothing_is_shown_before_the_worker_tells_anything(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("f8")
        await shows(pilot, "Health")
        assert "Requests" not in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "Balance")
        assert "Health" not in lines(pilot)[1]

    ui.play(scenario)


def test_a_minute_is_the_last_one() -> None:
    painting = OutputMetrics()
    for second in range(0, 600, 5):
        painting.mark(float(second))
        painting.note("é" * 100)
    painting.mark(600.0)
    # By hand: twelve a minute, of 200 bytes each.
    assert painting.a_minute(600.0) == (12.0, 2400.0)
