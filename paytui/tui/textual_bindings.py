"""The bindings of screens and widgets, from the groups of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType

from paytui.config.key_bindings import CATALOGUE, GROUPS

if TYPE_CHECKING:
    from paytui.config.templates import Kind

TICKETS: tuple[Kind, ...] = ("trade", "payout", "transfer")
"""The keys of tickets that move money, which are the actions that open them."""

CREATES = frozenset(
    {
        *(*TICKETS, "repeat", "draft", "discard", "add"),
        *("new_individual", "new_corporate", "new_wallet", "new_recipient", "new_payin_address"),
    }
)
"""Actions that a read-only profile refuses, and that no screen offers there."""


def _bind(name: str, *, on: str = "") -> Binding:
    key = CATALOGUE[name]
    return Binding(key.keys, on + key.action, key.does, id=name, show=key.show)


def _group(title: str) -> list[BindingType]:
    return [_bind(name) for name in GROUPS[title]]


APP = _group("Everywhere")
FRAME = _group("Any screen")
BACK = _group("Back")
DIALOG = [*BACK, *_group("Dialogs")]
LEAVE = _group("Leaving")
SETTINGS = _group("Settings")

MOVES = _group("Any list")
_OPEN, *_SORT = _group("Rows of a list")
DATA_LIST = [_OPEN, *MOVES, *_SORT]
ATTENTION = [_OPEN, *_group("Intents"), *_group("Needs attention"), *MOVES]
RATES = _group("Rates")
CHART_BESIDE = _group("Chart beside rates")
CHART = _group("Chart")
LIST = _group("Lists")
FILTER = _group("Filter line")
FIND = _group("Find")
ORDER = _group("Order of a list")
VIEWS = _group("Views")

ACCOUNTS = _group("Accounts")
WALLETS = _group("Wallets")
RECIPIENTS = _group("Recipients")
PAYIN_ADDRESSES = _group("Pay-in addresses")
DEPOSIT = _group("Deposit details")
ACTIVITY = _group("Activity")
INTENT = _group("Intents")

DETAIL = [*BACK, *_group("Details")]
DETAIL_VIEW = _group("Facts")
OBJECT = _group("Objects")
TEXT = _group("Long texts")

TICKET = _group("Tickets")
TICKET_LINE: list[BindingType] = [
    _bind("ticket.enter", on="screen."),
    _bind("ticket.confirm", on="screen."),
]
"""The enter keys of `TICKET`, for a text field: they run after the text typed before them."""

MOTIONS: frozenset[str | None] = frozenset(
    binding.id
    for binding in (*MOVES, *DETAIL_VIEW[1:], *TEXT, *FRAME[:2], *FIND[1:5])
    if isinstance(binding, Binding)
)
"""Ids of keys that only move a cursor or the view."""
