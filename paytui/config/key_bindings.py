"""The catalogue of keys and their actions, the notation of keys, and conflicts between them.

A configuration names keys by their ids; `tui/textual_bindings.py` binds them to Textual's actions.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from paytui.platform.text import InvalidValue, did_you_mean


@dataclass(frozen=True, slots=True)
class Key:
    """The default keys of an action.

    Attributes:
        keys: comma-separated names of keys; screens show the first.
        does: the label, a word or two.
        action: Textual's action.
    """

    keys: str
    does: str
    action: str
    show: bool = True


UNBOUND = "none"  # The default of an action that has no key unless the user chooses one

GROUPS: Mapping[str, Mapping[str, Key]] = {
    "Everywhere": {
        "screen.overview": Key("1", "Overview", "mode('overview')", show=False),
        "screen.accounts": Key("2", "Accounts", "mode('accounts')", show=False),
        "screen.wallets": Key("3", "Wallets", "mode('wallets')", show=False),
        "screen.rates": Key("4", "Rates", "mode('rates')", show=False),
        "screen.trades": Key("5", "Trades", "mode('trades')", show=False),
        "screen.payments": Key("6", "Payments", "mode('payments')", show=False),
        "screen.recipients": Key("7", "Recipients", "mode('recipients')", show=False),
        "screen.activity": Key("8", "Activity", "mode('activity')", show=False),
        "app.trade": Key("t", "Trade", "trade"),
        "app.payout": Key("p", "Pay", "payout"),
        "app.transfer": Key("x", "Transfer", "transfer"),
        "app.repeat": Key("P,T", "Repeat", "repeat", show=False),
        "app.draft": Key("f3", "Return to draft", "draft", show=False),
        "app.discard": Key("f4", "Discard draft", "discard", show=False),
        "app.find": Key("ctrl+f,slash", "Find", "find", show=False),
        "app.accounts": Key("a", "Account", "accounts"),
        "app.zone": Key("z", "UTC or local time", "zone", show=False),
        "app.ticket": Key("D", "Copy deal ticket", "ticket", show=False),
        "app.settings": Key("comma", "Settings: theme, keys, times", "settings", show=False),
        "app.health": Key("f8", "Health", "health", show=False),
        "app.refresh": Key("r", "Refresh", "refresh"),
        "app.unlock": Key("f7", "Unlock", "unlock", show=False),
        "app.help": Key("question_mark,f1", "Help", "help"),
        "app.commands": Key("ctrl+p,colon", "Commands", "command_palette", show=False),
        "app.suspend": Key(UNBOUND, "Suspend", "suspend_process", show=False),
        "app.quit": Key("q,ctrl+c", "Quit", "quit"),
    },
    "Any screen": {
        "screen.next": Key("tab", "Next panel", "app.focus_next", show=False),
        "screen.previous": Key("shift+tab", "Previous panel", "app.focus_previous", show=False),
        "screen.copy": Key("ctrl+c", "Copy selection", "screen.copy_text", show=False),
    },
    "Any list": {
        "list.down": Key("down,j", "Down", "move(1)", show=False),
        "list.up": Key("up,k", "Up", "move(-1)", show=False),
        "list.page_down": Key("pagedown", "Page down", "page(2)", show=False),
        "list.page_up": Key("pageup", "Page up", "page(-2)", show=False),
        "list.half_down": Key("ctrl+d", "Half a page down", "page(1)", show=False),
        "list.half_up": Key("ctrl+u", "Half a page up", "page(-1)", show=False),
        "list.first": Key("home,g", "First row", "first", show=False),
        "list.last": Key("end,G", "Last row", "last", show=False),
    },
    "Rows of a list": {
        "list.open": Key("enter", "Open", "open"),
        "list.sort": Key("s", "Sort", "sort_next"),
        "list.sort_turn": Key("S", "Reverse order", "sort_turn", show=False),
    },
    "Lists": {
        "list.filter": Key("slash", "Filter", "filter"),
        "list.unfilter": Key("escape", "Clear marks or filter, or back", "unfilter", show=False),
        "list.export": Key("e", "Export", "export"),
        "list.order": Key("o", "Sort by", "order"),
        "list.views": Key("v", "View", "views", show=False),
        "list.copy": Key("y", "Copy identifier", "copy", show=False),
        "list.group": Key("b", "Group by", "group", show=False),
        "list.mark": Key("space", "Mark", "mark", show=False),
    },
    "Needs attention": {
        "attention.acknowledge": Key("space", "Ack", "acknowledge"),
        "attention.snooze": Key("s", "Snooze", "snooze"),
        "attention.aside": Key("v", "Show what is set aside", "set_aside", show=False),
    },
    "Rates": {
        "rates.trade": Key("enter", "Trade", "trade"),
        "rates.bid": Key("left", "Bid", "side('bid')", show=False),
        "rates.offer": Key("right", "Offer", "side('offer')", show=False),
        "rates.chart": Key("c", "Chart", "chart"),
    },
    "Chart beside rates": {
        "board.shorter": Key("left_square_bracket", "Shorter", "period(-1)", show=False),
        "board.longer": Key("right_square_bracket", "Longer", "period(1)", show=False),
    },
    "Chart": {
        "chart.save": Key("enter", "Set alert", "save"),
        "chart.up": Key("up,k", "Alert up a pip", "level(1)", show=False),
        "chart.down": Key("down,j", "Alert down a pip", "level(-1)", show=False),
        "chart.page_up": Key("pageup,ctrl+u", "Alert up", "level(10)", show=False),
        "chart.page_down": Key("pagedown,ctrl+d", "Alert down", "level(-10)", show=False),
        "chart.shorter": Key("left,h,left_square_bracket", "Shorter", "period(-1)"),
        "chart.longer": Key("right,l,right_square_bracket", "Longer", "period(1)"),
        "chart.remove": Key("delete,d", "Remove alert", "remove", show=False),
        "chart.copy": Key("y", "Copy alert", "copy"),
    },
    "Filter line": {
        "filter.keep": Key("enter,down", "Apply", "screen.leave_filter"),
        "filter.clear": Key("escape", "Clear", "screen.unfilter"),
        "filter.complete": Key("tab", "Complete", "complete"),
        "filter.help": Key("f1", "Filter help", "screen.filter_help"),
    },
    "Find": {
        "find.open": Key("enter", "Open", "screen.open"),
        "find.down": Key("down", "Down", "screen.move(1)", show=False),
        "find.up": Key("up", "Up", "screen.move(-1)", show=False),
        "find.page_down": Key("pagedown", "Next kind", "screen.turn(1)"),
        "find.page_up": Key("pageup", "Previous kind", "screen.turn(-1)", show=False),
        "find.scope": Key("tab", "All accounts, or one", "screen.scope"),
        "find.leave": Key("escape", "Back", "screen.back"),
        "find.anew": Key("ctrl+f", "Type another text", "select_all", show=False),
    },
    "Accounts": {
        "accounts.new_individual": Key("n", "New individual", "new_individual"),
        "accounts.new_corporate": Key("N", "New corporate", "new_corporate"),
    },
    "Wallets": {
        "wallets.new": Key("n", "New wallet", "new_wallet"),
        "wallets.movements": Key("m", "Movements", "movements"),
        "wallets.payins": Key("i", "Pay-ins", "payins"),
        "wallets.payin_addresses": Key("d", "Deposit to", "payin_addresses"),
    },
    "Recipients": {"recipients.new": Key("n", "New recipient", "new_recipient")},
    "Pay-in addresses": {"payin_addresses.new": Key("n", "New address", "new_payin_address")},
    "Deposit details": {"deposit.copy": Key("c", "Copy deposit details", "copy_deposit")},
    "Activity": {"activity.events": Key("w", "Webhooks", "events")},
    "Intents": {"intent.decide": Key("d", "Decide", "decide")},
    "Back": {"screen.back": Key("escape,backspace", "Back", "back")},
    "Details": {
        "detail.copy": Key("y", "Copy", "copy"),
        "detail.copy_key": Key("Y", "Copy identifier", "copy_key", show=False),
        "detail.note": Key("N", "Note", "note"),
        "detail.value": Key("v", "Show only the value", "show_value", show=False),
    },
    "Objects": {
        "detail.add": Key("n", "Add…", "add"),
        "detail.raw": Key("R", "Raw", "raw"),
    },
    "Facts": {
        "sheet.open": Key("enter", "Open", "open"),
        "sheet.down": Key("down,j", "Down", "move(1)", show=False),
        "sheet.up": Key("up,k", "Up", "move(-1)", show=False),
        "sheet.cross": Key("left,h,right,l", "Other column", "cross", show=False),
        "sheet.page_down": Key("pagedown,ctrl+d", "Page down", "page(1)", show=False),
        "sheet.page_up": Key("pageup,ctrl+u", "Page up", "page(-1)", show=False),
        "sheet.top": Key("home,g", "Top", "first", show=False),
        "sheet.bottom": Key("end,G", "Bottom", "last", show=False),
    },
    "Long texts": {
        "text.down": Key("down,j", "Down", "scroll_down", show=False),
        "text.up": Key("up,k", "Up", "scroll_up", show=False),
        "text.page_down": Key("pagedown,ctrl+d", "Page down", "page_down", show=False),
        "text.page_up": Key("pageup,ctrl+u", "Page up", "page_up", show=False),
        "text.top": Key("home,g", "Top", "scroll_home", show=False),
        "text.bottom": Key("end,G", "Bottom", "scroll_end", show=False),
    },
    "Tickets": {
        "ticket.enter": Key("enter", "Next", "go_on"),
        "ticket.confirm": Key("enter", "Confirm", "confirm"),
        "ticket.leave": Key("escape", "Leave", "back"),
        "ticket.next": Key("tab", "Next field", "go(1)"),
        "ticket.before": Key("shift+tab", "Previous field", "go(-1)", show=False),
        "ticket.down": Key("down", "Next option", "move(1)", show=False),
        "ticket.up": Key("up", "Previous option", "move(-1)", show=False),
        "ticket.page_down": Key("pagedown,ctrl+d", "More below", "look(1)", show=False),
        "ticket.page_up": Key("pageup,ctrl+u", "More above", "look(-1)", show=False),
        "ticket.section": Key("pagedown", "Next section", "turn(1)"),
        "ticket.section_before": Key("pageup", "Previous section", "turn(-1)", show=False),
        "ticket.review": Key("f2", "Review", "review"),
        "ticket.add": Key("ctrl+n", "Add", "act('add')"),
        "ticket.remove": Key("ctrl+r", "Remove", "act('remove')"),
        "ticket.clear": Key("ctrl+l", "Start over", "act('clear')"),
        "ticket.requote": Key("r,f5", "New rate", "act('requote')"),
        "ticket.save": Key("ctrl+t", "Save as template", "save", show=False),
        "ticket.open": Key("o", "Open", "open"),
        "ticket.quit": Key("ctrl+c", "Quit", "app.quit", show=False),
    },
    "Dialogs": {"dialog.quit": Key("ctrl+c", "Quit", "app.quit", show=False)},
    "Order of a list": {
        "order.add": Key("space", "Add or reverse", "add"),
        "order.remove": Key("backspace,delete", "Remove", "remove"),
    },
    "Views": {
        "views.save": Key("n", "Save current view", "save"),
        "views.forget": Key("d,delete", "Delete", "forget"),
    },
    "Leaving": {"leave.quit": Key("q", "Quit anyway", "app.quit")},
    "Settings": {"settings.take_back": Key("u,delete", "Reset to file", "take_back")},
}
"""Keys by group, in the order of the help."""

CATALOGUE: Mapping[str, Key] = {
    name: key for group in GROUPS.values() for name, key in group.items()
}
"""All keys by id."""

_PAGE = ("Any screen", "Everywhere")
_ROWS = ("Any list", "Rows of a list")
_LIST = (*_ROWS, "Lists", *_PAGE)
_FACTS = ("Facts", "Details", "Back", *_PAGE)
_DIALOG = ("Dialogs", "Back", "Any screen")

KEY_CONTEXTS: Mapping[str, tuple[str, ...]] = {
    "Overview": ("Needs attention", "Intents", "Rates", *_ROWS, *_PAGE),
    "Rates": ("Rates", "Chart beside rates", *_ROWS, *_PAGE),
    "the chart of a rate": ("Chart", "Back", *_PAGE),
    "Accounts": ("Accounts", *_LIST),
    "Wallets": ("Wallets", "Deposit details", *_LIST),
    "Pay-in addresses": ("Pay-in addresses", "Deposit details", *_LIST),
    "Trades, Payments, Pay-ins": _LIST,
    "Recipients": ("Recipients", *_LIST),
    "Activity": ("Activity", "Intents", *_LIST),
    "the line of a filter": ("Filter line", "Lists", *_PAGE),
    "Find": ("Find", *_PAGE),
    "the details of an object": ("Objects", "Deposit details", *_FACTS),
    "the details of an intent": ("Intents", *_FACTS),
    "raw objects": ("Long texts", "Back", *_PAGE),
    "Settings": ("Settings", "Back", *_ROWS, *_PAGE),
    "tickets": ("Tickets", *_PAGE),
    "lists in a dialog": (*_ROWS, *_DIALOG),
    "texts in a dialog": ("Long texts", *_DIALOG),
    "the order of a list": ("Order of a list", *_ROWS, *_DIALOG),
    "the views of a list": ("Views", *_ROWS, *_DIALOG),
    "leaving": ("Leaving", *_ROWS, *_DIALOG),
}
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
    **dict.fromkeys("absqz", "terminals, tmux and screen reserve it"),
    **dict.fromkeys("hijm", "terminals send the same for backspace, tab or enter"),
    "c": "it always quits",
}
"""Letters that cannot be combined with ctrl, each with the reason."""

CTRL = "ctrl+"


def _sign_name(sign: str) -> str:
    return _SHORT_NAMES.get(sign) or unicodedata.name(sign).lower().replace("-", "_").replace(
        " ", "_"
    )


CHARACTERS: Mapping[str, str] = {_sign_name(sign): sign for sign in string.punctuation}
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


def key_name(written: str) -> str:
    """Return Textual's name of a key: for `?`, `esc` or `Ctrl+D`.

    Raise InvalidValue if the key does not exist or cannot be typed on a terminal.
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
        if why_not := _TAKEN.get(letter):
            free = (f"{CTRL}{other}" for other in string.ascii_lowercase if other not in _TAKEN)
            raise InvalidValue(f"cannot be {name}: {why_not}", f"Free: {', '.join(free)}.")
        return name
    meant = did_you_mean(name, sorted({*NAMED, *CHARACTERS, *_WRITTEN, "ctrl+d"}))
    known = 'A key is a letter, a digit, a sign, as "ctrl+d", or a name, as "f5", "pagedown".'
    raise InvalidValue("names no key", meant + known)


