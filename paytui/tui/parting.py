"""What is still open when a trader leaves, in words."""

from __future__ import annotations

from paytui.domain.intent import IntentRow, Standing
from paytui.store.store import Store
from paytui.tui.forms.kept import Drafts

_FIRST = (Standing.IN_DOUBT, Standing.SENDING, Standing.RECORDED)
"""In the order in which they want an eye."""

_WORDS = {
    Standing.IN_DOUBT: "in doubt",
    Standing.SENDING: "on its way",
    Standing.RECORDED: "never sent",
}


def open_intents(store: Store) -> list[IntentRow]:
    """The intents of which something is still to come, what is in doubt first."""
    rows = [row for row in store.intents.rows() if row.standing.open]
    return sorted(rows, key=lambda row: (_FIRST.index(row.standing), row.confirmed_at))


def open_words(rows: list[IntentRow]) -> list[str]:
    """A line for each: how it stands, what it is, by which name it is found."""
    return [f"{_WORDS[row.standing]}: {row.title} ({row.intent_id})" for row in rows]


def unsent_words(drafts: Drafts) -> str:
    """How many forms hold what was never sent; empty where none does."""
    count = sum(kept.intent_id is None for kept in drafts.values())
    if not count:
        return ""
    are, they = ("form is", "it is") if count == 1 else ("forms are", "they are")
    return f"{count} {are} filled in and not sent: {they} lost when paytui ends."


def parting_words(rows: list[IntentRow]) -> str:
    """What a shell is told once the dashboard has ended."""
    lines = ["Still open:", *(f"  {words}" for words in open_words(rows))]
    lines.append("`paytui audit` shows what is known of it; the dashboard settles it.")
    return "\n".join(lines)
