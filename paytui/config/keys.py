"""The catalogue of keys, their notation and the conflicts between them.

A configuration names keys by their ids. Screens declare the actions; a test compares their ids with
these.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from paytui.platform.text import did_you_mean


@dataclass(frozen=True, slots=True)
class Key:
    """The default keys of an action, and its label.

    Attributes:
        keys: comma-separated names of keys; screens show the first.
        does: the label, a word or two.
    """

    keys: str
    does: str


UNBOUND = "none"
"""The default of an action that has no key unless the user chooses one."""

GROUPS: Mapping[str, Mapping[str, Key]] = MappingProxyType(
    {
        "Everywhere": {
            "screen.overview": Key("1", "Overview"),
            "screen.accounts": Key("2", "Accounts"),
            "screen.wallets": Key("3", "Wallets"),
            "screen.rates": Key("4", "Rates"),
            "screen.trades": Key("5", "Trades"),
            "screen.payments": Key("6", "Payments"),
            "screen.recipients": Key("7", "Recipients"),
            "screen.activity": Key("8", "Activity"),
            "app.accounts": Key("a", "Account"),
            "app.trade": Key("t", "Trade"),
            "app.payout": Key("p", "Payout"),
            "app.transfer": Key("x", "Transfer"),
            "app.repeat": Key("P", "Repeat the payment"),
            "app.zone": Key("z", "UTC or local time"),
            "app.ticket": Key("T", "Copy the deal ticket"),
            "app.settings": Key("comma", "Settings"),
            "app.health": Key("f8", "Health"),
            "app.refresh": Key("r", "Refresh"),
            "app.unlock": Key("f7", "Unlock"),
            "app.help": Key("question_mark,f1", "Help"),
            "app.commands": Key("ctrl+p,colon", "Commands"),
            "app.suspend": Key(UNBOUND, "Suspend"),
            "app.quit": Key("q,ctrl+c", "Quit"),
        },
        "Any screen": {
            "screen.next": Key("tab", "Next panel"),
            "screen.previous": Key("shift+tab", "Panel before"),
            "screen.copy": Key("ctrl+c", "Copy what is selected"),
        },
        "Any list": {
            "list.down": Key("down,j", "Down"),
            "list.up": Key("up,k", "Up"),
            "list.page_down": Key("pagedown", "Page down"),
            "list.page_up": Key("pageup", "Page up"),
            "list.half_down": Key("ctrl+d", "Half a page down"),
            "list.half_up": Key("ctrl+u", "Half a page up"),
            "list.first": Key("home,g", "First row"),
            "list.last": Key("end,G", "Last row"),
        },
        "Rows of a list": {
            "list.open": Key("enter", "Open"),
            "list.sort": Key("s", "Sort"),
            "list.sort_turn": Key("S", "Reverse order"),
        },
        "Lists": {
            "list.filter": Key("slash", "Filter"),
            "list.unfilter": Key("escape", "Clear filter, or back"),
            "list.export": Key("e", "Export"),
            "list.order": Key("o", "Order"),
            "list.views": Key("v", "View"),
            "list.copy": Key("y", "Copy the identifier"),
        },
        "While a filter is typed": {
            "filter.keep": Key("enter,down", "Apply"),
            "filter.clear": Key("escape", "Clear"),
        },
        "Accounts": {
            "accounts.new_individual": Key("n", "New individual"),
            "accounts.new_corporate": Key("N", "New corporate"),
        },
        "Wallets": {
            "wallets.new": Key("n", "New wallet"),
            "wallets.movements": Key("m", "Activity"),
            "wallets.payins": Key("i", "Pay-ins"),
            "wallets.payin_addresses": Key("d", "Deposit to"),
        },
        "Recipients": {
            "recipients.new": Key("n", "New recipient"),
        },
        "Pay-in addresses": {
            "payin_addresses.new": Key("n", "New address"),
        },
        "Where to deposit": {
            "deposit.copy": Key("c", "Copy deposit details"),
        },
        "Activity": {
            "activity.events": Key("w", "Webhooks"),
        },
        "What was confirmed": {
            "intent.decide": Key("d", "Decide"),
        },
        "Back": {
            "screen.back": Key("escape,backspace", "Back"),
        },
        "Details": {
            "detail.copy": Key("y", "Copy"),
            "detail.copy_key": Key("Y", "Copy the identifier"),
            "detail.value": Key("v", "Show the value alone"),
        },
        "Objects": {
            "detail.add": Key("n", "Add…"),
            "detail.raw": Key("R", "Raw"),
        },
        "Facts": {
            "sheet.open": Key("enter", "Open"),
            "sheet.down": Key("down,j", "Down"),
            "sheet.up": Key("up,k", "Up"),
            "sheet.cross": Key("left,h,right,l", "The other column"),
            "sheet.page_down": Key("pagedown,ctrl+d", "Page down"),
            "sheet.page_up": Key("pageup,ctrl+u", "Page up"),
            "sheet.top": Key("home,g", "Top"),
            "sheet.bottom": Key("end,G", "Bottom"),
        },
        "Long texts": {
            "text.down": Key("down,j", "Down"),
            "text.up": Key("up,k", "Up"),
            "text.page_down": Key("pagedown,ctrl+d", "Page down"),
            "text.page_up": Key("pageup,ctrl+u", "Page up"),
            "text.top": Key("home,g", "Top"),
            "text.bottom": Key("end,G", "Bottom"),
        },
        "Trades and payments": {
            "wizard.back": Key("escape", "Back"),
            "wizard.go_on": Key("enter", "Next"),
            "wizard.confirm": Key("enter", "Confirm"),
            "wizard.open": Key("o", "Open it"),
            "wizard.down": Key("pagedown,ctrl+d", "More below"),
            "wizard.up": Key("pageup,ctrl+u", "More above"),
            "wizard.side": Key("tab", "Switch side"),
            "wizard.requote": Key("r,f5", "New rate"),
            "wizard.identifier": Key("i", "Type an id"),
            "wizard.quit": Key("ctrl+c", "Quit"),
        },
        "Choices": {
            "wizard.choose": Key("enter", "Choose"),
        },
        "Forms": {
            "form.enter": Key("enter", "Next"),
            "form.back": Key("escape", "Back"),
            "form.review": Key("f2", "Review"),
            "form.next": Key("tab", "Next field"),
            "form.before": Key("shift+tab", "Field before"),
            "form.down": Key("down", "Down"),
            "form.up": Key("up", "Up"),
            "form.page_down": Key("pagedown", "Next section"),
            "form.page_up": Key("pageup", "Section before"),
            "form.add": Key("ctrl+n", "Add one"),
            "form.remove": Key("ctrl+r", "Remove it"),
            "form.clear": Key("ctrl+l", "Begin anew"),
            "form.quit": Key("ctrl+c", "Quit"),
        },
        "Dialogs": {
            "dialog.quit": Key("ctrl+c", "Quit"),
        },
        "Order of a list": {
            "order.add": Key("space", "Sort by it, or turn it"),
            "order.remove": Key("backspace,delete", "Not by it"),
        },
        "Views": {
            "views.save": Key("n", "Name what is on view"),
            "views.forget": Key("d,delete", "Forget it"),
        },
        "Leaving": {
            "leave.quit": Key("q", "Quit anyway"),
        },
        "Settings": {
            "settings.take_back": Key("u,delete", "Reset to file"),
        },
    }
)
"""Keys by group, in the order of the help."""

CATALOGUE: Mapping[str, Key] = MappingProxyType(
    {name: key for group in GROUPS.values() for name, key in group.items()}
)
"""All keys by id."""

_PAGE = ("Any screen", "Everywhere")
_ROWS = ("Any list", "Rows of a list")
_LIST = (*_ROWS, "Lists", *_PAGE)
_FACTS = ("Facts", "Details", "Back", *_PAGE)
_DIALOG = ("Dialogs", "Back", "Any screen")

KEY_CONTEXTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Overview": (*_ROWS, *_PAGE),
        "Accounts": ("Accounts", *_LIST),
        "Wallets": ("Wallets", "Where to deposit", *_LIST),
        "Pay-in addresses": ("Pay-in addresses", "Where to deposit", *_LIST),
        "Trades, Payments, Pay-ins": _LIST,
        "Recipients": ("Recipients", *_LIST),
        "Activity": ("Activity", "What was confirmed", *_LIST),
        "the line of a filter": ("While a filter is typed", "Lists", *_PAGE),
        "the details of an object": ("Objects", "Where to deposit", *_FACTS),
        "the details of what was confirmed": ("What was confirmed", *_FACTS),
        "raw objects": ("Long texts", "Back", *_PAGE),
        "Settings": ("Settings", "Back", *_ROWS, *_PAGE),
        "trades and payments that are being made": (
            *("Trades and payments", "Choices", "Any list", *_PAGE),
        ),
        "forms": ("Forms", *_PAGE),
        "lists in a box": (*_ROWS, *_DIALOG),
        "texts in a box": ("Long texts", *_DIALOG),
        "the order of a list": ("Order of a list", *_ROWS, *_DIALOG),
        "the views of a list": ("Views", *_ROWS, *_DIALOG),
        "leaving": ("Leaving", *_ROWS, *_DIALOG),
    }
)
"""By context, the groups whose keys apply there together."""


NAMED = frozenset(
    (
        *("enter", "escape", "tab", "shift+tab", "space", "backspace", "delete", "insert"),
        *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
        *(f"f{number}" for number in range(1, 13)),
    )
)
"""Keys that produce no character."""

_WRITTEN = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "page up": "pageup",
    "pgdn": "pagedown",
    "page down": "pagedown",
    "del": "delete",
    "backtab": "shift+tab",
    " ": "space",
}
"""Other names that people use for keys."""

_SHORT_NAMES = {
    "+": "plus",
    "-": "minus",
    "/": "slash",
    "\\": "backslash",
    "@": "at",
    "_": "underscore",
}
"""Characters whose Textual name differs from Unicode's."""

