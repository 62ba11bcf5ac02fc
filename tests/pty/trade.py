"""A trade by keys alone, as its ticket shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.service import Item, PlainReader
from tests.support.terminal import Terminal

READY = "✓ all lists current"
CONFIRM = r"Trade · confirm(.|\n)*enter: book(.|\n)*⏎ Confirm"
"""A review, to the last line of the screen: a frame may come in pieces."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The contents of a confirm step, to the digit."""

    sold: str
    sell_currency: str
    about: str
    buy_currency: str
    rate: str


def to_amount(terminal: Terminal) -> None:
    """A thousand out of the only AUD wallet into the only one in CAD, at a locked rate."""
    terminal.wait_for(READY)
    terminal.send("t")
    terminal.wait_for("Trade · sell")
    terminal.send("aud cad 1k")
    terminal.wait_for("= 1,000.00 AUD(.|\n)*Rate .+ locked")


def to_confirm(terminal: Terminal) -> Confirmation:
    """The same, under review."""
    to_amount(terminal)
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
    bought = re.search(r"You buy +≈ ([\d,.]+) (\w{3})  rounded at booking", screen)
    rate = re.search(r"Rate +1 \w{3} = ([\d.]+) \w{3}  locked", screen)
    assert sold
    assert bought
    assert rate
    return Confirmation(*sold.groups(), *bought.groups(), *rate.groups())
