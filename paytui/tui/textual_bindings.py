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


def groups(*titles: str) -> list[BindingType]:
    """Return the bindings of groups of the catalogue."""
    return [_bind(name) for title in titles for name in GROUPS[title]]


_MOVES = groups("Any list")
_OPEN, *_SORT = groups("Rows of a list")
DATA_LIST = [_OPEN, *_MOVES, *_SORT]
UNSORTED_LIST = [_OPEN, *_MOVES]

TICKET_LINE: list[BindingType] = [
    _bind("ticket.enter", on="screen."),
    _bind("ticket.confirm", on="screen."),
]
"""The enter keys of tickets, for a text field: they run after the text typed before them."""

MOTIONS: frozenset[str | None] = frozenset(
    binding.id
    for binding in (
        *_MOVES,
        *groups("Facts", "Long texts")[1:],
        *groups("Any screen")[:2],
        *groups("Find")[1:5],
    )
    if isinstance(binding, Binding)
)
"""Ids of keys that only move a cursor or the view."""

ON_ROW: frozenset[str | None] = frozenset(
    {
        *("list.open", "list.mark", "list.copy"),
        *(f"app.{action}" for action in (*TICKETS, "repeat", "ticket")),
    }
)
"""Ids of keys that act on the row under the cursor of a list of payments, pay-ins or trades."""
