"""What is created is told, shown and decided in its own words: no money moves by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.intent import Action, IntentRow, IntentTerms, SendPermission, Standing, Verdict
from paytui.domain.models import (
    AccountId,
    FieldProblem,
    Problem,
    RecipientId,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.tui.details.intent import intent_groups
from paytui.tui.format.ticket import path_words
from paytui.tui.notifications import IntentNotifications
from paytui.tui.wizards.decision.view import (
    facts_of,
    meaning_of,
    object_options,
    object_trouble,
    object_words,
    review_of,
)
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.dashboard import Dashboard

ASKED = (
    ("account_id", "acc-1"),
    ("currency", "USD"),
    ("wallet_name", "USD desk"),
)
MADE = Wallet(
    WalletId("wal-new"),
    account_id=AccountId("acc-1"),
    currency=CurrencyCode("USD"),
    wallet_name="USD desk",
    status=State("active"),
    created_at=NOON,
)


def wallet(standing: Standing = Standing.IN_DOUBT, **changes: object) -> IntentRow:
    terms = IntentTerms(account_id=AccountId("acc-1"), currency=CurrencyCode("USD"), asked=ASKED)
    return intent_row(
        1,
        standing,
        minutes_ago=0,
        **{"action": Action.CREATE_WALLET, "title": "Wallet USD desk", "terms": terms, **changes},
    )


def account(standing: Standing = Standing.IN_DOUBT, **changes: object) -> IntentRow:
    return wallet(
        standing,
        **{
            "action": Action.CREATE_INDIVIDUAL_ACCOUNT,
            "title": "Individual account",
            "terms": IntentTerms(),
            **changes,
        },
    )


def told(news: IntentNotifications) -> list[str]:
    return [headline.words for headline in news.poll()]


def test_what_was_created_is_told_with_its_state_and_then_its_changes(desk: Dashboard) -> None:
    news = IntentNotifications(desk.app().desk)
    desk.store.wallets.put([replace(MADE, status=State("pending"))])
    desk.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk created, pending"]
    desk.store.wallets.put([MADE])
    assert told(news) == ["Wallet USD desk active"]
    assert told(news) == []


def test_what_is_active_at_once_is_told_once(desk: Dashboard) -> None:
    news = IntentNotifications(desk.app().desk)
    desk.store.wallets.put([MADE])
    desk.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk created, active"]
    assert told(news) == []


def test_what_nothing_is_known_of_yet_is_told_as_created(desk: Dashboard) -> None:
    news = IntentNotifications(desk.app().desk)
    desk.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk created"]


def test_what_cannot_be_read_is_told_without_the_state_of_its_creation(desk: Dashboard) -> None:
    news = IntentNotifications(desk.app().desk)
    state = State("pending, as created", known=False, as_created=True)
    desk.store.wallets.put([replace(MADE, status=state)])
    desk.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk created"]


def test_an_account_is_told_as_it_passes_its_checks(desk: Dashboard) -> None:
    news = IntentNotifications(desk.app().desk)
    known = desk.store.accounts.rows()[0]
    row = account(Standing.ACCEPTED, object_id=known.account_id, problem=None)
    desk.store.accounts.put([replace(known, status=State("pending_checks"))])
    desk.store.intents.put([row])
    assert told(news) == ["Individual account created, pending checks"]
    desk.store.accounts.put([replace(known, status=State("registered"))])
    assert told(news) == ["Individual account registered"]
    desk.store.accounts.put([replace(known, status=State("rejected", final=True))])
    assert told(news) == ["Individual account rejected"]


def facts(desk: Dashboard, row: IntentRow) -> dict[str, str]:
    groups = intent_groups(desk.app().desk, row)
    return {fact.label: fact.value.text for one in groups for fact in one.facts}


def test_an_intent_shows_what_was_filled_in_and_to_what_it_belongs(desk: Dashboard) -> None:
    shown = facts(desk, wallet())
    assert shown["Wallet name"] == "USD desk"
    assert shown["Currency"] == "USD"
    assert shown["Account"]
    assert not {"Amount", "From wallet", "To wallet", "Reference"} & shown.keys()


def test_of_an_account_it_shows_that_there_is_nothing_to_show(desk: Dashboard) -> None:
    assert facts(desk, account())["Filled in"].startswith("personal data")


@pytest.mark.parametrize("standing", [Standing.REFUSED, Standing.NOT_EXECUTED])
def test_it_speaks_of_money_only_where_money_would_have_moved(
    desk: Dashboard, standing: Standing
) -> None:
    assert "nothing was created" in facts(desk, wallet(standing))["Meaning"]
    assert "no money moved" in facts(desk, intent_row(1, standing))["Meaning"]
    contradicted = replace(intent_row(1, standing), alerts=("p1 carries its reference.",))
    assert "no money moved" not in facts(desk, contradicted)["Meaning"]


def test_a_field_at_fault_is_named_in_words(desk: Dashboard) -> None:
    fields = (FieldProblem("payment_addresses.0.iban", "is not one"),)
    row = wallet(Standing.REFUSED, problem=Problem("send it", "400", fields=fields))
    assert facts(desk, row)["  payment address 1, IBAN"] == "is not one"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("physical_address.address_line1", "physical address, address line1"),
        ("trust.trust_beneficiaries.1.last_name", "trust, beneficiary 2, last name"),
        ("authorised_representatives.0.email", "representative 1, email"),
        ("/odd/one", "/odd/one"),
    ],
)
def test_paths_in_words(path: str, words: str) -> None:
    assert path_words(path) == words


# Deciding


def test_nothing_of_money_stands_between_a_creation_and_its_repeat(desk: Dashboard) -> None:
    desk.store.set_sending(SendPermission(allowed=True, why=""))
    at = desk.app().desk
    twin = replace(wallet(Standing.ACCEPTED), intent_id=intent_row(2).intent_id)
    desk.store.intents.put([twin, wallet()])
    review = review_of(at, wallet(), Verdict.REPEAT, "")
    assert (review.refusal, review.asked, review.duplicate_warnings) == ("", None, ())


def test_a_repeat_says_that_it_may_be_created_twice(desk: Dashboard) -> None:
    at = desk.app().desk
    for verdict in (Verdict.REPEAT, Verdict.NOT_DONE):
        words = " ".join(cell.text for cell in meaning_of(at, wallet(), verdict, ""))
        assert "twice" in words
        assert "money" not in words


def test_a_decision_rests_on_what_was_filled_in(desk: Dashboard) -> None:
    lines = {line.label: line.cells[0].text for line in facts_of(desk.app().desk, wallet())}
    assert lines["Wallet name"] == "USD desk"
    assert not {"Amount", "From", "To", "Reference"} & lines.keys()


def test_what_it_may_have_become_is_told_from_others(desk: Dashboard) -> None:
    at, row = desk.app().desk, wallet(candidates=("wal-new",))
    desk.store.wallets.put([MADE])
    assert object_words(at, row, "wal-new").startswith("USD desk USD, ✓ active, ")
    assert [option.key for option in object_options(at, row)] == ["wal-new", "another"]


def test_an_identifier_is_taken_only_by_what_became_the_same_kind(desk: Dashboard) -> None:
    """A service may number its payments and its wallets alike."""
    at = desk.app().desk
    desk.store.intents.put([intent_row(2, Standing.ACCEPTED, object_id="17")])
    assert object_trouble(at, wallet(), "17") == ""
    taken = replace(wallet(Standing.ACCEPTED), intent_id=intent_row(3).intent_id, object_id="17")
    desk.store.intents.put([taken])
    assert object_trouble(at, wallet(), "17") == "that is what PT-00000003 became"


def test_terms_name_a_recipient_where_an_address_is_added(desk: Dashboard) -> None:
    terms = IntentTerms(
        recipient_id=RecipientId("rec-1"), asked=(("iban", "GB82WEST12345698765432"),)
    )
    row = wallet(action=Action.CREATE_PAYMENT_ADDRESS, title="Address of Bolt", terms=terms)
    shown = facts(desk, row)
    assert shown["IBAN"] == "GB82WEST12345698765432"
    assert "Recipient" in shown
