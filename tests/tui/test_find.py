"""Find: one line of text that is searched for in all kinds at once."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random
from threading import Event

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import Action, SendPermission
from paytui.domain.models import (
    AccountId,
    Kind,
    PayIn,
    PayInId,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery, Window
from paytui.store.cache.list_reader import ListReader
from paytui.store.filter import TimeContext
from paytui.tui.screens.find import FindScreen
from paytui.tui.store_bridge import WindowReader
from paytui.tui.ticket.screen import TicketScreen
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import payment, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, the_app, until
from tests.tui.long_lists import a_book, cached, dashboard, many
from tests.tui.pictures import SIZES, Compare
from tests.tui.ticket.test_many_keys_at_once import send

NUMBER = "GB33BUKB20201555554821"


@pytest.fixture
def book(ui: Dashboard) -> Dashboard:
    """One object of each kind beside the small book, found by texts of their own."""
    address = PaymentAddress(PaymentAddressId("adr-1"), account_name="D Ltd", iban=NUMBER)
    dagny = Recipient(
        RecipientId("rec-1"),
        account_id=AccountId("acc-1"),
        company_name="Dagny Freight",
        status=State("active"),
        payment_addresses=(address,),
    )
    ui.store.recipients.put([dagny])
    paid = payment(4, "1200.50", "released", minutes_ago=9)
    paid = replace(paid, recipient_id=dagny.recipient_id, end_to_end_id="E2E-77", reference="Rent")
    ui.store.payments.put([paid])
    sold, bought = CurrencyCode("AUD"), CurrencyCode("USD")
    ui.store.trades.put(
        [
            Trade(
                TradeId("trd-1"),
                sell_currency=sold,
                sell_amount=Decimal("1200.50"),
                buy_currency=bought,
                buy_amount=Decimal("790.08"),
                status=State("exchanged"),
                reference="Cover",
                created_at=NOON,
            )
        ]
    )
    came = PayIn(PayInId("pin-1"), sender_name="Zofia Weld", status=State("credited"))
    ui.store.payins.put([replace(came, amount=Decimal(55), currency=sold, created_at=NOON)])
    ui.store.intents.put([intent_row(1)])
    return ui


async def find(pilot: Pilot[None], sought: str) -> list[str]:
    """Type a text over what is there; return what is found, without rules and the scroll bar."""
    await pilot.press("ctrl+u", *sought)
    await until(pilot, lambda: is_found(pilot))
    await pilot.pause()
    return [line.rstrip(" ▐─") for line in lines(pilot)[4:-1] if line.rstrip(" ▐")]


def search(pilot: Pilot[None]) -> FindScreen:
    screen = pilot.app.screen
    assert isinstance(screen, FindScreen)
    return screen


def is_found(pilot: Pilot[None]) -> bool:
    screen = search(pilot)
    return screen._found_for[0] == screen._line.value and not screen._is_searching


def headings(found: list[str]) -> list[str]:
    return [line.strip() for line in found if line.startswith(" ") and not line.startswith("  ")]


FOUND: tuple[tuple[str, list[str]], ...] = (
    ("dagny", ["Payments 1", "Recipients 1", "Intents 1"]),  # by the payee's name, too
    ("dag frei acc-1", ["Payments 1", "Recipients 1"]),
    ("frei rent", ["Payments 1"]),
    ("E2E-77", ["Payments 1"]),
    ("pay-4", ["Payments 1"]),
    ("1,200.50", ["Payments 1", "Trades 1"]),
    ("1200.5 rent", ["Payments 1"]),
    ("1.2k", ["Intents 1"]),
    ("790.08", ["Trades 1"]),
    ("zofia", ["Pay-ins 1"]),
    ("desk", ["Wallets 3", "Intents 1"]),  # the intent by the wallet that pays
    ("88,210.40", ["Wallets 1"]),
    ("bolt", ["Wallets 2", "Accounts 1", "Intents 1"]),
    ("PT-00000001", ["Intents 1"]),
    ("4821", ["Recipients 1"]),
    ("5554821", []),  # more of an account than its end
    ("status:released", []),
)


def test_it_finds_objects_by_all_that_names_them(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        for sought, expected in FOUND:
            assert headings(await find(pilot, sought)) == expected, sought

    book.play(scenario)


def test_of_an_account_number_only_the_end_is_shown(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        await find(pilot, "dagny")
        assert "4821" not in text(pilot)
        row = (await find(pilot, "4821"))[1]
        assert "…4821" in row
        assert "554821" not in text(pilot)

    book.play(scenario)


def test_of_an_account_number_in_a_title_only_the_end_is_found(book: Dashboard) -> None:
    title = f"Payment address EUR {NUMBER} of Dagny"
    action = Action.CREATE_PAYMENT_ADDRESS
    book.store.intents.put([intent_row(2, title=f"Create {title}", action=action)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        row = (await find(pilot, "address"))[1]
        assert "EUR …4821 of Dagny" in row
        assert await find(pilot, "BUKB2020") == await find(pilot, "no such thing")

    book.play(scenario, size=(120, 24))


def test_what_a_row_was_found_by_is_shown(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        row = (await find(pilot, "e2e-77"))[1]
        assert row.endswith("E2E-77")
        row = (await find(pilot, "790.08"))[1]
        assert "790.08 USD" in row
        found = await find(pilot, "acme")
        row = next(line for line in found if "1,200.50" in line)
        assert row.endswith("by Acme"), "the payer, where the payee is named beside"

    book.play(scenario, size=(120, 24))


def test_the_newest_come_first_and_the_last_line_opens_all_of_them(ui: Dashboard) -> None:
    ui.store.payments.put([payment(n, "1", minutes_ago=n) for n in range(100, 140)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "ctrl+f")
        found = await find(pilot, "ref")
        rows = [line.split()[-1] for line in found if "ref" in line]
        assert found[0].strip() == "Payments 43"
        assert rows[:5] == ["3", "2", "1", "100", "101"]
        assert len(rows) > 10, "more than a few: there is no other kind"
        await pilot.press("pageup", "up", *["down"] * len(rows))
        assert "▌ all 43 payments" in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "43 payments, filtered")
        assert lines(pilot)[3].strip() == "ref"
        await pilot.press("3")
        await shows(pilot, "AUD desk")
        assert " Find" not in text(pilot), "it was left for the list"

    ui.play(scenario)


def test_the_end_of_a_bank_account_comes_before_parts_of_identifiers(book: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.store.payments.put([payment(48210, "7")])
        await pilot.press("ctrl+f")
        shown = await find(pilot, "4821")
        assert shown[0].split() == ["Recipients", "1"]
        assert "Payments 1" in text(pilot)

    book.play(scenario)


def test_what_was_typed_as_an_identifier_comes_first(book: Dashboard) -> None:
    rows = [payment(7, "1"), payment(70, "2"), payment(71, "3")]
    book.store.payments.put(rows)
    book.store.recipients.put([Recipient(RecipientId("pay"), company_name="Zz pay-7")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        found = await find(pilot, "pay-7")
        assert found[0].strip() == "Payments 3"
        assert found[1].startswith("▌")
        assert found[1].endswith(" pay-7")
        found = await find(pilot, "pay")
        assert found[0].strip().startswith("Recipients"), "the one that is called so exactly"

    book.play(scenario, size=(120, 40))


@pytest.mark.parametrize(
    ("sought", "title"),
    [
        ("e2e-77", "Payout 1,200.50 AUD"),
        ("dagny x", ""),
        ("PT-00000001", "Find › Payout"),
    ],
)
def test_enter_opens_it_and_esc_returns(book: Dashboard, sought: str, title: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "ctrl+f", *sought, "enter")  # before it is found
        if not title:
            await shows(pilot, "Nothing matches")  # and opens nothing
        else:
            await shows(pilot, title)
            await pilot.press("escape")
            await shows(pilot, sought)
            await shows(pilot, "1 found")
        await pilot.press("escape")
        await shows(pilot, "2 accounts")

    book.play(scenario)


def test_what_is_typed_right_behind_the_key_is_its_text(book: Dashboard) -> None:
    """`a`, `q` and `1` are keys of the screen below."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "4 payments")
        pilot.app.post_message(events.Key("ctrl+f", "\x06"))
        send(pilot, "aq1")
        await until(pilot, lambda: isinstance(pilot.app.screen, FindScreen))
        await until(pilot, lambda: search(pilot)._line.value == "aq1")
        await pilot.press("ctrl+u")
        send(pilot, "PT-00000001\r")
        await shows(pilot, "› Payout")

    book.play(scenario)


