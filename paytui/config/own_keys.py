"""The keys that a configuration wants, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paytui.config.document import Document
from paytui.config.errors import ConfigError
from paytui.config.key_names import NotAKey, is_character, key_name, shown_key
from paytui.config.key_schemes import Clash, Keymap, clashes, keymap
from paytui.config.keys import CATALOGUE
from paytui.config.lines import Key
from paytui.config.settings import Display
from paytui.platform.text import clean, did_you_mean

SUSPEND_KEY = "ctrl+z"

_TYPED_IN = ("form.", "filter.", "wizard.side", "wizard.requote")
"""Beginnings of ids that are about where one types: a character there is text."""


def keymap_of(document: Document) -> Keymap:
    """The keys that a document wants.

    Raises:
        ConfigError: it names what there is not, or wants one key for two things in one place.
    """
    entries: dict[str, Key] = {}
    own: dict[str, tuple[str, ...]] = {}
    for entry, value in written_keys(document):
        name = _known(document, entry)
        own[name], entries[name] = _chosen(document, entry, name, value), entry
    keys = keymap(document.contents.display.key_scheme or Display().key_scheme, own)
    if own:
        for clash in clashes(keys):
            raise _complaint(document, entries, clash)
    return keys


def written_keys(document: Document) -> Iterator[tuple[Key, object]]:
    """Where a document says a key, and what."""
    return _entries(("keys",), document.contents.keys)


def _entries(key: Key, tree: Mapping[str, object]) -> Iterator[tuple[Key, object]]:
    """What is written in a table and in those within it: `list.sort` is a `sort` within `list`."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _entries((*key, name), value)
        else:
            yield (*key, name), value


def _known(document: Document, entry: Key) -> str:
    name = ".".join(entry[1:])
    if name in CATALOGUE:
        return name
    shown = tuple(clean(part, 40) for part in entry)
    remedy = f"{did_you_mean(name, CATALOGUE)}`paytui keys` lists them all."
    raise ConfigError(
        document.path, ".".join(shown), "is not the id of a key", remedy, document.lines.get(entry)
    )


def _chosen(document: Document, entry: Key, name: str, value: object) -> tuple[str, ...]:
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not written:
        raise document.error(entry, "must name a key, or a list of keys", 'As in "f5".')
    return tuple(_one(document, entry, name, key) for key in written)


def _one(document: Document, entry: Key, name: str, written: object) -> str:
    if not isinstance(written, str):
        raise document.error(entry, "must be text in quotes", 'As in "f5".')
    try:
        key = SUSPEND_KEY if _suspends(name, written) else key_name(written)
    except NotAKey as error:
        raise document.error(entry, error.message, error.remedy) from None
    typed_in = name.startswith(_TYPED_IN) and key not in CATALOGUE[name].keys.split(",")
    if typed_in and is_character(key):
        message = "cannot be a character: it is typed there"
        raise document.error(entry, message, 'Name one as "f6" or "ctrl+g".')
    return key


def _suspends(name: str, written: str) -> bool:
    """The one thing for which terminals' own key is the right one."""
    return name == "app.suspend" and written.casefold() == SUSPEND_KEY


def _complaint(document: Document, entries: Mapping[str, Key], clash: Clash) -> ConfigError:
    """Said at an entry of the file, and of two at the one below."""
    lines = {name: document.lines.get(entry, 0) for name, entry in entries.items()}
    theirs, mine = sorted((clash.one, clash.other), key=lambda name: lines.get(name, -1))
    message = (
        f"gives {shown_key(clash.key)} to {mine} ({CATALOGUE[mine].does}), and {theirs} "
        f"({CATALOGUE[theirs].does}) has it too: {clash.place}"
    )
    remedy = "Give one of them another key; `paytui keys` lists them all."
    return document.error(entries[mine], message, remedy)
