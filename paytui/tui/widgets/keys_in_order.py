"""Keys that come many at a time are carried out one after the other, where they then belong."""

from __future__ import annotations

from textual import events
from textual.screen import Screen
from textual.widget import Widget


class KeysInOrder(Widget):
    """Carries out its keys itself: a key that gives the focus away has those behind it follow.

    Keys often come many at a time, over a slow link or out of quick fingers. They wait here by
    then, and a line that the first of them opened by way of the app would come too late.
    """

    def __bool__(self) -> bool:
        """Textual gives keys to what has the focus if that is true; a list of no rows is, too."""
        return True

    async def on_key(self, event: events.Key) -> None:
        """Carry out what a key means here; what came behind one that led elsewhere is for there."""
        screen = self.screen
        if not screen.is_active:
            hand_on(event, self.app.screen)
            return
        found = screen.active_bindings.get(event.key)
        if screen.focused is not None and screen.focused is not self:
            hand_on(event, screen)
        elif (
            found is not None
            and found.node in (self, screen, self.app)
            and await self.app.run_action(found.binding.action, found.node)
        ):
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted behind a key that led elsewhere is for there; here it is nothing."""
        screen = self.screen if self.screen.is_active else self.app.screen
        if screen.focused is not None and screen.focused is not self:
            hand_on(event, screen)


def hand_on(event: events.Key | events.Paste, screen: Screen[object]) -> None:
    """Have what was typed go to what has the focus there, behind what waits for that already."""
    event.stop()
    # A new one: nobody has prevented anything of it yet.
    again = (
        events.Paste(event.text)
        if isinstance(event, events.Paste)
        else events.Key(event.key, event.character)
    )
    (screen.focused or screen).post_message(again)
