"""The files that paytui writes: a new configuration, and two beside the user's.

Settings chosen on screen take precedence over the user's file, key by key; `paytui track` keeps
identifiers, with one table a profile. The user's own file is never rewritten.
Functions raise `ConfigError` if a file cannot be read or written, or was edited and is invalid.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import tomli_w

from paytui.config.settings import SavedFile, Tracked, TrackTable
from paytui.config.validation import (
    ConfigError,
    InvalidTree,
    KeyPath,
    Validator,
    file_errors,
    validate,
)
from paytui.domain.models import Kind
from paytui.platform import files

Tree = dict[str, object]

SAVED_HEADER = "# Written by paytui: choices made on screen. They override the configuration.\n"
TRACKED_HEADER = (
    "# Written by `paytui track`. Put your own identifiers into [track] of the configuration.\n"
)
MEND = "Fix it, or move it away: it holds only choices made on screen."


def write_config(path: Path, contents: Mapping[str, object]) -> None:
    """Write a new configuration of mode 0600 and create its folder."""
    write_new(path, tomli_w.dumps(contents))


def write_new(path: Path, text: str) -> None:
    """Write a new file of mode 0600, never over an existing one."""
    refuse_existing(path)
    try:
        files.make_folder(path.parent)
        files.write_new(path, text)
    except OSError as error:
        message = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ConfigError(path, "", message, "Name a file in a folder of yours.") from None


def refuse_existing(path: Path) -> None:
    """Check that a path is free."""
    if os.path.lexists(path):
        remedy = "Edit it, move it away, or name another file."
        raise ConfigError(path, "", "exists and is not overwritten", remedy)


def saved_path(config: Path) -> Path:
    """Return the path of the saved settings: `config.toml` has `config.saved.toml`."""
    return config.with_name(f"{config.stem}.saved.toml")


def read_saved(path: Path, check: Validator = validate) -> Tree:
    """Read and validate the saved settings; empty if there is no file."""
    tree = _tree(path, MEND)
    try:
        if tree:
            check(SavedFile, tree)
    except InvalidTree as invalid:
        key = ".".join(invalid.mistakes[0].key)
        raise ConfigError(path, key, "is not as paytui wrote it", MEND) from None
    return tree


def write_saved(path: Path, tree: Mapping[str, object]) -> None:
    text = SAVED_HEADER + tomli_w.dumps(tree)
    replace_file(path, text, "Write the setting into a configuration of yours.")


def tracked_path(config: Path) -> Path:
    """Return the path of the tracked identifiers: `config.toml` has `config.tracked.toml`."""
    return config.with_name(f"{config.stem}.tracked.toml")


def read_tracked(path: Path, check: Validator = validate) -> dict[str, Tracked]:
    """Read the tracked identifiers by profile; empty if there is no file."""
    remedy = "Move it away and track the identifiers again."
    tree = _tree(path, remedy)
    try:
        tables = {
            profile: check(TrackTable, table)  # type: ignore[arg-type]  # it is checked, too
            for profile, table in tree.items()
        }
    except InvalidTree:
        raise ConfigError(path, "", "is not as `paytui track` wrote it", remedy) from None
    return {profile: table.identifiers for profile, table in tables.items()}


def write_tracked(path: Path, tracked: Mapping[str, Tracked]) -> None:
    tables = {
        profile: {
            kind.value: list(identifiers) for kind, identifiers in kinds.items() if identifiers
        }
        for profile, kinds in tracked.items()
    }
    remedy = "Name a configuration in a folder of yours, or use its [track]."
    replace_file(path, TRACKED_HEADER + tomli_w.dumps(tables), remedy)


def merge_tracked(
    first: Mapping[Kind, Sequence[str]], second: Mapping[Kind, Sequence[str]]
) -> Tracked:
    """Return the identifiers of both without duplicates; kinds without any are left out."""
    found = {
        kind: tuple(dict.fromkeys((*first.get(kind, ()), *second.get(kind, ())))) for kind in Kind
    }
    return {kind: identifiers for kind, identifiers in found.items() if identifiers}


def _tree(path: Path, remedy: str) -> Tree:
    """Read a file of TOML; empty if there is none."""
    text = ""
    with file_errors(path), suppress(FileNotFoundError):
        text = path.read_text(encoding="utf-8")
    with file_errors(path, remedy):
        return tomllib.loads(text)


def replace_file(path: Path, text: str, remedy: str) -> None:
    """Replace a file, of mode 0600, atomically."""
    try:
        files.replace_private(path, text)
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 0)
        raise ConfigError(path, "", f"cannot be written: {why}", remedy) from None


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
