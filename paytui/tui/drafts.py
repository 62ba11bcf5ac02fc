"""Drafts of tickets and forms that were left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paytui.domain.intent import IntentId

if TYPE_CHECKING:
    from paytui.config.templates import Kind


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """The draft of a ticket that was left.

    Attributes:
        values: what its fields held, by key.
        intent_id: of the intent that it was submitted as.
        at: the field that had the cursor.
        name: `Payout 700.00 USD Hana Hollister`.
    """

    values: Mapping[str, str]
    intent_id: IntentId | None = None
    at: str = ""
    name: str = ""


SavedDrafts = dict[tuple[str, str], SavedDraft]
"""Saved drafts by key and context: of a form, such as a recipient's identifier; else a number."""

TICKETS: tuple[Kind, ...] = ("trade", "payout", "transfer")
"""The keys of tickets that move money, which are the actions that open them."""


def newest_ticket(drafts: SavedDrafts) -> tuple[str, str] | None:
    """Return the key of the newest draft of a ticket; None without one."""
    return next((key for key in reversed(drafts) if key[0] in TICKETS), None)


def new_key(drafts: SavedDrafts, ticket: str) -> tuple[str, str]:
    """Return a key for another draft of a ticket."""
    numbers = (int(context) for key, context in drafts if key in TICKETS)
    return ticket, str(max(numbers, default=0) + 1)


def keep_draft(
    drafts: SavedDrafts, key: tuple[str, str], draft: SavedDraft, *, is_changed: bool
) -> None:
    """Keep a draft as the newest; one that was returned to and not changed becomes the oldest.

    So the next one is at hand.
    """
    others = {other: kept for other, kept in drafts.items() if other != key}
    drafts.clear()
    drafts.update(others | {key: draft} if is_changed else {key: draft} | others)
