"""A filter over a list: its rows, its messages, and the cursor."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tui.book import account, payment
from tests.tui.dashboard import Dashboard, lines, shows, tells, text, tick
from tests.tui.test_lists import cursor_line

KEYS = {
    '"': "quotation_mark",
    ":": "colon",
    ">": "greater_than_sign",
    "<": "less_than_sign",
    "=": "equals_sign",
    " ": "space",
    "-": "minus",
}


async def type_in(pilot: Pilot[None], words: str) -> None:
    """Open the line and type."""
    await pilot.press("slash", *(KEYS.get(char, char) for char in words))


def amounts(pilot: Pilot[None]) -> list[str]:
    """The amounts of the payments that are on screen."""
    return [line.split("AUD")[0].split()[-1] for line in lines(pilot)[4:-2] if " AUD " in line]


def test_rows_are_filtered_while_one_types(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        await shows(pilot, "2 payments, filtered")
        assert amounts(pilot) == ["12,000.00", "2,500.50"]
        await pilot.press("space", *"status", "colon", *"proc")
        await shows(pilot, "1 payment, filtered")
        assert amounts(pilot) == ["2,500.50"]

    ui.play(scenario)


def test_a_paste_of_several_lines_is_taken_whole_and_none_of_them_is_an_enter(
    ui: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash")
        pilot.app.post_message(events.Paste("amount>1k\r\nstatus:proc\n"))
        await shows(pilot, "1 payment, filtered")
        assert "amount>1k status:proc" in text(pilot)
        await pilot.press("space", *"q")
        await shows(pilot, "0 payments, filtered")

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        # service.md, the states of a payment
        (
            "status:bogus",
            (
                "No such status: bogus. Known: cancelled, completed, compliance_review, "
                "created, failed, processing, rejected, released, returned. esc: clear the filter."
            ),
        ),
        ("status:returned", "No payments match the filter. esc: clear."),
    ],
)
def test_a_state_that_there_is_not_is_told_with_those_that_there_are(
    ui: Dashboard, typed: str, told: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, typed)
        await tells(pilot, told)

    ui.play(scenario)


@pytest.mark.slow
def test_esc_shows_all_rows_again_from_the_line_and_from_the_list(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        for leave in ((), ("enter",)):
            await type_in(pilot, "rejected")
            await shows(pilot, "1 payment, filtered")
            await pilot.press(*leave, "escape")
            await shows(pilot, "3 payments")
            assert "rejected" in cursor_line(pilot)
            assert "filtered" not in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_enter_keeps_the_filter_and_gives_the_keys_back_to_the_list(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        await pilot.press("enter", "j")
        assert "2,500.50" in cursor_line(pilot)
        await pilot.press("3", "6")
        await shows(pilot, "2 payments, filtered")
        assert "2,500.50" in cursor_line(pilot)

    ui.play(scenario)


def test_the_cursor_stays_on_its_row_while_others_are_filtered_out(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j")
        assert "2,500.50" in cursor_line(pilot)
        await type_in(pilot, "processing")
        await pilot.press("escape")
        await shows(pilot, "3 payments")
        assert "2,500.50" in cursor_line(pilot)

    ui.play(scenario)


def test_the_cursor_stands_on_the_first_hit_until_it_is_moved(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "j")
        assert " 100.00" in cursor_line(pilot)
        await type_in(pilot, "ref")
        await pilot.press("enter")
        assert "12,000.00" in cursor_line(pilot)
        await pilot.press("escape")
        await shows(pilot, "3 payments")
        assert " 100.00" in cursor_line(pilot)
        await type_in(pilot, "ref")
        await pilot.press("enter", "j", "escape")
        await shows(pilot, "3 payments")
        assert "2,500.50" in cursor_line(pilot)

    ui.play(scenario)


def test_the_first_hit_is_the_one_that_was_read_though_another_comes_before_it(
    ui: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "j")
        await type_in(pilot, "ref")
        ui.store.payments.put([payment(8, "8")])
        ui.store.notify()
        await shows(pilot, "4 payments, filtered")
        await pilot.press("enter")
        assert " 8.00" in cursor_line(pilot)
        ui.store.payments.put([payment(9, "9", minutes_ago=-1)])
        ui.store.notify()
        await shows(pilot, "5 payments, filtered")
        assert " 8.00" in cursor_line(pilot)

    ui.play(scenario)


def test_rows_that_come_in_are_filtered_as_well(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        ui.store.payments.put([payment(8, "7"), payment(9, "7777")])
        ui.store.notify()
        await shows(pilot, "3 payments, filtered")
        assert amounts(pilot) == ["7,777.00", "12,000.00", "2,500.50"]

    ui.play(scenario)


def test_an_error_after_a_filter_that_matched_nothing_is_not_told_as_no_match(
    ui: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "bogus")
        await shows(pilot, "No payments match the filter.")
        await pilot.press("colon", *"9")
        await shows(pilot, "The filter was not applied. /: edit, esc: clear.")

    ui.play(scenario)


def tones(pilot: Pilot[None]) -> set[object]:
    """The colours of the amounts in the list."""
    strips = pilot.app.screen._compositor.render_strips()[:-2]  # without the sums
    segments = (segment for strip in strips for segment in strip)
    return {one.style.color for one in segments if one.style and one.text.strip()[-3:] in CENTS}


CENTS = (".00", ".50")


def test_an_error_is_told_and_the_rows_are_dimmed_until_it_is_mended(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        await shows(pilot, "2 payments, filtered")
        plain = tones(pilot)
        await pilot.press("space", *"ref", "colon", *"9")
        await shows(pilot, 'Not applied: Unknown field "ref". Quote it to search for it.')
        assert amounts(pilot) == ["12,000.00", "2,500.50"]
        assert "2 payments, shown: amount>1k ref · AUD 14,500.50" in text(pilot)
        assert tones(pilot).isdisjoint(plain)
        await pilot.press("backspace", "backspace")
        await shows(pilot, "2 payments, filtered")
        assert tones(pilot) == plain

    ui.play(scenario)


@pytest.mark.parametrize("key", "235678")
def test_f1_shows_fields_and_examples_and_returns_to_the_line(ui: Dashboard, key: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key, "slash", "f1")
        await shows(pilot, "acme -sydney")
        assert "last 7d" in text(pilot)
        if key == "6":
            assert 'reference:"ref 1"' in text(pilot)
            assert "  status:completed created:2026-03-02 " in text(pilot)
            assert "  amount>=100 -status:completed " in text(pilot)
        await pilot.press("escape", *"zz")
        await shows(pilot, "zz")
        assert "Filter" not in lines(pilot)[1]

    ui.play(scenario, size=(100, 60))


def test_tab_completes_a_field_and_then_goes_through_the_states(ui: Dashboard) -> None:
    """service.md, the states of a payment that begin with c."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"sta", "tab", *"c", "tab")
        await shows(pilot, "status:cancelled")
        await pilot.press("tab")
        await shows(pilot, "status:completed")
        await shows(pilot, "1 payment, filtered")
        await pilot.press("space", *"end", "tab", *"e2", "tab")
        await shows(pilot, "status:completed end-to-end-id:e2")

    ui.play(scenario)


@pytest.mark.slow
def test_a_filter_of_ages_goes_on_with_the_time(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "age<90s")
        await shows(pilot, "1 payment, filtered")
        ui.clock.advance(60)
        await tick(pilot)
        await shows(pilot, "0 payments, filtered")

    ui.play(scenario)


@pytest.mark.parametrize("key", ["2", "7"])
def test_every_list_has_a_filter_and_a_screen_opens_with_the_keys_at_its_list(
    ui: Dashboard, key: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await type_in(pilot, "nowhere")
        await shows(pilot, "match the filter. esc: clear.")
        await pilot.press("escape", "3")
        await shows(pilot, "4 wallets")

    ui.play(scenario)


def test_a_new_name_has_the_rows_that_name_it_looked_at_again(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "acme")
        await shows(pilot, "3 payments, filtered")
        ui.store.accounts.put([account(1, "Zephyr")])
        ui.store.notify()
        await shows(pilot, "No payments match the filter")
        ui.store.accounts.put([account(1, "Acme")])
        ui.store.notify()
        await shows(pilot, "3 payments, filtered")

    ui.play(scenario)
