"""`paytui status` as text: a table that fits names of any length."""

from __future__ import annotations

from decimal import Decimal

import pytest
from rich.cells import cell_len

from paytui.cli.commands.status import status_text
from paytui.config.settings import Profile
from paytui.domain.models import Account, AccountId, Kind, State, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.support.clock import NOON

DEMO = Profile(name="demo", base_url="http://127.0.0.1:8080", client_id="demo")


def test_what_is_remarked_of_a_list_stands_beside_it() -> None:
    store = Store()
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON, remark="may be all", unsure=True))
    lines = [line.split() for line in status_text(store, DEMO).splitlines()]
    assert ["wallets", "0", "ok;", "may", "be", "all"] in lines


@pytest.mark.slow
def test_a_name_without_end_is_cut_and_no_amount_is() -> None:
    store = Store()
    store.accounts.put([Account(AccountId("a1"), display_name="夜" * 1_000)])
    wallet = Wallet(
        WalletId("w1"),
        account_id=AccountId("a1"),
        currency=CurrencyCode("AUD"),
        wallet_name="x" * 2_000,
        status=State("y" * 2_000),
        available_balance=Decimal("12345678901234567890.25"),
    )
    store.wallets.put([wallet])
    lines = status_text(store, DEMO).splitlines()
    assert max(map(cell_len, lines)) < 200
    (line,) = (line for line in lines if line.startswith("AUD") and "x" in line)
    assert "12,345,678,901,234,567,890.25" in line
    assert f"{'x' * 39}…" in line
    assert line.endswith("夜…")
