"""An intent in full, followed to its end, and where it is decided."""

from __future__ import annotations

from paytui.domain.intent import IntentId, IntentRow
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.details.intent import intent_groups
from paytui.tui.guards.sending import may_send
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.fact_screen import FactScreen
from paytui.tui.screens.frame import Frame
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.wizards.decision_options import why_undecided


class IntentScreen(FactScreen):
    """All that is known of one intent."""

    BINDINGS = keys.INTENT

    def __init__(self, desk: Desk, intent_id: IntentId) -> None:
        super().__init__(desk)
        self._intent_id = intent_id
        self._was_quiet: bool | None = None

    async def pull(self) -> None:
        """Show how it stands now."""
        await super().pull()
        row = self._row
        if row is not None:
            self._sheet.show(intent_groups(self.desk, row))
        self._title.say(
            toned(" Intent ", bold=True) + toned(self._intent_id, Tone.MUTED),
            toned(may_send(self.desk) or "", Tone.CLOSING),
        )
        if (quiet := self.is_quiet("decide")) != self._was_quiet:
            self._was_quiet = quiet
            self.refresh_bindings()

    def lead_to(self, ref: Ref) -> None:
        """Open an object that it is about, or that it became."""
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy its identifier, which its reference carries too."""
        copy(self.app, "Intent id", self._intent_id)

    def is_quiet(self, action: str) -> bool:
        """Deciding, where there is nothing to decide."""
        row = self._row
        return action == "decide" and (row is None or bool(why_undecided(self.desk, row)))

    def action_decide(self) -> None:
        """Settle it, or have it sent."""
        decide(self, self._row)

    @property
    def _row(self) -> IntentRow | None:
        return self.desk.store.intents.get(self._intent_id)


def decide(screen: Frame, row: IntentRow | None) -> None:
    """Ask what is to become of an intent; where it is past deciding, or not ours to, say so."""
    if row is None:
        return
    if why_not := why_undecided(screen.desk, row):
        screen.notify(why_not, markup=False)
    else:
        from paytui.tui.wizards.decision import DecisionWizard
        from paytui.tui.wizards.frame import WizardScreen

        screen.app.push_screen(WizardScreen(screen.desk, DecisionWizard(screen.desk, row)))
