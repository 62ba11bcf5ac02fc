"""Keys that arrive in bursts take effect in the right place."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, armed, settings_of, shows, tells, text, until
from tests.tui.ticket.paying import book
from tests.tui.ticket.trading import fill, to_amount

DOWN, BACKSPACE = "\v", "\b"
KEYS = {" ": "space", "/": "slash", ":": "colon", "\r": "enter", "\t": "tab"}
KEYS |= {DOWN: "down", BACKSPACE: "backspace"}
"""What stands in a burst for the keys that write nothing."""

TO_AMOUNT = "globex\r\r"
"""What is typed into a new payout, so that USD desk is to pay Globex."""


@pytest.fixture
def paying() -> Dashboard:
    return Dashboard(store=book())


def test_a_whole_payout_typed_at_once_comes_to_its_review(paying: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        send(pilot, f"p{TO_AMOUNT}1k\tINV 7\r")
        await shows(pilot, "Payout · confirm")
        assert facts(pilot, "From").startswith("USD desk")
        assert facts(pilot, "Amount") == "1,000.00 USD"
        assert facts(pilot, "Reference").startswith("INV 7")
        assert ui.port.submitted == []

    paying.play(scenario)


def test_a_paste_behind_a_choice_goes_into_the_field_that_it_brings_up(paying: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, TO_AMOUNT)
        pilot.app.post_message(events.Paste("1k"))
        send(pilot, "\tINV 7\r")
        await shows(pilot, "Payout · confirm")
        assert facts(pilot, "Amount") == "1,000.00 USD"
        assert facts(pilot, "Reference").startswith("INV 7")

    paying.play(scenario)


def test_ctrl_c_quits_where_one_types_once_the_loss_is_agreed_to(paying: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, f"{TO_AMOUNT}5")
        await shows(pilot, "= 5.00 USD")
        await pilot.press("ctrl+c")
        await shows(pilot, "Quitting discards 1 unsent form.")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not pilot.app._running)

    paying.play(scenario)


@pytest.mark.slow
def test_what_is_refused_stays_in_its_field_and_what_follows_it_is_added_there(
    paying: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, f"{TO_AMOUNT}1x\r2")
        await shows(pilot, "1x2")
        assert "Payout · amount" in text(pilot)

    paying.play(scenario)


@pytest.mark.parametrize("live", [False, True], ids=["demo", "live"])
def test_what_comes_on_behind_the_last_answer_pays_nothing(live: bool) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, f"{TO_AMOUNT}1k\r\r\r1000\r\r")
        await shows(pilot, "Payout · confirm")
        await armed(ui, pilot)
        await pilot.pause()
        assert ui.port.submitted == []
        await pilot.press(*("1000" * live), "enter")
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    Dashboard(store=book(), settings=settings_of(live=live)).play(scenario)


@pytest.mark.slow
def test_what_is_rubbed_out_is_gone_before_the_amount_is_taken(paying: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, f"{TO_AMOUNT}12{BACKSPACE}0k\r")
        await shows(pilot, "Payout · confirm")
        assert facts(pilot, "Amount") == "10,000.00 USD"

    paying.play(scenario)


def test_the_cursor_is_moved_before_the_choice_is_made(paying: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_payee(pilot)
        send(pilot, f"globex\r{DOWN}\r5")
        await shows(pilot, "= 5.00 USD")
        await tells(pilot, "From USD spare")

    paying.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [("1",), ("3", "enter"), ("7", "1", "3")], ids=["overview", "detail", "known"]
)
def test_what_comes_behind_a_screens_number_is_for_that_screen(
    paying: Dashboard, start: tuple[str, ...]
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*start)
        await pilot.pause()
        send(pilot, "7/pay")
        await shows(pilot, " recipients, filtered")
        assert "pay" in text(pilot).splitlines()[3]
        assert "Payout" not in text(pilot)

    paying.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("start", [("1",), ("3", "enter")], ids=["overview", "detail"])
def test_what_comes_behind_the_key_of_the_palette_is_looked_for_there(
    paying: Dashboard, start: tuple[str, ...]
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*start)
        await pilot.pause()
        send(pilot, ":new rec")
        await shows(pilot, "New recipient (n on Recipients)")
        await shows(pilot, "new rec")

    paying.play(scenario)


def test_a_new_rate_that_is_asked_for_behind_an_amount_is_asked_for() -> None:
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_amount(pilot)
        send(pilot, "250k")
        pilot.app.post_message(events.Key("f5", None))
        send(pilot, "\r")
        await until(pilot, lambda: [pair for _, pair in ui.port.quotes] == [AUD_USD])

    ui.play(scenario)


def send(pilot: Pilot[None], typed: str) -> None:
    """Have all of this come in before any of it is carried out."""
    for one in typed:
        character = None if one in (DOWN, BACKSPACE) else one
        pilot.app.post_message(events.Key(KEYS.get(one, one), character))


def facts(pilot: Pilot[None], label: str) -> str:
    """Return the value beside a label."""
    found = next(line for line in text(pilot).splitlines() if line.strip().startswith(label))
    return found.strip().removeprefix(label).strip()


async def to_payee(pilot: Pilot[None]) -> None:
    await pilot.press("p")
    await shows(pilot, "Payout · to")
