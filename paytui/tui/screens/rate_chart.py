"""The chart of a price over an hour to a month, on which rate alerts are set."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from paytui.config.key_bindings import first_key
from paytui.domain.money import Pair
from paytui.domain.rates import Price, RateAlert, sheet_left
from paytui.store.rate_board import newest_sheets
from paytui.tui import screen_keys
from paytui.tui.base_screens import BaseScreen
from paytui.tui.theme.tones import Tone, toned
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.rate_chart import RateChart
from paytui.tui.widgets.rates import CountdownCell
from paytui.tui.widgets.text import SplitLine


class RateChartScreen(BaseScreen):
    """The chart of the bid or offer of a pair."""

    CSS = "RateChartScreen.-narrow CountdownCell { width: 13; }"  # without the bar
    BINDINGS = [*screen_keys.CHART, *screen_keys.BACK]  # noqa: RUF012  (Textual's way)
    FINDS = True

    def __init__(self, ui: UiContext, pair: Pair, side: Price) -> None:
        super().__init__(ui)
        self._pair, self._side = pair, side
        self._chart = RateChart(ui, tells_paused=True)
        self._alert = SplitLine()
        self._countdown = CountdownCell()
        self._added: list[RateAlert] = []

    def body(self) -> Iterator[Widget]:
        yield self._chart
        yield Horizontal(self._alert, self._countdown, classes="titles")

    def on_mount(self) -> None:
        self._chart.show(self._pair, self._side)

    @property
    def selected(self) -> Pair | None:
        return self._chart.direction

    @property
    def crumb(self) -> str:
        return f"{self._pair.sell}/{self._pair.buy} {self._side}"

    def is_quiet(self, action: str) -> bool:
        return action in ("payout", "transfer") or (action == "copy" and not self._added)

    async def pull(self) -> None:
        await super().pull()
        self._show()

    def tick(self) -> None:
        super().tick()
        self._show()

    def _show(self) -> None:
        self._chart.follow()
        sheet, _ = newest_sheets(self.ui.store)
        self._countdown.show(None if sheet is None else sheet_left(self.ui.time, sheet))
        until = "" if sheet is None else f"until {clock_seconds(sheet.expires_at, self.ui.zone)} "
        self._alert.say(self._alert_words(), toned(until, Tone.MUTED))

    def _alert_words(self) -> Content:
        keys = self.ui.settings.keys
        if (alert := self._chart.alert) is not None:
            return Content("").join(
                [
                    toned(f" New alert: {alert}", bold=True),
                    toned(f"  {first_key(keys, 'chart.save')} sets it", Tone.MUTED),
                ]
            )
        if self._added:
            return toned(f" Alert {self._added[-1]} set until you quit")
        up, down = first_key(keys, "chart.up"), first_key(keys, "chart.down")
        return toned(f" {up} {down} place an alert at a rate", Tone.MUTED)

    def action_period(self, steps: int) -> None:
        self._chart.change_period(steps)

    def action_level(self, pips: int) -> None:
        if not self._chart.move_level(pips):
            self.notify("There is no rate yet to place an alert by.", markup=False)
        self._show()

    def action_save(self) -> None:
        """Set the alert until the session ends: configuration files are never written."""
        if (alert := self._chart.alert) is None:
            up, down = (first_key(self.ui.settings.keys, f"chart.{key}") for key in ("up", "down"))
            self.notify(f"Place the line of an alert with {up} and {down} first.", markup=False)
            return
        self.ui.rate_alerts.add(alert)
        self._added.append(alert)
        self.refresh_bindings()
        self._chart.drop_level()
        key = first_key(self.ui.settings.keys, "chart.copy")
        words = f"Set until you quit. To keep it, copy it ({key}) into [alerts] when."
        self.notify(words, markup=False)
        self._show()

    def action_remove(self) -> None:
        """Remove the line that is being placed, or the alert that was set last."""
        if self._chart.level is not None:
            self._chart.drop_level()
        elif self._added:
            self.ui.rate_alerts.remove(self._added.pop())
            self.refresh_bindings()
        else:
            words = "No alert was set here. Those of the configuration stay: edit [alerts] when."
            self.notify(words, markup=False)
        self._show()

    def action_copy(self) -> None:
        self.copy("the alert", f'"{self._added[-1]}"' if self._added else None)

    def action_back(self) -> None:
        self.dismiss()
