"""`paytui track`: identifiers of a service without lists are kept and read one by one."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paytui.domain.intent import Action
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.file import outbox_path
from paytui.outbox.outbox import Outbox
from tests.outbox.made import NOON, entry
from tests.support.commands import SECRET, Paytui, RunningSandbox, SandboxConfig
from tests.support.service import PlainReader


@pytest.fixture
def config(paytui: Paytui, sandbox: RunningSandbox) -> SandboxConfig:
    return SandboxConfig(paytui.home / "desk.toml", sandbox)


@pytest.fixture
def documented_only(paytui: Paytui) -> Iterator[SandboxConfig]:
    """A configuration for a service that has nothing but the documented operations."""
    with paytui.sandbox("--scale", "40", "--speed", "0", "--documented-only") as running:
        yield SandboxConfig(paytui.home / "few.toml", running)


def kept(config: SandboxConfig) -> Path:
    return config.path.with_name(f"{config.path.stem}.tracked.toml")


def some(sandbox: RunningSandbox, *paths: str) -> list[dict[str, Any]]:
    """The first object of each list, by plain HTTP."""
    reader = PlainReader(sandbox.base_url, SECRET)
    found = [reader.all(path)[0] for path in paths]
    reader.close()
    return found


@pytest.mark.slow
def test_the_service_is_asked_what_an_identifier_is(
    paytui: Paytui, sandbox: RunningSandbox, config: SandboxConfig
) -> None:
    wallet, trade, payment = some(sandbox, "/wallets", "/trades", "/payments")
    ids = [wallet["walletId"], trade["tradeTransactionId"], payment["paymentTransactionId"]]
    mine = config.path.read_bytes()
    done = paytui("track", *ids, "--config", config.path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"wallets {ids[0]}", f"trades {ids[1]}", f"payments {ids[2]}",
    ]  # fmt: skip
    assert config.path.read_bytes() == mine
    assert stat.S_IMODE(kept(config).stat().st_mode) == 0o600
    assert paytui("track", "--config", config.path).stdout == done.stdout


@pytest.mark.slow
def test_what_the_service_does_not_know_is_said_and_not_kept(
    paytui: Paytui, config: SandboxConfig
) -> None:
    done = paytui("track", "nobody", "--config", config.path)
    assert done.returncode == 5
    assert "nobody is not known to the service" in done.stderr
    assert not kept(config).exists()


@pytest.mark.slow
def test_with_its_kind_nobody_is_asked_and_it_can_be_forgotten(
    paytui: Paytui, config: SandboxConfig
) -> None:
    config.write("[track]\nwallets = ['mine']\n")
    done = paytui("track", "w2", "w2", "--kind", "wallets", "--config", config.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert paytui("track", "--config", config.path).stdout == "wallets mine\nwallets w2\n"
    assert paytui("track", "w2", "--forget", "--config", config.path).returncode == 0
    assert paytui("track", "--config", config.path).stdout == "wallets mine\n"
    done = paytui("track", "mine", "--forget", "--config", config.path)
    assert done.returncode == 5
    assert "mine was not added by this command" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "how"),
    [
        ("w\x1b[2J", ["--kind", "wallets"]),
        ("", ["--forget"]),
    ],
)
def test_what_can_be_no_identifier_is_refused_and_the_next_command_goes_on(
    paytui: Paytui, config: SandboxConfig, typed: str, how: list[str]
) -> None:
    paytui("track", "w1", "--kind", "wallets", "--config", config.path)
    done = paytui("track", "w2", typed, *how, "--config", config.path)
    assert done.returncode == 2
    assert "an identifier must" in done.stderr
    assert "\x1b" not in done.stderr
    assert paytui("track", "--config", config.path).stdout == "wallets w1\n"


@pytest.mark.slow
def test_blanks_around_an_identifier_are_not_part_of_it(
    paytui: Paytui, config: SandboxConfig
) -> None:
    paytui("track", " w1\n", "--kind", "wallets", "--config", config.path)
    assert paytui("track", "--config", config.path).stdout == "wallets w1\n"


@pytest.mark.slow
def test_identifiers_are_kept_by_profile(paytui: Paytui, config: SandboxConfig) -> None:
    config.write("[profiles.other]\nbase_url = 'http://localhost:1'\nclient_id = 'x'\n")
    mine = ("--profile", "test", "--config", config.path)
    other = ("--profile", "other", "--config", config.path)
    paytui("track", "w1", "--kind", "wallets", *mine)
    paytui("track", "w2", "--kind", "wallets", *other)
    assert paytui("track", *mine).stdout == "wallets w1\n"
    assert paytui("track", *other).stdout == "wallets w2\n"


@pytest.mark.slow
def test_a_file_that_somebody_changed_is_refused(paytui: Paytui, config: SandboxConfig) -> None:
    kept(config).write_text("[test]\nwallets = 'w1'\n")
    done = paytui("track", "--config", config.path)
    assert done.returncode == 2
    assert "is not as `paytui track` wrote it" in done.stderr


@pytest.mark.slow
def test_a_service_that_is_not_there_is_told_by_the_exit_code(paytui: Paytui) -> None:
    config = paytui.home / "nowhere.toml"
    config.write_text("[profiles.x]\nbase_url = 'http://127.0.0.1:9'\nclient_id = 'x'\n")
    done = paytui("track", "w1", "--config", config, PAYTUI_CLIENT_SECRET="s")
    assert done.returncode == 4


@pytest.mark.slow
def test_a_recipient_of_a_service_without_lists_is_read_with_its_addresses(
    paytui: Paytui, documented_only: SandboxConfig
) -> None:
    payments = status(paytui, documented_only)["payments"]
    recipient = next(each["recipient_id"] for each in payments if each["recipient_id"])
    done = paytui("track", recipient, "--config", documented_only.path)
    assert done.stdout == f"recipients {recipient}\n", done.stderr
    told = status(paytui, documented_only)
    assert [each["recipient_id"] for each in told["recipients"]] == [recipient]
    addresses = told["payment_addresses"]
    assert addresses
    assert {each["recipient_id"] for each in addresses} == {recipient}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "code"), [("payins", 2), ("wallets", 0)])
def test_of_what_the_dialect_cannot_read_it_is_said(
    paytui: Paytui, config: SandboxConfig, kind: str, code: int
) -> None:
    """A wallet can be chosen by its identifier alone; of a pay-in nothing could be shown."""
    dialect = paytui.home / "blind.toml"
    dialect.write_text(
        "[paths]\nget_payin = []\nlist_payins = []\nget_wallet = []\nlist_wallets = []\n"
    )
    config.write(f"dialect = '{dialect}'\n")
    done = paytui("track", "x-1", "--kind", kind, "--config", config.path)
    assert done.returncode == code
    assert f"shows no {kind}, by its dialect" in done.stderr
    assert kept(config).exists() == (code == 0)


def created_here(paytui: Paytui, profile: str, action: Action, object_id: str) -> None:
    """An outbox in which a creation was accepted."""
    outbox = Outbox(outbox_path(profile, paytui.home / "outbox"))
    made = entry(action=action, profile=profile)
    outbox.record(made)
    for kind in (EventKind.SENDING, EventKind.ACCEPTED):
        object_of = object_id if kind is EventKind.ACCEPTED else None
        outbox.add(made.intent_id, Event(kind=kind, at=NOON, object_id=object_of))
    outbox.close()


@pytest.mark.slow
def test_one_shot_commands_know_what_was_created_here(
    paytui: Paytui, sandbox: RunningSandbox
) -> None:
    """Nobody tracked it: the dashboard that created it wrote it into its outbox."""
    [wallet] = some(sandbox, "/wallets")
    config = SandboxConfig(paytui.home / "desk.toml", sandbox)
    dialect = paytui.home / "few.dialect.toml"
    dialect.write_text("[paths]\nlist_wallets = []\n")
    (paytui.home / "outbox").mkdir(mode=0o700)
    config.write(f"dialect = '{dialect}'\n[outbox]\nfolder = '{paytui.home / 'outbox'}'\n")
    created_here(paytui, "test", Action.CREATE_WALLET, wallet["walletId"])
    told = status(paytui, config)
    assert [each["wallet_id"] for each in told["wallets"]] == [wallet["walletId"]]
    assert told["feeds"]["wallets"]["error"] is None
    done = paytui("export", "wallets", "--format", "jsonl", "--config", config.path)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1), done.stderr


def status(paytui: Paytui, config: SandboxConfig) -> dict[str, Any]:
    done = paytui("status", "--json", "--config", config.path)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
