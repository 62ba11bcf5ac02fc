"""The operator's file: settings for every user of a machine, which users can only tighten.

Its path is fixed: no option or environment variable changes it. Only root may write it. A file that
exists but is untrusted, unreadable or invalid prevents every start, since going on without it would
lift its restrictions.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from paytui.config.errors import ConfigError
from paytui.config.schema import OperatorFile
from paytui.config.validation import InvalidTree, KeyPath, config_error, key_lines, validate

ASK = "Ask the operator of this machine to mend it."
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class OwnedPath:
    """The path of an operator's file and the user id that alone may write it."""

    path: Path
    owner: int


OPERATOR_PATH = OwnedPath(Path("/etc/paytui/config.toml"), owner=0)


@dataclass(frozen=True, slots=True)
class Operator:
    """The contents of an operator's file; empty without one."""

    path: Path | None = None
    contents: OperatorFile = field(default_factory=OperatorFile)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def origin(self, key: KeyPath) -> str:
        """Return the source of a setting: `set by the operator, /etc/paytui/config.toml:3`."""
        while key and key not in self.lines:
            key = key[:-1]
        line = f":{self.lines[key]}" if key else ""
        return f"set by the operator, {self.path}{line}"


def read_operator() -> Operator:
    """Read this machine's operator file.

    The validation cache is not used here, because the user can write it.

    Raises:
        ConfigError: the file exists and cannot be used.
    """
    path = OPERATOR_PATH.path
    try:
        text = _trusted_text(OPERATOR_PATH)
    except (FileNotFoundError, NotADirectoryError):
        if any(map(_is_dangling_link, (path, path.parent))):  # a link to a disk that is not mounted
            raise ConfigError(path, "", "is a link to what is not there", ASK) from None
        return Operator()
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", ASK) from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text", ASK) from None
    lines = key_lines(text)
    try:
        contents = validate(OperatorFile, tomllib.loads(text))
    except ValueError as error:  # invalid TOML, or an integer with too many digits
        raise ConfigError(path, "", f"is not valid TOML: {error}", ASK) from None
    except RecursionError:
        raise ConfigError(path, "", "is nested too deeply", ASK) from None
    except InvalidTree as invalid:
        raise config_error(path, invalid.mistakes, lines, OperatorFile) from None
    if (program := contents.lock.unlock_command[:1]) and not Path(program[0]).is_absolute():
        message = "must begin with the whole path of a program"
        remedy = "On their own PATH users could put another of that name."
        place = lines.get(("lock", "unlock_command"))
        raise ConfigError(path, "lock.unlock_command", message, remedy, place)
    return Operator(path, contents, lines)


def _trusted_text(place: OwnedPath) -> str:
    """Return the text of the file, read from the same descriptor that was checked.

    Raises:
        ConfigError: others may have written it.
        OSError, UnicodeDecodeError: it cannot be read.
    """
    _check_owner(place, place.path.parent, place.path.parent.stat())
    with place.path.open(encoding="utf-8") as file:
        _check_owner(place, place.path, os.fstat(file.fileno()))
        return file.read()


def _is_dangling_link(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _check_owner(place: OwnedPath, path: Path, found: os.stat_result) -> None:
    if found.st_uid != place.owner or found.st_mode & _OTHERS_WRITE:
        message = "could have been written by others than the operator"
        remedy = f"Let user {place.owner} own it, and nobody else write it: {path}."
        raise ConfigError(place.path, "", message, remedy)
