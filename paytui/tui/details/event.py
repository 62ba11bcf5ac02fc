"""A webhook in full: what it named, how far it is trusted, and what it caused."""

from __future__ import annotations

from datetime import timedelta

from paytui.store.reports import EventRow, Trust
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, fact, group, text_fact
from paytui.tui.details.links import link_fact
from paytui.tui.details.objects import TITLES
from paytui.tui.format.cells import trust_cell
from paytui.tui.format.times import age, full_time

_MEANINGS = {
    Trust.VERIFIED: "It was signed with the secret that is set. What it names is read.",
    Trust.UNSIGNED: "No secret is set, so anybody who knows the path can have sent it. What it "
    "names is read.",
    Trust.FORGED: "Whoever sent it does not know the secret. It was not looked at.",
    Trust.TOO_OLD: "It may have been recorded and sent again. Nothing was read.",
    Trust.REPLAYED: "Somebody recorded it and sent it again, or the service did. Nothing was read.",
    Trust.DUPLICATE: "The service sends events at least once. Nothing was read again.",
    Trust.UNREADABLE: "It is no event that can be understood. Nothing was read.",
}


def event_groups(desk: Desk, row: EventRow) -> list[Group]:
    """Everything known of a webhook; nothing in it is shown as a fact of the object."""
    return [_arrival(desk, row), _claim(desk, row)]


def _arrival(desk: Desk, row: EventRow) -> Group:
    old = age(desk.time.latest() - row.received_at)
    trust = trust_cell(row)
    facts = [
        text_fact("Came", full_time(row.received_at, desk.zone), f"{old} ago"),
        Fact("Trust", trust, row.trust),
        text_fact("That means", _MEANINGS[row.trust]),
    ]
    if row.why:
        facts.append(text_fact("Why", row.why))
    return group("Webhook", *facts, fact("Caused", row.caused or "nothing"))


def _claim(desk: Desk, row: EventRow) -> Group:
    facts = [fact("Type", row.event_type), fact("Event id", row.event_id)]
    if row.created_at is not None:
        late = row.received_at - row.created_at
        took = f"came {age(late)} later" if late >= timedelta(seconds=1) else ""
        facts.append(text_fact("Happened", full_time(row.created_at, desk.zone), took))
    if row.object_kind is not None:
        label = TITLES[row.object_kind]
        facts.append(link_fact(desk, label, row.object_kind, row.object_id))
    return group("What it says, which is not taken as true", *facts)
