"""Webhooks on Activity, as a list and in full, as pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.config.settings import WebhookSettings
from paytui.store.screen_rows import ListenerStatus, Trust
from paytui.tui.app import PaytuiApp
from tests.support.intents import intent_row
from tests.support.webhooks import event, forged
from tests.tui.dashboard import Dashboard
from tests.tui.pictures import SIZES, Compare, pictured

VIEWS: dict[str, tuple[str, ...]] = {
    "activity": ("8",),
    "webhooks": ("8", "w"),
    "webhook": ("8", "w", "end", "enter"),
}


@pytest.fixture
def app(ui: Dashboard) -> PaytuiApp:
    """A dashboard that hears webhooks, among them what is no news and what is none."""
    ui.settings = replace(
        ui.settings, webhooks=WebhookSettings(enabled=True, path="/hooks/0123456789abcdef")
    )
    ui.store.listening = ListenerStatus("127.0.0.1:8787", signed=True)
    ui.store.intents.put([intent_row(1)])
    ui.store.events.put(
        [
            event(1),
            event(2, event_type="payment.compliance_review", caused="created → compliance review"),
            event(3, Trust.DUPLICATE, caused="", why="The same event was received before."),
            forged(4, times=312),
            event(5, caused="no change"),
            event(6, Trust.REPLAYED, caused="", why="The identical message was received before."),
            event(7, event_type="payment.completed", caused="read pending"),
        ]
    )
    ui.store.notify()
    return ui.app()


@pytest.mark.slow
@pictured("view", VIEWS)
def test_webhooks_look_as_they_did(
    snap_compare: Compare, app: PaytuiApp, view: str, size: str
) -> None:
    assert snap_compare(app, press=VIEWS[view], terminal_size=SIZES[size])
