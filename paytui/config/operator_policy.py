"""The operator's file: settings for every user of a machine, which users can only tighten.

Its path is fixed: no option or environment variable changes it. Only root may write it. A file that
exists but is untrusted, unreadable or invalid prevents every start, since going on without it would
lift its restrictions.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from paytui.config import validation
from paytui.config.settings import (
    AmountLimits,
    ConfigFile,
    Limits,
    LockSettings,
    OperatorFile,
    ProfileTable,
)

ASK = "Ask the operator of this machine to fix it."
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

FILE = Path("/etc/paytui/config.toml")
OWNER = 0  # The user id that alone may write it


@dataclass(frozen=True, slots=True)
class Operator:
    """The contents of an operator's file; empty without one."""

    path: Path | None = None
    contents: OperatorFile = field(default_factory=OperatorFile)
    lines: Mapping[validation.KeyPath, int] = field(default_factory=dict)

    def origin(self, key: validation.KeyPath) -> str:
        """Return the source of a setting: `set by the operator, /etc/paytui/config.toml:3`."""
        key = validation.nearest_key(key, self.lines)
        line = f":{self.lines[key]}" if key else ""
        return f"set by the operator, {self.path}{line}"

    def locked_in(self, name: str, table: ProfileTable) -> Iterator[tuple[str, str]]:
        """Yield the settings of a profile that the operator locks, each with its source."""
        if self.contents.read_only:
            yield f"profiles.{name}.read_only", self.origin(("read_only",))
        for currency, most in self.contents.limits.confirm_above.items():
            if most <= table.confirm_above.get(currency, -1):
                place = ("limits", "confirm_above", currency)
                yield f"profiles.{name}.confirm_above.{currency}", self.origin(place)

    def locked_for_all(self, own: ConfigFile) -> Iterator[tuple[str, str]]:
        """Yield the locked settings that belong to no profile, each with its source."""
        if self.contents.audit_syslog:
            yield "outbox.audit_syslog", self.origin(("audit_syslog",))
        after = self.contents.lock.after
        if after is not None and (own.lock.after is None or after <= own.lock.after):
            yield "lock.after", self.origin(("lock", "after"))
        if self.contents.lock.unlock_command:
            yield "lock.unlock_command", self.origin(("lock", "unlock_command"))

    def lock(self, own: LockSettings) -> LockSettings:
        """Return the idle lock: the shorter of both times, and the programs of both."""
        table = self.contents.lock
        return LockSettings(
            after=min((at for at in (table.after, own.after) if at is not None), default=None),
            unlock_command=(
                *(replace(command, is_operators=True) for command in table.unlock_command),
                *own.unlock_command,
            ),
        )

    def recipients(self, own: Mapping[str, AmountLimits]) -> Mapping[str, AmountLimits]:
        """Return the limits of some recipients by identifier: the stricter of both files."""
        found = dict(own)
        for name, theirs in self.contents.limits.recipients.items():
            ours = own.get(name, AmountLimits())
            found[name] = AmountLimits(
                confirm_above=stricter(ours.confirm_above, theirs.confirm_above),
                refuse_above=stricter(ours.refuse_above, theirs.refuse_above),
            )
        return found


def read_operator() -> Operator:
    """Read this machine's operator file.

    The validation cache is not used here, because the user can write it.

    Raise ConfigError if the file exists and cannot be used.
    """
    path = FILE
    with validation.file_errors(path, ASK):
        try:
            text = _trusted_text()
        except (FileNotFoundError, NotADirectoryError):
            if any(each.is_symlink() and not each.exists() for each in (path, path.parent)):
                # As a link to a disk that is not mounted is.
                raise validation.ConfigError(path, "", "is a broken link", ASK) from None
            return Operator()
        lines, tree = validation.key_lines(text), tomllib.loads(text)
    contents = validation.validated(OperatorFile, path, tree, lines)
    if not all(Path(command.argv[0]).is_absolute() for command in contents.lock.unlock_command):
        message = "must begin with the whole path of a program"
        remedy = "Users could place another of that name on their own PATH."
        place = lines.get(("lock", "unlock_command"))
        raise validation.ConfigError(path, "lock.unlock_command", message, remedy, place)
    return Operator(path, contents, lines)


def _trusted_text() -> str:
    """Return the text of the file, read from the same descriptor that was checked.

    Raises:
        ConfigError: others may have written it.
        OSError, UnicodeDecodeError: it cannot be read.
    """
    _check_owner(FILE.parent, FILE.parent.stat())
    with FILE.open(encoding="utf-8") as file:
        _check_owner(FILE, os.fstat(file.fileno()))
        return file.read()


def _check_owner(path: Path, found: os.stat_result) -> None:
    if found.st_uid != OWNER or found.st_mode & _OTHERS_WRITE:
        message = "could have been written by others than the operator"
        remedy = f"Make user {OWNER} its owner and only writer: {path}."
        raise validation.ConfigError(FILE, "", message, remedy)


def stricter(own: Limits, others: Limits) -> Limits:
    """Return all limits of both; of a currency in both, the lower."""
    both = {**others, **own}
    return {code: min(amount, others.get(code, amount)) for code, amount in both.items()}
