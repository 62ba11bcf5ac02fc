"""The end of a new or changed account number is typed before the first payment to it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import Intent, Standing
from paytui.domain.models import Kind, Problem, Recipient, bank_fingerprint
from paytui.tui.step_protocol import Wizard
from paytui.tui.wizards.decision_wizard import DecisionWizard
from paytui.tui.wizards.payment_wizard import payout_from, repeat_of
from paytui.tui.wizards.trade_wizard import TradeWizard, trade_from
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, read
from tests.tui.dashboard import Dashboard, armed, choose, shows, text
from tests.tui.wizards.paying import (
    GLOBEX,
    USD_DESK,
    WAYNE,
    Paying,
    address,
    book,
    confirm,
    forget,
    paid_before,
    recipient,
    said,
)
from tests.tui.wizards.trading import Trading

ENDS = "3451"
"""Globex's account is 000123451 (paying.py)."""

ASKED = "verify payee"


def new(paying: Paying | None = None) -> Paying:
    """Somebody who pays Globex for the first time."""
    paying = paying or Paying()
    forget(paying.store)
    return paying


def name(wizard: Wizard) -> str:
    return wizard.view().name


def prove(wizard: Wizard, typed: str = ENDS) -> None:
    wizard.typed(typed)
    wizard.go_on()


def pay(paying: Paying) -> Intent:
    """A first payout, which the service accepts."""
    wizard = paying.ready_payout()
    if name(wizard) == ASKED:
        prove(wizard)
    confirm(wizard)
    paying.becomes("processing")
    paying.stands(Standing.ACCEPTED, object_id="pay-9")
    return paying.port.submitted[-1]


def change(paying: Paying) -> None:
    """Globex's account is another one from now on, under the same identifier."""
    other = replace(address(1, 1), account_number="000999888")
    paying.store.recipients.put([recipient(1, "Globex", other)])


