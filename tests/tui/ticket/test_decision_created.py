"""Decisions on created objects have words of their own: no money moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.intent import (
    Action,
    Decision,
    IntentRow,
    IntentTerms,
    SendPermission,
    Standing,
    Verdict,
)
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
from paytui.tui.format.cells import path_words
from paytui.tui.notifications import IntentNotifications
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.model import NO_VALUES
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


def test_what_was_created_is_told_with_its_state_and_then_its_changes(ui: Dashboard) -> None:
    news = IntentNotifications(ui.app().ui)
    ui.store.wallets.put([replace(MADE, status=State("pending"))])
    ui.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk: created, pending"]
    ui.store.wallets.put([MADE])
    assert told(news) == ["Wallet USD desk: active"]
    assert told(news) == []


def test_what_is_active_at_once_is_told_once(ui: Dashboard) -> None:
    news = IntentNotifications(ui.app().ui)
    ui.store.wallets.put([MADE])
    ui.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk: created, active"]
    assert told(news) == []


def test_what_nothing_is_known_of_yet_is_told_as_created(ui: Dashboard) -> None:
    news = IntentNotifications(ui.app().ui)
    ui.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk: created"]


def test_what_cannot_be_read_is_told_without_the_state_of_its_creation(ui: Dashboard) -> None:
    news = IntentNotifications(ui.app().ui)
    state = State("pending, as created", known=False, as_created=True)
    ui.store.wallets.put([replace(MADE, status=state)])
    ui.store.intents.put([wallet(Standing.ACCEPTED, object_id="wal-new", problem=None)])
    assert told(news) == ["Wallet USD desk: created"]


def test_an_account_is_told_as_it_passes_its_checks(ui: Dashboard) -> None:
    news = IntentNotifications(ui.app().ui)
    known = ui.store.accounts.rows()[0]
    row = account(Standing.ACCEPTED, object_id=known.account_id, problem=None)
    ui.store.accounts.put([replace(known, status=State("pending_checks"))])
    ui.store.intents.put([row])
    assert told(news) == ["Individual account: created, pending checks"]
    ui.store.accounts.put([replace(known, status=State("registered"))])
    assert told(news) == ["Individual account: registered"]
    ui.store.accounts.put([replace(known, status=State("rejected", final=True))])
    assert told(news) == ["Individual account: rejected"]


def facts(ui: Dashboard, row: IntentRow) -> dict[str, str]:
    groups = intent_groups(ui.app().ui, row)
    return {fact.label: fact.value.text for one in groups for fact in one.facts}


def test_an_intent_shows_what_was_filled_in_and_to_what_it_belongs(ui: Dashboard) -> None:
    shown = facts(ui, wallet())
    assert shown["Wallet name"] == "USD desk"
    assert shown["Currency"] == "USD"
    assert shown["Account"]
    assert not {"Amount", "From wallet", "To wallet", "Reference"} & shown.keys()


def test_of_an_account_it_shows_that_there_is_nothing_to_show(ui: Dashboard) -> None:
    assert facts(ui, account())["Filled in"].startswith("personal data")


@pytest.mark.parametrize("standing", [Standing.REFUSED, Standing.NOT_EXECUTED])
def test_it_speaks_of_money_only_where_money_would_have_moved(
    ui: Dashboard, standing: Standing
) -> None:
    assert "nothing was created" in facts(ui, wallet(standing))["Meaning"]
    assert "no money moved" in facts(ui, intent_row(1, standing))["Meaning"]
    contradicted = replace(intent_row(1, standing), alerts=("p1 carries its reference.",))
    assert "no money moved" not in facts(ui, contradicted)["Meaning"]


def test_a_field_at_fault_is_named_in_words(ui: Dashboard) -> None:
    fields = (FieldProblem("payment_addresses.0.iban", "is not one"),)
    row = wallet(Standing.REFUSED, problem=Problem("send it", "400", fields=fields))
    assert facts(ui, row)["  payment address 1, IBAN"] == "is not one"


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


def test_nothing_of_money_stands_between_a_creation_and_its_repeat(ui: Dashboard) -> None:
    ui.store.set_sending(SendPermission(allowed=True, why=""))
    twin = replace(wallet(Standing.ACCEPTED), intent_id=intent_row(2).intent_id)
    ui.store.intents.put([twin, wallet()])
    task, row = DecisionTask(ui.app().ui, wallet()), wallet()
    order = Decision(intent_id=row.intent_id, verdict=Verdict.REPEAT)
    review = task.review(order)
    assert (review.refusal, review.asked, review.warnings) == ("", "", ())


def test_a_repeat_says_that_it_may_be_created_twice(ui: Dashboard) -> None:
    task, row = DecisionTask(ui.app().ui, wallet()), wallet()
    for verdict in (Verdict.REPEAT, Verdict.NOT_DONE):
        order = Decision(intent_id=row.intent_id, verdict=verdict)
        review = task.review(order)
        words = " ".join(cell.text for cell in task.review_words(order, review))
        assert "twice" in words
        assert "money" not in words


def test_a_decision_rests_on_what_was_filled_in(ui: Dashboard) -> None:
    shown = DecisionTask(ui.app().ui, wallet()).lines(NO_VALUES)
    lines = {line.label: line.cells[0].text for line in shown}
    assert lines["Wallet name"] == "USD desk"
    assert not {"Amount", "From", "To", "Reference"} & lines.keys()


def test_what_it_may_have_become_is_told_from_others(ui: Dashboard) -> None:
    task = DecisionTask(ui.app().ui, wallet(candidates=("wal-new",)))
    ui.store.wallets.put([MADE])
    assert task.object_words("wal-new").startswith("USD desk USD, ✓ active, ")
    assert [option.key for option in task.object_options()] == ["wal-new"]


def test_the_detail_view_tells_it_from_others_too(ui: Dashboard) -> None:
    ui.store.wallets.put([MADE])
    groups = intent_groups(ui.app().ui, wallet(candidates=("wal-new", "wal-gone")))
    found = [fact for one in groups for fact in one.facts if fact.label == "Candidate"]
    assert [fact.plain for fact in found] == ["wal-new", "wal-gone"]
    assert found[0].note.startswith("USD desk USD, ✓ active, ")
    assert found[1].note == "not among the rows read"


def test_an_identifier_is_taken_only_by_what_became_the_same_kind(ui: Dashboard) -> None:
    """A service may number its payments and its wallets alike."""
    task = DecisionTask(ui.app().ui, wallet())
    ui.store.intents.put([intent_row(2, Standing.ACCEPTED, object_id="17")])
    assert task.object_trouble("17") == ""
    taken = replace(wallet(Standing.ACCEPTED), intent_id=intent_row(3).intent_id, object_id="17")
    ui.store.intents.put([taken])
    assert task.object_trouble("17") == "that is the result of PT-00000003"


def test_terms_name_a_recipient_where_an_address_is_added(ui: Dashboard) -> None:
    terms = IntentTerms(
        recipient_id=RecipientId("rec-1"), asked=(("iban", "GB82WEST12345698765432"),)
    )
    row = wallet(action=Action.CREATE_PAYMENT_ADDRESS, title="Address of Bolt", terms=terms)
    shown = facts(ui, row)
    assert shown["IBAN"] == "GB82WEST12345698765432"
    assert "Recipient" in shown
