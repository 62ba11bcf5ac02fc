"""What is filled in of a form so far: texts as they were typed, by path, and how many parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from paytui.domain.intent import IntentId


@dataclass(frozen=True, slots=True)
class Draft:
    """Never changed; each change is a new one.

    Attributes:
        values: text by path: `physical_address.city`, of a repeated part
            `trust.trust_beneficiaries.0.first_name`. What was never typed is not there.
        parts: by section, how many parts of it there are.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, path: str) -> str:
        """What a field holds; nothing where nothing was typed."""
        return self.values.get(path, "")

    def text(self, path: str) -> str | None:
        """What a field holds, as requests have it: None where it is empty."""
        return self.values.get(path) or None

    def count(self, section: str) -> int:
        """How many parts a section has."""
        return self.parts.get(section, 0)

    def under(self, prefix: str) -> dict[str, str]:
        """What the fields below a path hold, by what follows it; empty ones are not there."""
        start = f"{prefix}."
        return {
            path.removeprefix(start): text
            for path, text in self.values.items()
            if text and path.startswith(start)
        }

    def part(self, section: str, part: int) -> Draft:
        """One of the parts, as a draft of its own."""
        return Draft(self.under(f"{section}.{part}"))

    def having(self, path: str, text: str) -> Draft:
        """The draft with a field that holds this."""
        return replace(self, values={**self.values, path: text})

    def with_parts(self, section: str, count: int) -> Draft:
        """The draft with so many parts of a section; what the others held stays."""
        return replace(self, parts={**self.parts, section: count})

    def without_part(self, section: str, part: int) -> Draft:
        """The draft without what one of the parts holds; those behind it move up."""
        move = moved_up(section, part)
        moved = ((move(path), text) for path, text in self.values.items())
        return replace(self, values={path: text for path, text in moved if path is not None})


def moved_up(section: str, part: int) -> Callable[[str], str | None]:
    """Where a path is once a part is gone; None: it went with the part."""
    start = f"{section}."

    def move(path: str) -> str | None:
        place, _, rest = path.removeprefix(start).partition(".")
        if not path.startswith(start) or not place.isdecimal() or int(place) < part:
            return path
        return None if int(place) == part else f"{start}{int(place) - 1}.{rest}"

    return move


# Forms that were left: what was filled in, and whether it was sent meanwhile.


@dataclass(frozen=True, slots=True)
class Kept:
    """One form as it was left.

    Attributes:
        intent_id: under which it was sent; None where it was not.
    """

    draft: Draft
    intent_id: IntentId | None = None


Drafts = dict[tuple[str, str], Kept]
"""By the form's key, and by what it is about: a recipient's identifier, or nothing."""