class TestAPayout:
    def test_to_a_new_account_asks_how_it_ends_and_does_not_tell(self) -> None:
        wizard = new().ready_payout()
        assert name(wizard) == ASKED
        assert wizard.view().confirms is None
        assert "First payment to this account" in said(wizard)
        assert ENDS not in said(wizard)

    def test_shows_no_number_at_any_step_before_it_nor_on_the_way_back(self) -> None:
        wizard = new().payout(USD_DESK)
        seen = [said(wizard)]
        wizard.chosen(GLOBEX)
        seen.append(said(wizard))
        for typed in ("12", "INV 7"):
            wizard.typed(typed)
            wizard.go_on()
            seen.append(said(wizard))
        assert name(wizard) == ASKED
        while wizard.back():
            seen.append(said(wizard))
        assert len(seen) == 8
        assert [shown for shown in seen if "000123451" in shown or ENDS in shown] == []
        assert "Account new account USD  First National, US" in seen[1]

    def test_offers_accounts_by_their_bank_alone(self) -> None:
        wizard = new().payout(USD_DESK)
        wizard.chosen(WAYNE)
        assert name(wizard) == "account"
        assert "new account USD | First National, US |" in said(wizard)
        assert "0001234" not in said(wizard)

    def test_that_changes_while_it_is_confirmed_no_longer_shows_its_number(self) -> None:
        paying = new()
        pay(paying)
        wizard = paying.ready_payout("7")
        assert "000123451" in said(wizard)
        change(paying)
        wizard.store_changed()
        assert "press esc and type" in said(wizard)
        assert "000999888" not in said(wizard)
        assert "hidden until you type its last 4" in said(wizard)

    def test_is_confirmed_once_that_is_typed(self) -> None:
        paying = new()
        wizard = paying.ready_payout()
        prove(wizard)
        assert name(wizard) == "confirm"
        confirm(wizard)
        [intent] = paying.port.submitted
        assert intent.terms.paid_at == bank_fingerprint(address(1, 1))

    def test_goes_no_further_while_something_else_is_typed(self) -> None:
        paying = new()
        wizard = paying.ready_payout()
        for typed in ("", "1234", "9999"):
            prove(wizard, typed)
            assert name(wizard) == ASKED
            assert "do not match this account" in said(wizard)
            confirm(wizard)
        assert paying.port.submitted == []

    def test_to_an_account_that_was_paid_asks_nothing_more(self) -> None:
        wizard = Paying().ready_payout()
        assert name(wizard) == "confirm"
        assert wizard.view().place == "5 of 5"

    def test_asks_it_once_an_account_and_not_of_each_payout(self) -> None:
        paying = new()
        pay(paying)
        assert name(paying.ready_payout("7")) == "confirm"

    def test_asks_again_where_the_account_has_changed_since(self) -> None:
        paying = new()
        pay(paying)
        change(paying)
        wizard = paying.ready_payout("7")
        assert name(wizard) == ASKED
        assert "Bank details changed since the last payment" in said(wizard)
        prove(wizard, ENDS)
        assert name(wizard) == ASKED
        prove(wizard, "9888")
        assert name(wizard) == "confirm"

    def test_is_not_sent_where_the_account_changes_while_it_is_confirmed(self) -> None:
        paying = new()
        pay(paying)
        wizard = paying.ready_payout("7")
        shown = wizard.view().confirms
        change(paying)
        wizard.store_changed()
        wizard.confirm(shown)
        wizard.confirm(wizard.view().confirms)
        assert len(paying.port.submitted) == 1
        assert "press esc and type" in said(wizard)
        wizard.back()
        assert name(wizard) == ASKED

    def test_asks_again_of_who_goes_back(self) -> None:
        wizard = new().ready_payout()
        prove(wizard)
        wizard.back()
        assert name(wizard) == ASKED
        assert wizard.view().place == "5 of 6"
        wizard.back()
        assert name(wizard) == "reference"

    def test_of_the_same_again_asks_where_it_was_never_released(self) -> None:
        paying = new()
        before = replace(
            paid_before("adr-1"),
            source_wallet_id=USD_DESK,
            recipient_id=GLOBEX,
            status=None,
        )
        assert name(repeat_of(paying.ui, before)) == "amount"
        wizard = repeat_of(paying.ui, replace(before, amount=Decimal(1)))
        assert name(wizard) == ASKED

    def test_of_a_recipient_under_the_cursor_asks_as_well(self) -> None:
        paying = new()
        row = paying.store.recipients.get(GLOBEX)
        assert isinstance(row, Recipient)
        wizard = payout_from(paying.ui, row)
        wizard.chosen(USD_DESK)
        wizard.chosen(GLOBEX)
        wizard.typed("12")
        wizard.go_on()
        wizard.go_on()
        assert name(wizard) == ASKED

    def test_between_wallets_asks_nothing(self) -> None:
        wizard = new().transfer(USD_DESK)
        wizard.chosen("wal-3")
        wizard.typed("1")
        wizard.go_on()
        wizard.go_on()
        assert name(wizard) == "confirm"


