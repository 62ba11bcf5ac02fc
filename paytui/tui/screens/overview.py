"""1 Overview: attention, balances, rates, the day's trades, and the state of feeds."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Container
from textual.widget import Widget

from paytui.tui.context import UiContext
from paytui.tui.panels.balances import BalancesPanel
from paytui.tui.panels.panels import AttentionPanel, RatesPanel, TodayPanel
from paytui.tui.screens.base import MainPage
from paytui.tui.widgets.feeds import FeedHealth


class OverviewPage(MainPage):
    """Panels of figures; each recomputes only after its inputs changed."""

    CSS_PATH = ["frame.tcss", "overview.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (72, "-normal"),
        (120, "-wide"),  # with less, panels side by side would cut names
    ]
    WATCHES_RATES = True

    def __init__(self, desk: UiContext) -> None:
        super().__init__(desk, "overview")
        self._panels = (
            AttentionPanel(desk),
            BalancesPanel(desk),
            RatesPanel(desk),
            TodayPanel(desk),
        )
        self._feeds = FeedHealth(desk)

    def body(self) -> Iterator[Widget]:
        """Yield the panels, the most important first."""
        yield Container(*self._panels, id="panels")
        yield self._feeds

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor of the focused panel."""
        for panel in self._panels:
            if panel.ledger.has_focus:
                return panel.selected
        return None

    async def pull(self) -> None:
        """Recompute panels with changed inputs."""
        await super().pull()
        for panel in self._panels:
            await panel.pull()
        self._feeds.show()

    def tick(self) -> None:
        """Update countdowns and ages."""
        super().tick()
        for panel in self._panels:
            panel.tick()
        self._feeds.show()
