"""The parent of a list: in the path or as a parameter, as the dialect says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.domain.models import RecipientId
from tests.api.scene import W1, Scene
from tests.support.scripted import Reply


@pytest.fixture
def spelt(tmp_path: Path) -> Path:
    return tmp_path / "acme.toml"


def test_a_wallet_in_the_path_of_its_deposits(spelt: Path) -> None:
    spelt.write_text('[paths]\nlist_payins = ["GET /balances/{wallet_id}/deposits"]\n')
    reply = Reply([{"payInTransactionId": "p1"}])
    scene = Scene({"/v2/balances/w1/deposits": reply}, load_dialect(spelt))
    assert len(asyncio.run(scene.client.list_payins(W1)).records) == 1
    assert "walletId" not in scene.service.requests[-1].query


def test_a_recipient_as_a_parameter_of_its_addresses(spelt: Path) -> None:
    spelt.write_text(
        '[paths]\nlist_payment_addresses = ["GET /bank-accounts"]\n'
        '[query]\nrecipient_id = "payee"\n'
    )
    reply = Reply([{"paymentAddressId": "a1"}])
    scene = Scene({"/v2/bank-accounts": reply}, load_dialect(spelt))
    asyncio.run(scene.client.list_payment_addresses(RecipientId("r1")))
    assert scene.service.requests[-1].query["payee"] == "r1"
