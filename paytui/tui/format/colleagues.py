"""The colleagues at a desk in words: who is here, what they fill in, and their notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from paytui.domain.colleagues import AttentionNote, Colleague, OpenTicket, SharedNote
from paytui.domain.models import Kind
from paytui.platform.text import clean
from paytui.store.colleagues import at_the_same, notes_on
from paytui.store.names import recipient_title
from paytui.store.store import Store
from paytui.tui.format.cells import Cell, Fact, Group, Ref, Tone, group, text_fact
from paytui.tui.times import full_time, since_time

if TYPE_CHECKING:
    from paytui.tui.ui_context import UiContext

LABEL = 16  # Cells of a trader's name as a label
MOST_NOTES = 20  # Notes on an object that are shown, the newest

_DOES = {
    "payout": "filling in a payout",
    "transfer": "filling in a transfer",
    "trade": "filling in a trade",
    "decision": "deciding on an intent",
}
_OTHER = "filling in a ticket"  # Of a later version


def here_words(store: Store) -> Iterator[str]:
    """Yield the traders who are here beside this one, by name and by number."""
    names = sorted({row.who for row in store.colleagues.rows() if not row.is_own})
    if names:
        yield f"{', '.join(names)} here"
        yield f"{len(names)} here"


def at_the_same_words(ui: UiContext, ticket: OpenTicket | None) -> Iterator[tuple[str, str]]:
    """Yield what colleagues do to the same recipient or wallet, in a sentence and in short."""
    for colleague, theirs, is_payee in at_the_same(ui.store, ticket):
        whose, who = f"{colleague.name} is", colleague.who
        if colleague.is_own:
            whose, who = f"You, on {colleague.host}, are", "you"
        does = f"{whose} {_DOES.get(theirs.kind, _OTHER)}"
        if is_payee:
            yield f"{does} to this recipient.", f"{who}: same recipient"
        else:
            yield f"{does} with the same wallet.", f"{who}: same wallet"


def colleague_groups(ui: UiContext) -> list[Group]:
    """Return who is here, with what is filled in there; a recipient can be opened."""
    rows = sorted(ui.store.colleagues.rows(), key=lambda row: (row.is_own, row.who, row.seat))
    facts = [_colleague(ui, row) for row in rows]
    if not facts:
        desk = ui.store.desk
        is_known = desk is not None and desk.as_of is not None and desk.problem is None
        nobody = text_fact("Nobody", "no other dashboard is open")
        facts = [nobody if is_known else text_fact("Unknown", "until the desk answers")]
    return [group("Who is here", *facts)]


def _colleague(ui: UiContext, colleague: Colleague) -> Fact:
    since = since_time(colleague.since, ui.time.latest(), ui.zone)
    note = f"on {colleague.host}, since {since}" if colleague.host else f"since {since}"
    name = clean(f"{colleague.who} (you)" if colleague.is_own else colleague.who, LABEL)
    ticket = colleague.ticket
    if ticket is None:
        return Fact(name, Cell("nothing is filled in", Tone.MUTED), None, note)
    does, link = _DOES.get(ticket.kind, _OTHER), None
    if ticket.recipient_id is not None:
        link = Ref(Kind.RECIPIENTS, ticket.recipient_id)
        recipient = ui.store.recipients.get(ticket.recipient_id)
        does += f" to {recipient_title(recipient) if recipient else ticket.recipient_id}"
    elif ticket.wallet_ids:
        wallet_id = ticket.wallet_ids[0]
        wallet = ui.store.wallets.get(wallet_id)
        link = Ref(Kind.WALLETS, wallet_id)
        does += f" with the wallet {(wallet and wallet.wallet_name) or wallet_id}"
    is_known = link is not None and ui.store.table(link.kind).get(link.key) is not None
    return Fact(name, Cell(does), does, note, link if is_known else None)


def desk_words(ui: UiContext) -> Cell:
    """Return as of when the colleagues are known, while the desk does not answer."""
    desk = ui.store.desk
    if desk is None or desk.problem is None:
        return Cell("")
    if desk.as_of is None:
        return Cell("desk away", Tone.CLOSING)
    as_of = since_time(desk.as_of, ui.time.latest(), ui.zone)
    return Cell(f"desk away, as of {as_of}", Tone.CLOSING)


def aside_words(ui: UiContext, note: AttentionNote) -> str:
    """Return how an item is set aside, on a desk by whom and when: `ack by bob 14:02`."""
    now = ui.time.latest()
    if note.acknowledged or note.snoozed_until is None:
        at = f" {since_time(note.at, now, ui.zone)}" if note.at else ""
        return f"ack by {note.by}{at}" if note.by else "acknowledged"
    by = f" by {note.by}" if note.by else ""
    return f"snoozed{by} to {since_time(note.snoozed_until, now, ui.zone)}"


def notes_groups(ui: UiContext, subject: str) -> list[Group]:
    """Return the notes on an object, the newest first; nothing without one."""
    notes = notes_on(ui.store, subject)
    if not notes:
        return []
    facts = (_note(ui, note) for note in notes[:MOST_NOTES])
    title = "Notes" if len(notes) <= MOST_NOTES else f"Notes ({MOST_NOTES} of {len(notes)})"
    return [group(title, *facts)]


def _note(ui: UiContext, note: SharedNote) -> Fact:
    if note.number is None:
        return text_fact("You", note.words, "not handed in to the desk yet")
    on = f" on {note.host}" if note.host else ""
    return text_fact(clean(note.who, LABEL), note.words, f"{full_time(note.at, ui.zone)}{on}")
