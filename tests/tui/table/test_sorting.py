"""Lists sorted by several columns; the orders are written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Recipient, RecipientId, WalletId
from paytui.tui.screens.transactions import payments
from tests.tui.book import USD, payment, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, until

MARK = "▌"


@pytest.fixture
def blotter(ui: Dashboard) -> Dashboard:
    """Seven payments; the list is put on by Status, then Amount, in the tests below."""
    ui.store.payments.put(
        [
            payment(4, "40", "processing", minutes_ago=4),
            payment(5, "50", "completed", minutes_ago=5),
            payment(6, "60", "processing", minutes_ago=6),
            replace(payment(7, "70", minutes_ago=7), amount=None),
        ]
    )
    return ui


def references(pilot: Pilot[None]) -> list[str]:
    """The payments from the top, by the number in their reference."""
    return [line.split(" ref ")[1][0] for line in lines(pilot) if " ref " in line]


async def cursor_on(pilot: Pilot[None], words: str) -> None:
    """Wait until the row under the cursor says this."""
    await until(
        pilot, lambda: any(f"{words} " in f"{line} " for line in lines(pilot) if MARK in line)
    )


def test_of_many_rows_each_is_sorted_by_the_name_that_it_shows(ui: Dashboard) -> None:
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), company_name="Globex_Ltd")])
    aud, usd, recipient = WalletId("wal-1"), WalletId("wal-4"), RecipientId("rec-1")
    rows = [
        replace(payment(1, "1"), source_wallet_id=usd, recipient_id=recipient),
        replace(payment(2, "2"), source_wallet_id=aud, destination_wallet_id=usd),
        replace(payment(3, "3"), source_wallet_id=None, recipient_id=None),
        replace(payment(4, "4"), source_wallet_id=usd, destination_wallet_id=aud),
        replace(payment(5, "5"), source_wallet_id=aud, recipient_id=recipient),
    ]
    by_title = {column.title: column.key for column in payments(ui.app().ui).columns}
    (from_key, to_key) = by_title["From"], by_title["To"]
    assert from_key is not None
    assert to_key is not None
    assert list(map(from_key, rows)) == ["usd desk", "aud desk", None, "usd desk", "aud desk"]
    assert list(map(to_key, rows)) == ["globex ltd", "usd desk", None, "aud desk", "globex ltd"]


def test_of_two_sorts_each_goes_by_the_names_of_its_time(ui: Dashboard) -> None:
    recipient = RecipientId("rec-1")
    row = replace(payment(1, "1"), recipient_id=recipient)
    [key] = [column.key for column in payments(ui.app().ui).columns if column.title == "To"]
    assert key is not None
    found = []
    for name in ("Globex", "Initech"):
        ui.store.recipients.put([Recipient(recipient, company_name=name)])
        found.append(key(row))
    assert found == ["globex", "initech"]


def test_a_recipient_and_a_wallet_of_one_identifier_are_sorted_by_their_own_names(
    ui: Dashboard,
) -> None:
    ui.store.recipients.put([Recipient(RecipientId("wal-4"), company_name="Globex")])
    rows = [
        replace(payment(1, "1"), recipient_id=RecipientId("wal-4")),
        replace(payment(2, "2"), recipient_id=None, destination_wallet_id=WalletId("wal-4")),
    ]
    [key] = [column.key for column in payments(ui.app().ui).columns if column.title == "To"]
    assert key is not None
    assert list(map(key, rows)) == ["globex", "usd desk"]


CLEARED = ("o", "backspace")
"""Opens the dialog on the first column, by which lists are sorted at first, and takes it out."""


def column(pilot: Pilot[None], title: str) -> tuple[str, ...]:
    """The keys from the first column of the dialog to one of this title."""
    titles = [line.strip("│▐ ") for line in lines(pilot) if "│" in line]
    return ("j",) * next(n - 1 for n, found in enumerate(titles) if found.endswith(title))


async def choose(pilot: Pilot[None], *titles: str) -> None:
    """Have the payments sorted by these; `-` turns one around."""
    await pilot.press("6", *CLEARED)
    for title in titles:
        await pilot.press("g", *column(pilot, title.removeprefix("-")), "space")
        if title.startswith("-"):
            await pilot.press("space")
    await pilot.press("escape")
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("titles", "expected", "words"),
    [
        # completed: - 50 100; processing: 40 60 2500.5; rejected: 12000
        (("Status", "-Amount"), "1572643", "by Status, then Amount per currency ▼"),
        (("Ccy", "Status", "-Created"), "1572463", "by Ccy, then Status, then Created ▼"),
    ],
)
def test_equal_rows_of_the_first_column_are_in_the_order_of_the_next(
    blotter: Dashboard, titles: tuple[str, ...], expected: str, words: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await choose(pilot, *titles)
        assert "".join(references(pilot)) == expected
        assert f" 7 payments, {words}" in text(pilot)

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_headings_carry_rank_and_direction_of_each(blotter: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        assert "Created▼ " in text(pilot)
        await choose(pilot, "Ccy", "-Amount", "Status")
        heading = lines(pilot)[3]
        assert [mark in heading for mark in ("▼2 Amount", "Ccy▲1", "Status▲3")] == [True] * 3

    blotter.play(scenario)


@pytest.mark.slow
def test_the_list_under_the_dialog_shows_at_once_what_comes_of_it(blotter: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "o")
        assert "by Created ▼" in text(pilot)
        await pilot.press("backspace")
        await until(pilot, lambda: "by Created" not in text(pilot))
        await pilot.press("enter")
        await shows(pilot, "by Created")
        assert "by Created ▼" not in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "by Created ▼")

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_shift_s_turns_all_of_an_order_and_s_takes_one_column_again(blotter: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await choose(pilot, "Status", "-Amount")
        await pilot.press("S")
        assert "by Status ▼, then Amount per currency" in text(pilot)
        assert "".join(references(pilot)) == "3462751"
        await pilot.press("s")
        assert "then" not in lines(pilot)[2]

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_a_row_that_changes_moves_to_its_new_place_and_the_cursor_with_it(
    blotter: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await choose(pilot, "Status", "-Amount")
        await pilot.press("g", "j", "j", "j")
        await cursor_on(pilot, "ref 2")
        ui.store.payments.put([payment(2, "75", "completed", minutes_ago=2)])
        ui.store.notify()
        await until(pilot, lambda: "75.00" in text(pilot))
        assert "".join(references(pilot)) == "1257643"
        await cursor_on(pilot, "ref 2")

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("s",), ("o", "j", "space", "escape")])
def test_the_cursor_stays_on_its_row_when_the_order_changes(
    blotter: Dashboard, keys: tuple[str, ...]
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j")
        await cursor_on(pilot, "ref 2")
        await pilot.press(*keys)
        await pilot.pause()
        await cursor_on(pilot, "ref 2")

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_the_cursor_keeps_its_row_while_rows_change_under_order_and_filter_at_once(
    blotter: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await choose(pilot, "Status", "Amount")
        await pilot.press("slash", *"amount<5k", "enter")
        await shows(pilot, "5 payments")
        await pilot.press("G")
        await cursor_on(pilot, "ref 2")
        for number in range(20, 30):
            ui.store.payments.put([payment(number, str(number), "processing")])
        ui.store.payments.remove([payment(5, "0").payment_transaction_id])
        ui.store.notify()
        await shows(pilot, "14 payments")
        await cursor_on(pilot, "ref 2")
        await pilot.press("k")
        await cursor_on(pilot, "ref 6")

    blotter.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_an_order_that_rests_on_names_follows_them(ui: Dashboard) -> None:
    ui.store.wallets.put([wallet(5, "USD spare", "1", currency=USD, account=3)])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        from tests.tui.book import account

        await pilot.press("3", *CLEARED, "j", "space", "g", "space", "escape")
        await shows(pilot, "by Account, then Wallet")
        rows = [line for line in lines(pilot) if "active" in line]
        assert "USD spare" in rows[0]  # acc-3, then Acme, then Bolt
        ui.store.accounts.put([account(3, "Zulu")])
        ui.store.notify()
        await shows(pilot, "Zulu")
        rows = [line for line in lines(pilot) if "active" in line]
        assert "USD spare" in rows[-1]

    ui.play(scenario, size=(120, 40))
