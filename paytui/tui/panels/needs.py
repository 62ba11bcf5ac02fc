"""What needs a person now, wherever it is, and the way there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paytui.domain.models import Kind
from paytui.store.table import Follower
from paytui.store.views.attention import (
    Attention,
    Place,
    Suspects,
    Urgency,
    attention_is_known,
    needs_attention,
)
from paytui.tui.context import Desk
from paytui.tui.format.countdown import Phase, countdown_words, phase
from paytui.tui.panels.panel import Panel
from paytui.tui.rate_alerts import AlertWatch
from paytui.tui.screens.attention import Key, attention_columns, attention_key
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.wizards.step import Wizard

LOOK_EVERY = 5.0
"""Seconds after which all suspects are looked at again: some come to need somebody with time."""


class NeedsPanel(Panel[Key, Attention]):
    """The most urgent first; enter leads to where it is seen to."""

    def __init__(self, desk: Desk) -> None:
        ledger: Ledger[Key, Attention] = Ledger(
            attention_columns(desk),
            attention_key,
            sort="",
            descending=True,
            opened=self._go_to,
        )
        super().__init__(desk, "Needs you", ledger)
        self._suspects = Suspects(desk.store, desk.settings.floors)
        self._looked_at = desk.time.clock.boot()
        self._passing: tuple[Attention, ...] = ()

    def _go_to(self, item: Attention) -> None:
        from paytui.tui.screens.leads import go_to

        go_to(self.app, self.desk, item)

    @property
    def followers(self) -> tuple[Follower, ...]:
        """All that may need somebody."""
        return self._suspects.followers

    def rests_on(self) -> tuple[object, ...]:
        """The suspects, the health of feeds, and the account that is looked at."""
        versions = (follower.version for follower in self.followers)
        return (*versions, self.desk.store.health_version, self.desk.scope)

    def reckon(self) -> None:
        """Look at all of it."""
        desk = self.desk
        self._looked_at = desk.time.clock.boot()
        self._passing = tuple(_passing(desk))
        items = [*self._passing, *needs_attention(self._suspects, desk.time.latest(), desk.scope)]
        self.ledger.replace(items)
        known = attention_is_known(desk.store)
        nothing = toned("  nothing", Tone.UP) if known else toned("  not known yet", Tone.MUTED)
        self.say(toned(f"  {len(items):,}", Tone.CLOSING) if items else nothing)
        self.ledger.placeholder(
            "Nothing needs you now." if known else "Not known yet: not every list was read."
        )

    def tick(self) -> None:
        """Ages go on; a review comes to last long; what a wizard holds comes to its end."""
        is_time = self.desk.time.clock.boot() - self._looked_at >= LOOK_EVERY
        if is_time or self._passing != tuple(_passing(self.desk)):
            self.reckon()
        self.ledger.settle()


def _passing(desk: Desk) -> Iterator[Attention]:
    """What is known of by this dashboard alone."""
    yield from _of_alerts(desk.rate_alerts)
    yield from _of_wizards(desk.opened)


def _of_alerts(watch: AlertWatch) -> Iterator[Attention]:
    """Rates that crossed, and those that nobody tells."""
    kind, place = Kind.RATE_SHEETS, Place.LIST
    for crossing in watch.standing:
        alert = crossing.alert
        yield Attention(
            Urgency.WARNING,
            kind,
            str(alert),
            alert.name,
            alert.level_words,
            crossing.at,
            place,
            crossing.price_words,
        )
    for alert in watch.unpriced:
        name = f"alert {alert.name}"
        yield Attention(Urgency.NOTICE, kind, str(alert), name, "not priced", place=place)


def _of_wizards(opened: Mapping[Wizard, str]) -> Iterator[Attention]:
    """Rates that wizards hold, once they are about to end."""
    for wizard, mode in opened.items():
        view = wizard.view()
        if view.left is None or phase(view.left) is Phase.CALM:
            continue
        yield Attention(
            Urgency.NOTICE if phase(view.left) is Phase.EXPIRED else Urgency.WARNING,
            Kind.RATE_SHEETS,
            mode,
            f"{view.title.lower()} left open",
            f"its rate: {countdown_words(view.left)}",
            place=Place.WIZARD,
        )
