"""The files of a user: a new configuration and its example, two that paytui writes, and themes.

Settings chosen on screen take precedence over the user's file, key by key; `paytui track` keeps
identifiers, with one table a profile. The user's own file is never rewritten. A theme is read only
when it is chosen.
Functions raise `ConfigError` if a file cannot be read or written, or was edited and is invalid.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from textwrap import wrap
from typing import Literal, get_args, get_origin, get_type_hints

import tomli_w

from paytui.config.settings import ColumnsTable, ConfigFile, SavedFile, Tracked, TrackTable
from paytui.config.validation import ConfigError, InvalidTree, KeyPath, Table, Validator, validate
from paytui.config.value_parsers import COLUMNS
from paytui.domain.models import Kind
from paytui.platform import files
from paytui.platform.files import shipped_path
from paytui.platform.text import did_you_mean

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
    try:
        if (text := _text(path)) is None:
            return {}
        tree = tomllib.loads(text)
        check(SavedFile, tree)
    except InvalidTree as invalid:
        key = ".".join(invalid.mistakes[0].key)
        raise ConfigError(path, key, "is not as paytui wrote it", MEND) from None
    except (ValueError, RecursionError):
        raise ConfigError(path, "", "is not valid TOML", MEND) from None
    return tree


def write_saved(path: Path, tree: Mapping[str, object]) -> None:
    text = SAVED_HEADER + tomli_w.dumps(tree)
    replace_file(path, text, "Write the setting into a configuration of yours.")


def tracked_path(config: Path) -> Path:
    """Return the path of the tracked identifiers: `config.toml` has `config.tracked.toml`."""
    return config.with_name(f"{config.stem}.tracked.toml")


def read_tracked(path: Path, check: Validator = validate) -> dict[str, Tracked]:
    """Read the tracked identifiers by profile; empty if there is no file."""
    try:
        tree = tomllib.loads(_text(path) or "")
        tables = {profile: check(TrackTable, table) for profile, table in tree.items()}
    except (InvalidTree, ValueError, RecursionError):
        remedy = "Move it away and track the identifiers again."
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


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> ConfigError:
    """Return the complaint about a file or folder that cannot be read."""
    why = error.strerror or "unknown reason"
    return ConfigError(path, "", f"cannot be read: {why}", "Fix its permissions.")


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


# Themes

THEMES = "themes"  # The folder of the user's themes, beside the configuration

_ENDING = ".toml"
_THEME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class ThemeFiles:
    """Themes by name; a file is read only when its theme is chosen.

    Attributes:
        own: the user's folder, which need not exist; None without a configuration.
    """

    own: Path | None = None
    shipped: Path = field(default_factory=lambda: shipped_path(THEMES))

    @property
    def names(self) -> list[str]:
        return sorted({*_names_in(self.shipped), *_names_in(self.own)})

    def file(self, name: str) -> Path:
        """Return the file of a theme.

        Raise ConfigError if no theme has this name, or two have it.
        """
        folders = [folder for folder in (self.shipped, self.own) if folder is not None]
        match [folder / f"{name}{_ENDING}" for folder in folders if name in _names_in(folder)]:
            case [file]:
                return file
            case [_, own]:
                message = "has the name of a theme that is shipped"
                raise ConfigError(own, "", message, "Give it another name.")
            case _:
                raise ConfigError(None, "theme", "names no theme", self.remedy(name))

    def is_own(self, name: str) -> bool:
        """Return True for a user's theme, which may change while it is in use."""
        return name in _names_in(self.own)

    def remedy(self, name: str) -> str:
        """Return a correction for an unknown name."""
        return f"{did_you_mean(name, self.names)}Themes are: {', '.join(self.names)}."


def themes_beside(config: Path | None) -> ThemeFiles:
    """Return the themes that a configuration can name."""
    own = None if config is None else config.resolve().parent / THEMES
    return ThemeFiles(None if own == shipped_path(THEMES) else own)


def _names_in(folder: Path | None) -> list[str]:
    """Return the names of the themes in a folder; none if it cannot be read."""
    try:
        names = [] if folder is None else [file.name for file in folder.iterdir()]
    except OSError:
        return []
    stems = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
    return [stem for stem in stems if _THEME.fullmatch(stem)]


# The example

INTRODUCTION = """\
Example configuration of paytui: every key with its meaning. `paytui config path` prints the place \
of yours; `--config FILE` or PAYTUI_CONFIG name another. Check it by `paytui config validate`; \
`paytui config show` prints every value and where it came from. Keys that are left out have the \
values shown here; those behind a # are unset, unless a comment tells their default. Choices on \
paytui's screens go into config.saved.toml beside this file, which overrides it; paytui never \
rewrites this one."""

PRACTICE = """
# A second profile, for practice: `paytui sandbox --port 8080`, then `paytui --profile practice`.
#[profiles.practice]
#base_url = "http://127.0.0.1:8080"
#client_id = "demo"
#live = false"""


def example() -> str:
    """Return the text of `config.example.toml`."""
    return "\n".join([*_comment(INTRODUCTION), "", *_entries(ConfigFile), ""])


def _entries(table: type[Table]) -> Iterator[str]:
    """Yield the lines of the entries of a table; those that are unset by default are comments."""
    types, explained = get_type_hints(table), table.explanations()
    for entry in fields(table):
        of_type, (written, *below) = types[entry.name], table.examples()[entry.name].splitlines()
        text = explained[entry.name]
        if not written.startswith("["):
            choices = get_args(of_type) if get_origin(of_type) is Literal else ()
            choices = COLUMNS[entry.name] if table is ColumnsTable else choices
            if choices:
                text = f"{text} Choices: {', '.join(choices)}.".lstrip()
            yield from _comment(text)
            is_unset = entry.default in (None, ()) or entry.default_factory is not MISSING
            yield "#" * is_unset + written
            continue
        yield ""
        is_off = table is not ConfigFile
        if below:
            lines = iter(below)
            yield from _comment(text)
        else:
            inner = next(
                one
                for one in (of_type, *get_args(of_type))
                if isinstance(one, type) and issubclass(one, Table)
            )
            lines = _entries(inner)
            yield from _comment(inner.explanations()[""])
        yield "#" * is_off + written
        for line in lines:
            yield f"#{line}" if (is_off or below) and line[:1] not in ("", "#") else line
        if entry.name == "profiles":
            yield PRACTICE


def _comment(text: str) -> list[str]:
    return wrap(text, 100, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
