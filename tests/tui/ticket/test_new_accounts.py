"""The end of a new or changed account number is typed before the first payment to it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import Decision, Intent, Standing
from paytui.domain.models import Kind, Problem, bank_fingerprint
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.templates import repeated
from paytui.tui.ticket.trade import Deal
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, read
from tests.tui.dashboard import Dashboard, armed, shows, text
from tests.tui.ticket.paying import (
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
from tests.tui.ticket.trading import Trading

ENDS = "3451"
"""Globex's account is 000123451 (paying.py)."""

ASKED = "verify payee"


def new(paying: Paying | None = None) -> Paying:
    """Somebody who pays Globex for the first time."""
    paying = paying or Paying()
    forget(paying.store)
    return paying


def name(ticket: Ticket[Any]) -> str:
    return ticket.view().name


def prove(ticket: Ticket[Any], typed: str = ENDS) -> None:
    ticket.typed(typed)
    ticket.go_on()


def pay(paying: Paying) -> Intent:
    """A first payout, which the service accepts."""
    ticket = paying.ready_payout()
    if name(ticket) == ASKED:
        prove(ticket)
    confirm(ticket)
    paying.becomes("processing")
    paying.stands(Standing.ACCEPTED, object_id="pay-9")
    return paying.port.submitted[-1]


def change(paying: Paying) -> None:
    """Globex's account is another one from now on, under the same identifier."""
    other = replace(address(1, 1), account_number="000999888")
    paying.store.recipients.put([recipient(1, "Globex", other)])


