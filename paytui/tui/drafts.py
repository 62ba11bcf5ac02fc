"""The typed values of a form, and drafts of forms that were left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from paytui.domain.intent import IntentId


@dataclass(frozen=True, slots=True)
class Draft:
    """The values of a form; immutable.

    Attributes:
        values: text as typed, by path: `physical_address.city`, of a repeated part
            `trust.trust_beneficiaries.0.first_name`.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, path: str) -> str:
        """Return the text of a field; empty if nothing was typed."""
        return self.values.get(path, "")

    def text(self, path: str) -> str | None:
        """Return the text of a field; None if it is empty."""
        return self.values.get(path) or None

    def count(self, section: str) -> int:
        return self.parts.get(section, 0)

    def under(self, prefix: str) -> dict[str, str]:
        """Return the non-empty values below a path, by the rest of their path."""
        start = f"{prefix}."
        return {
            path.removeprefix(start): text
            for path, text in self.values.items()
            if text and path.startswith(start)
        }

    def part(self, section: str, part: int) -> Draft:
        return Draft(self.under(f"{section}.{part}"))

    def each_part(self, section: str) -> Iterator[Draft]:
        return (self.part(section, part) for part in range(self.count(section)))

    def having(self, path: str, text: str) -> Draft:
        return replace(self, values={**self.values, path: text})

    def with_parts(self, section: str, count: int) -> Draft:
        """Return the draft with this number of parts; values of removed parts stay."""
        return replace(self, parts={**self.parts, section: count})

    def without_part(self, section: str, part: int) -> Draft:
        """Return the draft without the values of a part; later parts move up."""
        move = path_shift(section, part)
        moved = ((move(path), text) for path, text in self.values.items())
        return replace(self, values={path: text for path, text in moved if path is not None})


def path_shift(section: str, part: int) -> Callable[[str], str | None]:
    """Return a function from a path to its path after a part was removed; None if it is gone."""
    start = f"{section}."

    def move(path: str) -> str | None:
        place, _, rest = path.removeprefix(start).partition(".")
        if not path.startswith(start) or not place.isdecimal() or int(place) < part:
            return path
        return None if int(place) == part else f"{start}{int(place) - 1}.{rest}"

    return move


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """The draft of a form that was left, and the intent that it was submitted as."""

    draft: Draft
    intent_id: IntentId | None = None


SavedDrafts = dict[tuple[str, str], SavedDraft]
"""Saved drafts by the form's key and context: a recipient's identifier, or empty."""
