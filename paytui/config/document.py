"""A configuration file, read and validated."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from paytui.config.errors import ConfigError
from paytui.config.operator import Operator, read_operator
from paytui.config.saved import Tree, has_key, merged, read_saved, saved_path
from paytui.config.schema import ConfigFile
from paytui.config.validation import (
    InvalidTree,
    KeyPath,
    Validator,
    config_error,
    key_lines,
    validate,
)

START = "Try `paytui demo`, or write one with `paytui config init`."


@dataclass(frozen=True, slots=True)
class Document:
    """A configuration file with its line numbers; empty without a file.

    Attributes:
        contents: the file with the saved settings merged over it.
        tree: the file alone.
        saved: settings chosen on screen; see `saved.py`.
        check: its validator, which also validates the files beside it.
        operator: the operator's settings, which apply to every user of this machine.
    """

    path: Path | None = None
    contents: ConfigFile = field(default_factory=ConfigFile)
    tree: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    saved: Mapping[str, object] = field(default_factory=dict)
    check: Validator = validate
    operator: Operator = field(default_factory=Operator)

    def origin(self, key: KeyPath) -> str:
        """Return the source of a value: `config.toml:12`, `config.saved.toml` or `default`."""
        if has_key(self.saved, key):
            return saved_path(self.path).name if self.path else "chosen here"
        if not has_key(self.tree, key):
            return "default"
        name = self.path.name if self.path else ""
        return f"{name}:{self.lines[key]}" if key in self.lines else name

    def error(self, key: KeyPath, message: str, remedy: str) -> ConfigError:
        """Return an error about one entry."""
        return ConfigError(self.path, ".".join(key), message, remedy, self.lines.get(key))


def read_document(path: Path, check: Validator = validate) -> Document:
    """Read a configuration, its saved settings and the operator's file.

    Raises:
        ConfigError: one of them cannot be read, is not TOML or is invalid.
    """
    return with_saved(path, read_saved(saved_path(path), check), check)


def with_saved(path: Path, chosen: Tree, check: Validator = validate) -> Document:
    """Read a configuration with saved settings, current or proposed, merged over it.

    Raises:
        ConfigError: it cannot be read, is not TOML, or either is invalid.
    """
    text = _text(path)
    tree = _tree(path, text)
    lines = key_lines(text)
    contents = check_tree(path, tree, lines, check)
    if not (saved := _of_profiles(chosen, tree)):
        return Document(path, contents, tree, lines, check=check, operator=read_operator())
    contents = check_tree(saved_path(path), merged(tree, saved), check=check)
    return Document(path, contents, tree, lines, saved, check, read_operator())


def _of_profiles(saved: Tree, tree: Mapping[str, object]) -> Tree:
    """Return the saved settings without those of removed profiles."""
    chosen, there = saved.get("profiles"), tree.get("profiles")
    if not isinstance(chosen, Mapping):
        return saved
    names = there if isinstance(there, Mapping) else {}
    return {**saved, "profiles": {name: chosen[name] for name in chosen if name in names}}


def check_tree(
    path: Path,
    tree: Mapping[str, object],
    lines: Mapping[KeyPath, int] | None = None,
    check: Validator = validate,
) -> ConfigFile:
    """Validate a current or proposed configuration.

    Raises:
        ConfigError: it is invalid.
    """
    try:
        return check(ConfigFile, tree)
    except InvalidTree as invalid:
        raise config_error(path, invalid.mistakes, lines or {}) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(path, "", "does not exist", START) from None
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", "Name another by --config.") from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text", "Save it as UTF-8.") from None


def _tree(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # invalid TOML, or an integer with too many digits
        message = f"is not valid TOML: {error}"
        raise ConfigError(path, "", message, "Mend that line.") from None
    except RecursionError:
        raise ConfigError(path, "", "is nested too deeply", "Start from an example.") from None
