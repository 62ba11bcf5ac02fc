"""The intents of an outbox with their rows, read for a command without loading the sender."""

from __future__ import annotations

from pathlib import Path

from paytui.domain.intent import IntentRow, Standing
from paytui.outbox.entry import RecordedIntent
from paytui.outbox.errors import OutboxDamaged
from paytui.outbox.history import OutboxReader
from paytui.worker.intents.rows import left_in_doubt, row_of


def read_intents(
    path: Path,
) -> tuple[list[tuple[RecordedIntent, IntentRow]], OutboxDamaged | None]:
    """Return each intent with its row, and the damage that ended the read, if any.

    An intent whose sender ended while sending is in doubt.

    Raises:
        NoOutbox: nothing was recorded yet.
    """
    reader = OutboxReader(path)
    try:
        owned = reader.is_owned()  # asked first: what an owner wrote at its end is then seen
        found = [(recorded, row_of(recorded)) for recorded in reader.read()]
    finally:
        reader.close()
    if not owned:
        found = [
            (each, left_in_doubt(row) if row.standing is Standing.SENDING else row)
            for each, row in found
        ]
    return found, reader.damage
