"""A ticket that was left is kept as a draft: one key returns to it, one discards it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import WalletId
from paytui.store.health import Link, LinkState
from paytui.store.store import Store
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.field_names import AMOUNT, FROM, REFERENCE, TO
from paytui.tui.ui_context import SavedDraft, SavedDrafts, newest_ticket
from tests.support.clock import NOON
from tests.support.intents import money_of, row_of
from tests.tui.dashboard import Dashboard, armed, lines, settings_of, shows, text, the_app, until
from tests.tui.ticket.paying import GLOBEX, USD_DESK, Paying, book, confirm, said

FILLED = {FROM: USD_DESK, TO: payee_key(GLOBEX), AMOUNT: "1200", REFERENCE: "INV 7"}
PAYOUT = "draft: Payout"
CHIP = "draft: Payout · f3 open · f4 discard"
NO_DRAFT = (
    "There is no draft of a ticket: one left unchanged is not kept. "
    "t, p, x: open one. P: repeat what is under the cursor."
)
TRANSFER_CHIP = "draft: Transfer · f3 open · f4 discard"


def connected() -> Store:
    store = book()
    store.set_link(Link(LinkState.UP, since=NOON))
    return store


def drafts_of(pilot: Pilot[None]) -> SavedDrafts:
    return the_app(pilot).ui.drafts


async def leave_payout(pilot: Pilot[None]) -> None:
    """Leave a payout to Globex whose amount is missing."""
    await pilot.press("p", *"globex", "enter")
    await shows(pilot, "▌ From")
    await pilot.press("escape")
    await shows(pilot, CHIP)


async def leave_transfer(pilot: Pilot[None], chip: str = TRANSFER_CHIP) -> None:
    await pilot.press("x")
    await shows(pilot, "Transfer")
    await pilot.press(*"usd spare", "enter", "escape")
    await shows(pilot, chip)


def test_the_newest_draft_of_a_ticket_is_meant_and_none_of_a_form() -> None:
    kept = SavedDraft({"a": "b"})
    assert newest_ticket({("wallet", ""): kept}) is None
    drafts = {("trade", ""): kept, ("payout", ""): kept, ("recipient", "acc-1"): kept}
    assert newest_ticket(drafts) == ("payout", "")


@pytest.mark.slow
def test_a_ticket_that_was_left_is_offered_and_comes_back_as_it_was() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        assert "To " not in text(pilot).replace("Deposit to", "")
        await pilot.press("6")
        await shows(pilot, CHIP)
        await pilot.press("f3")
        await shows(pilot, "▌ From")
        assert "Globex" in text(pilot)
        assert PAYOUT not in lines(pilot)[0]  # that ticket is open

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_draft_comes_back_at_the_field_that_was_left() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await pilot.press("f3")
        await shows(pilot, "▌ From")
        await pilot.press("shift+tab")
        await shows(pilot, "▌ Bank account")
        await pilot.press("escape")
        await shows(pilot, CHIP)
        await pilot.press("f3")
        await shows(pilot, "▌ Bank account")
        assert "Globex" in text(pilot)

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_on_80_columns_it_leaves_room_for_the_account_and_gives_way_to_a_warning() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_transfer(pilot)
        assert "all accounts" in lines(pilot)[0]
        ui.store.set_link(Link(LinkState.CONNECTING))
        await shows(pilot, "draft · f3, f4  connecting")
        ui.store.set_link(Link(LinkState.UNREACHABLE, since=NOON))
        await shows(pilot, "unreachable since")
        assert "all accounts" in lines(pilot)[0]
        assert "draft" not in lines(pilot)[0]

    Dashboard(store=connected()).play(scenario)


def test_a_ticket_with_nothing_filled_in_leaves_no_draft() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "▌ To")
        await pilot.press("escape")
        await until(pilot, lambda: "▌ To" not in text(pilot))
        assert not drafts_of(pilot)
        for key in ("f3", "f4"):
            await pilot.press(key)
            await until(pilot, lambda: NO_DRAFT in " ".join(text(pilot).split()))
            the_app(pilot).clear_notifications()
            await until(pilot, lambda: "There is no draft" not in text(pilot))

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_draft_that_is_returned_to_and_left_again_is_kept() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await pilot.press("f3")
        await shows(pilot, "▌ From")
        await pilot.press("escape")
        await shows(pilot, CHIP)

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_discarded_draft_is_gone_and_the_one_before_it_is_offered() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await leave_transfer(pilot, "2 drafts · f3 Transfer · f4 discard")
        await pilot.press("f4")
        await shows(pilot, CHIP)
        assert [key for key, _ in drafts_of(pilot)] == ["payout"]
        await pilot.press("f4")
        await until(pilot, lambda: PAYOUT not in lines(pilot)[0])
        assert not drafts_of(pilot)

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_second_draft_of_a_kind_replaces_none_and_each_is_returned_to_in_turn() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await leave_transfer(pilot, "2 drafts · f3 Transfer · f4 discard")
        await pilot.press("p", *"wayne", "enter", "escape")
        await shows(pilot, "3 drafts · f3 Payout · f4 discard")
        assert [key for key, _ in drafts_of(pilot)] == ["payout", "transfer", "payout"]
        for name, other in (("Wayne", "Transfer"), ("USD spare", "Payout"), ("Globex", "Payout")):
            await pilot.press("f3")  # in a draft, it leads to the next
            await shows(pilot, name)
            assert f"f3 next draft: {other}" in lines(pilot)[0]
        await pilot.press("escape")
        await shows(pilot, "3 drafts · f3 Payout · f4 discard")
        await pilot.press("f4")  # discards the one that was looked at last
        await shows(pilot, "Draft discarded: Payout to Globex.")
        assert [draft.name for draft in drafts_of(pilot).values()] == [
            "Transfer",
            "Payout to Wayne",
        ]

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_draft_of_a_form_is_neither_offered_nor_discarded() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        drafts_of(pilot)["wallet", ""] = SavedDraft({"wallet_name": "Desk"})
        await leave_payout(pilot)
        await pilot.press("f4", "f4")
        words = "That of a form comes back as you open the form."
        await until(pilot, lambda: words in " ".join(text(pilot).split()))
        assert list(drafts_of(pilot)) == [("wallet", "")]
        assert "draft:" not in lines(pilot)[0]

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_in_a_ticket_the_draft_of_another_is_neither_offered_nor_discarded() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await pilot.press("x")
        await shows(pilot, "Transfer")
        await pilot.press("f3", "f4")
        await pilot.pause()
        assert "draft:" not in lines(pilot)[0]
        assert [key for key, _ in drafts_of(pilot)] == ["payout"]

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_number_key_leads_from_a_review_to_the_list_and_keeps_the_draft() -> None:
    """The ticket lies on no other screen either: a list is what its number shows."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        drafts_of(pilot)["payout", ""] = SavedDraft(FILLED)
        await pilot.press("f3")
        await shows(pilot, "enter: send")
        await pilot.press("6")
        await shows(pilot, CHIP)
        assert len(pilot.app.screen_stack) == 1
        await pilot.press("3")
        await shows(pilot, "USD desk")
        assert len(pilot.app.screen_stack) == 1

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_draft_that_is_whole_comes_to_the_review_is_not_sent_and_is_gone_once_confirmed() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        drafts_of(pilot)["payout", ""] = SavedDraft(FILLED)
        await pilot.press("f3")
        await shows(pilot, "enter: send")
        assert ui.port.submitted == []
        await armed(ui, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(ui.port.submitted) == 1)
        assert not drafts_of(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        assert not drafts_of(pilot)
        assert ui.port.submitted[0].terms.amount == Decimal(1200)

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_ticket_that_came_whole_is_kept_once_it_was_refused_and_left() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot)._open_ticket("payout", FILLED)
        await shows(pilot, "enter: send")
        await armed(ui, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(ui.port.submitted) == 1)
        ui.store.intents.put([row_of(ui.port.submitted[0], Standing.REFUSED)])
        ui.store.notify()
        await shows(pilot, "enter: correct it")
        await pilot.press("escape")
        await shows(pilot, CHIP)
        [draft] = drafts_of(pilot).values()
        assert draft.values == FILLED

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_the_confirmation_of_another_ticket_leaves_a_draft_alone() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        kept = dict(drafts_of(pilot))
        the_app(pilot)._open_ticket("payout", FILLED)
        await shows(pilot, "enter: send")
        await armed(ui, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(ui.port.submitted) == 1)
        await pilot.press("escape")
        await shows(pilot, CHIP)
        assert drafts_of(pilot) == kept

    Dashboard(store=connected()).play(scenario)


