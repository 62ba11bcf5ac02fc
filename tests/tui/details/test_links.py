"""Objects link to one another; esc goes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import (
    AccountId,
    PayIn,
    PayInAddress,
    PayInAddressId,
    PayInId,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    State,
    WalletId,
)
from tests.support.clock import NOON
from tests.tui.book import AUD, payment
from tests.tui.dashboard import Dashboard, lines, shows, text


def marked(pilot: Pilot[None]) -> str:
    """The line of the cursor; the first, where a value goes on in the next."""
    line = next(line for line in lines(pilot) if "▌" in line)
    return " ".join(line.replace("▌", "").replace("▐", "").split())


async def go_to(pilot: Pilot[None], label: str) -> None:
    """Move the cursor down to a line."""
    for _ in range(60):
        if marked(pilot).startswith(label):
            return
        await pilot.press("j")
    raise AssertionError(f"no {label} on:\n{text(pilot)}")


@pytest.fixture
def linked(ui: Dashboard) -> Dashboard:
    """A payout from AUD desk to a recipient, and a deposit into AUD desk."""
    paid = replace(
        payment(4, "75", minutes_ago=0),
        source_wallet_id=WalletId("wal-1"),
        destination_wallet_id=WalletId("wal-99"),
        recipient_id=RecipientId("rec-1"),
        payment_address_id=PaymentAddressId("adr-1"),
    )
    address = PaymentAddress(
        PaymentAddressId("adr-1"), RecipientId("rec-1"), currency=AUD, account_number="12345678"
    )
    deposit = PayIn(
        PayInId("pin-1"), WalletId("wal-1"), PayInAddressId("pia-1"), Decimal("12.5"), AUD,
        State("credited", final=True), "Opening Ltd", "first", NOON - timedelta(days=1),
    )  # fmt: skip
    store = ui.store
    store.payments.put([paid])
    store.recipients.put([Recipient(RecipientId("rec-1"), AccountId("acc-1"), first_name="Ada")])
    store.payment_addresses.put([address])
    store.payin_addresses.put([PayInAddress(PayInAddressId("pia-1"), WalletId("wal-1"))])
    store.payins.put([deposit])
    return ui


@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "arrives_at"),
    [
        ("To recipient › Ada", "Recipient Ada"),
        ("Payment address › 12345678", "Payment address AUD of Ada"),
    ],
)
def test_a_payment_leads_to_all_that_it_names_and_back_to_the_same_line(
    linked: Dashboard, link: str, arrives_at: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payout 75.00 AUD to Ada")
        await go_to(pilot, link)
        before = lines(pilot)[2:-1]
        await pilot.press("enter")
        await shows(pilot, arrives_at)
        await pilot.press("escape")
        await shows(pilot, "Payout 75.00 AUD to Ada")
        assert lines(pilot)[2:-1] == before

    linked.play(scenario)


@pytest.mark.slow
def test_one_can_walk_on_from_object_to_object_and_all_the_way_back(linked: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payout 75.00 AUD to Ada")
        way = [
            ("From wallet", "Wallet AUD desk of Acme"),
            ("01 Mar 12:00", "Pay-in 12.50 AUD from Opening Ltd"),
            ("Pay-in address", "Pay-in address of AUD desk"),
            ("Wallet", "Wallet AUD desk of Acme"),
            ("Account ›", "Account Acme"),
            ("AUD", "Wallet AUD desk of Acme"),
        ]
        for label, title in way:
            await go_to(pilot, label)
            await pilot.press("enter")
            await shows(pilot, f" {title}")
        for earlier in reversed(
            ["Payout 75.00 AUD to Ada", *(title for _label, title in way[:-1])]
        ):
            await pilot.press("escape")
            await shows(pilot, f" {earlier}")

    linked.play(scenario, size=(80, 60))


@pytest.mark.slow
def test_an_account_leads_to_its_own_wallets_and_recipients_alone(linked: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "Account Acme")
        await shows(pilot, "Wallets, available (2)")
        assert "Recipients (1)" in text(pilot)
        assert "1,204,330.15 AUD" in text(pilot)
        assert "payroll" not in text(pilot)
        await go_to(pilot, "recipient ")
        await pilot.press("enter")
        await shows(pilot, "Recipient Ada")

    linked.play(scenario, size=(80, 60))


@pytest.mark.slow
def test_an_identifier_that_was_not_read_says_that_it_cannot_be_opened(linked: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "wal-99  cannot be opened: not among the rows read")
        await go_to(pilot, "To wallet")
        await pilot.press("enter")
        await shows(pilot, "esc: back")  # the value alone
        await pilot.press("escape", "y")
        assert pilot.app.clipboard == "wal-99"

    linked.play(scenario)


@pytest.mark.slow
def test_the_cursor_stays_on_its_line_while_lines_come_in_above(linked: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet AUD desk of Acme")
        await go_to(pilot, "01 Mar 12:00")
        (first,) = ui.store.payins.rows()
        newer = replace(first, pay_in_transaction_id=PayInId("pin-2"), created_at=NOON)
        ui.store.payins.put([newer])
        ui.store.notify()
        await shows(pilot, "Activity (3)")
        assert marked(pilot).startswith("01 Mar 12:00")

    linked.play(scenario, size=(80, 60))


def test_of_much_activity_the_newest_fifty_are_led_to_and_all_are_counted(
    linked: Dashboard,
) -> None:
    (first,) = linked.store.payins.rows()
    linked.store.payins.put(
        replace(first, pay_in_transaction_id=PayInId(f"more-{n}")) for n in range(60)
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Activity (50 of 62)")

    linked.play(scenario, size=(80, 60))


@pytest.mark.slow
def test_on_a_wide_screen_the_cursor_crosses_to_the_other_column(linked: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet AUD desk of Acme")
        left = next(line for line in lines(pilot) if "▌" in line).index("▌")
        await pilot.press("l")
        assert next(line for line in lines(pilot) if "▌" in line).index("▌") > left + 50
        await pilot.press("h")
        assert next(line for line in lines(pilot) if "▌" in line).index("▌") == left

    linked.play(scenario, size=(120, 40))


def test_an_amount_is_never_cut_however_small_the_screen(linked: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "1,204,330.15 AUD")

    linked.play(scenario, size=(44, 20))
