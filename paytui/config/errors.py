"""The errors of a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class ConfigError(Exception):
    """A configuration that cannot be used; never holds a value that may be a secret.

    Attributes:
        file: where it stands, None for what stands in no file.
        key: which entry, as a dotted path: `profiles.acme.base_url`; empty for the file itself.
        message: what is wrong, as a clause that follows the key.
        remedy: what to do, as a sentence.
        line: the entry's line in the file, where it is known.
        others: what else is wrong with the file.
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
        """All that is wrong with the file, in the order of its lines."""
        own = ConfigError(self.file, self.key, self.message, self.remedy, self.line)
        return sorted([own, *self.others], key=lambda error: error.line or 0)
