"""The identifiers that are known of, as the files name them now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from paytui.config.checked import Check, checked
from paytui.config.document import read_document
from paytui.config.errors import ConfigError
from paytui.config.load import track_of
from paytui.config.settings import Settings
from paytui.config.tracked import Tracked, tracked_path
from paytui.domain.models import Kind, Problem, Record

Signature = tuple[int, int, int]
"""What of a file differs when it was written anew: time, size, inode."""


@dataclass(frozen=True, slots=True)
class Known:
    """The tracked identifiers.

    Attributes:
        identifiers: by kind.
        named: what is said of some of them here, by kind and identifier.
        problem: why this is what they named before, where one of them cannot be used now.
    """

    identifiers: Tracked = field(default_factory=dict)
    problem: Problem | None = None
    named: Mapping[Kind, Mapping[str, Record]] = field(default_factory=dict)


class KnownIdentifiers:
    """The tracked identifiers of a profile; a call reads a file only if it changed.

    A file that cannot be used leaves what was known before.
    """

    def __init__(self, settings: Settings, check: Check = checked) -> None:
        self._profile = settings.profile
        self._check = check
        self._known = Known(settings.track)
        self._seen: list[Signature | None] | None = None

    def __call__(self) -> Known:
        """Return the identifiers known now."""
        path = self._profile.file
        if path is None:
            return self._known
        now = [_signature(path), _signature(tracked_path(path))]
        if now != self._seen:
            self._seen = now
            self._known = self._read(path)
        return self._known

    def _read(self, path: Path) -> Known:
        try:
            return Known(track_of(read_document(path, self._check), self._profile.name))
        except ConfigError as error:
            return replace(self._known, problem=_problem(error))


def _problem(error: ConfigError) -> Problem:
    where = [] if error.file is None else [error.file.name]
    where += [] if error.line is None else [f"line {error.line}"]
    what = " ".join([*where, error.key, error.message] if error.key else [*where, error.message])
    return Problem("read what is tracked", what, remedy=error.remedy)


def _signature(path: Path) -> Signature | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
