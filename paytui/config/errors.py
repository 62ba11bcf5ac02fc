"""Configuration errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class ConfigError(Exception):
    """A configuration that cannot be used; never holds a value that may be a secret.

    Attributes:
        file: the file; None for a value that is in no file.
        key: the entry as a dotted path: `profiles.acme.base_url`; empty for the file itself.
        message: the fault, as a clause that follows the key.
        remedy: the correction, as a sentence.
        line: the entry's line in the file, if known.
        others: the other errors in the file.
    """

    def __init__(
        self,
        file: Path | None,
        key: str,
        message: str,
        remedy: str,
        line: int | None = None,
        *,
        others: Sequence[ConfigError] = (),
    ) -> None:
        self.file = file
        self.key = key
        self.message = message
        self.remedy = remedy
        self.line = line
        self.others = others
        super().__init__(str(self))

    def __str__(self) -> str:
        place = "" if self.file is None else str(self.file)
        place += "" if self.line is None else f":{self.line}"
        parts = [part for part in (place, self.key) if part]
        more = f" ({len(self.others)} more to mend in this file.)" if self.others else ""
        return ": ".join([*parts, f"{self.message}. {self.remedy}{more}"])

    def each(self) -> list[ConfigError]:
        """Return all errors in the file, in the order of its lines."""
        own = ConfigError(self.file, self.key, self.message, self.remedy, self.line)
        return sorted([own, *self.others], key=lambda error: error.line or 0)