def test_a_locked_screen_does_not_return_to_a_draft() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        ui.store.set_sending(type(ui.store.sending)(allowed=False, why="Nothing can be sent."))
        await pilot.press("f3")
        await shows(pilot, "Nothing can be sent.")
        assert [key for key, _ in drafts_of(pilot)] == ["payout"]

    Dashboard(store=connected()).play(scenario)


def test_the_confirmation_of_a_draft_is_an_intent_of_its_own() -> None:
    paying = Paying()
    first = paying.ticket("payout", FILLED)
    kept = first.draft
    confirm(first)
    assert first.draft is None
    assert kept is not None
    confirm(paying.ticket("payout", kept))
    one, other = paying.port.submitted
    assert one.intent_id != other.intent_id
    assert money_of(one).reference != money_of(other).reference


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (FROM, "wal-gone", "wal-gone"),
        (AMOUNT, "12.345", "USD has 2 digits after the point"),
    ],
)
def test_a_kept_value_that_no_longer_fits_is_where_the_cursor_stands_with_the_reason(
    field: str, value: str, why: str
) -> None:
    ticket = Paying().ticket("payout", {**FILLED, field: value})
    assert (now := ticket.view().field) is not None
    assert now.key == field
    assert any(why in cell.text for cell in ticket.view().words), said(ticket)


def test_a_wallet_that_is_gone_meanwhile_is_said_when_the_draft_comes_back() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        drafts_of(pilot)["payout", ""] = SavedDraft(FILLED)
        ui.store.wallets.remove([WalletId(USD_DESK)])
        await pilot.press("f3")
        await shows(pilot, f"✗ {USD_DESK}")
        assert "▌ From" in text(pilot)

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_the_palette_returns_to_a_draft() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await leave_payout(pilot)
        await pilot.press("ctrl+p", *"return")
        await shows(pilot, "Return to draft (f3)")
        await pilot.press("enter")
        await shows(pilot, "▌ From")

    Dashboard(store=connected()).play(scenario)


@pytest.mark.slow
def test_a_read_only_profile_offers_no_drafts() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await shows(pilot, "Everywhere")
        assert "draft" not in text(pilot)

    Dashboard(settings=settings_of(read_only=True)).play(scenario, size=(100, 90))
