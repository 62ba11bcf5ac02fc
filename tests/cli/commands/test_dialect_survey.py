"""The fields of a record that a dialect reads, and those it leaves unread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.cli.commands.dialect_report import Section, Survey
from paytui.domain.exact_json import Json
from paytui.domain.models import Payment, RateSheet, Recipient, Wallet


@pytest.fixture(scope="module")
def dialect() -> Dialect:
    return load_dialect()


def wallet(dialect: Dialect, *records: Json) -> Section:
    survey = Survey(dialect)
    survey.look_at(Wallet, records)
    return survey.sections["wallet"]


def test_what_is_there_is_found_where_it_is(dialect: Dialect) -> None:
    section = wallet(dialect, {"walletId": "w1", "balance": {"available": "1.00"}})
    assert section.found == {
        "wallet_id": ("walletId",),
        "available_balance": ("balance", "available"),
    }
    assert section.unread == set()


def test_what_one_record_lacks_and_another_has_is_found(dialect: Dialect) -> None:
    section = wallet(dialect, {"walletId": "w1"}, {"walletId": "w2", "currency": "AUD"})
    assert "currency" in section.found
    assert "currency" not in section.absent
    section = wallet(dialect, {"walletId": "w2", "currency": "AUD"}, {"walletId": "w1"})
    assert "currency" not in section.absent


def test_what_is_absent_tells_where_it_was_looked_for(dialect: Dialect) -> None:
    section = wallet(dialect, {"walletId": "w1"})
    assert section.absent["available_balance"] == (
        ("availableBalance",),
        ("balance", "available"),
    )


def test_what_nobody_reads_is_told_by_its_whole_path(dialect: Dialect) -> None:
    record: Json = {"walletId": "w1", "funds": {"free": "1.00", "since": None}, "tags": ["a"]}
    assert wallet(dialect, record).unread == {("funds", "free"), ("tags",)}


def test_a_value_that_is_not_what_it_should_be_is_no_use(dialect: Dialect) -> None:
    section = wallet(dialect, {"walletId": "w1", "availableBalance": "a lot"})
    assert section.unreadable == {"available_balance": ("availableBalance",)}


def test_words_for_states_that_no_dialect_lists_are_told(dialect: Dialect) -> None:
    survey = Survey(dialect)
    records: list[Json] = [
        {"paymentTransactionId": "p1", "status": "RELEASED"},
        {"paymentTransactionId": "p2", "status": "batched"},
    ]
    survey.look_at(Payment, records)
    assert survey.sections["payment"].states == {"batched"}


def test_objects_within_have_a_section_of_their_own(dialect: Dialect) -> None:
    survey = Survey(dialect)
    address: Json = {"paymentAddressId": "a1", "swift": "ABCDEFGH"}
    survey.look_at(Recipient, [{"recipientId": "r1", "paymentAddresses": [address]}])
    assert survey.sections["recipient"].unread == set()
    assert survey.sections["payment_address"].unread == {("swift",)}


def test_an_object_that_is_read_in_parts_is_judged_as_a_whole(dialect: Dialect) -> None:
    survey = Survey(dialect)
    rate: Json = {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.65", "spread": "1"}
    survey.look_at(RateSheet, [{"rateSheetId": "s", "expiresAt": "2026-03-02", "rates": [rate]}])
    assert survey.sections["rate"].unread == {("spread",)}
    assert survey.sections["pair"].unread == set()
    assert set(survey.sections["pair"].found) == {"sell", "buy"}


def test_records_without_an_identifier_are_useless(dialect: Dialect) -> None:
    survey = Survey(dialect)
    survey.look_at(Wallet, [{"currency": "AUD"}, "w2", {"walletId": "w3"}])
    assert survey.useless == 2


def test_a_dialect_without_a_name_for_a_field_says_so(dialect: Dialect) -> None:
    fields = {**dialect.fields, "wallet": {**dialect.fields["wallet"], "currency": ()}}
    section = wallet(replace(dialect, fields=fields), {"walletId": "w1", "currency": "AUD"})
    assert section.absent["currency"] == ()
    assert section.unread == {("currency",)}


def test_names_that_would_upset_a_terminal_are_cleaned(dialect: Dialect) -> None:
    section = wallet(dialect, {"walletId": "w1", "a\x1b[2J": 1})
    assert section.unread == {("a\ufffd[2J",)}