def test_it_opens_over_an_object_and_is_returned_to(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter", "slash", *"e2e", "ctrl+f", *"dagny", "enter")
        await shows(pilot, "Payout 1,200.50 AUD to Dagny")
        await pilot.press("ctrl+f")
        await shows(pilot, "dagny")
        await shows(pilot, " Find in all accounts")
        await pilot.press("escape")
        await shows(pilot, "› Payout 12,000.00 AUD")

    book.play(scenario)


def test_a_slash_opens_it_where_there_is_no_filter(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4", "slash", *"p77")  # p is a key of the screen below
        await shows(pilot, "Find in all accounts")
        await shows(pilot, " p77")
        await pilot.press("escape", "6", "slash", *"p77")
        await shows(pilot, "0 payments, filtered")

    book.play(scenario)


def test_a_ticket_is_not_covered(book: Dashboard) -> None:
    book.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("t")
        await shows(pilot, "Sell")
        await pilot.press("ctrl+f")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TicketScreen)

    book.play(scenario)


def test_the_palette_opens_it(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("colon", *"find")
        await shows(pilot, "Find (ctrl+f)")
        await pilot.press("enter", "enter")
        await shows(pilot, " Find in all accounts")

    book.play(scenario)


def test_it_searches_the_account_in_scope_and_says_so(book: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).show_account(AccountId("acc-2"))
        await pilot.press("6", "ctrl+f")
        await shows(pilot, " Find in Bolt")
        await pilot.press(*"rent")
        await shows(pilot, "Nothing in Bolt matches. tab: search all accounts.")
        await pilot.press("tab")
        await shows(pilot, "Payments 1")
        assert "in all accounts" in lines(pilot)[1]
        found = await find(pilot, "ref")
        assert found[0].strip() == "Payments 3"
        await pilot.press("pagedown", "pageup", "down", "down", "down", "enter")
        await shows(pilot, "3 payments, filtered")
        assert the_app(pilot).ui.scope is None

    book.play(scenario)


HOSTILE = (
    *("[bold]x[/bold]", '"', 'a"b', "a:b", "<", "-", "->x", "last", "last 7d", "_", "…", "{", "%"),
    *("amount>", '"unclosed', "\x1b[31mred", "\0", "\ud800", "ا", "x" * 1_000, "a b " * 250),
)


def test_any_text_is_searched_for_as_it_stands(tmp_path: Path) -> None:
    """It is found in the one reference that has it, in memory as in the cache."""
    rows = [
        replace(payment(number, "1"), reference=f"so {sought} it" if sought.isprintable() else "")
        for number, sought in enumerate(HOSTILE)
    ]
    told: list[dict[str, int]] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        await pilot.pause()
        totals = {}
        for sought in HOSTILE:
            search(pilot)._line.value = sought
            await until(pilot, lambda: is_found(pilot))
            totals[sought] = search(pilot)._total
        told.append(totals)

    dashboard(rows).play(scenario)
    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)
    whole, queried = told
    assert queried == whole
    for sought in ("[bold]x[/bold]", 'a"b', "a:b", "->x", "last 7d", "amount>", '"unclosed'):
        assert whole[sought] == 1, sought
    assert whole["x" * 1_000] == 1


def test_markup_in_names_is_shown_as_it_is(ui: Dashboard) -> None:
    ui.store.payments.put([replace(payment(9, "1"), reference="[bold red]x[/]")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        row = (await find(pilot, "[bold"))[1]
        assert "[bold red]x[/]" in row

    ui.play(scenario, size=(120, 24))


def test_a_long_list_is_found_as_one_in_memory(tmp_path: Path) -> None:
    rows = a_book(Random(1), 300)  # noqa: S311 - a test repeats itself
    texts = ("acme", "acme rent", "500", "eur comp", "dagny", "pay-7", "ref 1", "released", "bogus")
    told: list[list[list[str]]] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        told.append([await find(pilot, sought) for sought in texts])

    dashboard(rows).play(scenario)
    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)
    whole, queried = told
    assert dict(zip(texts, queried, strict=True)) == dict(zip(texts, whole, strict=True))
    assert any("Payments" in line for line in whole[0])


def test_a_row_that_is_not_in_memory_is_asked_for_when_it_is_opened(tmp_path: Path) -> None:
    rows = many(100)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f", *"pay-17", "enter")
        await shows(pilot, "Payment pay-17")
        assert ui.port.loaded == [(Kind.PAYMENTS, "pay-17")]

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


class WaitingReader(ListReader):
    """A reader that reads what matches `slow` until it is interrupted."""

    reads: Event
    interrupted: Event

    def window(
        self,
        query: ListQuery,
        when: TimeContext,
        anchor: Anchor,
        reach: int,
        held: Window | None = None,
    ) -> Window:
        if query.filter == "slow":
            self.reads.set()
            assert self.interrupted.wait(20)
            raise Interrupted
        return super().window(query, when, anchor, reach, held)

    def interrupt(self) -> None:
        self.interrupted.set()
        super().interrupt()


def test_a_newer_text_ends_a_search_under_way(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(100)]
    WaitingReader.reads, WaitingReader.interrupted = Event(), Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f", *"slow")
        await until(pilot, WaitingReader.reads.is_set)
        assert "searching" in lines(pilot)[1]
        WaitingReader.interrupted.clear()
        last = (await find(pilot, "ref 17"))[-1]
        assert WaitingReader.interrupted.is_set()
        assert "ref 17" in last

    with cached(tmp_path, rows) as both:
        both.ui.lists = WindowReader(WaitingReader)
        both.ui.play(scenario)


def test_many_rows_in_memory_are_searched_between_keys(ui: Dashboard) -> None:
    ui.store.recipients.put(
        [Recipient(RecipientId(f"r{n}"), company_name=f"Firm {n:05}") for n in range(10_000)]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        found = await find(pilot, "firm 0999")
        assert found[0].strip() == "Recipients 11"
        await pilot.press("backspace", *"87")
        await shows(pilot, "1 found")  # firm 09987

    ui.play(scenario)


def test_it_follows_the_store_and_keeps_its_row(book: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        await find(pilot, "ref")
        await pilot.press("down")
        before = next(line for line in lines(pilot) if line.startswith("▌"))
        ui.store.payments.put([payment(8, "77.77")])
        ui.store.notify()
        await shows(pilot, "77.77")
        assert next(line for line in lines(pilot) if line.startswith("▌")) == before

    book.play(scenario)


def test_a_list_that_was_not_read_yet_is_named(book: Dashboard) -> None:
    feed = book.store.feed(Kind.TRADES)
    book.store.set_feed(replace(feed, as_of=None, read_at=None))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f", *"bogus")
        await shows(pilot, "trades read in part")
        ui.store.trades.remove([TradeId("trd-1")])
        ui.store.notify()
        await shows(pilot, "trades not read yet")

    book.play(scenario)


def a_picture(book: Dashboard) -> Dashboard:
    rows = [replace(payment(n, "1200.50", minutes_ago=n), reference=f"Acme {n}") for n in range(9)]
    book.store.payments.put(rows)
    book.store.wallets.put([wallet(9, "Acme reserve", "12")])
    return book


@pytest.mark.parametrize("size", ["80x24", pytest.param("120x40", marks=pytest.mark.slow)])
def test_what_was_found_looks_as_it_did(snap_compare: Compare, book: Dashboard, size: str) -> None:
    async def typed(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+f")
        await find(pilot, "acme")
        await pilot.press("down")

    app = a_picture(book).app()
    assert snap_compare(app, run_before=typed, terminal_size=SIZES[size])
