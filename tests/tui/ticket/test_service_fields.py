"""Extra fields of a service are asked, validated, shown, kept and sent."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.wire.codec import Wire
from paytui.cli.wiring.compose import vocabulary_of
from paytui.domain.intent import Intent, Standing
from paytui.domain.models import (
    FieldProblem,
    Payment,
    PaymentAddressId,
    PaymentId,
    Problem,
    WalletId,
)
from paytui.tui.details.intent import intent_groups
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.money import Order
from paytui.tui.ticket.templates import repeated
from paytui.tui.ticket.trade import Deal
from paytui.tui.ui_context import UiContext
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, read
from tests.tui.dashboard import Dashboard, shows
from tests.tui.ticket.paying import GLOBEX, USD_DESK, Paying, confirm, said
from tests.tui.ticket.trading import Trading

DIALECT = """
[extra.payout_request]
purpose = { path = "purpose.code", label = "Purpose of payment", kind = "text" }
urgent = { path = "urgent", label = "Urgent", kind = "boolean" }

[extra.transfer_request]
days = { path = "holdDays", label = "Days to hold", kind = "number" }

[extra.trade_request]
desk = { path = "deskCode", label = "Desk code", kind = "text" }

[required.payout_request]
fields = ["purpose"]

[required.trade_request]
fields = ["desk"]
"""


@pytest.fixture
def dialect(tmp_path: Path) -> Dialect:
    return spoken(tmp_path, DIALECT)


def spoken(tmp_path: Path, text: str) -> Dialect:
    path = tmp_path / "acme.toml"
    path.write_text(text)
    return load_dialect(path)


def paying_in(dialect: Dialect) -> Paying:
    paying = Paying()
    paying.ui = speaking(paying.ui, dialect)
    return paying


def speaking(ui: UiContext, dialect: Dialect) -> UiContext:
    vocabulary = vocabulary_of(dialect)
    untagged = frozenset(name for name, them in vocabulary.unsent.items() if "reference" in them)
    return replace(ui, vocabulary=vocabulary, maker=replace(ui.maker, untagged=untagged))


def body(intent: Intent, dialect: Dialect) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(Wire(dialect).request(intent.request)))


def name(ticket: Ticket[Any]) -> str:
    return ticket.view().name


def answer(ticket: Ticket[Any], text: str) -> None:
    ticket.typed(text)
    ticket.go_on()


class TestAPayout:
    def ready(self, dialect: Dialect) -> tuple[Paying, Ticket[Order]]:
        """All that every service takes is filled in."""
        paying = paying_in(dialect)
        return paying, paying.ready_payout()

    def test_asks_for_each_and_sends_them_where_the_service_wants_them(
        self, dialect: Dialect
    ) -> None:
        paying, ticket = self.ready(dialect)
        assert name(ticket) == "purpose of payment"
        answer(ticket, " SUPP ")
        assert name(ticket) == "urgent"
        assert [one.name for one in ticket.view().options] == ["yes", "no"]
        ticket.chosen("true")
        assert name(ticket) == "confirm"
        assert "Purpose of payment SUPP" in said(ticket)
        assert "Urgent yes" in said(ticket)
        confirm(ticket)
        [intent] = paying.port.submitted
        assert body(intent, dialect)["purpose"] == {"code": "SUPP"}
        assert body(intent, dialect)["urgent"] is True
        assert body(intent, dialect)["accountId"] == "acc-1"

    def test_needs_what_the_service_requires(self, dialect: Dialect) -> None:
        paying, ticket = self.ready(dialect)
        ticket.go_on()
        assert name(ticket) == "purpose of payment"
        assert "Required." in said(ticket)
        answer(ticket, "x" * 201)
        assert "1 characters too long (at most 200)" in said(ticket)
        assert paying.port.submitted == []

    def test_leaves_out_what_is_left_empty(self, dialect: Dialect) -> None:
        paying, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.go_on()
        assert "Urgent" not in said(ticket)
        confirm(ticket)
        [intent] = paying.port.submitted
        assert "urgent" not in body(intent, dialect)

    def test_is_kept_with_them(self, dialect: Dialect) -> None:
        paying, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.chosen("false")
        confirm(ticket)
        [intent] = paying.port.submitted
        assert intent.terms.asked == (("extra.purpose", "SUPP"), ("extra.urgent", "false"))
        row = row_of(intent, Standing.ACCEPTED)
        facts = [fact.plain for group in intent_groups(paying.ui, row) for fact in group.facts]
        assert "SUPP" in facts

    def test_is_another_deal_with_another_answer(self, dialect: Dialect) -> None:
        _, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.go_on()
        shown = ticket.view().confirms
        ticket.go(-1)
        ticket.go(-1)
        answer(ticket, "RENT")
        assert ticket.view().confirms != shown

    def test_of_the_same_again_has_what_was_sent_before(self, dialect: Dialect) -> None:
        paying, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.chosen("true")
        confirm(ticket)
        paying.stands(Standing.ACCEPTED, object_id="pay-9")
        again = repeat_of(paying, paid("pay-9"))
        assert name(again) == "confirm"
        assert "Purpose of payment SUPP" in said(again)
        assert "Urgent yes" in said(again)

    def test_of_the_same_again_asks_where_another_program_sent_it(self, dialect: Dialect) -> None:
        paying = paying_in(dialect)
        again = repeat_of(paying, paid("pay-8"))
        assert name(again) == "purpose of payment"
        answer(again, "SUPP")
        assert name(again) == "urgent"

    def test_that_is_left_empty_is_so_on_the_way_back_too(self, dialect: Dialect) -> None:
        _, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.go_on()
        ticket.go(-1)
        assert (name(ticket), ticket.view().cursor) == ("urgent", None)

    def test_that_is_refused_leads_back_to_the_field(self, dialect: Dialect) -> None:
        paying, ticket = self.ready(dialect)
        answer(ticket, "SUPP")
        ticket.go_on()
        confirm(ticket)
        fields = (FieldProblem("extra.purpose", "is not a code"),)
        problem = Problem("create a payout", "400", fields=fields)
        paying.stands(Standing.REFUSED, problem=problem)
        assert ticket.view().corrects
        ticket.go_on()
        assert name(ticket) == "purpose of payment"
        assert "is not a code" in said(ticket)


def repeat_of(paying: Paying, payment: Payment) -> Ticket[Order]:
    return paying.ticket("payout", repeated(paying.ui, payment))


def paid(payment_id: str) -> Payment:
    """Return the service's payout of 1,200.00 USD to Globex, without fields of its own."""
    return Payment(
        PaymentId(payment_id),
        source_wallet_id=USD_DESK,
        recipient_id=GLOBEX,
        payment_address_id=PaymentAddressId("adr-1"),
        amount=Decimal(1200),
        reference="INV 7 PT-ABCDEFGH",
    )


