"""The keys of a trader's jobs on the demo's book at 80x24, judged by what the service then holds.

All keys up to the review are sent at once, as by somebody who knows what comes.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from tests.pty.conftest import RunDesk, RunService
from tests.support.deadline import eventually
from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.service import Item, PlainReader
from tests.support.terminal import Terminal

ENTER, ESC = "\r", "\x1b"
READY = "✓ all lists current"
QUESTION = b"\x1b[6n"
"""The question to the terminal; enter confirms a review once it is answered, and not before."""

IDENTIFIERS = {"/payments": "paymentTransactionId", "/trades": "tradeTransactionId"}


class Job:
    """A job at a dashboard, the number of its keys, and what it adds to the book."""

    def __init__(self, service: SandboxProcess, run_desk: RunDesk) -> None:
        self._service = service
        self.before = self._moved()
        self.terminal = run_desk(service)
        self.terminal.wait_for(READY)

    def confirm(self, keys: str, operation: str) -> int:
        """Press keys that lead to a review, see it, and press enter once; return their number."""
        asked = self.terminal.painted.count(QUESTION)
        self.terminal.send(keys)
        self.terminal.wait_for(lambda _: self.terminal.painted.count(QUESTION) > asked)
        self.terminal.wait_for("⏎ Confirm")
        assert self._service.requests()[operation] == 0
        self.terminal.send(ENTER)
        eventually(lambda: self._service.requests()[operation] == 1)
        return len(keys + ENTER)

    def made(self) -> list[Item]:
        """Return the payments and trades that were not there before."""
        return [row for found, row in self._moved().items() if found not in self.before]

    def _moved(self) -> dict[str, Item]:
        """Return all payments and trades, by identifier."""
        reader = PlainReader(self._service.base_url, SECRET)
        moved = {row[key]: row for path, key in IDENTIFIERS.items() for row in reader.all(path)}
        reader.close()
        return moved


@pytest.fixture
def service(run_service: RunService) -> SandboxProcess:
    """The book of `paytui demo`, in which nothing happens by itself."""
    return run_service("--speed", "0")


@pytest.fixture
def job(service: SandboxProcess, run_desk: RunDesk) -> Job:
    return Job(service, run_desk)


@pytest.fixture
def terminal(job: Job) -> Terminal:
    return job.terminal


def recipient(service: SandboxProcess, name: str) -> Item:
    """Return a recipient by company name or first name."""
    reader = PlainReader(service.base_url, SECRET)
    rows = reader.all("/recipients")
    reader.close()
    [found] = [row for row in rows if name in (row.get("companyName"), row.get("firstName"))]
    return found


@pytest.mark.slow
def test_a_recipient_is_paid_by_name(service: SandboxProcess, job: Job) -> None:
    keys = job.confirm("plant" + ENTER + "250" + ENTER, "create_payout")
    assert keys <= 7 + len("lant") + len("250")
    [payment] = job.made()
    paid = recipient(service, "Lanternfish Software K.K.")
    assert payment["recipientId"] == paid["recipientId"]
    assert (Decimal(payment["amount"]), payment["currency"]) == (Decimal(250), "AUD")


@pytest.mark.slow
def test_a_recipient_that_was_never_paid_takes_the_last_four_too(
    service: SandboxProcess, run_desk: RunDesk
) -> None:
    paid = recipient(service, "Dagny")
    [address] = paid["paymentAddresses"]
    number = address.get("iban") or address["accountNumber"]
    job = Job(service, run_desk)
    written = ("dagn", "250", number[-4:])
    keys = job.confirm("p" + "".join(text + ENTER for text in written), "create_payout")
    assert keys <= 7 + len("".join(written))
    [payment] = job.made()
    assert payment["recipientId"] == paid["recipientId"]
    assert (Decimal(payment["amount"]), payment["currency"]) == (Decimal(250), "USD")


@pytest.mark.slow
def test_a_payment_is_repeated(job: Job, terminal: Terminal) -> None:
    [earlier] = [row for row in job.before.values() if row.get("amount") == "338.18"]
    terminal.send("6/" + earlier["paymentTransactionId"] + ENTER)
    terminal.wait_for(r"1 payment, filtered(.|\n)*▌.+338\.18")
    assert job.confirm("P", "create_payout") == len("P" + ENTER)
    [payment] = job.made()
    same = ("sourceWalletId", "recipientId", "paymentAddressId", "amount", "currency")
    assert [payment[name] for name in same] == [earlier[name] for name in same]


@pytest.mark.slow
def test_a_pair_is_traded_from_the_only_wallet_that_has_it(job: Job) -> None:
    written = ("gbp", "usd", "500k")
    keys = job.confirm("t" + " ".join(written) + ENTER, "book_trade")
    assert keys <= 6 + len("".join(written))
    is_trade_of(job, "GBP", "USD", 500_000)


@pytest.mark.slow
def test_the_rate_under_the_cursor_is_traded(service: SandboxProcess, run_desk: RunDesk) -> None:
    with service.config.open("a") as config:
        config.write("\n[rates]\nwatch = ['AUD/USD', 'GBP/USD']\n")
    job = Job(service, run_desk)
    job.terminal.send("4j")
    job.terminal.wait_for("▌ GBP/USD")
    assert job.confirm(ENTER + "10k" + ENTER, "book_trade") <= 3 + len("10k")
    is_trade_of(job, "GBP", "USD", 10_000)


def is_trade_of(job: Job, sold: str, bought: str, amount: int) -> None:
    """Assert that this was traded between wallets of these currencies, and nothing else."""
    [trade] = job.made()
    assert (trade["sellCurrency"], trade["buyCurrency"]) == (sold, bought)
    assert Decimal(trade["sellAmount"]) == amount


def shows(words: str, screen: str, *, and_not: str) -> bool:
    """Return True if words are on a screen, and nothing is left of the one before."""
    return words in screen and and_not not in screen


@pytest.mark.slow
def test_a_ticket_is_left_from_anywhere_by_one_key(job: Job, terminal: Terminal) -> None:
    for keys, place in (
        ("p", "Payout · to"),
        ("pdag", "› Dagny"),
        ("pnobody" + ENTER, "No such recipient"),
        ("pdagn" + ENTER, "Payout · amount"),
        ("pdagn" + ENTER + "x" + ENTER, "is not an amount"),
        ("pdagn" + ENTER + "250" + ENTER, "Payout · verify payee"),
        ("plant" + ENTER + "250" + ENTER, "Payout · confirm"),
        ("x", "Transfer · from"),
        ("t", "Trade · sell"),
        ("tgbp u", "Trade · buy"),
        ("tgbp usd 500k" + ENTER, "Trade · confirm"),
    ):
        terminal.send(keys)
        terminal.wait_for(partial(shows, place, and_not="Needs attention"))
        terminal.send(ESC)
        terminal.wait_for(partial(shows, "Needs attention", and_not=place))
    assert job.made() == []
