"""An app that paints the screen it switches to as soon as there is something to paint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import Screen

from paytui.tui.screens.frame import Frame


class SwitchingApp(App[None]):
    """Textual paints nothing for 50 ms, lest what is half done is seen; that is done in five."""

    _held: tuple[Callable[[], None], ...] = ()

    def delay_update(self, delay: float = 0.05) -> None:
        """Paint nothing until `paint_switched()`, or for so many seconds at the most."""
        self._begin_batch()

        def end() -> None:
            if end not in self._held:
                return
            self._held = tuple(other for other in self._held if other is not end)
            self._end_batch()
            if not self._batch_count:
                for screen in self._on_view():
                    screen.refresh()

        self._held += (end,)
        self.set_timer(delay, end)

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen; the one below it is painted once, with what it missed."""
        if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], Frame):
            self.delay_update()
        return super().pop_screen()

    def paint_switched(self) -> None:
        """Paint what was switched to, once it has done what it was given to do so far."""
        for screen in self._on_view():
            for end in self._held:
                screen.call_later(end)

    def _on_view(self) -> Sequence[Screen[object]]:
        return self.screen_stack[-1:]  # none where the app is ending
