"""What the operator of a machine has set for everybody on it: a user's settings only go further.

It stands in one file, which no option and no variable of the environment names, and which nobody
but root can have written. One that is there and cannot be trusted, or read, or understood, lets
nothing start: to go on without it would be to leave out what it says.
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
    """Where an operator's file lies, if there is one, and who alone may write it (by user id)."""

    path: Path
    owner: int


OPERATOR_PATH = OwnedPath(Path("/etc/paytui/config.toml"), owner=0)


@dataclass(frozen=True, slots=True)
class Operator:
    """What an operator's file says; without one, nothing."""

    path: Path | None = None
    says: OperatorFile = field(default_factory=OperatorFile)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def origin(self, key: KeyPath) -> str:
        """Where it says something: `set by the operator, /etc/paytui/config.toml:3`."""
        while key and key not in self.lines:
            key = key[:-1]
        line = f":{self.lines[key]}" if key else ""
        return f"set by the operator, {self.path}{line}"


def read_operator() -> Operator:
    """What this machine's operator has set.

    What was accepted before is not believed here: that is kept in a file of the user's own.

    Raises:
        ConfigError: the file is there, and cannot be used.
    """
    path = OPERATOR_PATH.path
    try:
        text = _trusted_text(OPERATOR_PATH)
    except (FileNotFoundError, NotADirectoryError):
        if any(map(_leads_nowhere, (path, path.parent))):  # as to a disk that is not mounted
            raise ConfigError(path, "", "is a link to what is not there", ASK) from None
        return Operator()
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", ASK) from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text", ASK) from None
    lines = key_lines(text)
    try:
        says = validate(OperatorFile, tomllib.loads(text))
    except ValueError as error:  # of TOML, or of a number without end
        raise ConfigError(path, "", f"is not valid TOML: {error}", ASK) from None
    except RecursionError:
        raise ConfigError(path, "", "is nested too deeply", ASK) from None
    except InvalidTree as invalid:
        raise config_error(path, invalid.mistakes, lines, OperatorFile) from None
    if (program := says.lock.unlock_command[:1]) and not Path(program[0]).is_absolute():
        message = "must begin with the whole path of a program"
        remedy = "On their own PATH users could put another of that name."
        place = lines.get(("lock", "unlock_command"))
        raise ConfigError(path, "lock.unlock_command", message, remedy, place)
    return Operator(path, says, lines)


def _trusted_text(place: OwnedPath) -> str:
    """What the file says, read from the very file that was judged.

    Raises:
        ConfigError: somebody else may have written it.
        OSError, UnicodeDecodeError: it cannot be read.
    """
    _judge(place, place.path.parent, place.path.parent.stat())
    with place.path.open(encoding="utf-8") as file:
        _judge(place, place.path, os.fstat(file.fileno()))
        return file.read()


def _leads_nowhere(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _judge(place: OwnedPath, path: Path, found: os.stat_result) -> None:
    if found.st_uid != place.owner or found.st_mode & _OTHERS_WRITE:
        message = "could have been written by others than the operator"
        remedy = f"Let user {place.owner} own it, and nobody else write it: {path}."
        raise ConfigError(place.path, "", message, remedy)
