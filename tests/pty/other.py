"""The dashboard on a service with other names, and the books behind that service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from paytui.platform.clock import SystemClock
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.respelled.items import exactly
from tests.support.served import served
from tests.support.service import Item, PlainReader
from tests.support.terminal import PAYTUI, Terminal

SECRET = "s3nt1nel-hunter2"
SIZE = (280, 60)
TRACKED = 3


@dataclass(frozen=True, slots=True)
class OtherDesk:
    """A terminal, and what the service behind it was given, in the documented spelling.

    Attributes:
        trades: those that are tracked.
        another: a trade that is not.
        rates: what one AUD yields in USD.
    """

    terminal: Terminal
    config: Path
    wallets: list[Item]
    payments: list[Item]
    trades: list[Item]
    another: Item
    rate: str


@contextmanager
def other_desk_in(folder: Path) -> Iterator[OtherDesk]:
    """The dashboard, for as long as the block lasts."""
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0)
    app = create_app(options, SystemClock())
    with served(app) as documented:
        books = PlainReader(documented, SECRET)
        wallets, payments = books.all("/wallets"), books.all("/payments")
        *tracked, another = books.all("/trades")[: TRACKED + 1]
        rate = books.rate("AUD", "USD")
        books.close()
    with served(OtherService(app).app()) as url:
        config = folder / "other.toml"
        trades = [trade["tradeTransactionId"] for trade in tracked]
        config.write_text(
            f"[profiles.other]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
            f"dialect = '{DIALECT}'\n[track]\ntrades = {trades}\n"
        )
        command = (*PAYTUI, "run", "--config", str(config))
        env = {"PAYTUI_CLIENT_SECRET": SECRET}
        with Terminal(command, size=SIZE, env=env) as terminal:
            yield OtherDesk(terminal, config, wallets, payments, tracked, another, rate)


@dataclass(frozen=True, slots=True)
class NewDesk:
    """A terminal at the other service without a history, in which states go on by themselves."""

    terminal: Terminal
    service: OtherService
    url: str

    def control(self, what: str, body: Mapping[str, str]) -> None:
        """Do something to the books behind the service."""
        httpx.post(f"{self.url}/_sandbox/{what}", json=dict(body), timeout=60).raise_for_status()


@contextmanager
def new_desk_in(folder: Path) -> Iterator[NewDesk]:
    """The dashboard, for as long as the block lasts; amounts keep the digits that they have."""
    options = SandboxOptions(client_secret=SECRET, scale=0, speed=50)
    service = OtherService(create_app(options, SystemClock()), exactly)
    with served(service.app()) as url:
        config = folder / "other.toml"
        config.write_text(
            f"[profiles.other]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
            f"dialect = '{DIALECT}'\n"
        )
        command = (*PAYTUI, "run", "--config", str(config))
        # An outbox of its own: what was created here is unknown to every other such service.
        env = {"PAYTUI_CLIENT_SECRET": SECRET, "XDG_STATE_HOME": str(folder / "state")}
        with Terminal(command, env=env, answers=True) as terminal:
            yield NewDesk(terminal, service, url)
