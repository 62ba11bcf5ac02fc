"""`paytui export` of a wallet's movements, and of the intents of this machine."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from paytui.cli.commands.export import ExportQuery, export
from paytui.cli.commands.status import problems
from paytui.cli.common import CommandError, ExitCode
from paytui.domain.models import Kind, PayIn, PayInId, Payment, PaymentId, State, WalletId
from paytui.domain.requests import DialectFeatures
from paytui.outbox.file import outbox_path
from paytui.outbox.outbox import Outbox
from paytui.store.export import Format
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.outbox.made import entry
from tests.support.answering import Answering
from tests.support.clock import NOON, ManualClock
from tests.support.commands import SECRET, Paytui
from tests.support.scripted import Reply
from tests.support.served import served
from tests.tui.book import AUD, read, wallet

MINE = WalletId("wal-1")


@pytest.fixture
def store() -> Store:
    """A transfer out of a wallet, and an older pay-in; the transfer of another wallet."""
    store = Store()
    read(store, ManualClock())
    store.wallets.put([wallet(1, "AUD desk", "100"), wallet(2, "AUD reserve", "0")])
    transfer = Payment(
        PaymentId("pay-1"),
        payment_type="transfer",
        source_wallet_id=MINE,
        destination_wallet_id=WalletId("wal-2"),
        amount=Decimal("70.5"),
        currency=AUD,
        status=State("completed", final=True),
        created_at=NOON,
    )
    foreign = replace(
        transfer, payment_transaction_id=PaymentId("pay-2"), source_wallet_id=WalletId("wal-3")
    )
    store.payments.put([transfer, foreign])
    payin = PayIn(PayInId("pin-1"), MINE, amount=Decimal(9), created_at=NOON - timedelta(hours=1))
    store.payins.put([payin])
    return store


def test_movements_are_those_of_the_wallet_the_oldest_first(store: Store, tmp_path: Path) -> None:
    query = ExportQuery("movements", columns="created,key,amount,ccy,state,what", wallet_id=MINE)
    query.write(store, Format.CSV, tmp_path / "m.csv", force=False)
    assert (tmp_path / "m.csv").read_text().splitlines() == [
        "created,key,amount,ccy,state,what",
        "2026-03-02T11:00:00+00:00,pin-1,9,,,pay-in",
        "2026-03-02T12:00:00+00:00,pay-1,-70.5,AUD,completed,transfer to AUD reserve",
    ]
    assert query.exit_code(store) is ExitCode.DONE


def test_a_list_behind_them_that_is_incomplete_is_named(store: Store) -> None:
    store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON, total=9))
    query = ExportQuery("movements", wallet_id=MINE)
    assert problems(store, query.kinds) == ["payments: Only 2 of 9 were listed."]
    assert query.exit_code(store) is ExitCode.IN_PART


def test_a_wallet_that_does_not_exist_is_refused(store: Store) -> None:
    with pytest.raises(CommandError, match="No wallet wal-9"):
        ExportQuery("movements", wallet_id=WalletId("wal-9")).check(store, DialectFeatures())


@pytest.mark.parametrize("words", [("movements",), ("payments", "--wallet", "wal-1")])
def test_movements_need_a_wallet_and_nothing_else_takes_one(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(export, words)
    assert done.exit_code == 2
    assert "movements goes with --wallet ID" in done.stderr


def test_activity_is_what_was_confirmed_here(
    monkeypatch: pytest.MonkeyPatch, paytui: Paytui
) -> None:
    for name, value in paytui.environ.items():
        monkeypatch.setenv(name, value)
    paytui.home.chmod(0o700)
    outbox = Outbox(outbox_path("test", paytui.home))
    outbox.record(entry(1))
    outbox.close()
    with served(Answering(lambda _: Reply({"items": [], "total": 0}))) as url:
        config = paytui.home / "config.toml"
        config.write_text(
            f"[profiles.test]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
            f"[outbox]\nfolder = '{paytui.home}'\n"
        )
        argv = ["activity", "--format", "jsonl", "--columns", "intent-id,stands,what"]
        done = CliRunner().invoke(
            export, [*argv, "--config", str(config)], env={"PAYTUI_CLIENT_SECRET": SECRET}
        )
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == {
        "intent-id": entry(1).intent_id,
        "stands": "recorded",
        "what": entry(1).title,
    }
