"""Whether webhooks are listened for, in words."""

from __future__ import annotations

from paytui.tui.desk import Desk
from paytui.tui.tone import Cell, Tone

NOT_WANTED = "Webhooks are not listened for: [webhooks] in the configuration has them heard."


def listening_words(desk: Desk) -> Cell:
    """`listening on 127.0.0.1:8787`, or why nothing listens where something should."""
    listening = desk.store.listening
    if not desk.settings.webhooks.enabled:
        return Cell("not listened for", Tone.MUTED)
    if listening.problem is not None:
        return Cell(f"not listening: {listening.problem.what}", Tone.CLOSING)
    if not listening.address:
        return Cell("not listening yet", Tone.MUTED)
    unsigned = "" if listening.signed else ", unsigned"
    return Cell(f"listening on {listening.address}{unsigned}", Tone.MUTED)


def no_events_words(desk: Desk) -> str:
    """What to say where no webhook has come."""
    listening = desk.store.listening
    if not desk.settings.webhooks.enabled:
        return NOT_WANTED
    if listening.problem is not None:
        return str(listening.problem)
    if not listening.signed:
        return "No webhook has come yet. No secret is set, so none can be told from a forgery."
    return "No webhook has come yet. Lists are polled all the same."
