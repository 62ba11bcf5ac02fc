"""Colleagues at a desk: who is here, who does the same, and what they noted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from textual.pilot import Pilot

from paytui.domain.colleagues import (
    AttentionKey,
    AttentionNote,
    Colleague,
    NoteKind,
    OpenTicket,
    SharedNote,
)
from paytui.domain.intent import SendPermission
from paytui.domain.models import Problem, RecipientId, WalletId
from paytui.store.colleagues import DeskState
from tests.support.clock import NOON
from tests.tui.book import wallet
from tests.tui.dashboard import Dashboard, lines, shows, tells, text, until
from tests.tui.ticket.paying import GLOBEX, USD_DESK, Paying, recipient, said

BOB = Colleague(7, "bob", is_own=False, host="desk-2", since=NOON - timedelta(minutes=8))
CAROL = Colleague(8, "carol", is_own=False, host="desk-3", since=NOON)
HERE = Colleague(9, "anna", is_own=True, host="desk-9", since=NOON)
DESK, SPARE = WalletId("wal-1"), WalletId("wal-6")
PAYOUT = OpenTicket("payout", RecipientId("rec-1"), (WalletId("wal-4"),))


@pytest.fixture
def desk(ui: Dashboard) -> Dashboard:
    ui.store.set_desk(DeskState(NOON))
    ui.store.recipients.put([recipient(1, "Globex")])
    return ui


@pytest.mark.slow
def test_the_status_bar_names_colleagues_and_a_list_tells_what_they_do(desk: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        async def open_list() -> None:
            await pilot.press("ctrl+p", *"who")
            await shows(pilot, "Who is here")
            await pilot.press("enter")

        store = ui.store
        assert " here" not in lines(pilot)[0]
        store.colleagues.put([replace(BOB, ticket=PAYOUT), CAROL, HERE])
        store.notify()
        await until(pilot, lambda: "bob, carol here" in lines(pilot)[0])
        await open_list()
        await tells(pilot, "bob › filling in a payout to Globex on desk-2, since 11:52")
        await tells(pilot, "carol nothing is filled in on desk-3")
        await tells(pilot, "anna (you) nothing is filled in on desk-9")
        store.colleagues.put([replace(BOB, who="b" * 30)])
        store.notify()
        await until(pilot, lambda: "2 here" in lines(pilot)[0])
        store.colleagues.remove([7, 8, 9])
        store.notify()
        await shows(pilot, "no other dashboard is open")
        assert " here" not in lines(pilot)[0]
        store.set_desk(DeskState(NOON, Problem("use the desk", "it is away")))
        store.notify()
        await shows(pilot, "desk away, as of 12:00")
        assert "Nobody" not in text(pilot)

    desk.play(scenario)


def test_a_colleague_with_the_same_recipient_or_wallet_is_named_and_bars_nothing() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    same_payee = replace(BOB, ticket=OpenTicket("payout", GLOBEX))
    same_wallet = replace(CAROL, ticket=OpenTicket("trade", None, (USD_DESK,)))
    others = replace(HERE, ticket=OpenTicket("payout", RecipientId("rec-2"), (WalletId("wal-9"),)))
    before = ticket.view().confirms
    assert before is not None
    paying.store.colleagues.put([same_payee, same_wallet, others])
    words = said(ticket)
    assert "bob on desk-2 is filling in a payout to this recipient." in words
    assert "carol on desk-3 is filling in a trade with the same wallet." in words
    assert "desk-9" not in words
    assert ticket.view().confirms == before
    ticket.go(-1)
    assert "bob on desk-2 is filling in a payout to this recipient." in said(ticket)
    paying.store.colleagues.put([replace(HERE, ticket=OpenTicket("swap", GLOBEX))])
    assert "You, on desk-9, are filling in a ticket to this recipient." in said(ticket)


def test_colleagues_are_told_which_ticket_is_open_until_it_is_left(desk: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.store.set_sending(SendPermission(allowed=True))
        ui.store.colleagues.put([replace(BOB, ticket=OpenTicket("payout", None, (DESK,)))])
        await pilot.press("3", "x")
        await shows(pilot, "Transfer ·")
        assert ui.port.tickets == [OpenTicket("transfer", None, (DESK,))]
        await pilot.press(*"spare", "enter")
        await until(
            pilot, lambda: ui.port.tickets[-1] == OpenTicket("transfer", None, (DESK, SPARE))
        )
        await shows(pilot, "! bob: same wallet")
        count = len(ui.port.tickets)
        for _ in range(3):
            ui.store.notify()
            await pilot.pause()
        assert len(ui.port.tickets) == count
        await pilot.press("escape")
        await until(pilot, lambda: ui.port.tickets[-1] is None)

    desk.store.wallets.put([wallet(6, "AUD spare", "5")])
    desk.play(scenario)


def test_a_note_on_an_object_is_added_and_shown_with_its_author(desk: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "N Note")
        subject = "payments/pay-3"
        await pilot.press("N")
        await tells(pilot, "removed.")
        await pilot.press("enter", *"ask [bob]", "enter")
        assert ui.port.notes == [(subject, "ask [bob]")]
        note = SharedNote(
            note_id="0", kind=NoteKind.NOTE, subject=subject, at=NOON, words="ask [bob]"
        )
        ui.store.shared_notes.put([note])
        ui.store.notify()
        await tells(pilot, "You ask [bob] not handed in to the desk yet")
        noted = replace(note, number=1, who="anna", host="desk-1")
        later = replace(noted, note_id="bob/1", number=2, who="bob", words="done")
        elsewhere = replace(later, note_id="bob/2", subject="payments/pay-1", words="other")
        ui.store.shared_notes.put([noted, later, elsewhere])
        ui.store.notify()
        await tells(pilot, "bob done 2026-03-02 12:00:00 UTC on desk-1")
        assert text(pilot).index("done") < text(pilot).index("ask [bob]")
        assert "other" not in text(pilot)

    desk.play(scenario)


@pytest.mark.slow
def test_without_a_desk_there_are_no_notes_and_nobody_is_told(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "R Raw")
        await pilot.press("N")
        assert "Note" not in text(pilot)
        await pilot.press("escape", "x", "escape")
        assert ui.port.tickets == []

    ui.play(scenario)


def test_an_item_that_a_colleague_set_aside_says_who_and_when(desk: Dashboard) -> None:
    key = AttentionKey("OBJECT|payments|pay-3|WARNING|rejected|")
    noted = AttentionNote(key, NOON, acknowledged=True, by="bob", at=NOON)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        def store(note: AttentionNote) -> None:
            ui.store.attention.put([note])
            ui.store.notify()

        await shows(pilot, "Needs attention  1")
        store(noted)
        await shows(pilot, "Needs attention  nothing  1 acknowledged")
        await pilot.press("v")
        await shows(pilot, "ack by bob 12:00")
        ui.store.set_desk(DeskState(NOON, Problem("use the desk", "it is away")))
        ui.store.notify()
        await shows(pilot, "1 acknowledged  desk away, as of 12:00")
        await pilot.press("space")  # the same key undoes it
        await shows(pilot, "Needs attention  1")
        store(replace(noted, acknowledged=False, by="anna"))
        await pilot.pause()
        store(replace(noted, acknowledged=False, snoozed_until=NOON + timedelta(hours=1)))
        await shows(pilot, "snoozed by bob to 13:00")

    desk.play(scenario, size=(120, 40))
