"""Health: how paytui itself is doing, for whoever wonders what it costs or why it waits."""

from __future__ import annotations

from paytui.store.health import Vitals
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.details.vitals import vitals_groups
from paytui.tui.screens.fact_screen import FactScreen
from paytui.tui.terminal.output import Painting
from paytui.tui.theme.themes import Tone, toned


class DebugScreen(FactScreen):
    """Repaints the digits that changed, as often as the worker tells how it is doing.

    Args:
        painting: what is sent to the terminal.
    """

    def __init__(self, desk: Desk, painting: Painting) -> None:
        super().__init__(desk)
        self._painting = painting
        self._shown: Vitals | None = None

    def on_mount(self) -> None:
        """Say what this is."""
        self._title.say(toned(" Health ", bold=True) + toned("of this paytui", Tone.MUTED))

    async def pull(self) -> None:
        """Show how it stands."""
        await super().pull()
        self._show()

    def tick(self) -> None:
        """Show how it stands, if that was told anew."""
        super().tick()
        self._show()

    def lead_to(self, ref: Ref) -> None:
        """Nothing here leads anywhere."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no identifier to copy."""
        return action != "copy_key" and super().check_action(action, parameters)

    def _show(self) -> None:
        vitals = self.desk.store.vitals
        if vitals is None or vitals is self._shown:
            return
        self._shown = vitals
        paints, painted = self._painting.a_minute(vitals.at)
        self._sheet.show(vitals_groups(vitals, self.desk.store.link.services, paints, painted))
