"""Forms that were left: what was filled in, and whether it was sent meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.domain.intent import IntentId
from paytui.tui.forms.draft import Draft


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
