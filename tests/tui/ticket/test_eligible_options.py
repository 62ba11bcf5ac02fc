"""Only what can work is offered, and what was typed or under the cursor is what is chosen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from paytui.domain.intent import Standing
from paytui.domain.models import AccountId, RecipientId, State, WalletId
from paytui.tui.ticket.choices import narrowed, payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import AMOUNT, FROM, TO
from paytui.tui.ticket.model import Option
from paytui.tui.ticket.templates import values_about, values_to_fund
from tests.support.clock import NOON
from tests.support.intents import row_of
from tests.tui.book import USD, wallet
from tests.tui.ticket.paying import (
    EUR,
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    USD_SPARE,
    WAYNE,
    Paying,
    address,
    confirm,
    forget,
    paid_before,
    recipient,
    said,
    typed_so_far,
)

EUR_DESK = WalletId("wal-6")


def offered(ticket: Ticket[Any]) -> list[str]:
    return [one.name for one in ticket.view().options if not one.why_not]


def refused(ticket: Ticket[Any]) -> dict[str, str]:
    return {one.name: one.why_not for one in ticket.view().options if one.why_not}


def take(ticket: Ticket[Any], text: str) -> None:
    """Type a text and take what enter takes."""
    ticket.typed(text)
    ticket.go_on()


def paid_recipient(ticket: Ticket[Any]) -> str:
    assert ticket.draft is not None
    return ticket.draft[TO]


def with_euros(paying: Paying | None = None) -> Paying:
    """A desk that can pay in EUR as well: Umbrella, and one account of Wayne."""
    paying = paying or Paying()
    paying.store.wallets.put([wallet(6, "EUR desk", "900", currency=EUR)])
    return paying


class TestARecipientUnderTheCursor:
    """trader.md T1."""

    def test_is_paid_from_wallets_that_can_pay_it_and_no_others(self) -> None:
        paying = Paying()
        ticket = paying.ticket(
            "payout",
            values_about(paying.ui, "payout", paying.store.recipients.get(GLOBEX)),
        )
        assert ticket.view().name == "from"
        assert offered(ticket) == ["USD desk", "USD spare"]
        why = {
            "AUD desk": "no AUD bank details",
            "USD frozen": "suspended",
            "USD Bolt": "other account",
        }
        assert refused(ticket) == why
        assert [one.name for one in ticket.view().options][2:] == [*why]
        ticket.chosen("wal-1")
        assert "AUD desk: no AUD bank details." in said(ticket)
        assert "From AUD desk" not in said(ticket)

    def test_is_never_dropped_for_a_wallet_that_cannot_pay_it(self) -> None:
        ticket = Paying().payout(recipient_id=GLOBEX)
        for key in ("wal-1", USD_BOLT, "wal-4"):
            ticket.chosen(key)
            ticket.go_on()
            assert "To Globex" in said(ticket)
        ticket.chosen(USD_DESK)
        assert ticket.view().name == "amount"

    def test_that_no_wallet_can_pay_stays_and_says_why(self) -> None:
        ticket = Paying().payout(recipient_id=RecipientId("rec-4"))
        assert ticket.view().name == "to"
        assert typed_so_far(ticket) == "Umbrella"
        assert "✗ Umbrella: no EUR wallet." in said(ticket)
        ticket.go_on()
        assert typed_so_far(ticket) == "Umbrella"

    def test_replaces_a_wallet_that_cannot_pay_it_by_one_that_can(self) -> None:
        ticket = with_euros().payout(USD_DESK, GLOBEX)
        ticket.go(-3)
        ticket.chosen(payee_key("rec-4"))
        assert ticket.view().name == "amount"
        assert "From EUR desk" in said(ticket)


class TestOneCandidate:
    def test_of_the_wallets_is_chosen_by_itself(self) -> None:
        ticket = with_euros().payout()
        ticket.chosen(payee_key("rec-4"))
        assert ticket.view().name == "amount"
        for words in ("From EUR desk", "Bank account 000123454 EUR", "Amount EUR"):
            assert words in said(ticket)

    def test_of_the_other_wallets_of_its_currency_is_chosen_by_itself(self) -> None:
        paying = with_euros()
        paying.store.wallets.put([wallet(7, "EUR spare", "1", currency=EUR)])
        ticket = paying.transfer(EUR_DESK)
        assert ticket.view().name == "amount"
        assert "To EUR spare" in said(ticket)

    def test_of_another_account_is_not_chosen_by_itself(self) -> None:
        paying = with_euros()
        paying.store.wallets.put([wallet(7, "EUR Bolt", "1", currency=EUR, account=2)])
        ticket = paying.transfer(EUR_DESK)
        assert ticket.view().name == "to"
        ticket.go_on()
        assert ticket.view().name == "to"
        assert "To EUR Bolt" not in said(ticket)
        ticket.move(1)
        ticket.go_on()
        assert ticket.view().name == "amount"
        assert "To EUR Bolt" in said(ticket)

    def test_is_not_chosen_once_there_are_two(self) -> None:
        paying = with_euros()
        ticket = paying.payout(recipient_id=RecipientId("rec-4"))
        assert ticket.view().name == "amount"
        paying.store.wallets.put([wallet(7, "EUR spare", "1", currency=EUR)])
        ticket.typed("5")
        ticket.go_on()
        assert ticket.view().name == "from"
        assert offered(ticket) == ["EUR desk", "EUR spare"]

    def test_stays_chosen_under_the_review_and_is_not_swapped_for_another(self) -> None:
        paying = with_euros()
        ticket = paying.payout(recipient_id=RecipientId("rec-4"))
        take(ticket, "5")
        painted = ticket.view().confirms
        paying.store.wallets.put([wallet(7, "EUR spare", "1", currency=EUR)])
        ticket.store_changed()
        assert ticket.view().confirms == painted
        frozen = wallet(6, "EUR desk", "9", currency=EUR, status=State("suspended"))
        paying.store.wallets.put([frozen])
        ticket.confirm(painted)
        confirm(ticket)
        assert paying.port.submitted == []
        assert "EUR desk: suspended." in said(ticket)
        assert "EUR spare" not in said(ticket)

    def test_why_it_cannot_be_paid_is_as_it_is_by_now(self) -> None:
        paying = Paying()
        euros = address(19, 9, currency=EUR)
        paying.store.recipients.put([recipient(9, "Zenith", euros, status=State("pending"))])
        ticket = paying.payout(recipient_id=RecipientId("rec-9"))
        assert "✗ Zenith: pending." in said(ticket)
        paying.store.recipients.put([recipient(9, "Zenith", euros)])
        ticket.store_changed()
        assert "✗ Zenith: no EUR wallet." in said(ticket)
        assert "pending." not in said(ticket)

    def test_of_the_accounts_is_not_swapped_under_the_review_either(self) -> None:
        paying = Paying()
        ticket = paying.ready_payout()
        gone = replace(address(1, 1), status=State("rejected"))
        paying.store.payments.put([paid_before("adr-11")])
        paying.store.recipients.put([recipient(1, "Globex", gone, address(11, 1))])
        ticket.store_changed()
        confirm(ticket)
        assert paying.port.submitted == []
        assert "This account: rejected." in said(ticket)


class TestATransfer:
    def test_is_not_offered_from_the_only_wallet_of_its_currency(self) -> None:
        ticket = Paying().transfer()
        assert offered(ticket) == ["USD Bolt", "USD desk", "USD spare"]
        assert refused(ticket) == {"AUD desk": "no other AUD wallet", "USD frozen": "suspended"}

    def test_counts_only_wallets_that_money_can_go_to(self) -> None:
        paying = with_euros()
        closed = wallet(7, "EUR old", "0", currency=EUR, status=State("closed"))
        paying.store.wallets.put([closed])
        assert refused(paying.transfer())["EUR desk"] == "no other EUR wallet"
        paying.store.wallets.put([replace(closed, status=None)])
        assert "EUR desk" in offered(paying.transfer())

    def test_counts_wallets_of_other_accounts_as_well(self) -> None:
        paying = Paying()
        paying.ui.scope = AccountId("acc-2")
        assert "From USD Bolt" in said(paying.transfer())

    def test_into_a_wallet_is_offered_from_those_of_its_currency(self) -> None:
        paying = with_euros()
        funded = values_to_fund(paying.store.wallets.get(USD_SPARE))
        ticket = paying.ticket("transfer", funded)
        assert ticket.view().name == "from"
        assert offered(ticket) == ["USD desk", "USD Bolt"]
        assert refused(ticket) == {
            "AUD desk": "wrong currency (AUD)",
            "EUR desk": "wrong currency (EUR)",
            "USD frozen": "suspended",
        }
        assert [one.asks for one in ticket.view().options][:2] == [False, True]

    def test_into_the_only_wallet_of_its_currency_has_no_payer_and_says_why_once(self) -> None:
        paying = with_euros()
        funded = values_to_fund(paying.store.wallets.get(EUR_DESK))
        ticket = paying.ticket("transfer", funded)
        assert offered(ticket) == []
        assert "No other EUR wallet. t buys EUR, or wait for a pay-in." in said(ticket)
        assert "None of these" not in said(ticket)

    def test_marks_wallets_of_other_accounts_and_offers_them_last(self) -> None:
        paying = Paying()
        paying.store.wallets.put([wallet(5, "A USD Bolt", "10", currency=USD, account=2)])
        ticket = paying.transfer(USD_DESK)
        own, other = (one for one in ticket.view().options if not one.why_not)
        assert (own.name, own.asks) == ("USD spare", False)
        assert (other.name, other.asks) == ("A USD Bolt", True)
        assert other.facts == "! Bolt, other account"
        take(ticket, "bolt")
        assert ticket.view().name == "to"  # a text alone takes no wallet of another account
        assert "Nothing is chosen: press ↓." in said(ticket)
        ticket.move(1)
        ticket.go_on()
        marked = "10.00 USD available, ! Bolt, other account"
        assert f"To A USD Bolt {marked}" in said(ticket)
        take(ticket, "5")
        assert ticket.view().name == "confirm"
        assert "! Bolt, other account" in said(ticket)
        assert "! The money goes to another account: Bolt." in said(ticket)

    def test_marks_no_wallet_of_the_same_account_or_of_an_unknown_one(self) -> None:
        paying = Paying()
        spare = paying.store.wallets.get(USD_SPARE)
        assert spare is not None
        paying.store.wallets.put([replace(spare, account_id=None)])
        ticket = paying.transfer(USD_DESK, USD_SPARE)
        assert "other account" not in said(ticket).partition("To")[2].partition("\n")[0]

    def test_from_another_currency_goes_to_another_wallet(self) -> None:
        paying = with_euros()
        paying.store.wallets.put([wallet(7, "EUR spare", "1", currency=EUR)])
        ticket = paying.transfer(USD_DESK, USD_SPARE)
        take(ticket, "1200")
        for _ in range(4):
            ticket.go(-1)
        assert ticket.view().name == "from"
        ticket.chosen(EUR_DESK)
        assert ticket.view().name == "amount"
        assert "To EUR spare" in said(ticket)


class TestTyping:
    """trader.md T3."""

    def test_narrows_and_enter_takes_the_match(self) -> None:
        ticket = Paying().payout()
        ticket.typed("way")
        assert [one.name for one in ticket.view().options] == ["Wayne"]
        ticket.go_on()
        assert "To Wayne" in said(ticket)
        take(ticket, "0001234")
        assert "Bank account 000123456 USD" in said(ticket)
        take(ticket, "spare")
        assert "From USD spare" in said(ticket)

    def test_pays_in_the_fewest_keys(self) -> None:
        paying = Paying()
        ticket = paying.payout()
        for text in ("globex", "desk", "250"):
            take(ticket, text)
        confirm(ticket)
        [intent] = paying.port.submitted
        assert intent.title == "Payout 250.00 USD to Globex"

    @pytest.mark.parametrize("typed", ["000123454", "23454", "eur", "EUR umb"])
    def test_finds_a_payee_by_the_numbers_and_currencies_of_its_accounts(self, typed: str) -> None:
        ticket = with_euros().payout()
        ticket.typed(typed)
        assert "Umbrella" in [one.name for one in ticket.view().options]
        assert "Globex" not in [one.name for one in ticket.view().options]

    @pytest.mark.parametrize("typed", ["gb33 bukb 5555", "GB33BUKB", "6789", "bukb"])
    def test_finds_a_payee_by_its_iban_however_it_is_grouped(self, typed: str) -> None:
        paying = Paying()
        iban = replace(address(1, 1), iban="GB33 BUKB 55 55 6789")
        paying.store.recipients.put([recipient(1, "Globex", iban)])
        ticket = paying.payout()
        ticket.typed(typed)
        assert [one.name for one in ticket.view().options] == ["Globex"]

    def test_finds_no_payee_by_the_number_of_a_new_account(self) -> None:
        paying = Paying()
        forget(paying.store)
        ticket = paying.payout()
        ticket.typed("000123454")
        assert ticket.view().options == ()
        ticket.typed("eur")
        assert "Umbrella" in [one.name for one in ticket.view().options]

    @pytest.mark.parametrize("typed", ["bolt", "acc-2", "wal-5", "usd bolt"])
    def test_finds_a_wallet_by_its_account_currency_and_identifier(self, typed: str) -> None:
        paying = Paying()
        named = wallet(5, "Reserve", "10", currency=USD, account=2)
        paying.store.wallets.put([replace(named, available_balance=None)])
        ticket = paying.transfer()
        ticket.typed(typed)
        assert [one.name for one in ticket.view().options] == ["Reserve"]

    def test_finds_a_payee_without_the_letters_of_its_alphabet(self) -> None:
        """A Turkish name on any keyboard."""
        paying = Paying()
        paying.store.recipients.put([recipient(9, "Yıldırak Ltd", address(19, 9))])
        ticket = paying.payout(USD_DESK)
        take(ticket, "yildirak")
        assert "To Yıldırak Ltd" in said(ticket)

    def test_takes_none_of_two_of_one_name_until_it_was_moved_to(self) -> None:
        paying = Paying()
        paying.store.recipients.put([recipient(8, "Globexa", address(18, 8))])
        paying.store.recipients.put([recipient(9, "GLOBEX", address(19, 9))])
        ticket = paying.payout(USD_DESK)
        take(ticket, "glob")
        assert ticket.view().name == "to"
        ticket.move(1)
        ticket.move(1)
        ticket.go_on()
        assert paid_recipient(ticket) == payee_key("rec-9")

    def test_what_matches_nothing_chooses_nothing(self) -> None:
        ticket = Paying().payout()
        take(ticket, "qqq")
        assert ticket.view().name == "to"
        assert "No such recipient. n on Recipients (7) adds one." in said(ticket)
        ticket.go(1)
        assert ticket.view().name == "to"
        ticket.typed("")
        ticket.go(1)
        assert "To Globex" not in said(ticket)

    def test_a_payee_that_cannot_be_paid_is_taken_for_nobody_else(self) -> None:
        paying = Paying()
        paying.store.recipients.put([recipient(9, "Hooli Holdings", address(19, 9))])
        ticket = paying.payout()
        ticket.typed("hooli")
        assert [one.name for one in ticket.view().options] == ["Hooli", "Hooli Holdings"]
        ticket.go_on()
        assert ticket.view().name == "to"
        assert "Hooli: rejected." in said(ticket)

    def test_the_row_that_was_moved_to_is_taken(self) -> None:
        ticket = Paying().payout(recipient_id=GLOBEX)
        ticket.move(1)
        assert ticket.view().cursor == USD_SPARE
        ticket.go(1)
        assert "From USD spare" in said(ticket)
        ticket.go(-1)
        ticket.move(1)
        ticket.typed("")
        ticket.move(-9)
        assert ticket.view().cursor == USD_DESK

    def test_those_that_were_paid_last_come_first(self) -> None:
        paying = Paying()
        confirm(paying.ready_payout())
        first = row_of(paying.port.submitted[-1], Standing.ACCEPTED, since=NOON)
        other = replace(
            first,
            intent_id=replace(paying.ui.maker).new_id(),
            confirmed_at=first.confirmed_at + timedelta(minutes=1),
            terms=replace(first.terms, recipient_id=WAYNE),
        )
        paying.store.intents.put([first, other])
        assert offered(paying.payout()) == ["Wayne", "Globex", "Soylent"]


class TestANewAccount:
    """trader.md T4."""

    @pytest.mark.parametrize("is_iban", [True, False])
    def test_shows_no_part_of_its_number_on_any_field(self, *, is_iban: bool) -> None:
        paying = Paying()
        forget(paying.store)
        number = "GB33BUKB55556789"
        strange = replace(address(6, 6), account_number=number)
        if is_iban:
            strange = replace(strange, account_number=None, iban=number)
        other = replace(address(7, 6), account_number="ZZ44ABCD99990000")
        paying.store.recipients.put([recipient(6, "Wayne", strange, other)])
        ticket = paying.payout(USD_DESK)
        seen = [said(ticket)]
        ticket.chosen(payee_key(WAYNE))
        seen += [said(ticket)]
        ticket.chosen("adr-6")
        seen += [said(ticket)]
        take(ticket, "5")
        assert ticket.view().name == "verify payee"
        for _ in ticket.view().fields:
            seen += [said(ticket), *(one.hint for one in ticket.view().fields)]
            ticket.go(-1)
        for shown in seen:
            for part in ("GB33", "BUKB", "5555", "6789", "ZZ44", "9999", "0000 "):
                assert part not in shown
        take(ticket, "")
        for typed in ("0000", "GB33", "6789"):
            assert paying.port.submitted == []
            while ticket.view().name != "verify payee":
                ticket.go(1)
            take(ticket, typed)
        assert number in said(ticket)

    def test_is_not_found_by_its_number(self) -> None:
        paying = Paying()
        forget(paying.store)
        ticket = paying.payout(USD_DESK, WAYNE)
        take(ticket, "000123457")
        assert ticket.view().name == "bank account"
        assert "Nothing matches 000123457." in said(ticket)


class TestTheReview:
    """trader.md T5."""

    @pytest.mark.parametrize("reference", ["Invoice 42 für Größe", ""])
    def test_shows_the_reference_as_it_goes_out(self, reference: str) -> None:
        paying = Paying()
        ticket = paying.ready_payout(reference=reference)
        [line] = [one for one in ticket.view().lines if one.label == "Reference"]
        confirm(ticket)
        [intent] = paying.port.submitted
        assert line.cells[0].text == f"{reference} {intent.intent_id}".strip()
        assert line.cells[0].text == intent.terms.reference

    def test_shows_none_where_nothing_goes_out(self) -> None:
        paying = Paying()
        paying.ui.maker = replace(paying.ui.maker, untagged=frozenset({"payout_request"}))
        [line] = [
            one
            for one in paying.ready_payout(reference="").view().lines
            if one.label == "Reference"
        ]
        assert [cell.text for cell in line.cells] == ["none"]


class TestAnAmount:
    @pytest.mark.parametrize("kind", ["payout", "transfer"])
    def test_over_the_limit_goes_no_further(self, kind: str) -> None:
        """trader.md T14."""
        paying = Paying()
        before = paying.ui.settings
        profile = replace(before.profile, refuse_above={USD: Decimal(6000)})
        paying.ui.settings = replace(before, profile=profile)
        ticket = (
            paying.payout(USD_DESK, GLOBEX)
            if kind == "payout"
            else paying.transfer(USD_DESK, USD_SPARE)
        )
        take(ticket, "6000.01")
        assert ticket.view().name == "amount"
        assert "✗ Over 6,000.00 USD" in said(ticket)
        ticket.go(1)
        ticket.go_on()
        assert ticket.view().name == "amount"
        assert "✗ Over 6,000.00 USD" in said(ticket)
        take(ticket, "6000")
        assert ticket.view().name == "confirm"

    def test_does_not_become_as_many_of_another_currency(self) -> None:
        ticket = with_euros().ready_payout("1200")
        while ticket.view().name != "to":
            ticket.go(-1)
        ticket.chosen(payee_key("rec-4"))
        assert ticket.view().name == "amount"
        assert typed_so_far(ticket) == ""

    def test_is_kept_for_another_payee_in_its_currency(self) -> None:
        ticket = Paying().payout(USD_DESK, GLOBEX)
        take(ticket, "1200")
        while ticket.view().name != "to":
            ticket.go(-1)
        ticket.chosen(payee_key(WAYNE))
        ticket.chosen("adr-7")
        assert "Amount  1,200.00 USD" in said(ticket).replace("Amount", "Amount ")


class TestAnAccount:
    def test_of_another_currency_is_paid_from_another_wallet(self) -> None:
        ticket = with_euros().payout(USD_DESK, WAYNE)
        ticket.chosen("adr-6")
        ticket.go(-2)
        assert ticket.view().name == "bank account"
        ticket.chosen("adr-8")
        assert "From EUR desk" in said(ticket)
        assert "Bank account 000123458 EUR" in said(ticket)

    def test_that_was_chosen_is_not_swapped_for_the_only_other(self) -> None:
        paying = Paying()
        values = {TO: payee_key(WAYNE), "payment_address": "adr-6", FROM: USD_DESK, AMOUNT: "5"}
        rejected = replace(address(6, 6), status=State("rejected"))
        paying.store.payment_addresses.put([rejected])
        ticket = paying.ticket("payout", values)
        assert ticket.view().name == "bank account"
        assert "This account: rejected." in said(ticket)

    def test_that_is_no_longer_listed_is_asked_for_and_not_replaced(self) -> None:
        paying = Paying()
        values = {TO: payee_key(WAYNE), "payment_address": "adr-99", FROM: USD_DESK, AMOUNT: "5"}
        ticket = paying.ticket("payout", values)
        assert ticket.view().name == "bank account"
        assert "adr-99: the service no longer lists it." in said(ticket)


def option(key: str, name: str, facts: str = "", why_not: str = "") -> Option:
    return Option(key=key, name=name, facts=facts, why_not=why_not)


class TestAPicker:
    ROWS = (
        option("k-1", "Carmen Dagny Ltd"),
        option("k-2", "Dagny"),
        option("k-3", "Dagny Sons", "GB"),
        option("k-4", "Olesen Bank", "of Dagny, USD"),
        option("k-5", "Vadagnyo"),
        option("k-6", "Wiremu Café"),
    )

    def found(self, text: str, rows: tuple[Option, ...] = ROWS) -> list[str]:
        return [one.key for one in narrowed(rows, text)]

    def test_puts_exact_before_prefix_before_word_before_part(self) -> None:
        assert self.found("dagny") == ["k-2", "k-3", "k-1", "k-4", "k-5"]

    def test_takes_words_in_any_order_and_case_and_of_any_column(self) -> None:
        assert self.found("SONS dag gb") == ["k-3"]
        assert self.found("usd") == ["k-4"]
        assert self.found(" k-6 ") == []  # too short for an identifier, which is not on screen

    def test_finds_the_misspelt_only_where_nothing_matches(self) -> None:
        assert self.found("wirremu") == ["k-6"]
        assert self.found("dagnny")[0] == "k-2"
        assert self.found("qqq") == []

    def test_takes_no_short_name_for_a_long_text(self) -> None:
        rows = (option("k-1", "Al"), option("k-2", "Alicante Foods"))
        assert self.found("alicanto", rows) == ["k-2"]

    @pytest.mark.parametrize("typed", ["dagny", "dagny b", "dagnny b"])
    def test_does_not_put_another_before_the_best_that_cannot_be_chosen(self, typed: str) -> None:
        rows = (option("k-1", "Dagnya Breweries"), option("k-2", "Dagny B", why_not="pending"))
        assert self.found(typed, rows)[0] == ("k-2" if typed != "dagny" else "k-1")

    def test_puts_those_that_cannot_be_chosen_last_while_nothing_is_typed(self) -> None:
        rows = (option("k-1", "A", why_not="pending"), option("k-2", "B"))
        assert self.found("", rows) == ["k-2", "k-1"]
        assert self.found("  ", rows) == ["k-2", "k-1"]