def shown_key(name: str) -> str:
    """Return the label of a key: `esc`, `↓`, `?`."""
    return _SHOWN.get(name) or CHARACTERS.get(name, name)


Keymap = Mapping[str, str]  # Comma-separated Textual key names, by id

SCHEMES: Mapping[str, Keymap] = {
    "default": {},
    "vim": {
        "app.commands": "colon,ctrl+p",
        "list.open": "enter,l",
        "list.unfilter": "escape,h",
        "list.down": "down,j,n",
        "list.up": "up,k,N",
        "rates.trade": "enter,l",
        "accounts.new_individual": "O",
        "accounts.new_corporate": "C",
        "wallets.new": "O",
        "recipients.new": "O",
        "payin_addresses.new": "O",
        "detail.add": "O",
        "views.save": "O",
    },
}
"""The differences of each scheme from the catalogue.

A filter shows only matches, so in `vim` n is the next row.
"""


def keymap(scheme: str, own: Mapping[str, tuple[str, ...]] | None = None) -> Keymap:
    """Return all keys of a scheme.

    Args:
        own: the user's keys by id. They replace letters, punctuation and ctrl keys. Named keys,
            screen numbers and ctrl+c always stay, so that every screen can be left.
    """
    keys = {name: key.keys for name, key in CATALOGUE.items()} | dict(SCHEMES[scheme])
    for name, chosen in (own or {}).items():
        stay = (
            key for key in keys[name].split(",") if key in NAMED or key.isdigit() or key == "ctrl+c"
        )
        keys[name] = ",".join(dict.fromkeys((*chosen, *stay)))
    return keys


