"""`paytui status`: all data, exactly, and an exit code for the outcome."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import httpx
import pytest

from tests.support.commands import SECRET, Paytui, RunningSandbox, SandboxConfig
from tests.support.forks import Forks
from tests.support.service import Item, PlainReader

TABLES = (
    "accounts",
    "wallets",
    "payin_addresses",
    "payins",
    "trades",
    "recipients",
    "payment_addresses",
    "payments",
)
UTC_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z")

IDENTIFIERS = {
    "payInTransactionId": "pay_in_transaction_id",
    "payInAddressId": "pay_in_address_id",
    "payInAddressType": "pay_in_address_type",
    "tradeTransactionId": "trade_transaction_id",
    "paymentTransactionId": "payment_transaction_id",
}


def canonical(item: Item) -> Item:
    """An object of the wire in snake_case, without what was not sent."""
    return {
        IDENTIFIERS.get(name) or re.sub("(?<=[a-z0-9])([A-Z])", r"_\1", name).lower(): (
            canonical(value)
            if isinstance(value, dict)
            else [canonical(each) for each in value]
            if isinstance(value, list)
            else value
        )
        for name, value in item.items()
        if value is not None
    }


@pytest.fixture(scope="module")
def big(
    tmp_path_factory: pytest.TempPathFactory, forks: Forks
) -> Iterator[tuple[Paytui, RunningSandbox]]:
    paytui = Paytui(tmp_path_factory.mktemp("big") / "home", forks)
    with paytui.sandbox("--scale", "2000", "--speed", "0") as sandbox:
        yield paytui, sandbox


@pytest.fixture(scope="module")
def told(big: tuple[Paytui, RunningSandbox]) -> dict[str, Any]:
    paytui, sandbox = big
    config = SandboxConfig(paytui.home / "big.toml", sandbox)
    done = paytui("status", "--json", "--config", config.path)
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def there(big: tuple[Paytui, RunningSandbox], told: dict[str, Any]) -> dict[str, list[Item]]:
    """The service's data, read without paytui; after `told`, whose token it supersedes."""
    reader = PlainReader(big[1].base_url, SECRET)
    whole = {name: reader.all(f"/{name}") for name in ("accounts", "wallets", "trades")}
    whole |= {name: reader.all(f"/{name}") for name in ("recipients", "payments")}
    wallets = [wallet["walletId"] for wallet in whole["wallets"]]
    whole["payin_addresses"] = reader.each("/payin-addresses", "walletId", wallets)
    whole["payins"] = reader.each("/payins", "walletId", wallets)
    whole["payment_addresses"] = [
        address
        for recipient in whole["recipients"]
        for address in reader.all(f"/recipients/{recipient['recipientId']}/payment-addresses")
    ]
    reader.close()
    return whole


class TestJson:
    @pytest.mark.slow
    def test_it_is_one_object_of_the_documented_shape(self, told: dict[str, Any]) -> None:
        assert set(told) == {"profile", "base_url", "as_of", "feeds", *TABLES}
        assert told["profile"] == "test"
        assert UTC_TIME.fullmatch(told["as_of"])
        assert set(told["feeds"]) == set(TABLES)
        for name, feed in told["feeds"].items():
            assert set(feed) == {"ok", "as_of", "count", "error", "remark"}
            assert (feed["ok"], feed["error"]) == (True, None)
            assert feed["count"] == len(told[name])
            assert UTC_TIME.fullmatch(feed["as_of"])

    @pytest.mark.slow
    def test_every_object_is_listed_exactly(
        self, told: dict[str, Any], there: dict[str, list[Item]]
    ) -> None:
        for table in TABLES:
            identifier = next(iter(told[table][0]))
            by_id = {item[identifier]: item for item in told[table]}
            assert len(by_id) == len(told[table]) == len(there[table])
            for item in map(canonical, there[table]):
                shown = by_id[item[identifier]]
                assert comparable(shown) == comparable(shared(item, shown))

    def test_what_the_contract_names_is_there(self, told: dict[str, Any]) -> None:
        assert {"wallet_id", "account_id", "currency", "available_balance", "reserved_balance"} <= (
            told["wallets"][0].keys()
        )
        assert {
            "amount",
            "currency",
            "status",
            "reference",
            "end_to_end_id",
            "source_wallet_id",
        } <= (told["payments"][0].keys())

    def test_times_are_in_utc(self, told: dict[str, Any]) -> None:
        assert all(UTC_TIME.fullmatch(payment["created_at"]) for payment in told["payments"])


def shared(sent: Item, shown: Item) -> Item:
    """Return the sent value if paytui knows such a field; null if it was not sent."""
    return {name: _shared(sent.get(name), value) for name, value in shown.items()}


def _shared(sent: object, shown: object) -> object:
    if isinstance(sent, dict) and isinstance(shown, dict):
        return shared(sent, shown)
    if isinstance(sent, list) and isinstance(shown, list):
        return [_shared(one, other) for one, other in zip(sent, shown, strict=True)]
    return sent


def comparable(item: Item) -> Item:
    """Without what differs in spelling alone: capitals of states, fractions of seconds, dirt."""
    return {name: _comparable(name, value) for name, value in item.items()}


