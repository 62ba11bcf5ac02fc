"""Webhooks on Activity: receipt, trust and effect, but never their own claims."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.config.settings import WebhookSettings
from paytui.domain.models import Problem
from paytui.store.screen_rows import EventRow, ListenerStatus, Trust
from tests.support.webhooks import event, forged
from tests.tui.dashboard import Dashboard, lines, shows, text, tick, until

HEARD = WebhookSettings(enabled=True, path="/hooks/0123456789abcdef")
TAKEN = Problem(
    "listen for webhooks on 127.0.0.1 port 8787",
    "Address already in use",
    remedy="paytui retries in 30 s.",
)


@pytest.fixture
def ui(ui: Dashboard) -> Dashboard:
    """A dashboard that hears webhooks."""
    ui.settings = replace(ui.settings, webhooks=HEARD)
    ui.store.listening = ListenerStatus("127.0.0.1:8787", signed=True)
    return ui


def heard(ui: Dashboard, *rows: EventRow) -> None:
    ui.store.events.put(rows)
    ui.store.notify()


def test_the_newest_are_seen_beside_the_intents(ui: Dashboard) -> None:
    heard(ui, *(event(number) for number in range(1, 6)), forged(6, times=312))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "6 webhooks")
        assert "listening on 127.0.0.1:8787" in text(pilot)
        newest = [line for line in lines(pilot) if " 11:" in line]
        assert newest[0].split() == ["11:06", "✗", "forged", "×312"]
        assert newest[1].strip() == (
            "11:05  ✓ verified   payment.released  processing → released  pay-2"
        )
        assert len(newest) == 3

    ui.play(scenario)


def test_one_that_arrives_is_seen_at_once_and_what_it_causes_too(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "No webhooks yet.")
        heard(ui, event(1, caused="read pending"))
        await shows(pilot, "read pending")
        heard(ui, event(1, caused="no change"))
        await shows(pilot, "no change")

    ui.play(scenario)


def test_all_of_them_are_a_list_to_filter_whichever_account_is_looked_at(ui: Dashboard) -> None:
    heard(ui, event(1), forged(2), event(3, Trust.DUPLICATE, caused=""))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "a", "down", "enter", "w")
        await shows(pilot, "3 webhooks")
        await pilot.press("slash", *"trust:forged", "enter")
        await shows(pilot, "1 webhook, filtered")
        assert "✗ forged" in text(pilot)
        await pilot.press("escape", "escape")
        await shows(pilot, "intents")

    ui.play(scenario)


@pytest.mark.slow
def test_one_in_full_leads_to_what_it_named_and_claims_nothing(ui: Dashboard) -> None:
    heard(ui, event(1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "w", "enter")
        await shows(pilot, "Content (unconfirmed)")
        for words in ("✓ verified", "59 min ago", "processing → released", "evt-1", "received 3 s"):
            assert words in text(pilot)
        ui.clock.advance(120)
        await tick(pilot)
        await shows(pilot, "1 h ago")
        await pilot.press("end", "enter")
        await shows(pilot, "2,500.50 AUD")

    ui.play(scenario, size=(100, 30))


def test_a_forgery_in_full_says_why_and_nothing_that_it_said(ui: Dashboard) -> None:
    heard(ui, forged(1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "w", "enter")
        await shows(pilot, "No signature matches the secret.")
        assert "Signature invalid. Ignored." in text(pilot)
        assert "payment" not in text(pilot).replace("6 Payments", "")

    ui.play(scenario, size=(100, 30))


@pytest.mark.slow
def test_one_that_newer_ones_push_out_stays_as_it_was_while_it_is_looked_at(
    ui: Dashboard,
) -> None:
    heard(ui, event(1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "w", "enter")
        await shows(pilot, "evt-1")
        ui.store.events.remove([1])
        heard(ui, event(801), event(2))
        await tick(pilot)
        assert "evt-1" in text(pilot)
        assert "evt-801" not in text(pilot)

    ui.play(scenario, size=(100, 30))


def test_its_own_identifier_is_copied(ui: Dashboard) -> None:
    heard(ui, event(1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "w", "y")
        await until(pilot, lambda: pilot.app.clipboard == "evt-1")
        await pilot.press("enter", "Y")
        await shows(pilot, "copied Event id")

    ui.play(scenario)


@pytest.mark.slow
def test_they_are_exported_as_they_are_told(
    ui: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    heard(ui, event(1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "w", "e")
        await shows(pilot, "Export 1 webhook")
        await pilot.press(*["backspace"] * 3, *"json", "enter")
        await shows(pilot, "written to")

    ui.play(scenario)
    (file,) = tmp_path.iterdir()
    (row,) = json.loads(file.read_text())
    assert (row["trust"], row["object_id"], row["times"]) == ("verified", "pay-2", 1)


def test_a_port_that_is_taken_is_told_on_every_screen_and_in_full_on_activity(
    ui: Dashboard,
) -> None:
    ui.store.listening = ListenerStatus(problem=TAKEN)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "webhook listener down")
        await pilot.press("8")
        await shows(pilot, "Could not listen for webhooks on 127.0.0.1 port 8787: Address already")
        ui.store.listening = ListenerStatus("127.0.0.1:8787", signed=True)
        ui.store.notify()
        await shows(pilot, "listening on 127.0.0.1:8787")
        assert "webhook listener down" not in text(pilot)

    ui.play(scenario)


def test_why_nothing_is_heard_is_told_whole_on_a_small_terminal(ui: Dashboard) -> None:
    ui.store.listening = ListenerStatus(problem=TAKEN)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "Could not listen for webhooks")
        assert " ".join(text(pilot).split()).count("paytui retries in 30 s.") == 1

    ui.play(scenario, size=(60, 20))


def test_that_nothing_signs_them_is_said(ui: Dashboard) -> None:
    ui.store.listening = ListenerStatus("127.0.0.1:8787")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "listening on 127.0.0.1:8787, unsigned")
        await shows(pilot, "forged ones cannot be detected")

    ui.play(scenario)


def test_where_none_are_heard_activity_is_about_intents_alone(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "0 intents")
        assert "ebhook" not in text(pilot)
        await pilot.press("w")
        await shows(pilot, "Webhooks are off")

    empty.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["[@click=app.quit]x", "[/]"])
def test_no_word_of_theirs_is_markup(ui: Dashboard, words: str) -> None:
    heard(ui, event(1, event_type=words, object_id=words, event_id=words))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, words)
        await pilot.press("w", "enter")
        await shows(pilot, "Content (unconfirmed)")
        assert words in text(pilot)

    ui.play(scenario, size=(120, 30))
