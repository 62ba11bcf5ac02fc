"""Settings chosen on screen, saved in a file beside the user's, and safe writing of files.

The saved file takes precedence over the user's, key by key. The user's own file is never rewritten.
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


def write_config(path: Path, contents: Mapping[str, object]) -> None:
    """Write a new configuration of mode 0600 and create its folder.

    Raises:
        ConfigError: the file exists or cannot be written.
    """
    write_new(path, tomli_w.dumps(contents))


def write_new(path: Path, text: str) -> None:
    """Write a new file of mode 0600, never over an existing one.

    Raises:
        ConfigError: the file exists or cannot be written.
    """
    refuse_existing(path)
    try:
        files.make_folder(path.parent)
        files.write_new(path, text)
    except OSError as error:
        message = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ConfigError(path, "", message, "Name a file in a folder of yours.") from None


def replace_toml(path: Path, header: str, contents: Mapping[str, object], remedy: str) -> None:
    """Replace a generated file, of mode 0600, atomically.

    Raises:
        ConfigError: it cannot be written; `remedy` names the alternative.
    """
    try:
        files.replace_private(path, header + tomli_w.dumps(contents))
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 0)
        raise ConfigError(path, "", f"cannot be written: {why}", remedy) from None


def refuse_existing(path: Path) -> None:
    """Check that a path is free.

    Raises:
        ConfigError: something exists there.
    """
    if os.path.lexists(path):
        remedy = "Edit it, move it away, or name another file."
        raise ConfigError(path, "", "exists and is not overwritten", remedy)


Tree = dict[str, object]

HEADER = "# Written by paytui: what was chosen on its screens. It goes before the configuration.\n"
MEND = "Mend it, or move it away: what it holds was chosen on screen and can be chosen again."


def saved_path(config: Path) -> Path:
    """Return the path of the saved settings: `config.toml` has `config.saved.toml`."""
    return config.with_name(f"{config.stem}.saved.toml")


def read_saved(path: Path, check: Validator = validate) -> Tree:
    """Read and validate the saved settings; empty if there is no file.

    Raises:
        ConfigError: it cannot be read, or was edited and is invalid.
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
    """Replace the saved settings.

    Raises:
        ConfigError: it cannot be written.
    """
    remedy = "Write the setting into a configuration of yours."
    replace_toml(path, HEADER, tree, remedy)


def has_key(tree: Mapping[str, object], key: KeyPath) -> bool:
    """Return True if the tree has a value at a key."""
    node: object = tree
    for part in key:
        if not isinstance(node, Mapping) or part not in node:
            return False
        node = node[part]
    return True


def merged(below: Mapping[str, object], above: Mapping[str, object]) -> Tree:
    """Merge two trees; `above` takes precedence, key by key."""
    whole = dict(below)
    for key, value in above.items():
        match whole.get(key), value:
            case Mapping() as under, Mapping():
                whole[key] = merged(under, value)
            case _:
                whole[key] = value
    return whole


def with_value(tree: Mapping[str, object], key: KeyPath, value: object) -> Tree:
    """Return the tree with a value at a key."""
    branch: object = value
    for part in reversed(key):
        branch = {part: branch}
    assert isinstance(branch, dict)
    return merged(tree, branch)


def without_value(tree: Mapping[str, object], key: KeyPath) -> Tree:
    """Return the tree without the value at a key and without tables that become empty."""
    first, *rest = key
    under = tree.get(first)
    left = dict(tree)
    left.pop(first, None)
    if rest and isinstance(under, Mapping) and (kept := without_value(under, tuple(rest))):
        left[first] = kept
    return left
