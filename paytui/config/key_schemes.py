"""Which keys there are to press: a scheme, with what somebody has otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from paytui.config.key_names import NAMED, shown_key
from paytui.config.keys import CATALOGUE, GROUPS, PLACES, UNBOUND

Keymap = Mapping[str, str]
"""By id, keys by Textual's names with commas between them."""

SCHEMES: Mapping[str, Keymap] = MappingProxyType(
    {
        "default": {},
        "vim": {
            "app.commands": "colon,ctrl+p",
            "list.open": "enter,l",
            "list.unfilter": "escape,h",
            "list.down": "down,j,n",
            "list.up": "up,k,N",
            "wizard.choose": "enter,l",
            "wizard.back": "escape,h",
            "accounts.new_individual": "O",
            "accounts.new_corporate": "C",
            "wallets.new": "O",
            "recipients.new": "O",
            "payin_addresses.new": "O",
            "detail.add": "O",
            "views.save": "O",
        },
    }
)
"""What each has otherwise than the catalogue. A filter shows matches alone: n is the next row."""


def keymap(scheme: str, own: Mapping[str, tuple[str, ...]] | None = None) -> Keymap:
    """All keys of a scheme.

    Args:
        scheme: its name.
        own: the user's own, by id. They replace letters, signs and what is pressed with ctrl: keys
            that have a name, and the numbers of screens, stay, so that nobody is ever locked in.
    """
    keys = {name: key.keys for name, key in CATALOGUE.items()} | dict(SCHEMES[scheme])
    for name, chosen in (own or {}).items():
        stay = tuple(key for key in keys[name].split(",") if _stays(key))
        keys[name] = ",".join(dict.fromkeys((*chosen, *stay)))
    return keys


def pressed(keys: str) -> list[str]:
    """The names of keys that stand with commas between them, if any do."""
    return [key for key in keys.split(",") if key != UNBOUND]


def first_key(keys: Keymap, name: str) -> str:
    """The key that words name for something, as a person knows it."""
    return shown_key(keys[name].split(",")[0])


def remapped(keys: Keymap) -> Keymap:
    """What Textual is to be told: all of it or, as it costs a little at each key, nothing."""
    return {} if keys == keymap("default") else keys


def _stays(key: str) -> bool:
    return key in NAMED or key.isdigit() or key == "ctrl+c"


@dataclass(frozen=True, slots=True)
class Clash:
    """A key that two ids have in one place, though the catalogue keeps them apart."""

    place: str
    one: str
    other: str
    key: str


def clashes(keys: Keymap) -> Iterator[Clash]:
    """All there are; one that stands in several places in each of them."""
    for place, groups in PLACES.items():
        holders: dict[str, list[str]] = {}
        for name in (name for group in groups for name in GROUPS[group]):
            for key in pressed(keys[name]):
                for other in holders.setdefault(key, []):
                    if not _meet(name, other):
                        yield Clash(place, other, name, key)
                holders[key].append(name)


def _meet(one: str, other: str) -> bool:
    """Whether the nearer of two goes before the other on purpose."""
    of_other = CATALOGUE[other].keys.split(",")
    return any(key in of_other for key in CATALOGUE[one].keys.split(","))