_TAKEN = {
    **dict.fromkeys("absqz", "terminals, tmux and screen keep it for themselves"),
    **dict.fromkeys("hijm", "a terminal sends the same for backspace, tab or enter"),
    "c": "it always quits",
}
"""Letters that cannot be combined with ctrl, each with the reason."""

CTRL = "ctrl+"


def _sign_name(sign: str) -> str:
    return _SHORT_NAMES.get(sign) or unicodedata.name(sign).lower().replace("-", "_").replace(
        " ", "_"
    )


CHARACTERS: Mapping[str, str] = MappingProxyType(
    {_sign_name(sign): sign for sign in string.punctuation}
)
"""Punctuation by its Textual name."""

_NAMES_OF_CHARACTERS = {sign: name for name, sign in CHARACTERS.items()}

_SHOWN = {
    "escape": "esc",
    "enter": "⏎",
    "pagedown": "page down",
    "pageup": "page up",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
}


class InvalidKey(ValueError):
    """Text that names no usable key.

    Attributes:
        message: the fault, as a clause.
        remedy: the correction, as a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def key_name(written: str) -> str:
    """Return Textual's name of a key: for `?`, `esc` or `Ctrl+D`.

    Raises:
        InvalidKey: the key does not exist or cannot be typed on a terminal.
    """
    if len(written) == 1 and written in string.ascii_letters + string.digits:
        return written
    if name := _NAMES_OF_CHARACTERS.get(written):
        return name
    folded = written.casefold()
    name = _WRITTEN.get(folded, folded)
    if name in NAMED or name in CHARACTERS:
        return name
    letter = name.removeprefix(CTRL)
    if name.startswith(CTRL) and len(letter) == 1 and letter in string.ascii_lowercase:
        return _with_ctrl(letter)
    raise InvalidKey("names no key", _nearest(name))


def is_character(name: str) -> bool:
    """Return True if a key types a character in a text field."""
    return len(name) == 1 or name in CHARACTERS or name == "space"


def shown_key(name: str) -> str:
    """Return the label of a key: `esc`, `↓`, `?`."""
    return _SHOWN.get(name) or CHARACTERS.get(name, name)


def shown_keys(names: str) -> str:
    """Return the labels of comma-separated keys."""
    return " ".join(map(shown_key, names.split(",")))


def _with_ctrl(letter: str) -> str:
    if why_not := _TAKEN.get(letter):
        free = ", ".join(
            f"{CTRL}{other}" for other in string.ascii_lowercase if other not in _TAKEN
        )
        raise InvalidKey(f"cannot be ctrl+{letter}: {why_not}", f"Free are: {free}.")
    return f"{CTRL}{letter}"


def _nearest(name: str) -> str:
    known = sorted({*NAMED, *CHARACTERS, *_WRITTEN, "ctrl+d"})
    meant = did_you_mean(name, known)
    return (
        f'{meant}A key is a letter, a digit, a sign, as "ctrl+d", or a name, as "f5", "pagedown".'
    )


Keymap = Mapping[str, str]
"""Comma-separated Textual key names, by id."""

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
"""The differences of each scheme from the catalogue.