class TestAPayout:
    def test_to_a_new_account_asks_how_it_ends_and_does_not_tell(self) -> None:
        ticket = new().ready_payout()
        assert name(ticket) == ASKED
        assert ticket.view().confirms is None
        assert "First payment to this account" in said(ticket)
        assert ENDS not in said(ticket)

    def test_shows_no_number_at_any_field_before_it_nor_on_the_way_back(self) -> None:
        ticket = new().payout(USD_DESK)
        seen = [said(ticket)]
        ticket.chosen(payee_key(GLOBEX))
        seen.append(said(ticket))
        ticket.typed("12")
        ticket.go_on()
        assert name(ticket) == ASKED
        for _ in range(5):
            seen.append(said(ticket))
            ticket.go(-1)
        assert name(ticket) == "to"
        assert [shown for shown in seen if "000123451" in shown or ENDS in shown] == []
        assert "Bank account (new, unverified) USD First National, US" in seen[1]

    def test_offers_accounts_by_their_bank_alone(self) -> None:
        ticket = new().payout(USD_DESK)
        ticket.chosen(payee_key(WAYNE))
        assert name(ticket) == "bank account"
        assert "(new, unverified) USD | First National, US |" in said(ticket)
        assert "0001234" not in said(ticket)

    def test_that_changes_while_it_is_confirmed_no_longer_shows_its_number(self) -> None:
        paying = new()
        pay(paying)
        ticket = paying.ready_payout("7")
        assert "000123451" in said(ticket)
        change(paying)
        ticket.store_changed()
        assert "go back and type" in said(ticket)
        assert "000999888" not in said(ticket)
        assert "hidden until you type its last 4" in said(ticket)

    def test_is_confirmed_once_that_is_typed(self) -> None:
        paying = new()
        ticket = paying.ready_payout()
        prove(ticket)
        assert name(ticket) == "confirm"
        confirm(ticket)
        [intent] = paying.port.submitted
        assert intent.terms.paid_at == bank_fingerprint(address(1, 1))

    def test_goes_no_further_while_something_else_is_typed(self) -> None:
        paying = new()
        ticket = paying.ready_payout()
        for typed in ("", "1234", "9999"):
            prove(ticket, typed)
            assert name(ticket) == ASKED
            complaint = "do not match this account" if typed else "Type the last 4 characters"
            assert complaint in said(ticket)
            field = ticket.view().field
            assert field is not None
            assert not field.text  # what is typed next does not extend what was wrong
            confirm(ticket)
        assert paying.port.submitted == []

    def test_to_an_account_that_was_paid_asks_nothing_more(self) -> None:
        ticket = Paying().ready_payout()
        assert name(ticket) == "confirm"
        assert "Verify payee" not in said(ticket)

    def test_asks_it_once_an_account_and_not_of_each_payout(self) -> None:
        paying = new()
        pay(paying)
        assert name(paying.ready_payout("7")) == "confirm"

    def test_asks_again_where_the_account_has_changed_since(self) -> None:
        paying = new()
        pay(paying)
        change(paying)
        ticket = paying.ready_payout("7")
        assert name(ticket) == ASKED
        assert "Bank details changed since the last payment" in said(ticket)
        prove(ticket, ENDS)
        assert name(ticket) == ASKED
        prove(ticket, "9888")
        assert name(ticket) == "confirm"

    def test_is_not_sent_where_the_account_changes_while_it_is_confirmed(self) -> None:
        paying = new()
        pay(paying)
        ticket = paying.ready_payout("7")
        shown = ticket.view().confirms
        change(paying)
        ticket.store_changed()
        ticket.confirm(shown)
        ticket.confirm(ticket.view().confirms)
        assert len(paying.port.submitted) == 1
        assert "go back and type" in said(ticket)
        ticket.go_on()
        assert name(ticket) == ASKED

    def test_does_not_ask_again_of_who_goes_back(self) -> None:
        ticket = new().ready_payout()
        prove(ticket)
        ticket.go(-1)
        assert name(ticket) == ASKED
        ticket.go(-1)
        assert "Verify payee ✓ verified" in said(ticket)
        ticket.go(1)
        ticket.go_on()
        assert name(ticket) == "confirm"

    def test_asks_again_for_another_account_than_was_verified(self) -> None:
        paying = new()
        ticket = paying.ready_payout()
        prove(ticket)
        for _ in range(6):
            ticket.go(-1)
        ticket.chosen(payee_key(WAYNE))
        ticket.chosen("adr-6")
        assert name(ticket) == ASKED
        assert "✓ verified" not in said(ticket)
        ticket.go_on()
        assert name(ticket) == ASKED
        prove(ticket)
        assert name(ticket) == ASKED
        confirm(ticket)
        assert paying.port.submitted == []

    def test_is_verified_on_tab_as_well_as_on_enter(self) -> None:
        ticket = new().ready_payout()
        ticket.typed("1234")
        ticket.go(1)
        assert "do not match this account" in said(ticket)
        ticket.typed(ENDS)
        ticket.go(1)
        assert name(ticket) == "confirm"

    @pytest.mark.parametrize("at", ["bank account", ASKED])
    def test_whose_recipient_is_gone_asks_for_another(self, at: str) -> None:
        paying = new()
        ticket = paying.payout(USD_DESK, GLOBEX) if at == "bank account" else paying.ready_payout()
        while name(ticket) != at:
            ticket.go(-1)
        paying.store.recipients.remove([GLOBEX])
        ticket.typed(ENDS)  # It was meant for the field that is gone.
        assert name(ticket) == "to"
        assert "rec-1: the service no longer lists it" in said(ticket)
        ticket.go_on()
        assert name(ticket) == "to"

    def test_of_the_same_again_asks_where_it_was_never_released(self) -> None:
        paying = new()
        before = replace(
            paid_before("adr-1"),
            source_wallet_id=USD_DESK,
            recipient_id=GLOBEX,
            status=None,
        )
        values = repeated(paying.ui, before)
        assert name(paying.ticket("payout", values)) == "amount"
        values = repeated(paying.ui, replace(before, amount=Decimal(1)))
        assert name(paying.ticket("payout", values)) == ASKED

    def test_of_a_recipient_under_the_cursor_asks_as_well(self) -> None:
        ticket = new().payout(recipient_id=GLOBEX)
        ticket.chosen(USD_DESK)
        ticket.typed("12")
        ticket.go_on()
        assert name(ticket) == ASKED

    def test_between_wallets_asks_nothing(self) -> None:
        ticket = new().transfer(USD_DESK)
        ticket.chosen("wal-3")
        ticket.typed("1")
        ticket.go_on()
        assert name(ticket) == "confirm"


