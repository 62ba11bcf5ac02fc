"""An app to whose terminal nothing goes back of a paste that could harm it."""

from __future__ import annotations

from textual import events
from textual.app import App

from paytui.platform.text import clean

LONGEST = 20_000
"""Characters of a paste; nothing that is typed here has more."""


class PastingApp(App[None]):
    """Cleans what is pasted as it does what a service says: a clipboard comes from outside, too."""

    async def on_event(self, event: events.Event) -> None:
        """Let nothing else see a paste as it came."""
        if isinstance(event, events.Paste):
            event.text = "\n".join(clean(line) for line in event.text[:LONGEST].splitlines())
        await super().on_event(event)
