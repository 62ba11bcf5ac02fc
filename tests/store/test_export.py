"""An export holds the service's values to the last digit; spreadsheets compute none."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.config.value_parsers import COLUMNS
from paytui.domain.intent import IntentRow, IntentTerms
from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInAddress,
    PayInAddressId,
    PayInId,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    PhysicalAddress,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.export import ColumnError, Format, export_rows, layout
from paytui.store.fields import Listed
from paytui.store.store import Store
from tests.support.clock import NOON
from tests.support.intents import intent_row

SYDNEY = timezone(timedelta(hours=11))
PAYMENT_COLUMNS = (
    "payment_transaction_id,payment_type,account_id,account,source_wallet_id,source_wallet,"
    "destination_wallet_id,destination_wallet,recipient_id,recipient,payment_address_id,amount,currency,status,reference,end_to_end_id,created_at,updated_at,"
    "failure_reason"
)
RENT = Payment(
    PaymentId("p1"),
    amount=Decimal("-12345678901234567890.120"),
    currency=CurrencyCode("AUD"),
    status=State("released"),
    reference='say "rent", Zoë',
    created_at=NOON,
)

PRINTED = st.characters(exclude_categories=["Cs", "Cc"])
LIKE_FORMULAS = st.sampled_from(list("=+-@;,\t\r\n \"'"))


def exported(
    rows: Sequence[object],
    form: Format,
    kind: Listed = Kind.PAYMENTS,
    zone: timezone = UTC,
    *,
    store: Store | None = None,
    columns: Sequence[str] = (),
) -> str:
    file, whole = io.StringIO(), layout(store or Store(), kind)
    export_rows(whole.choose(columns) if columns else whole, rows, form, file, zone)
    return file.getvalue()


def reference_cell(text: str) -> str:
    written = exported([Payment(PaymentId("p"), reference=text)], Format.CSV)
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    return row["reference"]


def split_every_way(written: str) -> Iterator[str]:
    """The cells as programs find them that split at one mark or at all, and heed quotes or not."""
    for mark in ",;\t":
        for line in csv.reader(io.StringIO(written, newline=""), delimiter=mark):
            yield from line
    yield from re.split(r"[,;\t\r\n]", written)


class TestCsv:
    def test_it_is_one_line_of_names_and_one_a_row(self) -> None:
        assert exported([RENT], Format.CSV) == (
            f"{PAYMENT_COLUMNS}\r\n"
            'p1,,,,,,,,,,,-12345678901234567890.120,AUD,released,"say ""rent"", Zoë",,'
            "2026-03-02T12:00:00+00:00,,\r\n"
        )

    def test_without_rows_there_are_the_names(self) -> None:
        assert exported([], Format.CSV) == f"{PAYMENT_COLUMNS}\r\n"

    @pytest.mark.parametrize(
        "text",
        ["=1+1", "+61 2 9000", "-2", "@SUM(A1)", "\tx", "\rx", "  =1+1", "＝1+1", "＠x", '"=1"'],
    )
    def test_text_that_a_spreadsheet_would_compute_is_made_text(self, text: str) -> None:
        assert reference_cell(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["rent", "a=b", "7-8", "'quoted'", "me@example.com"])
    def test_other_text_stays_as_it_is(self, text: str) -> None:
        assert reference_cell(text) == text

    def test_an_amount_is_no_text_and_keeps_its_sign(self) -> None:
        assert ",-12345678901234567890.120," in exported([RENT], Format.CSV)

    def test_identifiers_and_states_are_text_from_outside_as_well(self) -> None:
        row = Payment(PaymentId("=id"), status=State("+odd"), currency=CurrencyCode("-X"))
        line = exported([row], Format.CSV).splitlines()[1]
        assert line == "'=id,,,,,,,,,,,,'-X,'+odd,,,,,"

    @pytest.mark.parametrize(
        ("text", "guarded"),
        [
            ("rent;=1+1", "rent;'=1+1"),
            ("rent; @SUM(A1)", "rent;' @SUM(A1)"),
            ("rent\t-2", "rent\t'-2"),
            ("rent\r\n+2", "rent\r'\n'+2"),
            ("rent,=1", "rent,'=1"),
            ('rent;"=1"', 'rent;\'"=1"'),
            ("=1;=2", "'=1;'=2"),
            ("\t=1", "'\t'=1"),
        ],
    )
    def test_nor_is_a_part_of_it_where_a_spreadsheet_splits_elsewhere(
        self, text: str, guarded: str
    ) -> None:
        """By the custom of many countries a list is split at semicolons; others split at tabs."""
        assert reference_cell(text) == guarded

    @given(st.lists(LIKE_FORMULAS | st.text(PRINTED, max_size=5), max_size=12).map("".join))
    def test_whatever_it_is_split_at_no_cell_begins_like_a_formula(self, text: str) -> None:
        written = exported([Payment(PaymentId(text), reference=text)], Format.CSV)
        for cell in split_every_way(written):
            assert not cell.strip(' "\t\r\n').startswith(("=", "+", "-", "@")), cell

    @given(st.lists(LIKE_FORMULAS | st.text(PRINTED, max_size=5), max_size=12).map("".join))
    def test_of_a_text_nothing_is_lost_and_only_guards_join_it(self, text: str) -> None:
        assert reference_cell(text).replace("'", "") == text.replace("'", "")

    def test_several_values_stand_in_one_cell(self) -> None:
        addresses = tuple(
            PaymentAddress(PaymentAddressId(name), currency=CurrencyCode(name.upper()))
            for name in ("aud", "usd")
        )
        row = Recipient(RecipientId("r"), payment_addresses=addresses)
        written = exported([row], Format.CSV, Kind.RECIPIENTS)
        (cells,) = csv.DictReader(io.StringIO(written, newline=""))
        assert cells["payment_addresses.currency"] == "AUD; USD"

    def test_each_of_several_values_is_guarded(self) -> None:
        addresses = tuple(
            PaymentAddress(PaymentAddressId(name), currency=CurrencyCode(name))
            for name in ("=AUD", "=USD")
        )
        written = exported(
            [Recipient(RecipientId("r"), payment_addresses=addresses)], Format.CSV, Kind.RECIPIENTS
        )
        (cells,) = csv.DictReader(io.StringIO(written, newline=""))
        assert cells["payment_addresses.currency"] == "'=AUD; '=USD"

    def test_days_and_flags_are_written_plainly(self) -> None:
        account = Account(AccountId("a"), birth_date=date(1990, 5, 17))
        assert "1990-05-17" in exported([account], Format.CSV, Kind.ACCOUNTS)
        address = PayInAddress(PayInAddressId("p"), npp_enabled=False)
        assert ",false\r\n" in exported([address], Format.CSV, Kind.PAYIN_ADDRESSES)


class TestJson:
    def test_json_is_one_array_with_every_digit(self) -> None:
        text = exported([RENT, RENT], Format.JSON)
        first, second = json.loads(text, parse_float=Decimal)
        assert first == second
        assert str(first["amount"]) == "-12345678901234567890.120"
        assert first["status"] == "released"
        assert first["reference"] == 'say "rent", Zoë'
        assert first["end_to_end_id"] is None
        assert list(first) == PAYMENT_COLUMNS.split(",")

    def test_no_rows_are_an_empty_array(self) -> None:
        assert json.loads(exported([], Format.JSON)) == []

    def test_json_lines_are_one_object_a_line(self) -> None:
        lines = exported([RENT, RENT], Format.JSONL).splitlines()
        assert [json.loads(line)["payment_transaction_id"] for line in lines] == ["p1", "p1"]
        assert exported([], Format.JSONL) == ""

    def test_what_is_nested_stays_nested(self) -> None:
        account = Account(AccountId("a"), physical_address=PhysicalAddress(city="Perth"))
        (line,) = exported([account], Format.JSONL, Kind.ACCOUNTS).splitlines()
        assert json.loads(line)["physical_address"]["city"] == "Perth"

    def test_text_is_not_guarded_for_spreadsheets(self) -> None:
        row = Payment(PaymentId("p"), reference="=1+1")
        assert json.loads(exported([row], Format.JSONL))["reference"] == "=1+1"


@pytest.mark.parametrize("form", list(Format))
def test_times_are_in_the_zone_that_is_asked_for_with_its_offset(form: Format) -> None:
    assert "2026-03-02T23:00:00+11:00" in exported([RENT], form, zone=SYDNEY)


@pytest.mark.parametrize("form", list(Format))
def test_the_first_day_of_all_can_be_exported_in_any_zone(form: Format) -> None:
    row = Payment(PaymentId("p"), created_at=datetime(1, 1, 1, tzinfo=UTC))
    west = timezone(timedelta(hours=-5))
    assert "0001-01-01T00:00:00+00:00" in exported([row], form, zone=west)


ACME, DESK = AccountId("acc-1"), WalletId("wal-1")
PAYIN = PayIn(PayInId("in-1"), DESK, amount=Decimal(5))


class TestNames:
    """The account and the wallet have names; the recipient has none and is not read."""

    @pytest.fixture
    def store(self) -> Store:
        store = Store()
        store.accounts.put([Account(ACME, first_name="Ann", last_name="Lee")])
        store.wallets.put([Wallet(DESK, ACME, wallet_name="=AUD desk")])
        return store

    def test_a_name_stands_after_its_identifier_and_is_empty_if_unknown(self, store: Store) -> None:
        row = Payment(
            PaymentId("p1"),
            account_id=ACME,
            source_wallet_id=DESK,
            recipient_id=RecipientId("rec-9"),
        )
        (cells,) = csv.DictReader(io.StringIO(exported([row], Format.CSV, store=store)))
        assert (cells["account"], cells["source_wallet"]) == ("Ann Lee", "'=AUD desk")
        assert (cells["recipient_id"], cells["recipient"]) == ("rec-9", "")
        (told,) = json.loads(exported([row], Format.JSON, store=store))
        assert list(told) == PAYMENT_COLUMNS.split(",")
        assert (told["account"], told["source_wallet"], told["recipient"]) == (
            "Ann Lee",
            "=AUD desk",
            None,
        )

    def test_a_row_without_an_account_has_that_of_its_wallet(self, store: Store) -> None:
        payment = Payment(PaymentId("p1"), source_wallet_id=DESK)
        told = json.loads(exported([payment], Format.JSONL, store=store))
        assert (told["account_id"], told["account"]) == (None, "Ann Lee")
        written = exported([PAYIN], Format.JSONL, Kind.PAYINS, store=store)
        told = json.loads(written)
        assert list(told)[1:4] == ["wallet_id", "wallet", "account"]
        assert (told["wallet"], told["account"]) == ("=AUD desk", "Ann Lee")

    def test_names_of_an_intent_stand_beside_its_identifiers(self, store: Store) -> None:
        row = intent_row(1, terms=IntentTerms(account_id=ACME, source_wallet_id=DESK))
        told = json.loads(exported([row], Format.JSONL, IntentRow, store=store))
        assert told["terms"]["account"] == "Ann Lee"
        (cells,) = csv.DictReader(io.StringIO(exported([row], Format.CSV, IntentRow, store=store)))
        assert cells["terms.source_wallet"] == "'=AUD desk"


class TestColumns:
    def test_they_are_those_that_were_asked_for_in_their_order(self) -> None:
        written = exported([RENT], Format.CSV, columns=("ccy", "created", "amount", "status"))
        assert written == (
            "ccy,created,amount,status\r\n"
            "AUD,2026-03-02T12:00:00+00:00,-12345678901234567890.120,released\r\n"
        )

    def test_json_is_flat_and_lists_only_what_may_be_several(self) -> None:
        row = Recipient(
            RecipientId("r"),
            company_name="Acme",
            payment_addresses=(
                PaymentAddress(PaymentAddressId("a"), currency=CurrencyCode("AUD")),
            ),
        )
        store = Store()
        store.recipients.put([row])
        columns = ("recipient", "currencies", "payment_addresses.iban", "e-mail")
        written = exported([row], Format.JSONL, Kind.RECIPIENTS, store=store, columns=columns)
        assert json.loads(written) == {
            "recipient": "Acme",
            "currencies": ["AUD"],
            "payment_addresses.iban": [],
            "e-mail": None,
        }

    def test_to_is_the_recipient_or_else_the_wallet(self) -> None:
        store = Store()
        store.wallets.put([Wallet(DESK, wallet_name="AUD desk")])
        store.recipients.put([Recipient(RecipientId("r"), company_name="Acme")])
        payout = Payment(PaymentId("1"), recipient_id=RecipientId("r"), destination_wallet_id=DESK)
        transfer = Payment(PaymentId("2"), destination_wallet_id=DESK)
        written = exported([payout, transfer], Format.CSV, store=store, columns=("to",))
        assert written == "to\r\nAcme\r\nAUD desk\r\n"

    def test_a_pair_is_written_as_in_the_list(self) -> None:
        row = Trade(
            TradeId("t"), sell_currency=CurrencyCode("AUD"), buy_currency=CurrencyCode("USD")
        )
        assert (
            exported([row], Format.CSV, Kind.TRADES, columns=("pair",)) == "pair\r\nAUD > USD\r\n"
        )

    @pytest.mark.parametrize("name", COLUMNS)
    def test_each_column_of_a_list_can_be_exported(self, name: str) -> None:
        listed = IntentRow if name == "intents" else Kind(name)
        ids = COLUMNS[name]
        chosen = layout(Store(), listed).choose(ids).chosen
        assert chosen is not None
        assert [column.name for column in chosen] == list(ids)

    @pytest.mark.parametrize("name", ["colour", "", "currency"])
    def test_one_that_is_unknown_or_ambiguous_is_refused_with_the_known_ones(
        self, name: str
    ) -> None:
        with pytest.raises(ColumnError, match=r"Known: pair, .*sell_currency.*, buy_wallet,"):
            layout(Store(), Kind.TRADES).choose(["rate", name], ["pair"])