SUSPEND_KEY = "ctrl+z"

_TYPED_IN = (
    *("filter.", "find.", "ticket.section", "ticket.review", "ticket.add", "ticket.remove"),
    *("ticket.clear", "ticket.requote"),
)
"""Prefixes of ids that apply in text fields, where a character is text."""


def parse_keys(name: str, written: object) -> tuple[str, ...]:
    """Return Textual's names of the keys that the user gives to an id.

    Raise InvalidValue if the id or a key does not exist, or the key is text where it applies.
    """
    if name not in CATALOGUE:
        remedy = f"{did_you_mean(name, CATALOGUE)}`paytui keys` lists them all."
        raise InvalidValue("is not the id of a key", remedy)
    if isinstance(written, str):
        written = (written,)
    if not isinstance(written, list | tuple) or not written:
        raise InvalidValue("must name a key, or a list of keys", 'As in "f5".')
    return tuple(_parse_key(name, key) for key in written)


def _parse_key(name: str, written: object) -> str:
    if not isinstance(written, str):
        raise InvalidValue("must be text in quotes", 'As in "f5".')
    # Suspending is the one action that may have the terminal's own key.
    is_suspend = name == "app.suspend" and written.casefold() == SUSPEND_KEY
    key = SUSPEND_KEY if is_suspend else key_name(written)
    typed_in = name.startswith(_TYPED_IN) and key not in CATALOGUE[name].keys.split(",")
    if typed_in and (len(key) == 1 or key in CHARACTERS or key == "space"):
        remedy = 'Name one as "f6" or "ctrl+g".'
        raise InvalidValue("cannot be a character: it is typed there", remedy)
    return key


def pressed(keys: str) -> list[str]:
    """Return the names of comma-separated keys; none for an unbound action."""
    return [key for key in keys.split(",") if key != UNBOUND]


def first_key(keys: Keymap, name: str) -> str:
    """Return the label of an action's first key, which screens show."""
    return shown_key(keys[name].split(",")[0])


def remapped(keys: Keymap) -> Keymap:
    """Return the keymap for Textual, empty for the default: a keymap costs time at each key."""
    return {} if keys == keymap("default") else keys


def key_conflicts(keys: Keymap) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield each key that two ids have in a context: the context, the key and the ids.

    Of two ids that share a default key, one overrides the other on purpose.
    """
    defaults = {name: set(key.keys.split(",")) for name, key in CATALOGUE.items()}
    for place, groups in KEY_CONTEXTS.items():
        holders: dict[str, list[str]] = {}
        for name in (name for group in groups for name in GROUPS[group]):
            for key in pressed(keys[name]):
                for other in holders.setdefault(key, []):
                    if not defaults[name] & defaults[other]:
                        yield place, key, (name, other)
                holders[key].append(name)
