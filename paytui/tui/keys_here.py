"""The keys that work on the current screen, for help and palette."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.app import App
from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.screen import Screen

from paytui.config.keys import UNBOUND, shown_key
from paytui.tui import keys
from paytui.tui.widgets.hints import is_refused


@dataclass(frozen=True, slots=True)
class KeyHere:
    """An action and its keys.

    Attributes:
        keys: as a person knows them, the first one first.
        does: in a word or two.
        node: where `action` is carried out.
        here: whether this screen is about it; False for what can be done everywhere.
        moves: whether it only moves the cursor or the view.
    """

    keys: tuple[str, ...]
    does: str
    action: str
    node: DOMNode
    here: bool
    moves: bool


def keys_here(screen: Screen[object]) -> list[KeyHere]:
    """Every key that does something now, what this screen is about first; each action once."""
    found: dict[tuple[str, str], KeyHere] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        is_offered = active.enabled and not is_refused(screen, binding.action)
        if is_offered and binding.description and binding.key != UNBOUND:
            _add(found, active)
    return sorted(found.values(), key=lambda key: (not key.here, key.moves))


def _add(found: dict[tuple[str, str], KeyHere], active: ActiveBinding) -> None:
    binding = active.binding
    which = (binding.id or binding.action, binding.action)
    name = shown_key(binding.key)
    if known := found.get(which):
        found[which] = replace(known, keys=(*known.keys, name))
        return
    found[which] = KeyHere(
        (name,),
        binding.description,
        binding.action,
        active.node,
        here=not isinstance(active.node, App),
        moves=binding.id in keys.MOTIONS,
    )
