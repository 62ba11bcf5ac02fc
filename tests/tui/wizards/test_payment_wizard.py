"""Payouts and transfers from the first question to their end, without a screen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.api.models import AccountId, FieldProblem, Problem, State, WalletId
from paytui.api.requests import PayoutRequest, TransferRequest
from paytui.intent import Sending, Standing
from paytui.tui.wizards.payment_machine import PaymentWizard
from tests.support.clock import NOON
from tests.tui.book import USD, wallet
from tests.tui.wizards.paying import (
    GLOBEX,
    PENDING,
    USD_BOLT,
    USD_DESK,
    WAYNE,
    Paying,
    address,
    confirm,
    recipient,
    said,
)


def offered(wizard: PaymentWizard) -> list[str]:
    return [one.name for one in wizard.view().options if not one.why_not]


def typed_so_far(wizard: PaymentWizard) -> str:
    entry = wizard.view().entry
    assert entry is not None
    return entry.text


def test_a_payout_is_asked_for_step_by_step_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    wizard = paying.payout()
    wizard.chosen(USD_DESK)
    wizard.chosen(GLOBEX)
    wizard.typed("1.2k")
    wizard.go_on()
    wizard.typed("INV 7")
    wizard.go_on()
    assert "confirm" in said(wizard)
    assert paying.port.submitted == []
    confirm(wizard)
    (intent,) = paying.port.submitted
    assert intent.title == "Payout 1,200.00 USD to Globex"
    request = intent.request
    assert isinstance(request, PayoutRequest)
    assert (request.source_wallet_id, request.recipient_id) == ("wal-2", "rec-1")
    assert (request.payment_address_id, request.amount) == ("adr-1", Decimal(1200))
    assert (request.currency, request.reference) == ("USD", f"INV 7 {intent.intent_id}")
    assert (intent.confirmed_at, intent.terms.account_id) == (NOON, "acc-1")


def test_a_transfer_is_asked_for_step_by_step_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    wizard = paying.transfer()
    wizard.chosen(USD_DESK)
    wizard.chosen(USD_BOLT)
    wizard.typed("5")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    (intent,) = paying.port.submitted
    request = intent.request
    assert isinstance(request, TransferRequest)
    assert (request.source_wallet_id, request.destination_wallet_id) == ("wal-2", "wal-5")
    assert (request.amount, request.currency) == (Decimal(5), "USD")
    assert intent.title == "Transfer 5.00 USD to USD Bolt"


@pytest.mark.covers("state-recipient-active", "state-address-active")
def test_only_active_recipients_with_an_active_address_in_the_currency_are_offered() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK)
    assert offered(wizard) == ["Globex", "Wayne"]
    why = {one.name: one.why_not for one in wizard.view().options if one.why_not}
    assert why == {
        "Cyberdyne": "address pending",
        "Hooli": "rejected",
        "Initech": "pending",
        "Stark": "address type electronic_deposit, which is no longer taken",
        "Umbrella": "no USD address",
        "Soylent": "of another account",
    }
    assert next(reversed(why)) == "Soylent"


def test_a_recipient_that_is_not_offered_cannot_be_chosen_and_says_why() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK)
    wizard.chosen("rec-2")
    assert "Initech: pending." in said(wizard)
    assert wizard.view().name == "to whom"


def test_wallets_of_one_currency_are_offered_to_a_transfer_whosever_they_are() -> None:
    wizard = Paying().transfer(wallet_id=USD_DESK)
    assert offered(wizard) == ["USD Bolt", "USD spare"]
    assert "AUD desk | Acme | 1,204,330.15 AUD | in AUD" in said(wizard)
    assert "USD frozen | Acme | 10.00 USD | suspended" in said(wizard)
    assert "USD desk |" not in said(wizard)


def test_a_wallet_that_is_not_active_is_no_source() -> None:
    wizard = Paying().payout()
    assert "USD frozen" not in offered(wizard)
    wizard.chosen("wal-4")
    assert "USD frozen: suspended." in said(wizard)


def test_where_one_account_is_looked_at_money_leaves_no_other() -> None:
    paying = Paying()
    paying.desk.scope = AccountId("acc-2")
    assert offered(paying.payout()) == ["USD Bolt"]


def test_which_account_is_asked_only_where_there_is_a_choice() -> None:
    paying = Paying()
    wizard = paying.payout(wallet_id=USD_DESK)
    assert wizard.view().place == "2 of 5"
    wizard.chosen(WAYNE)
    assert (wizard.view().name, wizard.view().place) == ("to which account", "3 of 6")
    assert offered(wizard) == ["000123456 USD", "000123457 USD"]
    assert "000123458 EUR | Globex Corporation  First National |  | in EUR" in said(wizard)
    wizard.chosen("adr-7")
    wizard.typed("1")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    assert paying.port.submitted[0].terms.payment_address_id == "adr-7"


def test_bank_details_are_shown_before_anything_is_confirmed() -> None:
    shown = said(Paying().ready_payout())
    for words in (
        "To Globex",
        "Recipient id rec-1",
        "Account name Globex Corporation",
        "000123451",
        "BIC FNBAUS33, routing 021000021",
        "First National  12345, Springfield, US",
        "1 Main St",
        "1,200.00 USD",
        "INV 7",
        "USD desk  Acme, 5,000.00 USD available",
        "127.0.0.1:8080",
    ):
        assert words in shown


def test_where_nothing_can_be_chosen_it_says_so() -> None:
    paying = Paying()
    wizard = paying.transfer(wallet_id=WalletId("wal-1"))
    assert offered(wizard) == []
    assert "None of these can be chosen; esc goes back." in said(wizard)


def test_going_back_keeps_all_that_was_filled_in() -> None:
    wizard = Paying().ready_payout("1.2k")
    assert wizard.back()
    assert typed_so_far(wizard) == "INV 7"
    assert wizard.back()
    assert typed_so_far(wizard) == "1.2k"
    assert wizard.back()
    assert wizard.view().chosen == GLOBEX
    assert wizard.back()
    assert wizard.view().chosen == USD_DESK
    assert not wizard.back()


def test_another_recipient_is_paid_at_an_address_of_its_own() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    for _ in range(3):
        wizard.back()
    wizard.chosen(WAYNE)
    wizard.chosen("adr-6")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    terms = paying.port.submitted[0].terms
    assert (terms.recipient_id, terms.payment_address_id) == ("rec-6", "adr-6")


@pytest.mark.parametrize("typed", ["", "1,5", "0", "1.234", "-5", "1e6"])
def test_what_is_no_amount_says_so_at_once_and_goes_no_further(typed: str) -> None:
    wizard = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    wizard.typed(typed)
    wizard.go_on()
    assert wizard.view().name == "how much"
    assert any(cell.text.startswith("✗") for cell in wizard.view().words)


def test_an_amount_is_echoed_while_it_is_typed_and_what_lacks_is_named() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    wizard.typed("1.5k")
    assert "= 1,500.00 USD" in said(wizard)
    assert "short by" not in said(wizard)
    wizard.typed("6k")
    assert "short by 1,000.00 USD" in said(wizard)


def test_too_little_balance_is_named_and_does_not_block() -> None:
    paying = Paying()
    wizard = paying.ready_payout("6000")
    assert "short by 1,000.00 USD" in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_what_is_filled_in_already_is_not_asked_again() -> None:
    paying = Paying()
    assert paying.payout(wallet_id=USD_DESK).view().name == "to whom"
    assert paying.payout(recipient_id=GLOBEX).view().name == "from which wallet"
    assert paying.ready_payout().view().name == "confirm"


def test_what_is_filled_in_is_told_at_each_other_question() -> None:
    wizard = Paying().payout(recipient_id=GLOBEX)
    assert wizard.view().name == "from which wallet"
    assert "To Globex" in said(wizard)
    wizard.chosen(USD_DESK)
    assert wizard.view().name == "to whom"
    assert "To Globex" not in said(wizard)


def test_pressing_enter_twice_pays_once() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    deal = wizard.view().confirms
    for _ in range(3):
        wizard.confirm(deal)
        confirm(wizard)
        wizard.go_on()
    assert len(paying.port.submitted) == 1


def test_bank_details_that_changed_under_the_traders_hand_are_shown_before_they_are_paid() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    moved = replace(address(1, 1), account_number="999")
    paying.store.payment_addresses.put([moved])
    wizard.confirm(painted)
    assert paying.port.submitted == []
    assert "changed just now" in said(wizard)
    assert "999" in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_change_is_said_when_it_comes_and_a_balance_is_none() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    paying.store.wallets.put([wallet(2, "USD desk", "4000", currency=USD)])
    wizard.store_changed()
    assert "changed" not in said(wizard)
    assert wizard.view().confirms == painted
    paying.store.payment_addresses.put([replace(address(1, 1), bic="OTHERXX1")])
    wizard.store_changed()
    assert "changed just now" in said(wizard)


@pytest.mark.parametrize("what", ["recipient", "address", "wallet"])
@pytest.mark.covers("payout-refused")
def test_nothing_is_paid_to_or_from_what_is_no_longer_active(what: str) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    match what:
        case "recipient":
            paying.store.recipients.put([recipient(1, "Globex", address(1, 1), status=PENDING)])
        case "address":
            paying.store.payment_addresses.put([address(1, 1, status=State("rejected"))])
        case _:
            frozen = wallet(2, "USD desk", "5000", currency=USD, status=State("suspended"))
            paying.store.wallets.put([frozen])
    wizard.confirm(painted)
    wizard.store_changed()
    confirm(wizard)
    assert paying.port.submitted == []
    assert wizard.view().confirms is None
    assert "esc goes back to put it right" in said(wizard)


def test_an_account_that_is_no_longer_active_is_not_paid_though_the_recipient_has_another() -> None:
    paying = Paying()
    wizard = paying.payout(wallet_id=USD_DESK)
    wizard.chosen(WAYNE)
    wizard.chosen("adr-6")
    wizard.typed("5")
    wizard.go_on()
    wizard.go_on()
    painted = wizard.view().confirms
    paying.store.payment_addresses.put([address(6, 6, status=State("rejected"))])
    wizard.confirm(painted)
    confirm(wizard)
    assert paying.port.submitted == []
    assert "This account: rejected." in said(wizard)


def test_a_live_profile_asks_for_the_amount_to_be_typed() -> None:
    paying = Paying(live=True)
    wizard = paying.ready_payout()
    assert "LIVE" in said(wizard)
    entry = wizard.view().entry
    assert entry is not None
    assert not entry.pasted
    confirm(wizard)
    wizard.typed("120")
    confirm(wizard)
    assert paying.port.submitted == []
    wizard.typed(entry.label.split()[1])
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_read_only_profile_sends_nothing_and_says_so() -> None:
    paying = Paying(read_only=True)
    wizard = paying.ready_payout()
    assert wizard.view().confirms is None
    confirm(wizard)
    assert paying.port.submitted == []


# --- what becomes of it ----------------------------------------------------------------------


@pytest.mark.covers("end-to-end-id")
def test_a_payout_is_followed_to_its_end_to_end_id() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    assert "It is being written down" in said(wizard)
    paying.stands(Standing.RECORDED)
    assert "Stands recorded" in said(wizard)
    paying.stands(Standing.SENDING)
    assert "Stands sending" in said(wizard)
    paying.stands(Standing.ACCEPTED, object_id="pay-9")
    assert "State not read yet" in said(wizard)
    paying.becomes("compliance_review")
    assert "State ! compliance review" in said(wizard)
    assert "Next processing, released, completed" in said(wizard)
    assert "comes once it is released" in said(wizard)
    paying.becomes("released", end_to_end_id="E2E123")
    assert "End-to-end E2E123" in said(wizard)
    paying.becomes("completed", end_to_end_id="E2E123")
    assert "✓ completed" in said(wizard)
    assert not wizard.back()


def test_a_refusal_is_shown_whole_and_put_right_at_its_question_as_a_new_intention() -> None:
    paying = Paying()
    wizard = paying.ready_payout("6000")
    confirm(wizard)
    problem = Problem(
        "create payout",
        "422",
        said="insufficient funds",
        trace_id="trace-1",
        fields=(FieldProblem("amount", "only 5,000.00 is available"),),
    )
    paying.stands(Standing.REFUSED, problem=problem)
    for words in ("refused", "insufficient funds", "trace-1", "only 5,000.00 is available"):
        assert words in said(wizard)
    assert wizard.back()
    assert wizard.view().name == "how much"
    assert "only 5,000.00 is available" in said(wizard)
    assert typed_so_far(wizard) == "6000"
    wizard.typed("4000")
    assert "only 5,000.00" not in said(wizard)
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    first, second = paying.port.submitted
    assert second.terms.amount == Decimal(4000)
    assert first.intent_id != second.intent_id
    assert first.key != second.key


def test_a_refusal_of_what_was_not_asked_is_said_where_it_is_confirmed() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    problem = Problem(
        "create payout", "409", fields=(FieldProblem("paymentAddressId", "is not Active"),)
    )
    paying.stands(Standing.REFUSED, problem=problem)
    wizard.back()
    assert wizard.view().name == "confirm"
    assert "paymentAddressId: is not Active" in said(wizard)


def test_what_is_in_doubt_is_never_called_failed_and_cannot_be_made_anew_from_here() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(Standing.IN_DOUBT, problem=Problem("send it", "timed out"), repeat_until=NOON)
    shown = said(wizard)
    assert "It may have been carried out, or not" in shown
    assert "under the same key, until 12:00:00 UTC" in shown
    assert "fail" not in shown.lower()
    assert not wizard.back()
    confirm(wizard)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("standing", [Standing.NOT_EXECUTED, Standing.NOT_RECORDED])
def test_what_came_to_nothing_may_be_tried_again_as_a_new_intention(standing: Standing) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(standing, problem=Problem("send it", "connection refused"))
    assert "connection refused" in said(wizard)
    assert wizard.back()
    confirm(wizard)
    first, second = paying.port.submitted
    assert first.terms.amount == second.terms.amount
    assert first.key != second.key


OFFLINE = Problem(
    "create payout", "no connection", said="<refused>", remedy="Check the network.", trace_id="t-7"
)


@pytest.mark.parametrize("standing", [Standing.IN_DOUBT, Standing.NOT_EXECUTED, Standing.REFUSED])
def test_why_it_stands_so_is_told_and_never_that_it_could_not_be_done(standing: Standing) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(standing, problem=OFFLINE)
    assert "no connection (<refused>) [trace t-7]. Check the network." in said(wizard)
    assert "Could not" not in said(wizard)


@pytest.mark.parametrize(
    ("standing", "words", "others"),
    [
        (Standing.REFUSED, "It was refused: <refused>", "Not carried out:"),
        (Standing.NOT_EXECUTED, "Not carried out: <refused>", "It was refused"),
        (Standing.NOT_RECORDED, "Not carried out: <refused>", "It was refused"),
    ],
)
def test_only_what_a_service_refused_is_called_refused(
    standing: Standing, words: str, others: str
) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(standing, problem=OFFLINE)
    wizard.back()
    assert words in said(wizard)
    assert others not in said(wizard)


def test_what_is_recorded_and_waits_says_what_for() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(Standing.RECORDED)
    assert "is sent next" in said(wizard)
    paying.clock.advance(6)
    assert "waiting for a token" in said(wizard)
    paying.store.set_sending(Sending(allowed=False, why="The disk is full."))
    assert "It was not sent: The disk is full." in said(wizard)


@pytest.mark.parametrize("standing", [Standing.ACCEPTED, Standing.DONE, Standing.NOT_DONE])
def test_what_is_settled_may_not_be_anything_else(standing: Standing) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    confirm(wizard)
    paying.stands(Standing.IN_DOUBT)
    (row,) = paying.store.intents.rows()
    paying.store.intents.put([replace(row, candidates=("pay-1",))])
    assert "May be pay-1" in said(wizard)
    paying.store.intents.put([replace(row, candidates=("pay-1",), standing=standing)])
    assert "May be" not in said(wizard)
