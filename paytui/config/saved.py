"""What was chosen on the screens: a file of our own beside the user's, which is never rewritten.

It goes before the user's file, key by key; what is taken back here falls back on that file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from paytui.config.errors import ConfigError
from paytui.config.schema import SavedFile
from paytui.config.validation import InvalidTree, KeyPath, Validator, validate
from paytui.platform import files

# Writing files that nobody else may read: new ones, and our own over and over.


def write_config(path: Path, contents: Mapping[str, object]) -> None:
    """Write a configuration of mode 0600, its folder too where there is none.

    Raises:
        ConfigError: the file exists, or it cannot be written.
    """
    write_new(path, tomli_w.dumps(contents))


def write_new(path: Path, text: str) -> None:
    """Write a file of mode 0600 from its first moment, never over an existing one.

    Raises:
        ConfigError: it exists, or it cannot be written.
    """
    refuse_existing(path)
    try:
        files.make_folder(path.parent)
        files.write_new(path, text)
    except OSError as error:
        message = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ConfigError(path, "", message, "Name a file in a folder of yours.") from None


def replace_toml(path: Path, header: str, contents: Mapping[str, object], remedy: str) -> None:
    """Replace a file of our own by a whole new one, of mode 0600; half of one is never seen.

    Raises:
        ConfigError: it cannot be written; `remedy` tells what to do instead.
    """
    try:
        files.replace_private(path, header + tomli_w.dumps(contents))
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 0)
        raise ConfigError(path, "", f"cannot be written: {why}", remedy) from None


def refuse_existing(path: Path) -> None:
    """Refuse a path at which there is something already.

    Raises:
        ConfigError: the file exists.
    """
    if os.path.lexists(path):
        remedy = "Edit it, move it away, or name another file."
        raise ConfigError(path, "", "exists and is not overwritten", remedy)


Tree = dict[str, object]

HEADER = "# Written by paytui: what was chosen on its screens. It goes before the configuration.\n"
MEND = "Mend it, or move it away: what it holds was chosen on screen and can be chosen again."


def saved_path(config: Path) -> Path:
    """Our own file beside a configuration: `config.toml` has `config.saved.toml`."""
    return config.with_name(f"{config.stem}.saved.toml")


def read_saved(path: Path, check: Validator = validate) -> Tree:
    """What our own file holds, checked; nothing where it is not there.

    Raises:
        ConfigError: it cannot be read, or was changed to what we would not write.
    """
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
        check(SavedFile, tree)
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", "Mend its permissions.") from None
    except InvalidTree as invalid:
        key = ".".join(invalid.mistakes[0].key)
        raise ConfigError(path, key, "is not as paytui wrote it", MEND) from None
    except (ValueError, RecursionError):
        raise ConfigError(path, "", "is not valid TOML", MEND) from None
    return tree


def write_saved(path: Path, tree: Mapping[str, object]) -> None:
    """Replace our own file by a whole new one, of mode 0600.

    Raises:
        ConfigError: it cannot be written.
    """
    remedy = "Write the setting into a configuration of yours."
    replace_toml(path, HEADER, tree, remedy)


def has_key(tree: Mapping[str, object], key: KeyPath) -> bool:
    """Whether there is a value at a key."""
    node: object = tree
    for part in key:
        if not isinstance(node, Mapping) or part not in node:
            return False
        node = node[part]
    return True


def merged(below: Mapping[str, object], above: Mapping[str, object]) -> Tree:
    """Two trees as one, in which `above` goes before `below`, key by key."""
    whole = dict(below)
    for key, value in above.items():
        match whole.get(key), value:
            case Mapping() as under, Mapping():
                whole[key] = merged(under, value)
            case _:
                whole[key] = value
    return whole


def with_value(tree: Mapping[str, object], key: KeyPath, value: object) -> Tree:
    """The tree with one value at a key."""
    branch: object = value
    for part in reversed(key):
        branch = {part: branch}
    assert isinstance(branch, dict)
    return merged(tree, branch)


def without_value(tree: Mapping[str, object], key: KeyPath) -> Tree:
    """The tree without the value at a key, and without tables that it leaves empty."""
    first, *rest = key
    under = tree.get(first)
    left = dict(tree)
    left.pop(first, None)
    if rest and isinstance(under, Mapping) and (kept := without_value(under, tuple(rest))):
        left[first] = kept
    return left
