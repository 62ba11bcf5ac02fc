"""The one place that says whether anything can be sent from here."""

from __future__ import annotations

from paytui.tui.desk import Desk


def may_send(desk: Desk) -> str | None:
    """Why nothing can be sent, in words; None where it can. Rates can be locked all the same."""
    if desk.settings.profile.read_only:
        return "This profile is read-only: nothing is sent from here."
    sending = desk.store.sending
    return None if sending.allowed else sending.why