class TestATrade:
    def ready(self) -> tuple[Trading, TradeWizard]:
        """Foundry is paid for the first time."""
        trading = Trading()
        forget(trading.store)
        trading.hold("one", {AUD_USD: "0.65123"})
        machine = trade_from(trading.ui, trading.store.wallets.rows()[0])
        machine.chosen("adr-1")
        machine.typed("1000")
        machine.go_on()
        machine.typed("Invoice 42")
        machine.go_on()
        return trading, machine

    def test_that_pays_a_new_account_asks_before_it_has_a_rate(self) -> None:
        trading, machine = self.ready()
        assert name(machine) == ASKED
        assert machine.view().place == "6 of 8"
        assert "6789" not in said(machine)
        assert trading.port.quotes == []

    def test_offers_a_new_account_by_its_bank_alone(self) -> None:
        trading = Trading()
        forget(trading.store)
        machine = trade_from(trading.ui, trading.store.wallets.rows()[0])
        [payee] = [one for one in machine.view().options if one.key == "adr-1"]
        assert payee.facts == "recipient  new account USD  First Bank, US"
        assert "6789" not in said(machine)

    def test_whose_account_changes_while_it_is_confirmed_no_longer_shows_it(self) -> None:
        trading = Trading()
        machine = trading.about_to_pay()
        assert "000123456789" in said(machine)
        [foundry] = trading.store.recipients.rows()
        [account] = foundry.payment_addresses
        moved = replace(account, account_number="000999888")
        trading.store.recipients.put([replace(foundry, payment_addresses=(moved,))])
        forget(trading.store)
        assert "hidden until you type its last 4" in said(machine)
        assert "000999888" not in said(machine)

    def test_goes_on_once_it_is_typed(self) -> None:
        trading, machine = self.ready()
        prove(machine, "0000")
        assert name(machine) == ASKED
        prove(machine, "6789")
        assert name(machine) == "rate"
        machine.chosen("locked")
        machine.confirm(machine.view().confirms)
        [intent] = trading.port.submitted
        assert intent.terms.paid_at is not None

    def test_is_not_booked_where_the_account_changes_while_it_is_confirmed(self) -> None:
        trading, machine = self.ready()
        prove(machine, "6789")
        machine.chosen("locked")
        [foundry] = trading.store.recipients.rows()
        [account] = foundry.payment_addresses
        moved = replace(account, account_number="000999888")
        trading.store.recipients.put([replace(foundry, payment_addresses=(moved,))])
        machine.confirm(machine.view().confirms)
        assert trading.port.submitted == []
        assert "press esc and type" in said(machine)

    def test_into_a_wallet_asks_nothing(self) -> None:
        trading = Trading()
        forget(trading.store)
        machine = trade_from(trading.ui, trading.store.wallets.rows()[0])
        machine.chosen("wal-4")
        machine.typed("1000")
        machine.go_on()
        machine.go_on()
        assert machine.view().place == "6 of 7"


