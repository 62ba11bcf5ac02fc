"""One object as the service sends it: read again, exact, complete, without our secrets."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.errors import NotFound, NotOffered, Unreadable
from paytui.domain.models import Kind, RawObject
from tests.api.scene import PLAIN_404, SHAPED_404, Scene
from tests.support.client import SECRET
from tests.support.scripted import Reply
from tests.support.typed_client import TypedClient

WALLET = b'{"item": {"walletId": "w1", "availableBalance": 99999999999999.990, "colour": "teal"}}'


def read(scene: Scene, kind: Kind, identifier: str, parent: str | None = None) -> RawObject:
    return asyncio.run(scene.client.raw.read(kind, identifier, parent))


def text(raw: RawObject) -> str:
    return "\n".join(raw.lines)


def test_the_sandbox_shows_each_kind_of_object_as_it_sends_it(seeded_client: TypedClient) -> None:
    client = seeded_client

    async def read_each() -> None:
        wallets = [wallet.wallet_id for wallet in (await client.list_wallets()).records]
        addresses = [a for w in wallets for a in (await client.list_payin_addresses(w)).records]
        payins = [p for w in wallets for p in (await client.list_payins(w)).records]
        for kind, identifier, parent in (
            (Kind.WALLETS, wallets[0], None),
            (Kind.PAYIN_ADDRESSES, addresses[0].pay_in_address_id, addresses[0].wallet_id),
            (Kind.PAYINS, payins[0].pay_in_transaction_id, None),
            (Kind.PAYMENTS, (await client.list_payments()).records[0].payment_transaction_id, None),
        ):
            raw = await client.raw.read(kind, identifier, parent)
            assert identifier in json.dumps(json.loads(text(raw)))
            assert not raw.cut

    asyncio.run(read_each())


def test_every_digit_and_every_unknown_field_is_there() -> None:
    raw = read(Scene({"/v2/wallets/w1": Reply(WALLET)}), Kind.WALLETS, "w1")
    assert raw.lines == (
        "{",
        '  "item": {',
        '    "walletId": "w1",',
        '    "availableBalance": 99999999999999.990,',
        '    "colour": "teal"',
        "  }",
        "}",
    )
    assert (raw.cut, raw.size, raw.source) == (False, len(WALLET), "read wallet w1")


def test_what_has_no_read_of_its_own_is_found_in_the_list() -> None:
    address = {"payInAddressId": "a2", "walletId": "w1", "memo": 1}
    items = {"items": [{"payInAddressId": "a1"}, address], "total": 2}
    scene = Scene({"/v2/payin-addresses": Reply(items)})
    raw = read(scene, Kind.PAYIN_ADDRESSES, "a2", "w1")
    assert json.loads(text(raw)) == address
    assert raw.source == "read payin addresses"
    assert scene.service.seen("/v2/payin-addresses")[0].query["walletId"] == "w1"


def test_where_single_reads_are_not_offered_the_list_is_looked_through() -> None:
    pages = [
        Reply({"items": [{"walletId": "w1"}], "total": 2}),
        Reply({"items": [{"walletId": "w2", "colour": "teal"}], "total": 2}),
    ]
    scene = Scene({"/v2/wallets": pages}, dialect_without_single_wallets())
    assert json.loads(text(read(scene, Kind.WALLETS, "w2"))) == {"walletId": "w2", "colour": "teal"}


def dialect_without_single_wallets() -> Dialect:
    dialect = load_dialect()
    return replace(dialect, paths={**dialect.paths, "get_wallet": ()})


def test_a_payment_is_picked_out_of_the_answer_of_a_service_that_does_not_filter() -> None:
    items = [{"paymentTransactionId": f"p{n}", "n": n} for n in range(3)]
    scene = Scene({"/v2/payments": Reply({"items": items, "total": 3})})
    assert json.loads(text(read(scene, Kind.PAYMENTS, "p1"))) == items[1]
    assert scene.service.seen("/v2/payments")[0].query["paymentTransactionId"] == "p1"


def test_what_is_gone_says_so() -> None:
    with pytest.raises(NotFound):
        read(Scene({"/v2/wallets/w1": SHAPED_404}), Kind.WALLETS, "w1")
    with pytest.raises(NotFound, match="p1 is not in the service's answer"):
        read(Scene({"/v2/payments": Reply({"items": [], "total": 0})}), Kind.PAYMENTS, "p1")


def test_a_service_that_has_neither_read_says_so() -> None:
    scene = Scene({"/v2/wallets": PLAIN_404}, dialect_without_single_wallets())
    with pytest.raises(NotOffered):
        read(scene, Kind.WALLETS, "w1")


def test_an_answer_that_is_no_json_is_an_error_in_words() -> None:
    with pytest.raises(Unreadable, match="unreadable"):
        read(Scene({"/v2/wallets/w1": Reply(b"{")}), Kind.WALLETS, "w1")


def test_neither_secret_nor_token_comes_back() -> None:
    echo = Reply({"item": {"walletId": "w1", "secret": SECRET, "header": "Bearer token-1"}})
    shown = text(read(Scene({"/v2/wallets/w1": echo}), Kind.WALLETS, "w1"))
    assert SECRET not in shown
    assert "token-1" not in shown
    assert shown.count("••••") == 2


def test_nothing_in_it_reaches_the_terminal_as_a_command() -> None:
    hostile = '{"item": {"walletId": "w1", "a": "\x9b2J\u202e"}}'.encode()
    shown = text(read(Scene({"/v2/wallets/w1": Reply(hostile)}), Kind.WALLETS, "w1"))
    assert '"a": "\ufffd2J"' in shown


def test_of_ten_megabytes_no_more_is_shown_than_somebody_would_read() -> None:
    body = b'{"item": {"walletId": "w1", "notes": [' + b'"xxxxxx",' * 1_100_000 + b'""]}}'
    raw = read(Scene({"/v2/wallets/w1": Reply(body)}), Kind.WALLETS, "w1")
    assert raw.cut
    assert len(text(raw)) <= 20_000
    assert raw.size == len(body) > 9_000_000
