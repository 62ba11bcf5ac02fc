"""What a wizard's last step says of an intent, whatever it was to become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paytui.domain.intent import IntentRow, Standing
from paytui.tui.context import Desk
from paytui.tui.format.ticket import path_words
from paytui.tui.format.times import clock_seconds
from paytui.tui.theme.themes import Tone
from paytui.tui.wizards.step import Line, line

_TONES = {
    Standing.ACCEPTED: Tone.UP,
    Standing.DONE: Tone.UP,
    Standing.IN_DOUBT: Tone.DOUBT,
    Standing.NOT_RECORDED: Tone.DOWN,
    Standing.REFUSED: Tone.DOWN,
    Standing.NOT_EXECUTED: Tone.DOWN,
}


def intent_lines(desk: Desk, row: IntentRow, noun: str, became: Iterable[Line]) -> Iterator[Line]:
    """How an intent stands, what it became, and why it became nothing.

    Args:
        desk: for the zone of times.
        row: the intent.
        noun: of what it was to become.
        became: what is said of that, once there is one.
    """
    since = f"since {clock_seconds(row.since, desk.zone)}"
    yield line("Stands", row.standing.value, since, _TONES.get(row.standing, Tone.INK))
    yield line("Intent", row.intent_id)
    if row.object_id is not None:
        yield line(noun, row.object_id)
        yield from became
    if row.problem is not None:
        yield line("Why", row.problem.happened)
    for one in row.problem.fields if row.problem else ():
        yield line("", f"{path_words(one.field)}: {one.message}")
    for candidate in row.candidates if row.standing.open else ():
        yield line("May be", candidate)
