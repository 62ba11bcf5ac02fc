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
    """

    values: Mapping[str, str]
    intent_id: IntentId | None = None
    at: str = ""


SavedDrafts = dict[tuple[str, str], SavedDraft]
"""Saved drafts by the form's key and context: a recipient's identifier, or empty."""

TICKETS: tuple[Kind, ...] = ("trade", "payout", "transfer")
"""The keys of tickets that move money, which are the actions that open them."""


def newest_ticket(drafts: SavedDrafts) -> str | None:
    """Return the key of the newest draft of a ticket; None without one."""
    return next((key for key, _ in reversed(drafts) if key in TICKETS), None)
