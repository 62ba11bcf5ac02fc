"""The list of what a step offers, and of what it does not, with the reason."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from paytui.tui import keys
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column
from paytui.tui.widgets.ledger import Ledger
from paytui.tui.wizards.step import Option


class Choices(Ledger[str, Option], inherit_bindings=False):
    """Options in the order in which the machine gives them.

    Args:
        chosen: called with the one that is chosen, offered or not.
    """

    BINDINGS = keys.CHOICES

    def __init__(self, chosen: Callable[[Option], object]) -> None:
        super().__init__(_columns(), lambda option: option.key, opened=chosen)

    def on_key(self, event: events.Key) -> None:
        """Choose at once, and pass on what came behind the choice: it is meant for the line."""
        focused = self.screen.focused
        found = self.screen.active_bindings.get(event.key)
        if focused is not None and focused is not self:
            event.stop()
            focused.post_message(event)
        elif found is not None and found.node is self and found.binding.action == "open":
            event.stop()
            self.action_open()


def _columns() -> tuple[Column[Option], ...]:
    return (
        Column(
            title="Choice",
            cell=lambda option: Cell(option.name, _tone(option, Tone.INK)),
            width=16,
            grows=True,
            most=44,
        ),
        Column(
            title="About",
            cell=lambda option: Cell(option.facts, _tone(option, Tone.MUTED)),
            width=14,
            grows=True,
            most=60,
        ),
        Column(
            title="Holds",
            cell=lambda option: Cell(option.amount, _tone(option, Tone.INK)),
            width=5,
            whole=True,
            right=True,
        ),
        Column(
            title="Not offered",
            cell=lambda option: Cell(option.why_not, Tone.CLOSING),
            width=11,
            grows=True,
            most=60,
        ),
    )


def _tone(option: Option, offered: Tone) -> Tone:
    return Tone.FAINT if option.why_not else offered