A filter shows only matches, so in `vim` n is the next row.
"""


def keymap(scheme: str, own: Mapping[str, tuple[str, ...]] | None = None) -> Keymap:
    """Return all keys of a scheme.

    Args:
        scheme: its name.
        own: the user's keys by id. They replace letters, punctuation and ctrl keys. Named keys,
            screen numbers and ctrl+c always stay, so that every screen can be left.
    """
    keys = {name: key.keys for name, key in CATALOGUE.items()} | dict(SCHEMES[scheme])
    for name, chosen in (own or {}).items():
        stay = tuple(key for key in keys[name].split(",") if _stays(key))
        keys[name] = ",".join(dict.fromkeys((*chosen, *stay)))
    return keys


def pressed(keys: str) -> list[str]:
    """Return the names of comma-separated keys; none for an unbound action."""
    return [key for key in keys.split(",") if key != UNBOUND]


def first_key(keys: Keymap, name: str) -> str:
    """Return the label of an action's first key, which screens show."""
    return shown_key(keys[name].split(",")[0])


def remapped(keys: Keymap) -> Keymap:
    """Return the keymap for Textual, empty for the default: a keymap costs time at each key."""
    return {} if keys == keymap("default") else keys


def _stays(key: str) -> bool:
    return key in NAMED or key.isdigit() or key == "ctrl+c"


@dataclass(frozen=True, slots=True)
class KeyConflict:
    """A key bound to two ids in one context, though their defaults differ."""

    place: str
    one: str
    other: str
    key: str


def key_conflicts(keys: Keymap) -> Iterator[KeyConflict]:
    """Yield all conflicts; one that occurs in several contexts is yielded for each."""
    for place, groups in KEY_CONTEXTS.items():
        holders: dict[str, list[str]] = {}
        for name in (name for group in groups for name in GROUPS[group]):
            for key in pressed(keys[name]):
                for other in holders.setdefault(key, []):
                    if not _meet(name, other):
                        yield KeyConflict(place, other, name, key)
                holders[key].append(name)


def _meet(one: str, other: str) -> bool:
    """Return True if two ids share a default key, so that one overrides the other on purpose."""
    of_other = CATALOGUE[other].keys.split(",")
    return any(key in of_other for key in CATALOGUE[one].keys.split(","))