class TestADecision:
    def decision(self, paying: Paying, standing: Standing, ends: str = ENDS) -> DecisionWizard:
        """Return a decision to send an intent whose account changed after confirmation."""
        wizard = paying.ready_payout()
        if name(wizard) == ASKED:
            prove(wizard, ends)
        confirm(wizard)
        row = row_of(paying.port.submitted[-1], standing)
        paying.store.intents.put([row])
        return DecisionWizard(paying.ui, row)

    def test_to_send_what_was_confirmed_as_the_account_is_asks_nothing(self) -> None:
        decision = self.decision(new(), Standing.RECORDED)
        decision.chosen("send it now")
        assert name(decision) == "confirm"

    def test_to_send_it_shows_no_number_of_an_account_that_changes_meanwhile(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.RECORDED)
        decision.chosen("send it now")
        assert "000123451" in said(decision)
        change(paying)
        assert "000999888" not in said(decision)
        assert "hidden until you type its last 4" in said(decision)

    def test_to_send_it_to_a_changed_account_asks_how_that_ends(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.RECORDED)
        change(paying)
        decision.chosen("send it now")
        assert name(decision) == ASKED
        prove(decision, ENDS)
        decision.confirm(decision.view().confirms)
        assert paying.port.decided == []
        prove(decision, "9888")
        decision.confirm(decision.view().confirms)
        assert len(paying.port.decided) == 1

    def test_to_repeat_it_asks_as_well(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.IN_DOUBT)
        change(paying)
        decision.chosen("send the same again, under the same key")
        assert name(decision) == ASKED

    @pytest.mark.parametrize(
        ("standing", "verdict"),
        [
            (Standing.RECORDED, "send it now"),
            (Standing.IN_DOUBT, "send the same again, under the same key"),
        ],
    )
    def test_to_send_it_waits_until_its_account_was_read(
        self, standing: Standing, verdict: str
    ) -> None:
        paying = new()
        decision = self.decision(paying, standing)
        recalled = replace(recipient(1, "Globex"), payment_addresses=())
        paying.store.recipients.put([recalled])
        decision.chosen(verdict)
        decision.confirm(decision.view().confirms)
        assert paying.port.decided == []
        assert "was not read yet: decide once it is read" in said(decision)
        change(paying)
        read(paying.store, paying.clock)
        decision.confirm(decision.view().confirms)
        assert paying.port.decided == []
        decision.back()
        decision.chosen(verdict)
        assert name(decision) == ASKED

    @pytest.mark.parametrize(
        ("kind", "short"),
        [
            (Kind.RECIPIENTS, {"cached": True}),
            (Kind.PAYMENT_ADDRESSES, {"problem": Problem("read", "503")}),
            (Kind.RECIPIENTS, {"cut": True}),
            (Kind.PAYMENT_ADDRESSES, {"skipped": 1}),
        ],
    )
    def test_to_send_it_waits_where_the_list_that_lacks_its_account_may_be_short(
        self, kind: Kind, short: dict[str, Any]
    ) -> None:
        paying = new()
        decision = self.decision(paying, Standing.RECORDED)
        paying.store.recipients.put([recipient(1, "Globex")])
        read(paying.store, paying.clock)
        paying.store.set_feed(replace(paying.store.feed(kind), **short))
        decision.chosen("send it now")
        assert decision.view().confirms is None
        read(paying.store, paying.clock)
        assert decision.view().confirms is not None

    def test_to_send_it_does_not_go_by_what_another_run_knew_of_the_account(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.RECORDED)
        read(paying.store, paying.clock)
        known = paying.store.feed(Kind.RECIPIENTS)
        paying.store.set_feed(replace(known, cached=True))
        decision.chosen("send it now")
        decision.confirm(decision.view().confirms)
        assert paying.port.decided == []
        assert "The recipients shown are old" in said(decision)

    def test_that_it_was_not_done_asks_nothing(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.IN_DOUBT)
        change(paying)
        decision.chosen("it was not done")
        assert name(decision) == "confirm"

    def test_is_barred_where_the_account_changes_while_it_is_confirmed(self) -> None:
        paying = new()
        decision = self.decision(paying, Standing.RECORDED)
        decision.chosen("send it now")
        shown = decision.view().confirms
        change(paying)
        decision.confirm(shown)
        assert paying.port.decided == []
        assert "press esc and type" in said(decision)

    def test_shows_an_account_that_is_again_what_it_was_before_it_is_sent_there(self) -> None:
        paying = new()
        pay(paying)
        change(paying)
        decision = self.decision(paying, Standing.RECORDED, "9888")
        decision.chosen("send it now")
        shown = decision.view().confirms
        assert shown is not None
        paying.store.recipients.put([recipient(1, "Globex", address(1, 1))])
        decision.confirm(shown)
        assert paying.port.decided == []


@pytest.mark.slow
def test_on_screen_it_is_typed_and_not_pasted() -> None:
    store = book()
    forget(store)
    ui = Dashboard(store=store)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "from")
        await choose(pilot, "USD desk")
        await shows(pilot, "recipient")
        await choose(pilot, "Globex")
        await shows(pilot, "Amount in USD")
        await shows(pilot, "new account USD  First National, US")
        assert ENDS not in text(pilot)
        await pilot.press(*"12", "enter", "enter")
        await shows(pilot, "Last 4 of its account number")
        await pilot.press("escape")
        await shows(pilot, "Reference")
        assert ENDS not in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "Last 4 of its account number")
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste(ENDS))
        await pilot.press("enter")
        await shows(pilot, "do not match this account")
        await pilot.press(*ENDS, "enter")
        await shows(pilot, "enter: send")
        await armed(ui, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    ui.play(scenario)