class TestATrade:
    def ready(self) -> tuple[Trading, Ticket[Deal]]:
        """Foundry is paid for the first time."""
        trading = Trading()
        forget(trading.store)
        trading.hold("one", {AUD_USD: "0.65123"})
        values = {"from_wallet": "wal-1", "to": payee_key("rec-1"), "reference": "Invoice 42"}
        return trading, trading.ticket({**values, "sell_amount": "1000"})

    def test_that_pays_a_new_account_asks_before_it_is_reviewed(self) -> None:
        _, ticket = self.ready()
        assert name(ticket) == ASKED
        assert "6789" not in said(ticket)

    def test_offers_a_new_account_by_its_bank_alone(self) -> None:
        trading = Trading()
        forget(trading.store)
        ticket = trading.ticket({"from_wallet": "wal-1", "to": payee_key("rec-1")})
        assert "Bank account (new, unverified) USD First Bank, US" in said(ticket)
        while name(ticket) != "into":
            ticket.go(1)
        [payee] = [one for one in ticket.view().options if one.name == "Foundry Inc"]
        assert payee.facts == "recipient  USD"
        assert payee.keywords == ""
        ticket.go(1)
        [account] = ticket.view().options
        assert (account.name, account.facts) == ("(new, unverified) USD", "First Bank, US")
        assert "6789" not in said(ticket)

    def test_whose_account_changes_while_it_is_confirmed_no_longer_shows_it(self) -> None:
        trading = Trading()
        ticket = trading.about_to_pay()
        assert "000123456789" in said(ticket)
        [foundry] = trading.store.recipients.rows()
        [account] = foundry.payment_addresses
        moved = replace(account, account_number="000999888")
        trading.store.recipients.put([replace(foundry, payment_addresses=(moved,))])
        forget(trading.store)
        assert "hidden until you type its last 4" in said(ticket)
        assert "000999888" not in said(ticket)

    def test_goes_on_once_it_is_typed(self) -> None:
        trading, ticket = self.ready()
        prove(ticket, "0000")
        assert name(ticket) == ASKED
        prove(ticket, "6789")
        assert name(ticket) == "confirm"
        confirm(ticket)
        [intent] = trading.port.submitted
        assert intent.terms.paid_at is not None

    def test_is_not_booked_where_the_account_changes_while_it_is_confirmed(self) -> None:
        trading, ticket = self.ready()
        prove(ticket, "6789")
        [foundry] = trading.store.recipients.rows()
        [account] = foundry.payment_addresses
        moved = replace(account, account_number="000999888")
        trading.store.recipients.put([replace(foundry, payment_addresses=(moved,))])
        confirm(ticket)
        assert trading.port.submitted == []
        assert "go back and type" in said(ticket)

    def test_into_a_wallet_asks_nothing(self) -> None:
        trading = Trading()
        forget(trading.store)
        ticket = trading.ticket({"from_wallet": "wal-1", "to": "wal-4", "sell_amount": "1000"})
        assert name(ticket) == "confirm"


class TestADecision:
    def decision(self, paying: Paying, standing: Standing, ends: str = ENDS) -> Ticket[Decision]:
        """Return a decision to send an intent whose account changed after confirmation."""
        ticket = paying.ready_payout()
        if name(ticket) == ASKED:
            prove(ticket, ends)
        confirm(ticket)
        row = row_of(paying.port.submitted[-1], standing)
        paying.store.intents.put([row])
        return Ticket(DecisionTask(paying.ui, row))

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
        other = replace(address(1, 1), account_number="000999888")
        paying.store.payment_addresses.put([other])
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
        decision.go_on()
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
        assert "go back and type" in said(decision)

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
        await pilot.press("p", *"globex", "enter")
        await shows(pilot, "(new, unverified) USD  First National, US")
        assert ENDS not in text(pilot)
        await pilot.press("enter", *"12", "enter")
        await shows(pilot, "Call the payee")
        await pilot.press("shift+tab")
        await shows(pilot, "optional")
        assert ENDS not in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "Call the payee")
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste(ENDS))
        await pilot.press("enter")
        await shows(pilot, "Type the last 4 characters first.")
        await pilot.press(*ENDS, "enter")
        await shows(pilot, "enter: send")
        await armed(ui, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["enter", "tab"])
def test_what_is_typed_after_a_wrong_ending_does_not_extend_it(key: str) -> None:
    store = book()
    forget(store)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter", "enter", *"12", "enter")
        await shows(pilot, "Call the payee")
        await pilot.press(*"9999", key)
        await shows(pilot, "do not match this account")
        await pilot.press(*ENDS, key)
        await shows(pilot, "enter: send")

    Dashboard(store=store).play(scenario)
