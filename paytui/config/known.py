"""The identifiers that are known of, as the files name them now."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from paytui.config.document import read_document
from paytui.config.errors import ConfigError
from paytui.config.load import track_of
from paytui.config.settings import Settings
from paytui.config.tracked import Tracked, tracked_path

Signature = tuple[int, int, int]
"""What of a file differs when it was written anew: time, size, inode."""


class KnownIdentifiers:
    """Those of a profile: each call looks whether a file was changed, and only then reads it.

    A file that cannot be used leaves what was known before: the next start tells what is wrong.
    """

    def __init__(self, settings: Settings) -> None:
        self._profile = settings.profile
        self._known: Tracked = settings.track
        self._seen: list[Signature | None] | None = None

    def __call__(self) -> Tracked:
        """The identifiers by kind."""
        path = self._profile.file
        if path is None:
            return self._known
        now = [_signature(path), _signature(tracked_path(path))]
        if now != self._seen:
            self._seen = now
            with suppress(ConfigError):
                self._known = track_of(read_document(path), self._profile.name)
        return self._known


def _signature(path: Path) -> Signature | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
