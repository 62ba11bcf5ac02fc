"""Reading all of an outbox's file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from paytui.domain.intent import IntentId
from paytui.outbox.chain import Chain, read_chain
from paytui.outbox.database import Connection
from paytui.outbox.entry import Event, Purged, Recorded, standing
from paytui.outbox.errors import NewerSchema, NotOurs
from paytui.outbox.rows import ENTRY_COLUMNS, EVENT_COLUMNS, Value, read_entry, read_event


def read_all(connection: Connection) -> tuple[list[Recorded], Chain]:
    """Everything in a file, the oldest intent first, and the chain over it.

    Raises:
        NotOurs: a row or the chain over all rows is not as it was written.
        NewerSchema: it is, and says what this paytui does not know.
    """
    recorded, chain = read_chained(connection)
    if isinstance(chain, NotOurs):
        raise chain
    return recorded, chain


def read_chained(connection: Connection) -> tuple[list[Recorded], Chain | NotOurs]:
    """Return everything in a file, and the chain over it or its damage.

    Raises:
        NotOurs: a row is not as it was written.
        NewerSchema: it is, and says what this paytui does not know.
    """
    connection.execute("BEGIN")  # all tables as they are at one moment
    try:
        entries = connection.execute(_select("intents", ENTRY_COLUMNS)).fetchall()
        apart = connection.execute("SELECT intent_id, body FROM bodies").fetchall()
        events = connection.execute(_select("events", EVENT_COLUMNS)).fetchall()
        recorded = _joined(entries, {row[0]: row[1] for row in apart}, events)
        return recorded, _chain(connection)
    except NotOurs:
        raise
    except (KeyError, TypeError, ValueError):
        raise NewerSchema from None
    finally:
        connection.execute("COMMIT")


def _chain(connection: Connection) -> Chain | NotOurs:
    try:
        return read_chain(connection)
    except NotOurs as error:
        return error


def _joined(
    entries: Sequence[Sequence[Value]],
    apart: dict[Value, Value],
    events: Sequence[Sequence[Value]],
) -> list[Recorded]:
    happened: defaultdict[IntentId, list[Event]] = defaultdict(list)
    for row in events:
        intent_id, event = read_event(row)
        happened[intent_id].append(event)
    found = [read_entry(row, apart.pop(row[0], None)) for row in entries]
    recorded = [Recorded(entry, tuple(happened.pop(entry.intent_id, ()))) for entry in found]
    if happened:
        raise NotOurs(f"{', '.join(happened)} has events and was never recorded")
    if apart:
        raise NotOurs("there is a body whose intent was never recorded")
    for known in recorded:
        if isinstance(known.entry.body, Purged) and standing(known.events).open:
            raise NotOurs(f"{known.entry.intent_id} is open, and its body is gone")
    return recorded


def _select(table: str, columns: Sequence[str]) -> str:
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY number"  # noqa: S608 - our names
