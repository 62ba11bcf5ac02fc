"""What came of a form that was sent, and what is in it when it is opened again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from paytui.config.keys import first_key
from paytui.domain.intent import IntentId, IntentRow
from paytui.tui.context import Desk
from paytui.tui.forms.draft import Draft
from paytui.tui.wizards.payment_end import is_void


class Came(Enum):
    """What is known of what was sent."""

    OPEN = auto()
    TO_NOTHING = auto()
    TO_SOMETHING = auto()


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a form holds when it comes up.

    Attributes:
        words: where that is from; nothing where it is as it always begins.
        refused: what the service said of fields, by the names that it was told to have.
    """

    draft: Draft
    words: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)


def what_came_of(desk: Desk, intent_id: IntentId) -> Came:
    """How an intent ended, if it has; until the worker has taken it, it has not."""
    row = desk.store.intents.get(intent_id)
    if row is None or row.standing.open:
        return Came.OPEN
    return Came.TO_NOTHING if is_void(row) else Came.TO_SOMETHING


def resume(desk: Desk, key: tuple[str, str], start: Draft) -> Resumed:
    """What was left of a form, or what came of it; else what it begins with."""
    kept = desk.drafts.get(key)
    if kept is None:
        return Resumed(start)
    if kept.intent_id is None:
        anew = first_key(desk.settings.keys, "form.clear")
        return Resumed(kept.draft, f"This is as you left it; it was not sent. {anew} begins anew.")
    row = desk.store.intents.get(kept.intent_id)
    if what_came_of(desk, kept.intent_id) is Came.TO_NOTHING and row is not None:
        return Resumed(kept.draft, _refusal(row), _at_fields(row))
    if what_came_of(desk, kept.intent_id) is Came.OPEN:
        name = row.title if row else kept.intent_id
        return Resumed(start, f"{name} is still open: see Activity (8). This would be another one.")
    return Resumed(start)


def twins(desk: Desk, title: str) -> list[str]:
    """What is said of others that ask for the same and are still open."""
    return [
        f"{row.intent_id} asks for the same, and is {row.standing.value}: this is another one."
        for row in desk.store.intents.rows()
        if row.standing.open and row.title == title
    ]


def _refusal(row: IntentRow) -> str:
    why = row.problem.happened if row.problem else ""
    return f"It was {row.standing.value}. {why}".strip()


def _at_fields(row: IntentRow) -> dict[str, str]:
    problems = row.problem.fields if row.problem else ()
    return {one.field: one.message for one in problems}
