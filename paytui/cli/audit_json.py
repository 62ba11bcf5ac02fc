"""An intent of the outbox as JSON, with all that is known of it."""

from __future__ import annotations

from dataclasses import fields

from paytui.cli.jsonable import Json, jsonable
from paytui.domain.intent import IntentRow
from paytui.outbox.entry import Entry, Purged, Recorded, sha256_of


def as_json(recorded: Recorded, row: IntentRow, *, bodies: bool) -> dict[str, Json]:
    """One object.

    Args:
        recorded: the intent.
        row: how it stands.
        bodies: whether to tell what was sent too, not its hash alone.
    """
    entry = recorded.entry
    said = {field.name: jsonable(getattr(entry, field.name)) for field in _TOLD}
    body: dict[str, Json] = {"body": _text(entry.body)} if bodies else {}
    return {
        **said,
        "body_sha256": sha256_of(entry.body),
        "body_purged": isinstance(entry.body, Purged),
        **body,
        "standing": row.standing.value,
        "since": jsonable(row.since),
        "attempts": row.attempts,
        "object_id": row.object_id,
        "candidates": jsonable(row.candidates),
        "alerts": jsonable(row.alerts),
        "events": jsonable(recorded.events),
    }


_TOLD = [field for field in fields(Entry) if field.name != "body"]


def _text(body: bytes | Purged) -> str | None:
    return None if isinstance(body, Purged) else body.decode(errors="replace")
