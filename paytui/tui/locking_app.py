"""An app that creates nothing once nobody has pressed a key for a while: see `guards.idle`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import App
from textual.events import Event, Key

from paytui.tui.desk import Desk

Prove = Callable[[], Awaitable[str]]
"""Says why somebody is not let in, beside what they type; empty where they are."""


async def asking_nothing() -> str:
    """What is typed is enough."""
    return ""


class LockingApp(App[None]):
    """Notes each key, and asks whoever is there to say so.

    Attributes:
        desk: knows whether it is locked.
        prove: what else is asked.
    """

    desk: Desk
    prove: Prove

    async def on_event(self, event: Event) -> None:
        """Note that somebody is there."""
        if isinstance(event, Key):
            self.desk.idle.pressed()
        await super().on_event(event)

    def action_unlock(self) -> None:
        """Unlock what was locked while nobody pressed a key."""
        from paytui.tui.screens.unlock_dialog import UnlockDialog

        def unlocked(yes: bool | None) -> None:
            if yes:
                self.desk.idle.unlock()

        if self.desk.idle.is_locked:
            self.push_screen(UnlockDialog(self.desk.settings.profile.name, self.prove), unlocked)
        else:
            self.notify("Nothing is locked.", markup=False)