class TestATransfer:
    def test_asks_for_a_number(self, dialect: Dialect) -> None:
        paying = paying_in(dialect)
        ticket = paying.transfer(USD_DESK)
        ticket.chosen("wal-3")
        answer(ticket, "5")
        assert name(ticket) == "days to hold"
        answer(ticket, "two")
        assert "Write a number" in said(ticket)
        answer(ticket, "2")
        confirm(ticket)
        [intent] = paying.port.submitted
        assert body(intent, dialect)["holdDays"] == 2


class TestATrade:
    def to_reference(self, dialect: Dialect, target: str) -> tuple[Trading, Ticket[Deal]]:
        trading = Trading()
        trading.ui = speaking(trading.ui, dialect)
        trading.hold("one", {AUD_USD: "0.65123"})
        ticket = trading.ticket({"from_wallet": "wal-1", "to": target})
        ticket.typed("1000")
        while name(ticket) != "reference":
            ticket.go(1)
        return trading, ticket

    def test_asks_for_them_behind_the_reference(self, dialect: Dialect) -> None:
        trading, ticket = self.to_reference(dialect, "wal-4")
        ticket.go_on()
        assert name(ticket) == "desk code"
        ticket.go_on()
        assert "Required." in said(ticket)
        answer(ticket, "FX-1")
        assert "Desk code FX-1" in said(ticket)
        confirm(ticket)
        [intent] = trading.port.submitted
        assert body(intent, dialect)["deskCode"] == "FX-1"
        assert body(intent, dialect)["accountId"] == "acc-1"

    def test_into_a_wallet_needs_no_reference_and_sends_the_tag_that_was_shown(
        self, tmp_path: Path
    ) -> None:
        trading, ticket = self.to_reference(spoken(tmp_path, ""), "wal-4")
        ticket.go_on()
        [shown] = [one for one in ticket.view().lines if one.label == "Reference"]
        confirm(ticket)
        [intent] = trading.port.submitted
        assert shown.cells[0].text == intent.intent_id
        assert intent.terms.reference == intent.intent_id

    def test_that_pays_a_recipient_needs_a_reference(self, tmp_path: Path) -> None:
        trading, ticket = self.to_reference(spoken(tmp_path, ""), payee_key("rec-1"))
        ticket.go_on()
        assert name(ticket) == "reference"
        assert "A trade that pays a recipient needs a reference" in said(ticket)
        answer(ticket, "PT-ABCDEFGH")  # our own tag says nothing to anybody else
        assert name(ticket) == "reference"
        answer(ticket, "Invoice 42")
        confirm(ticket)
        [intent] = trading.port.submitted
        assert intent.terms.reference == f"Invoice 42 {intent.intent_id}"

    def test_of_a_service_that_wants_a_sheet_is_not_confirmed_without(self, tmp_path: Path) -> None:
        wants = '[required.trade_request]\nfields = ["rate_sheet_id"]'
        _, ticket = self.to_reference(spoken(tmp_path, wants), "wal-4")
        while name(ticket) != "rate":
            ticket.go(1)
        ticket.chosen("real-time")
        assert ticket.view().confirms is None
        assert "The service requires: rate sheet id." in said(ticket)


