"""Fields are named as in the models; the expected lists are written by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.domain.intent import IntentRow
from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    PhysicalAddress,
    Recipient,
    RecipientId,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.fields import Field, FieldType, Listed, fields_of, find_fields
from paytui.store.screen_rows import EventRow
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from tests.support.intents import intent_row

ACME = AccountId("acme-1")


def field(kind: Kind, name: str) -> Field:
    (found,) = [field for field in fields_of(kind) if field.name == name]
    return found


def test_a_wallet_has_the_fields_of_its_model_in_their_order() -> None:
    assert [(field.name, field.type) for field in fields_of(Kind.WALLETS)] == [
        ("wallet_id", FieldType.TEXT),
        ("account_id", FieldType.TEXT),
        ("currency", FieldType.CODE),
        ("wallet_name", FieldType.TEXT),
        ("wallet_description", FieldType.TEXT),
        ("status", FieldType.CODE),
        ("available_balance", FieldType.NUMBER),
        ("reserved_balance", FieldType.NUMBER),
        ("pending_balance", FieldType.NUMBER),
        ("created_at", FieldType.TIME),
        ("updated_at", FieldType.TIME),
    ]


def test_days_and_flags_are_known_as_such() -> None:
    assert field(Kind.ACCOUNTS, "birth_date").type is FieldType.DATE
    assert field(Kind.PAYIN_ADDRESSES, "npp_enabled").type is FieldType.FLAG


def test_what_the_service_did_not_say_has_no_value() -> None:
    wallet = Wallet(WalletId("w"), currency=CurrencyCode("AUD"), status=State("active"))
    told = {field.name: field.values(wallet) for field in fields_of(Kind.WALLETS)}
    assert {name: values for name, values in told.items() if values} == {
        "wallet_id": ("w",),
        "currency": ("AUD",),
        "status": ("active",),
    }


def test_a_nested_object_gives_dotted_names() -> None:
    there = Account(ACME, physical_address=PhysicalAddress(city="Perth"))
    city = field(Kind.ACCOUNTS, "physical_address.city")
    assert city.values(there) == ("Perth",)
    assert city.values(Account(ACME)) == ()


def test_a_list_gives_the_values_of_all_its_objects() -> None:
    recipient = Recipient(
        RecipientId("r"),
        payment_addresses=(
            PaymentAddress(PaymentAddressId("a"), currency=CurrencyCode("AUD")),
            PaymentAddress(PaymentAddressId("b")),
            PaymentAddress(PaymentAddressId("c"), currency=CurrencyCode("USD")),
        ),
    )
    currency = field(Kind.RECIPIENTS, "payment_addresses.currency")
    assert currency.values(recipient) == ("AUD", "USD")
    bank = field(Kind.RECIPIENTS, "payment_addresses.bank_information.bank_name")
    assert bank.values(recipient) == ()


def test_an_identifier_is_joined_by_the_name_that_a_person_knows() -> None:
    store = Store()
    store.accounts.put([Account(ACME, display_name="Acme Pty")])
    account = named_fields(store, Kind.WALLETS)[-1]
    assert account.name == "account"
    assert account.values(Wallet(WalletId("w"), account_id=ACME)) == ("Acme Pty", "acme-1")
    assert account.values(Wallet(WalletId("w"))) == ()


def test_an_object_is_found_by_the_name_in_its_first_column() -> None:
    anna = Account(ACME, first_name="Anna", last_name="Lee")
    (account,) = find_fields("account", named_fields(Store(), Kind.ACCOUNTS))
    assert account.values(anna) == ("Anna Lee", "acme-1")


def test_the_names_in_an_intent_are_found() -> None:
    store = Store()
    store.accounts.put([Account(AccountId("acc-2"), display_name="Acme Pty")])
    (account,) = find_fields("account", named_fields(store, IntentRow))
    assert account.values(intent_row(1)) == ("Acme Pty", "acc-2")


@pytest.mark.parametrize(
    ("kind", "word", "meant"),
    [
        (Kind.PAYMENTS, "status", ["status"]),
        (Kind.PAYMENTS, "State", ["status"]),
        (Kind.PAYMENTS, "ccy", ["currency"]),
        (Kind.PAYMENTS, "amount", ["amount"]),
        (Kind.PAYMENTS, "age", ["created_at"]),
        (Kind.PAYMENTS, "created", ["created_at"]),
        (Kind.PAYMENTS, "type", ["payment_type"]),
        (
            Kind.PAYMENTS,
            "wallet",
            ["source_wallet_id", "destination_wallet_id", "source_wallet", "destination_wallet"],
        ),
        (Kind.TRADES, "ccy", ["sell_currency", "buy_currency"]),
        (Kind.TRADES, "amount", ["sell_amount", "buy_amount"]),
        (Kind.WALLETS, "amount", ["available_balance"]),
        (Kind.RECIPIENTS, "ccy", ["payment_addresses.currency"]),
        (Kind.RECIPIENTS, "status", ["status"]),
        (Kind.ACCOUNTS, "city", ["physical_address.city"]),
        (Kind.PAYIN_ADDRESSES, "age", []),
        (Kind.PAYMENTS, "urrency", []),
        # column headings
        (Kind.PAYMENTS, "To", ["destination_wallet", "recipient"]),
        (Kind.PAYMENTS, "end-to-end_id", ["end_to_end_id"]),
        (Kind.PAYMENTS, "payment-id", ["payment_transaction_id"]),
        (Kind.TRADES, "sold", ["sell_amount"]),
        (Kind.TRADES, "pair", ["sell_currency", "buy_currency"]),
        (Kind.WALLETS, "available", ["available_balance"]),
        (Kind.WALLETS, "wallet", ["wallet"]),
        (Kind.ACCOUNTS, "type", ["kind"]),
        (Kind.ACCOUNTS, "country", ["registration_country"]),
        (Kind.ACCOUNTS, "e-mail", ["email"]),
        (Kind.RECIPIENTS, "type", ["recipient_type"]),
        (IntentRow, "status", ["status"]),
        (IntentRow, "intent-id", ["intent_id"]),
        (IntentRow, "from", ["terms.source_wallet"]),
        (EventRow, "effect", ["caused"]),
    ],
)
def test_a_word_means_the_field_of_that_name_or_those_that_end_with_it(
    kind: Listed, word: str, meant: list[str]
) -> None:
    assert [field.name for field in find_fields(word, named_fields(Store(), kind))] == meant


def test_amounts_are_handed_on_as_they_are() -> None:
    exact = Decimal("12345678901234567890.10")
    wallet = Wallet(WalletId("w"), available_balance=exact)
    (value,) = field(Kind.WALLETS, "available_balance").values(wallet)
    assert str(value) == "12345678901234567890.10"


def test_an_intent_has_fields_as_an_object_has() -> None:
    kinds = {field.name: field.type for field in fields_of(IntentRow)}
    assert kinds["action"] is FieldType.CODE
    assert kinds["terms.amount"] is kinds["attempts"] is FieldType.NUMBER
    assert kinds["candidates"] is kinds["standing"] is FieldType.TEXT
    row = intent_row(1, attempts=2, candidates=("pay-1", "pay-2"))
    told = {field.name: field.values(row) for field in fields_of(IntentRow)}
    assert told["attempts"] == (Decimal(2),)
    assert told["candidates"] == ("pay-1", "pay-2")
    assert told["problem.what"] == ("the connection was cut",)
