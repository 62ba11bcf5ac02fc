"""Dialects are data; a misspelt override is an error."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.api.dialect import Dialect, DialectError, Route, load_dialect
from paytui.domain.models import State

Override = Callable[[str], Dialect]


@pytest.fixture
def override(tmp_path: Path) -> Override:
    def load(text: str) -> Dialect:
        path = tmp_path / "acme.toml"
        path.write_text(text, encoding="utf-8")
        return load_dialect(path)

    return load


DOCUMENTED = {
    "auth": "POST /auth",
    "create_individual_account": "POST /account/individual",
    "create_corporate_account": "POST /accounts/corporate",
    "create_wallet": "POST /wallets",
    "create_payin_address": "POST /payin-addresses",
    "create_rate_sheet": "POST /rate-sheets",
    "book_trade": "POST /tradess",
    "create_recipient": "POST /recipients",
    "add_payment_address": "POST /recipients/{recipient_id}/payment-addresses",
    "get_payment_address": "GET /payment-addresses/{payment_address_id}",
    "list_payment_addresses": "GET /recipients/{recipient_id}/payment-addresses",
    "create_transfer": "POST /payments/transfer",
    "create_payout": "POST /payments/payout",
    "list_payments": "GET /payments",
}
"""service.md §4, the fourteen operations in their published spelling."""


@pytest.mark.parametrize(("operation", "spelling"), DOCUMENTED.items())
def test_the_published_spelling_is_tried_first(
    dialect: Dialect, operation: str, spelling: str
) -> None:
    assert dialect.paths[operation][0] == Route(*spelling.split())


def test_the_other_spelling_of_the_ambiguous_paths_follows(dialect: Dialect) -> None:
    assert dialect.paths["create_individual_account"][1].path == "/accounts/individual"
    assert dialect.paths["book_trade"][1].path == "/trades"


def test_the_default_says_what_the_service_documents(dialect: Dialect) -> None:
    assert dialect.prefix == "/v2"  # service.md §9
    assert dialect.token_lifetime == timedelta(minutes=5)  # service.md §8
    assert dialect.rate_sheet_lifetime == timedelta(minutes=2.5)
    assert len(set(dialect.currencies)) == 19
    assert dialect.idempotency.header == "idempotency"  # service.md §4
    assert dialect.idempotency.replay_safe == frozenset()
    assert dialect.idempotency.retention == timedelta(hours=24)


@pytest.mark.covers("payin-wallet-required")
def test_the_wallet_of_a_payin_address_is_the_one_required_field(dialect: Dialect) -> None:
    """service.md §2: `walletId` (required); of all others that is not shown."""
    required = {request: fields for request, fields in dialect.required.items() if fields}
    assert required == {"payin_address_request": ("wallet_id",)}


def test_a_dialect_does_not_change(dialect: Dialect) -> None:
    with pytest.raises(FrozenInstanceError):
        dialect.prefix = "/v3"  # type: ignore[misc] # that it fails is what is tested


OURS = """
prefix = "/payments/v9/"
[paths]
list_wallets = []
get_wallet = ["GET /wallet?id={wallet_id}"]
[fields.wallet]
available_balance = ["money.now", "availableBalance"]
[states.payment]
released = { wire = ["SENT", "out"], final = true }
completed = { final = false }
[query]
status = ""
[paging]
style = "cursor"
next = "links.next"
[headers]
x-tenant = "acme"
[values.account_type]
iban = ["IBAN"]
[extra.corporate_account_request]
tax_number = { path = "tax.number", label = "Tax number" }
[required.trade_request]
fields = ["rate_sheet_id"]
[idempotency]
replay_safe = ["create_payout"]
[send]
amounts = "number"
"""


@pytest.fixture
def ours(override: Override) -> Dialect:
    return override(OURS)


def test_an_override_changes_the_paths_that_it_names_and_no_other(
    ours: Dialect, dialect: Dialect
) -> None:
    assert ours.prefix == "/payments/v9"
    assert ours.paths["list_wallets"] == ()
    assert ours.paths["get_wallet"] == (Route("GET", "/wallet?id={wallet_id}"),)
    assert ours.paths["get_trade"] == dialect.paths["get_trade"]
    assert "status" not in ours.query
    assert (ours.paging.style, ours.paging.next) == ("cursor", ("links", "next"))
    assert ours.headers == {"x-tenant": "acme"}


def test_an_override_changes_the_fields_states_and_values_that_it_names_and_no_other(
    ours: Dialect,
) -> None:
    assert ours.fields["wallet"]["available_balance"] == (("money", "now"), ("availableBalance",))
    assert ours.fields["wallet"]["currency"] == (("currency",),)
    assert ours.states["payment"]["sent"] == State("released", final=True)
    assert ours.states["payment"]["out"] is ours.states["payment"]["sent"]
    assert "released" not in ours.states["payment"]
    assert ours.states["payment"]["completed"] == State("completed", final=False)
    assert ours.values["account_type"]["iban"] == ("IBAN",)
    assert ours.values["account_type"]["cacc"] == ("cacc",)


def test_an_override_changes_what_requests_hold(ours: Dialect) -> None:
    extra = ours.extra["corporate_account_request"]["tax_number"]
    assert (extra.path, extra.label, extra.kind) == (("tax", "number"), "Tax number", "text")
    assert ours.required["trade_request"] == ("rate_sheet_id",)
    assert ours.idempotency.replay_safe == {"create_payout"}
    assert ours.amounts == "number"


WRONG = {
    '[fields.wallet]\navailible_balance = ["x"]': ["availible_balance", "available_balance"],
    '[field.wallet]\nwallet_id = ["x"]': ["field", "fields"],
    '[paths]\nlist_walets = ["GET /w"]': ["list_walets", "list_wallets"],
    '[states.payment]\nreleasd = { wire = ["x"] }': ["releasd", "released"],
    '[states.payment]\nreleased = { wires = ["x"] }': ["wires", "wire"],
    "[extra.payout_request]\ntax = { pth = 'x' }": ["pth", "path"],
    'prefix = 2': ["prefix", "a string", "a number"],
    '[fields.wallet]\nwallet_id = "id"': ["wallet_id", "a list of strings"],
    "[fields.wallet]\nwallet_id = [1]": ["wallet_id", "a list of strings"],
    '[states.payment]\nreleased = ["x"]': ["released", "a table"],
    '[states.payment]\nreleased = { final = "yes" }': ["final", "true or false"],
    "[headers]\nx-tenant = 5": ["x-tenant", "a string"],
    '[headers]\n"x tenant" = "a"': ["x tenant", "name of a header"],
    '[headers]\nx-tenant = "caf\u00e9"': ["x-tenant", "ASCII"],
    '[headers]\nAuthorization = "Basic x"': ["Authorization", "paytui itself"],
    '[headers]\naccept-encoding = "br"': ["accept-encoding", "paytui itself", "Leave it out"],
    '[headers]\nConnection = "close"': ["Connection", "paytui itself", "Leave it out"],
    '[headers]\nIf-None-Match = "*"': ["If-None-Match", "paytui itself"],
    '[headers]\nIdempotency = "1"': ["Idempotency", "paytui itself"],
    '[headers]\nX-Key = "1"\n[idempotency]\nheader = "x-key"': ["X-Key", "paytui itself"],
    '[headers]\nX-Desk = "a"\nx-desk = "b"': ["x-desk", "twice", "Keep one"],
    '[idempotency]\nheader = ""': ["header", "name of a header"],
    '[idempotency]\nheader = "Authorization"': ["header", "paytui itself", "another"],
    '[idempotency]\nheader = "content-type"': ["header", "paytui itself", "another"],
    "fields = 5": ["fields", "a table"],
    '[paths]\nget_wallet = ["GET /wallets/{id}"]': ["get_wallet", "{wallet_id}"],
    '[paths]\nlist_wallets = ["GET /wallets/{wallet_id}"]': ["list_wallets", "no placeholder"],
    '[paths]\nget_wallet = ["DELETE /wallets/{wallet_id}"]': ["get_wallet", "method"],
    '[paths]\nlist_wallets = ["/wallets"]': ["list_wallets", "GET /wallets"],
    "[paths]\nauth = []": ["auth", "token"],
    'prefix = "v2"': ["prefix", "/v2"],
    '[paging]\nstyle = "pages"': ["pages", "page, offset, cursor, none"],
    "[paging]\nrecords = 0": ["records", "at least 1"],
    '[send]\namounts = "float"': ["float", "string, number"],
    '[extra.payout_request]\ntax = { label = "Tax" }': ["path", "is missing"],
    '[extra.payout_request]\nfee = { path = "amount" }': ["fee", "where amount goes"],
    '[extra.payout_request]\na = { path = "x.y" }\nb = { path = "x" }': ["b", "where a goes"],
    '[extra.payout_request]\ntax = { path = "x", kind = "int" }': ["int", "text, number, boolean"],
    '[idempotency]\nretention = "a day"': ["retention", "24h"],
    '[idempotency]\nreplay_safe = ["payout"]': ["payout", "create_payout"],
    '[required.trade_request]\nfields = ["rate"]': ["rate", "rate_sheet_id"],
    '[states.payment]\nfailed = { wire = ["rejected"] }': ["failed", "rejected", "both"],
    '[fields.payout_request]\namount = ["."]': ["amount", "."],
    "[fields.token_request]\nclient_id = []": ["client_id", "name"],
    "[fields.payout_request]\namount = []": ["payout_request", "amount", "money that moves"],
    "[fields.payout_request]\npayment_address_id = []": ["payment_address_id", "Name its field"],
    "[fields.transfer_request]\nsource_wallet_id = []": ["source_wallet_id", "Name its field"],
    "[fields.trade_request]\nbuy_amount = []\nsell_amount = []": ["sell_amount or buy_amount"],
    '[required.payout_request]\nfields = ["reference"]\n[fields.payout_request]\nreference = []': [
        "reference", "cannot be sent"
    ],
    "[faults]\nx = 1": ["faults", "Known: prefix"],
    "[limits]\ntoken_lifetime = 0": ["token_lifetime", "0 seconds"],
    "[limits]\ntoken_lifetime = nan": ["token_lifetime", "0 seconds"],
    "[limits]\ntoken_lifetime = inf": ["token_lifetime", "at most a year"],
    f"[limits]\nrate_sheet_lifetime = {'9' * 40}": ["rate_sheet_lifetime", "at most a year"],
    f'[idempotency]\nretention = "{"9" * 40}d"': ["retention", "24h"],
    "prefix = ": ["TOML"],
    r'prefix = "v\u001b[2J"': ["prefix", "v\ufffd[2J"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), WRONG.items())
def test_a_mistake_is_named_with_file_key_and_remedy(
    override: Override, text: str, words: list[str]
) -> None:
    with pytest.raises(DialectError) as caught:
        override(text)
    message = str(caught.value)
    assert [word for word in ["acme.toml", *words] if word not in message] == []
    assert "\n" not in message


@pytest.mark.parametrize(
    "text",
    [
        "[fields.payout_request]\nrecipient_id = []\ncurrency = []\naccount_id = []",
        "[fields.trade_request]\nbuy_amount = []\npayment_address_id = []\nreference = []",
        '[extra.payout_request]\na = { path = "a" }\n[required.payout_request]\nfields = ["a"]',
    ],
)
def test_what_the_service_takes_none_of_and_what_it_adds_is_taken(
    override: Override, text: str
) -> None:
    override(text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DialectError, match=r"gone\.toml: cannot be read"):
        load_dialect(tmp_path / "gone.toml")


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(b'prefix = "/\xe9"')
    with pytest.raises(DialectError, match=r"latin\.toml"):
        load_dialect(path)


@pytest.mark.parametrize(
    "text", [f"a = {'7' * 5_000}\n", f"a = {'[' * 100_000}\n"], ids=["a number", "brackets"]
)
def test_what_goes_on_without_end_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "endless.toml"
    path.write_text(text)
    with pytest.raises(DialectError, match=r"endless\.toml: is n"):
        load_dialect(path)


def test_the_whole_default_can_stand_in_an_override(override: Override, dialect: Dialect) -> None:
    default = Path(__file__).parents[2] / "paytui" / "api" / "dialect.toml"
    text = default.read_text(encoding="utf-8")
    assert tomllib.loads(text)
    assert override(text) == dialect


@pytest.mark.parametrize(
    ("operation", "spelling"),
    [
        ("list_payins", "GET /balances/{wallet_id}/deposits"),
        ("list_payins", "GET /deposits"),
        ("list_payment_addresses", "GET /bank-accounts"),
    ],
)
def test_whose_list_it_is_can_stand_in_the_path_or_go_out_as_a_parameter(
    override: Override, operation: str, spelling: str
) -> None:
    merged = override(f'[paths]\n{operation} = ["{spelling}"]')
    assert merged.paths[operation] == (Route(*spelling.split()),)
