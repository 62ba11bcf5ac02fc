"""Health: requests, latencies, wake-ups and painting of paytui itself."""

from __future__ import annotations

from collections.abc import Sequence

from paytui.store.health import WorkerMetrics
from paytui.tui.format.cells import Fact, Group, group, text_fact
from paytui.tui.screens.detail import FactScreen
from paytui.tui.terminal.driver import OutputMetrics
from paytui.tui.ui_context import UiContext

KIB = 1024


def vitals_groups(
    vitals: WorkerMetrics, services: Sequence[str], paints: float, painted: float
) -> list[Group]:
    """Return the figures of the worker and of the screen: paints and bytes of the last minute."""
    latencies = (
        text_fact(
            one.work.capitalize(),
            f"median {_seconds(one.p50)}, p95 {_seconds(one.p95)}",
            f"of {one.count:,}",
        )
        for one in vitals.latencies
    )
    both = f"both {_size(vitals.bytes_a_minute)} a minute"
    return [
        group(
            "Service",
            _sum("Requests", vitals.requests, f"{vitals.requests_a_minute:.0f} a minute"),
            _sum("Unanswered", vitals.unanswered),
            text_fact("Sent", _size(vitals.sent)),
            text_fact("Received", _size(vitals.received), both),
            _sum("Tokens", vitals.sign_ins),
            text_fact("Token for", ", ".join(services) or "not sent"),
            _sum("Back-offs", vitals.back_offs, "reads postponed after a failure"),
            _sum("Too many", vitals.too_many, "429: too many requests"),
        ),
        group("Response times, last five minutes", *latencies),
        group(
            "This process",
            text_fact("Running", _span(vitals.running)),
            _sum("Reads waiting", vitals.waiting),
            _sum("Wake-ups", vitals.wake_ups, "of screens"),
            text_fact("Paints", f"{paints:.0f} a minute"),
            text_fact("Painted", f"{_size(painted)} a minute"),
        ),
    ]


def _sum(label: str, number: int, note: str = "") -> Fact:
    return text_fact(label, f"{number:,}", note)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def _size(size: float) -> str:
    """Return bytes in words: `940 B`, `12.3 KiB`, `1,024.0 MiB`."""
    if size < KIB:
        return f"{size:.0f} B"
    return f"{size / KIB:,.1f} KiB" if size < KIB**2 else f"{size / KIB**2:,.1f} MiB"


def _span(seconds: float) -> str:
    """Return days, hours and minutes: `3 d 04:05`."""
    minutes = int(seconds) // 60
    days, hours = minutes // 1440, minutes // 60 % 24
    return f"{days} d {hours:02d}:{minutes % 60:02d}"


class HealthScreen(FactScreen):
    """The figures, shown anew whenever the worker reports."""

    def __init__(self, ui: UiContext, painting: OutputMetrics) -> None:
        super().__init__(ui)
        self._painting = painting
        self._shown: WorkerMetrics | None = None

    @property
    def crumb(self) -> str:
        return "Health of this paytui"

    def show_now(self) -> None:
        self.say_title()
        vitals = self.ui.store.vitals
        if vitals is None or vitals is self._shown:
            return
        self._shown = vitals
        paints, painted = self._painting.a_minute(vitals.at)
        self._sheet.show(vitals_groups(vitals, self.ui.store.link.services, paints, painted))