def _comparable(name: str, value: object) -> object:
    if isinstance(value, dict):
        return comparable(value)
    if isinstance(value, list):
        return [_comparable(name, each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(
            value
        )  # service.md §2: phone and postcode come as numbers too, and are kept as text
    return _plain(name, value) if isinstance(value, str) else value


def _plain(name: str, text: str) -> str:
    if name == "status":
        return text.casefold()
    if name.endswith("_at"):
        return text[:19]
    # Names are cleaned on our side, which is judged elsewhere: here by their plain letters.
    composed = unicodedata.normalize("NFC", re.sub(r"\s+", " ", text))
    return re.sub("[^ -~]", "", composed)


class TestText:
    def test_it_shows_totals_and_feeds(
        self, paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
    ) -> None:
        done = paytui("status", "--config", sandbox_config.path)
        assert done.returncode == 0
        assert done.stdout.startswith(f"test ({sandbox.base_url}), as of ")
        assert re.search(r"^payments +40  ok$", done.stdout, re.MULTILINE)
        assert "Reading 127.0.0.1" in done.stderr
        assert "client secret from secret_file" in done.stderr
        assert SECRET not in done.stdout + done.stderr

    @pytest.mark.slow
    def test_totals_are_the_sums_of_the_wallets(
        self, paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
    ) -> None:
        done = paytui("status", "--config", sandbox_config.path)
        reader = PlainReader(sandbox.base_url, SECRET)
        wallets = [wallet for wallet in reader.all("/wallets") if wallet["currency"] == "USD"]
        reader.close()
        total = sum(Decimal(wallet["availableBalance"]) for wallet in wallets)
        assert wallets
        assert re.search(rf"^USD +{total:,.2f} ", done.stdout, re.MULTILINE)

    @pytest.mark.slow
    def test_control_characters_of_the_service_do_not_reach_the_terminal(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        done = paytui("status", "--config", sandbox_config.path)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stdout)


@pytest.mark.slow
def test_textual_is_never_loaded(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    loaded = paytui.modules_after("status", "--json", "--config", sandbox_config.path)
    assert "httpx" in loaded
    assert "textual" not in loaded
    assert not {"paytui.tui", "paytui.sandbox", "starlette", "uvicorn"} & loaded


class TestExitCodes:
    @pytest.mark.slow
    def test_a_refused_secret_is_3(self, paytui: Paytui, sandbox_config: SandboxConfig) -> None:
        sandbox_config.write_secret("wrong-s3cret")
        done = paytui("status", "--json", "--config", sandbox_config.path)
        assert done.returncode == 3
        found = json.loads(done.stdout)
        assert not any(feed["ok"] for feed in found["feeds"].values())
        assert found["as_of"] is None
        assert done.stderr.count("sign in") == 1
        assert "wrong-s3cret" not in done.stdout + done.stderr

    @pytest.mark.slow
    def test_a_service_that_is_not_there_is_4(
        self, paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
    ) -> None:
        sandbox.interrupt()
        done = paytui("status", "--config", sandbox_config.path)
        assert done.returncode == 4
        assert "nothing was read" in done.stdout
        assert "Traceback" not in done.stderr

    @pytest.mark.slow
    def test_one_list_that_fails_is_5_and_the_others_are_there(
        self, paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
    ) -> None:
        fault = {"operation": "list_payments", "kind": "503", "times": 100}
        inject(sandbox, fault)
        done = paytui("status", "--json", "--config", sandbox_config.path)
        assert done.returncode == 5
        found = json.loads(done.stdout)
        assert found["feeds"]["payments"]["ok"] is False
        assert "503" in found["feeds"]["payments"]["error"]
        assert "503" in done.stderr
        failed = [name for name, feed in found["feeds"].items() if not feed["ok"]]
        assert failed == ["payments"]
        assert found["wallets"]


def inject(sandbox: RunningSandbox, fault: dict[str, object]) -> None:
    answer = httpx.post(
        f"{sandbox.base_url}/_sandbox/faults", json=fault, trust_env=False, timeout=60
    )
    assert answer.is_success, answer.text


@pytest.mark.slow
@pytest.mark.parametrize("how", ["secret_command", "environment"])
def test_the_secret_may_come_from_elsewhere(
    paytui: Paytui, sandbox_config: SandboxConfig, how: str
) -> None:
    text = sandbox_config.path.read_text()
    own: Callable[[str], str] = lambda line: text.replace("secret_file", line)  # noqa: E731
    if how == "secret_command":
        command = [sys.executable, "-c", f"print(open({str(sandbox_config.secret_file)!r}).read())"]
        sandbox_config.path.write_text(own(f"secret_command = {command!r}\n#"))
        done = paytui("status", "--config", sandbox_config.path)
    else:
        sandbox_config.path.write_text(own("#"))
        done = paytui("status", "--config", sandbox_config.path, PAYTUI_TEST_CLIENT_SECRET=SECRET)
    assert done.returncode == 0
    assert f"client secret from {how}" in done.stderr
    assert SECRET not in done.stdout + done.stderr
