"""Whether somebody writes the theme that is on."""

from __future__ import annotations

from pathlib import Path

Stamp = tuple[int, int, int]
"""When a file was written, its size, and which it is: an editor may put another in its place."""


class ThemeWatch:
    """Looks at one file, as it is asked to; what is in it now is known. None: at nothing."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._seen = _stamp(file)

    @property
    def follows(self) -> bool:
        """Whether there is anything to look at."""
        return self._file is not None

    def has_changed(self) -> bool:
        """Whether it was written since this was asked last; it may be gone meanwhile."""
        before, self._seen = self._seen, _stamp(self._file)
        return self._seen not in (before, None)


def _stamp(file: Path | None) -> Stamp | None:
    try:
        found = None if file is None else file.stat()
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)
