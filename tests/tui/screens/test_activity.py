"""8 Activity: confirmed intents, their status, and the trader's decisions."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import (
    Decision,
    IntentEvent,
    IntentId,
    IntentRow,
    SendPermission,
    Standing,
    Verdict,
)
from paytui.domain.models import AccountId, PaymentId, Problem
from paytui.outbox.outbox import Owner
from paytui.tui.app import PaytuiApp
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, armed, lines, settings_of, shows, tells, text, until

OURS = IntentId("PT-00000001")


def shown(ui: Dashboard, *rows: IntentRow) -> None:
    """A dashboard that may send, with these intents."""
    ui.store.set_sending(SendPermission(allowed=True, why=""))
    ui.store.intents.put(rows)
    ui.store.notify()


def test_what_is_in_doubt_stands_first_and_the_rest_newest_first(ui: Dashboard) -> None:
    shown(
        ui,
        intent_row(1, minutes_ago=9),
        intent_row(2, Standing.ACCEPTED, minutes_ago=5, title="the older"),
        intent_row(3, Standing.REFUSED, minutes_ago=3, title="the newer"),
        intent_row(4, Standing.RECORDED, minutes_ago=7),
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "4 intents")
        signs = ("? in doubt", "! not sent", "✗ refused", "✓ accepted")
        at = [next(at for at, line in enumerate(lines(pilot)) if sign in line) for sign in signs]
        assert at == sorted(at)

    ui.play(scenario)


def test_an_intent_that_names_no_account_is_seen_whichever_is_looked_at(ui: Dashboard) -> None:
    unowned = replace(intent_row(1).terms, account_id=None)
    others = replace(intent_row(2).terms, account_id=AccountId("acc-1"))
    shown(
        ui,
        intent_row(1, terms=unowned, title="of nobody"),
        intent_row(2, terms=others, title="of another"),
        intent_row(3, title="of Bolt"),
    )

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, PaytuiApp)
        app.show_account(AccountId("acc-2"))
        await pilot.press("8")
        await shows(pilot, "2 intents")
        assert "of nobody" in text(pilot)
        assert "of another" not in text(pilot)
        app.show_account(None)
        await shows(pilot, "3 intents")

    ui.play(scenario)


def test_a_filter_knows_how_an_intent_stands(ui: Dashboard) -> None:
    shown(ui, intent_row(1), intent_row(2, Standing.ACCEPTED, title="Transfer 5.00 AUD"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "slash", *"standing:doubt")
        await shows(pilot, "1 intent, filtered")
        assert "Transfer" not in text(pilot)

    ui.play(scenario)


def test_a_filter_knows_a_status_by_the_words_on_screen(ui: Dashboard) -> None:
    shown(ui, intent_row(1), intent_row(2, Standing.RECORDED, title="Transfer 5.00 AUD"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await shows(pilot, "not sent")
        await pilot.press("slash", *'status:"not', "space", *'sent"')
        await shows(pilot, "1 intent, filtered")
        assert "Transfer" in text(pilot)

    ui.play(scenario)


def test_intents_are_exported_as_they_stand(
    ui: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown(ui, intent_row(1, candidates=("pay-1", "pay-2")))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "e")
        await shows(pilot, "Export 1 intent")
        await pilot.press(*["backspace"] * 3, *"json", "enter")
        await shows(pilot, "written to")

    ui.play(scenario)
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("intents-")
    (row,) = json.loads(file.read_text())
    assert (row["standing"], row["terms"]["amount"]) == ("in doubt", 1200)
    assert row["candidates"] == ["pay-1", "pay-2"]


def test_an_intent_in_full_says_why_it_is_in_doubt_and_what_it_may_be(ui: Dashboard) -> None:
    problem = Problem(
        "send it", "503", said="try <later>", remedy="Wait and see.", trace_id="trace-9"
    )
    at_host = NOON - timedelta(days=300)
    turns = (
        IntentEvent(NOON, "sending", "POST /v2/payments/payout"),
        IntentEvent(NOON, "in doubt", "503", at_host),
    )
    row = intent_row(1, problem=problem, candidates=("pay-1",), alerts=("rate differs",))
    shown(ui, replace(row, turns=turns, host_time=at_host - timedelta(seconds=9)))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "enter")
        await shows(pilot, "Activity › Payout 1,200.00 USD to Bolt")
        assert "503, host clock 2025-05-06 12:00:00 UTC" in text(pilot)
        assert "by ann on desk-1, host clock 2025-05-06" in text(pilot)  # and on the next line:
        assert "11:59:51 UTC" in text(pilot)
        for words in ("503", "try <later>", "Wait and see.", "trace-9", "pay-1", "!! rate differs"):
            assert words in text(pilot)
        assert "Sending" in text(pilot)
        assert "POST /v2/payments/payout" in text(pilot)
        for words in ("1,200.00 USD", "USD desk", "by ann on desk-1", "INV 7 PT-00000001", "once"):
            assert words in text(pilot)

    ui.play(scenario, size=(140, 50))


@pytest.mark.slow
def test_what_may_still_arrive_is_decided_once_it_cannot(ui: Dashboard) -> None:
    shown(ui, intent_row(1, may_arrive_until=NOON + timedelta(seconds=20)))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d")
        await tells(pilot, "may still arrive until 12:00:20 UTC; decide after that.")
        await pilot.press("down", "enter")
        await shows(pilot, "✗ Mark as not executed: it may still arrive until")
        shown(ui, intent_row(1))
        await until(pilot, lambda: "may still arrive" not in text(pilot))
        await pilot.press("enter")
        await shows(pilot, "Marks it as not executed. It is never sent again")

    ui.play(scenario, size=(80, 24))


def test_settled_as_not_done_by_keys_alone(ui: Dashboard) -> None:
    shown(ui, intent_row(1))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d")
        await shows(pilot, "Mark as executed")
        await pilot.press("down", "enter")
        await shows(pilot, "Marks it as not executed. It is never sent again")
        assert ui.port.decided == []
        await armed(ui, pilot)
        await pilot.press("enter")
        assert ui.port.decided == [Decision(intent_id=OURS, verdict=Verdict.NOT_DONE)]
        await pilot.press("enter", "enter")
        assert len(ui.port.decided) == 1

    ui.play(scenario)


@pytest.mark.slow
def test_settled_as_done_by_one_of_what_was_found(ui: Dashboard) -> None:
    shown(ui, intent_row(1, candidates=("pay-1", "pay-2")))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "enter", "d")
        await shows(pilot, "Mark as executed")
        await pilot.press("enter")
        await shows(pilot, "Decide on PT-00000001 · result")
        await pilot.press("down", "enter")
        await shows(pilot, "with the result pay-2")
        assert "2,500.50 AUD" in text(pilot)  # what is known of it
        await armed(ui, pilot)
        await pilot.press("enter")
        done = Decision(intent_id=OURS, verdict=Verdict.DONE, object_id="pay-2")
        assert ui.port.decided == [done]

    ui.play(scenario)


def test_settled_as_done_by_an_identifier_that_is_typed(ui: Dashboard) -> None:
    taken = intent_row(2, Standing.ACCEPTED, object_id="pay-1")
    shown(ui, intent_row(1), taken)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d")
        await shows(pilot, "Mark as executed")
        await pilot.press("enter", *"pay-1", "enter")
        await shows(pilot, "that is the result of PT-00000002")
        await pilot.press("backspace", "9", "enter")
        await shows(pilot, "with the result pay-9")
        assert "not among the rows read" in text(pilot)
        await armed(ui, pilot)
        await pilot.press("enter")
        assert ui.port.decided[0].object_id == "pay-9"

    ui.play(scenario)


def test_keys_that_were_typed_before_the_question_could_be_seen_decide_nothing(
    ui: Dashboard,
) -> None:
    shown(ui, intent_row(1))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d", "down", *["enter"] * 30)
        await shows(pilot, "enter: confirm")
        assert ui.port.decided == []

    ui.answers = False
    ui.play(scenario)


def test_a_decision_is_asked_anew_where_the_intent_came_to_stand_otherwise(
    ui: Dashboard,
) -> None:
    shown(ui, intent_row(1))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d", "down", "enter")
        await shows(pilot, "enter: confirm")
        await armed(ui, pilot)
        shown(ui, intent_row(1, candidates=("pay-1",)))
        await pilot.press("enter")
        await shows(pilot, "Its status has changed")
        assert ui.port.decided == []
        shown(ui, intent_row(1, Standing.ACCEPTED, object_id="pay-1"))
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "Mark as executed" not in text(pilot))
        assert ui.port.decided == []

    ui.play(scenario)


def test_what_was_never_sent_is_sent_only_while_its_rate_lasts(ui: Dashboard) -> None:
    row = intent_row(1, Standing.RECORDED)
    locked = replace(row.terms, expires_at=NOON + timedelta(seconds=3))
    shown(ui, replace(row, terms=locked))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d")
        await shows(pilot, "Send now")
        await pilot.press("enter", "enter")
        await shows(pilot, "Send now: its rate expired")
        assert ui.port.decided == []

    ui.play(scenario)


def test_a_candidate_that_is_read_later_is_told_apart(ui: Dashboard) -> None:
    shown(ui, intent_row(1, candidates=("pay-7",)))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "d", "enter")
        await shows(pilot, "not among the rows read")
        ui.store.payments.put([payment(7, "1200")])
        ui.store.notify()
        await until(pilot, lambda: "1,200.00 AUD" in text(pilot))

    ui.play(scenario)
    assert ui.store.payments.get(PaymentId("pay-7")) is not None


@pytest.mark.slow
def test_what_is_recorded_where_nothing_is_sent_says_why(ui: Dashboard) -> None:
    ui.settings = settings_of(read_only=True)
    shown(ui, intent_row(1, Standing.RECORDED))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "enter")
        await shows(pilot, "Not sent: This profile is read-only")
        assert "Press d to send it" not in text(pilot)

    ui.play(scenario)


def test_the_title_of_an_intent_says_what_to_do_to_send(ui: Dashboard) -> None:
    shown(ui, intent_row(1, Standing.RECORDED))
    owner = Owner("process 16827 on vm", "2026-03-02 12:00 UTC")
    why = str(owner.problem)
    ui.store.set_sending(SendPermission(allowed=False, why=why, brief=owner.brief))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "enter")
        await until(pilot, lambda: "end process 16827 on vm to send here" in lines(pilot)[2])

    ui.play(scenario, size=(100, 30))


def test_an_intent_that_is_settled_may_not_be_anything_else(ui: Dashboard) -> None:
    shown(ui, intent_row(1, candidates=("pay-1",)))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("8", "enter")
        await shows(pilot, "Candidate")
        shown(ui, intent_row(1, Standing.NOT_DONE, candidates=("pay-1",)))
        await shows(pilot, "marked not executed")
        assert "Candidate" not in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("8",), ("8", "enter")])
def test_deciding_is_hinted_where_something_may_be_decided(
    ui: Dashboard, keys: tuple[str, ...]
) -> None:
    shown(ui, intent_row(1, Standing.SENDING))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await shows(pilot, "sending")
        assert "d Decide" not in lines(pilot)[-1]
        await pilot.press("d")
        await shows(pilot, "Nothing to decide: already sending.")
        shown(ui, intent_row(1))
        await until(pilot, lambda: "d Decide" in lines(pilot)[-1])
        ui.store.set_sending(SendPermission(allowed=False, why="Another one sends."))
        ui.store.notify()
        await until(pilot, lambda: "d Decide" not in lines(pilot)[-1])

    ui.play(scenario)
