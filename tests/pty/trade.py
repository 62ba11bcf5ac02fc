"""A trade by keys alone, as its wizard shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.service import Item, PlainReader
from tests.support.terminal import Terminal

READY = r"✓ wallets \d+(.|\n)*✓ accounts \d+"
CONFIRM = r"7 of 7 · confirm(.|\n)*enter: book"
FIRST_CHOICE = r"(.|\n)*▌ \S"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The contents of a confirm step, to the digit."""

    sold: str
    sell_currency: str
    about: str
    buy_currency: str
    rate: str


def to_rate(terminal: Terminal) -> None:
    """A thousand out of the first wallet into the next; each step is seen."""
    terminal.wait_for(READY)
    terminal.send("t")
    for step in ("1 of 7", "2 of 7", "3 of 7"):
        terminal.wait_for(step + FIRST_CHOICE)
        terminal.send("\r")
    terminal.wait_for("4 of 7")
    terminal.send("1k")
    terminal.wait_for("= 1,000.00")
    terminal.send("\r")
    terminal.wait_for("5 of 7")
    terminal.send("\r")
    terminal.wait_for(r"6 of 7(.|\n)*Rate .+ locked(.|\n)*▌ Locked rate")


def to_confirm(terminal: Terminal) -> Confirmation:
    """The same, at the rate that is locked."""
    to_rate(terminal)
    terminal.send("\r")
    return _read(terminal.wait_for(CONFIRM))


def booked(service: SandboxProcess, intent: str) -> list[Item]:
    """Return the object of an intent at the service, by its reference."""
    return [trade for trade in all_booked(service) if intent in (trade.get("reference") or "")]


def all_booked(service: SandboxProcess) -> list[Item]:
    """Every trade that the service holds."""
    reader = PlainReader(service.base_url, SECRET)
    trades = reader.all("/trades")
    reader.close()
    return trades


def _read(screen: str) -> Confirmation:
    sold = re.search(r"You sell +([\d,.]+) (\w{3})  fixed", screen)
    bought = re.search(r"You buy +≈ ([\d,.]+) (\w{3})  final at booking", screen)
    rate = re.search(r"Rate +1 \w{3} = ([\d.]+) \w{3}  locked", screen)
    assert sold
    assert bought
    assert rate
    return Confirmation(*sold.groups(), *bought.groups(), *rate.groups())
