"""Where a key stands in a TOML file: tomllib tells values, not lines."""

from __future__ import annotations

import re
import tomllib

Key = tuple[str, ...]
"""Where an entry stands: `("profiles", "acme", "base_url")`."""

_HEADER = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*(#.*)?")
_KEY = re.compile(r"\s*([^=#\[\]]+?)\s*=")


def key_lines(text: str) -> dict[Key, int]:
    """The line (from 1) of each table's header and of each key that begins a line of valid TOML.

    Keys within inline tables are not found. A line inside a multi-line string may be taken for a
    key, but never in place of a real one that stands before it.
    """
    found: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            table = _parts(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_parts(key[1])), number)
    return found


def _parts(dotted: str) -> Key:
    """The names in `a."b c".d`; none if it is no key after all."""
    try:
        tree: object = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts: list[str] = []
    while isinstance(tree, dict):
        [(name, tree)] = tree.items()
        parts.append(name)
    return tuple(parts)
