"""The typed values of a form, and drafts of forms that were left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from paytui.domain.intent import IntentId

if TYPE_CHECKING:
    from paytui.config.templates import Kind


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

    def texts(self) -> dict[str, Any]:
        """Return the non-empty values of the request's own fields, not of its parts."""
        return {path: text for path, text in self.values.items() if text and "." not in path}

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
        return (self.part(section, part) for part in range(self.parts.get(section, 0)))


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
    """The draft of a ticket that was left.

    Attributes:
        intent_id: of the intent that it was submitted as.
        at: the field that had the cursor.
    """

    draft: Draft
    intent_id: IntentId | None = None
    at: str = ""


SavedDrafts = dict[tuple[str, str], SavedDraft]
"""Saved drafts by the form's key and context: a recipient's identifier, or empty."""

TICKETS: tuple[Kind, ...] = ("trade", "payout", "transfer")
"""The keys of tickets that move money, which are the actions that open them."""


def newest_ticket(drafts: SavedDrafts) -> str | None:
    """Return the key of the newest draft of a ticket; None without one."""
    return next((key for key, _ in reversed(drafts) if key in TICKETS), None)
