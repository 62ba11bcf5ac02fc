"""Money moves by pasted identifiers alone, on a service with documented operations only."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from tests.tui.dashboard import shows, text, until
from tests.tui.forms.served import Served

NUMBERS = ("12345678", "87654321")


@dataclass(frozen=True)
class Ids:
    """Objects that another program has created; of two payment addresses, the first by its id."""

    account: str
    aud: str
    usd: str
    recipient: str
    address: str
    number: str


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served(tmp_path / "demo.outbox.sqlite", documented_only=True)


async def created_elsewhere(served: Served) -> Ids:
    person = await served.create("/account/individual", firstName="Ada", lastName="Ng")
    account = person["accountId"]
    aud, usd = [
        (await served.create("/wallets", accountId=account, currency=currency))["walletId"]
        for currency in ("AUD", "USD")
    ]
    bank = {"currency": "USD", "country": "US", "accountType": "cacc", "accountName": "Globex Inc"}
    recipient = await served.create(
        "/recipients",
        accountId=account,
        recipientType="business",
        companyName="Globex Inc",
        paymentAddresses=[{**bank, "accountNumber": number} for number in NUMBERS],
    )
    made = {one["paymentAddressId"]: one["accountNumber"] for one in recipient["paymentAddresses"]}
    served.clock.advance(3600)  # pending no more
    await served.create("/payin-addresses", walletId=usd, payInAddressType="local")
    await served.pay_in(usd, "1000.00")
    served.clock.advance(3600)  # arrived
    address, number = min(made.items())
    return Ids(account, aud, usd, recipient["recipientId"], address, number)


async def paste(pilot: Pilot[None], pasted: str) -> None:
    """Into the line that has the focus without a key, and on."""
    pilot.app.post_message(events.Paste(pasted))
    await shows(pilot, pasted[:8])
    await pilot.press("enter")


async def confirm(served: Served, pilot: Pilot[None]) -> None:
    await pilot.press(*("pagedown",) * 3)
    served.clock.advance(1)
    await pilot.press("enter")
    await until(pilot, lambda: len(served.store.intents) == 1)
    await until(pilot, lambda: served.store.intents.rows()[0].standing is Standing.ACCEPTED)


async def prove(pilot: Pilot[None], number: str) -> None:
    await shows(pilot, "last 4 of its account number")
    assert number not in text(pilot)
    await pilot.press(*number[-4:], "enter")


@pytest.mark.slow
def test_a_trade_pays_a_recipient_by_identifiers_alone(served: Served) -> None:
    ids = asyncio.run(created_elsewhere(served))

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await pilot.press("t")
        await shows(pilot, "Trade · from")
        await paste(pilot, f"{ids.aud} aud")
        await shows(pilot, "Trade · into")
        await paste(pilot, ids.recipient)
        await shows(pilot, "Trade · bank account")
        await shows(pilot, "› (new, unverified) USD")
        await pilot.press("enter")
        await shows(pilot, "Trade · sell amount")
        await pilot.press(*"900", "enter")
        await shows(pilot, "Trade · reference")
        await pilot.press(*"INV 7", "enter")
        await prove(pilot, ids.number)
        await shows(pilot, "enter: book")
        await confirm(served, pilot)

        [intent] = served.store.intents.rows()
        [trade] = served.store.trades.rows()
        assert intent.object_id == trade.trade_transaction_id
        assert (trade.sell_wallet_id, trade.buy_wallet_id) == (ids.aud, None)
        assert (trade.recipient_id, trade.payment_address_id) == (ids.recipient, ids.address)

    served.play(scenario)


@pytest.mark.slow
def test_a_payout_goes_out_by_identifiers_alone(served: Served) -> None:
    ids = asyncio.run(created_elsewhere(served))

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "Payout · to")
        await paste(pilot, ids.recipient)
        await shows(pilot, "Payout · bank account")
        await shows(pilot, "› (new, unverified) USD")
        await pilot.press("enter")
        await shows(pilot, "Payout · from")
        await paste(pilot, f"{ids.usd} usd")
        await shows(pilot, "Payout · amount")
        await pilot.press(*"500", "tab", *"INV 7", "enter")
        await prove(pilot, ids.number)
        await shows(pilot, "enter: send")
        await confirm(served, pilot)

        [payment] = served.store.payments.rows()
        assert (payment.recipient_id, payment.payment_address_id) == (ids.recipient, ids.address)

    served.play(scenario)