class TestAReference:
    def test_that_the_service_requires_is_not_our_own_tag(self, tmp_path: Path) -> None:
        wants = '[required.payout_request]\nfields = ["reference"]'
        paying = paying_in(spoken(tmp_path, wants))
        ticket = paying.ready_payout(reference="")
        assert name(ticket) == "reference"
        ticket.go_on()
        assert "The service requires a reference." in said(ticket)
        answer(ticket, "Invoice 42")
        assert name(ticket) == "confirm"

    def test_is_confirmed_as_it_goes_out_and_told_so_at_the_end(self) -> None:
        paying = Paying()
        ticket = paying.ready_payout(reference="Invoice 42")
        [shown] = [one for one in ticket.view().lines if one.label == "Reference"]
        ticket.store_changed()
        confirm(ticket)
        [intent] = paying.port.submitted
        assert shown.cells[0].text == f"Invoice 42 {intent.intent_id}"
        assert json.loads(Wire(load_dialect()).request(intent.request))["reference"] == (
            shown.cells[0].text
        )
        assert f"Reference {shown.cells[0].text}" in said(ticket)

    def test_of_the_same_again_has_a_tag_of_its_own(self) -> None:
        paying = Paying()
        ticket = repeat_of(paying, paid("pay-8"))
        [shown] = [one for one in ticket.view().lines if one.label == "Reference"]
        confirm(ticket)
        [intent] = paying.port.submitted
        assert shown.cells[0].text == intent.terms.reference == f"INV 7 {intent.intent_id}"

    def test_of_a_second_try_carries_a_tag_of_its_own(self) -> None:
        paying = Paying()
        ticket = paying.ready_payout(reference="Invoice 42")
        confirm(ticket)
        paying.stands(Standing.REFUSED)
        ticket.go_on()
        [shown] = [one for one in ticket.view().lines if one.label == "Reference"]
        confirm(ticket)
        first, second = paying.port.submitted
        assert first.intent_id != second.intent_id
        assert shown.cells[0].text == second.terms.reference

    def test_is_not_asked_for_nor_tagged_where_the_service_takes_none(self, tmp_path: Path) -> None:
        dialect = spoken(tmp_path, "[fields.transfer_request]\nreference = []")
        paying = paying_in(dialect)
        ticket = paying.transfer(USD_DESK)
        ticket.chosen(WalletId("wal-3"))
        answer(ticket, "5")
        assert name(ticket) == "confirm"
        assert "Reference none" in said(ticket)
        confirm(ticket)
        [intent] = paying.port.submitted
        assert "reference" not in body(intent, dialect)


@pytest.mark.slow
def test_a_payout_is_made_with_what_the_service_asks_for(dialect: Dialect) -> None:
    paying = Paying()
    read(paying.store, paying.clock)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter")
        await shows(pilot, "USD spare")
        await pilot.press("enter", *"1.2k", "tab", *"INV 7", "enter")
        await shows(pilot, "Payout · purpose of payment")
        await pilot.press(*"SUPP", "enter")
        await shows(pilot, "may be left empty")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "Payout · confirm")
        await shows(pilot, "Purpose of payment  SUPP")
        ui.clock.advance(1)
        await pilot.pause()
        await pilot.press("enter")
        await shows(pilot, "Being recorded")

    vocabulary = vocabulary_of(dialect)
    Dashboard(paying.store, paying.clock, port=paying.port, vocabulary=vocabulary).play(scenario)
    [intent] = paying.port.submitted
    assert body(intent, dialect)["purpose"] == {"code": "SUPP"}
    assert body(intent, dialect)["urgent"] is False
