"""The footer of key hints."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from typing import Any, ClassVar, Protocol, runtime_checkable

from textual.app import App
from textual.binding import ActiveBinding
from textual.content import Content
from textual.screen import Screen

from paytui.tui.format.cells import Tone, toned
from paytui.tui.textual_bindings import TICKETS
from paytui.tui.widgets.text import SplitLine

LASTING = frozenset({"help", "quit"})
"""Actions shown at any width: from there, all others can be found."""

BACK = "back"

MOVES_MONEY = frozenset({*TICKETS, "confirm"})

BETWEEN = Content("  ")


@runtime_checkable
class ShowsHints(Protocol):
    """A screen that puts the hints of some actions first, and leaves others out.

    It hides those with nothing to do. Those that it refuses the help does not offer either.
    """

    FIRST_HINTS: ClassVar[Collection[str]]

    def is_quiet(self, action: str) -> bool: ...

    def refuses(self, action: str) -> bool: ...


class KeyHints(SplitLine):
    """Hints for the active bindings of its screen."""

    def __init__(self) -> None:
        super().__init__()
        self._hints: dict[str, Content] = {}
        self._warning = Content()

    def warn(self, words: Content) -> None:
        """Show at the right edge why a key did nothing; blank if it worked."""
        self._warning = words
        self._tell()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def on_resize(self) -> None:
        self._tell()

    def _follow(self, screen: Screen[Any]) -> None:
        own = {binding.id for binding in vars(type(screen)).get("BINDINGS", ())}
        # Once, not for each binding: a check for a protocol takes 30 µs.
        assert isinstance(screen, ShowsHints), "a full screen mounts its hints"
        first = screen.FIRST_HINTS
        active = sorted(
            screen.active_bindings.values(), key=lambda one: _rank(screen, one, first, own)
        )
        shown = [
            one.binding
            for one in active
            if one.binding.show
            and not (screen.is_quiet(one.binding.action) or screen.refuses(one.binding.action))
        ]
        self._hints = {}
        for binding in shown:  # of two keys for one action, the first
            moves_money = binding.action in MOVES_MONEY
            shown_key = f" {self.app.get_key_display(binding)}"
            key = toned(shown_key, Tone.MONEY if moves_money else Tone.ACCENT, bold=moves_money)
            hint = Content(" ").join([key, toned(binding.description, Tone.MUTED)])
            self._hints.setdefault(binding.action, hint)
        self._tell()

    def _tell(self) -> None:
        room = self.content_size.width - self._warning.cell_length
        self.say(BETWEEN.join(fitting(self._hints, room)), self._warning)


def _rank(
    screen: Screen[object], active: ActiveBinding, first: Container[str], own: Container[str]
) -> int:
    """Rank a binding: those that the screen puts first, the focused widget's and the way back, the
    screen's own, then all others.
    """
    if active.binding.action in first:
        return -1
    is_of_focus = active.node is not screen and not isinstance(active.node, App)
    if is_of_focus or active.binding.action == BACK:
        return 0
    return 1 if active.binding.id in own else 2


def fitting(hints: Mapping[str, Content], width: int) -> list[Content]:
    """Return the hints, by action, that fit into a width, the first ones first."""
    between = len(BETWEEN.plain)  # not cell_length: once that is cached, join() counts it twice
    needs = {action: hint.cell_length + between for action, hint in hints.items()}
    room = width + between - sum(needs[action] for action in LASTING & needs.keys())
    kept = []
    for action, hint in hints.items():
        if action in LASTING:
            kept.append(hint)
        elif needs[action] <= room:
            room -= needs[action]
            kept.append(hint)
    return kept
