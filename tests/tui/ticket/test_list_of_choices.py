"""The options of a picker: narrowed while typing, and in the available room."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.field_names import AMOUNT, FROM, TO
from tests.tui.book import USD, account, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tells, text, the_app, until
from tests.tui.test_accessibility import painted
from tests.tui.ticket.paying import (
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    USD_SPARE,
    Paying,
    address,
    book,
    recipient,
    said,
)

LONG = "Consolidated Meridian Holdings and Shipping Company of the Eastern Archipelago"


@pytest.fixture
def ui() -> Dashboard:
    return Dashboard(store=book())


def test_options_are_narrowed_while_one_types(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "Wayne")
        await pilot.press(*"glo")
        await shows(pilot, "› Globex")
        assert "Wayne" not in text(pilot)
        await pilot.press("backspace", "backspace", "backspace")
        await shows(pilot, "Wayne")
        await pilot.press(*"wayen")
        await shows(pilot, "› Wayne")
        assert "Globex" not in text(pilot)

    ui.play(scenario)


def test_what_matches_nothing_says_so_and_cannot_be_taken(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"zzz")
        await shows(pilot, "  No such recipient. n on Recipients (7) adds one.")
        await pilot.press("enter")
        await shows(pilot, "✗ No such recipient. n on Recipients (7) adds one.")
        assert "Payout · to" in text(pilot)
        await pilot.press("ctrl+u")
        await shows(pilot, "Globex")

    ui.play(scenario)


@pytest.mark.parametrize("typed", ["zzz", "bolt"])
def test_the_way_back_drops_what_cannot_be_taken_and_says_so(typed: str) -> None:
    """The first text matches nothing, and the wallet that the second finds cannot pay."""
    paying = Paying()
    ticket = paying.ticket("payout", {FROM: USD_DESK, TO: payee_key(GLOBEX)})
    ticket.go(-1)
    assert ticket.view().name == "from"
    ticket.typed(typed)
    ticket.go(1)
    assert ticket.view().name == "from"
    ticket.go(-1)
    assert ticket.view().name == "bank account"
    assert f"From stays USD desk: {typed} was not taken." in said(ticket)
    assert ticket.draft == {FROM: USD_DESK, TO: payee_key(GLOBEX)}
    ticket.go(1)
    assert "was not taken" not in said(ticket)


def test_at_the_first_field_the_way_back_drops_the_text_as_well() -> None:
    ticket = Paying().payout()
    ticket.typed("zzz")
    ticket.go(-1)
    assert ticket.view().name == "to"
    assert "To stays empty: zzz was not taken." in said(ticket)
    assert ticket.view().options


def test_the_input_is_emptied_with_the_text_that_is_dropped(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"zzz", "shift+tab")
        await shows(pilot, "To stays empty: zzz was not taken.")
        assert "zzz" not in row(pilot, "▌ To")
        await pilot.press(*"wayne", "enter")
        await shows(pilot, "Payout · bank account")

    ui.play(scenario)


def test_a_value_that_a_choice_clears_is_named_until_the_next_move() -> None:
    paying = Paying()
    third = wallet(7, "USD third", "10", currency=USD)
    paying.store.wallets.put([wallet(6, "AUD spare", "10"), third])
    ticket = paying.ticket("transfer", {FROM: USD_DESK, TO: USD_SPARE, AMOUNT: "5"})
    ticket.go(-4)
    assert ticket.view().name == "from"
    ticket.typed("usd third")
    ticket.go(1)
    assert "cleared" not in said(ticket)
    ticket.go(-1)
    ticket.typed("aud desk")
    ticket.go(1)
    assert "Amount 5.00 USD was cleared: From changed." in said(ticket)
    ticket.go(1)
    assert "cleared" not in said(ticket)


def test_balances_are_aligned_at_their_ends(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        await shows(pilot, "› USD Bolt")
        ends = {row(pilot, name).index(amount) + len(amount) for name, amount in BALANCES.items()}
        assert len(ends) == 1

    ui.play(scenario)


BALANCES = {"AUD desk": "1,204,330.15 AUD", "USD desk": "5,000.00 USD", "USD spare": "10.00 USD"}


@pytest.mark.slow
def test_what_cannot_be_chosen_comes_last_and_dimmed_with_the_reason(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter")
        await shows(pilot, "Payout · from")
        shown = [line.strip(" ›") for line in lines(pilot)]
        names = [line for line in shown if line.startswith(("USD", "AUD"))]
        assert [" ".join(name.split()) for name in names] == [
            "USD desk 5,000.00 USD Acme",
            "USD spare 10.00 USD Acme",
            "AUD desk 1,204,330.15 AUD no AUD bank details Acme",
            "USD frozen 10.00 USD suspended Acme",
            "USD Bolt 10.00 USD other account Bolt",
        ]
        assert colour_of(pilot, "USD Bolt") != colour_of(pilot, "USD spare")
        assert colour_of(pilot, "USD Bolt") == colour_of(pilot, "USD frozen")
        await pilot.press(*"bolt", "enter")
        await shows(pilot, "✗ USD Bolt: other account.")
        assert "Payout · from" in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_what_finds_no_room_is_whole_where_the_cursor_is(ui: Dashboard) -> None:
    known = (address(5, 5), address(6, 5))
    ui.store.recipients.put([recipient(5, LONG, *known), recipient(9, LONG, address(19, 9))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"con", "down")
        await shows(pilot, "› Consolidated Meridian")
        first, second = (line for line in lines(pilot) if "Consolidated" in line)
        assert "…" not in first
        await tells(pilot, f"› {LONG}")
        assert LONG not in second
        await pilot.press("down")
        await until(pilot, lambda: text(pilot).index("›") > text(pilot).index("Consolidated"))
        await tells(pilot, f"› {LONG}")

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_an_owner_that_finds_no_room_is_cut_before_a_balance_and_a_reason(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    ui.store.accounts.put([account(1, LONG)])
    ui.store.wallets.put([wallet(2, "USD desk", "5000", currency=USD)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        await shows(pilot, "› USD Bolt")
        assert "5,000.00 USD  Consolidated" in row(pilot, "USD desk")
        assert "…" in row(pilot, "USD desk")
        assert "10.00 USD  suspended  Consol" in row(pilot, "USD frozen")
        await pilot.press("down")
        await until(pilot, lambda: "› USD desk" in text(pilot))
        shown = " ".join(part.partition("│")[0] for part in lines(pilot))
        assert f"USD desk 5,000.00 USD {LONG}" in " ".join(shown.split())

    ui.play(scenario, size=size)


def test_where_there_is_no_room_for_all_the_others_are_counted() -> None:
    store = book()
    store.wallets.put(
        [wallet(number, f"USD {number}", "1", currency=USD) for number in range(10, 40)]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        await shows(pilot, "23 more: type a part of the name · 2 cannot be chosen: ↓")
        await pilot.press(*["down"] * 20)
        await shows(pilot, "› USD 30")
        await shows(pilot, "23 more")

    Dashboard(store=store, settings=settings_of()).play(scenario)


def row(pilot: Pilot[None], name: str) -> str:
    return next(line for line in lines(pilot) if name in line)


def colour_of(pilot: Pilot[None], name: str) -> object:
    """Return the colour of an option's name."""
    segments = [segment for line in painted(the_app(pilot)) for segment in line]
    found = next(segment for segment in segments if name in segment.text)
    assert found.style is not None
    return found.style.color


def test_the_way_back_takes_no_row_that_was_only_moved_to() -> None:
    ticket = Paying().ticket("transfer", {FROM: USD_DESK, TO: USD_SPARE})
    choices = [one.key for one in Paying().transfer(USD_DESK).view().options]
    while ticket.view().name != "to":
        ticket.go(-1)
    ticket.move(choices.index(USD_BOLT) - choices.index(USD_SPARE))
    assert ticket.view().cursor == USD_BOLT
    ticket.go(-1)
    assert "To stays USD spare: USD Bolt was not taken." in said(ticket)
    assert ticket.draft == {FROM: USD_DESK, TO: USD_SPARE}
