"""Messages between the seats of a desk about who is there, and the notes that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from paytui.domain.colleagues import Colleague, OpenTicket, SharedNote
from paytui.domain.models import Problem

if TYPE_CHECKING:
    from paytui.store.store import Store


@dataclass(frozen=True, slots=True)
class DeskState:
    """The link to the colleagues.

    Attributes:
        as_of: service time of the last look; None before the first.
        problem: why the last look failed; None if it did not.
    """

    as_of: datetime | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """An answer of the desk.

    Attributes:
        colleagues: the other dashboards; None: as before.
        notes: new notes, in their order. The first answer has all that count.
        lasts: seconds after which the first of the colleagues no longer counts, unless it is
            heard of again.
    """

    colleagues: Sequence[Colleague] | None
    notes: Sequence[SharedNote]
    lasts: float


class ColleagueExchange(Protocol):
    """A desk where seats tell what they are about to do. All methods raise `NotShared`."""

    def listen(self, hint: Callable[[], object]) -> None:
        """Call `hint`, in any thread, when there may be news."""

    async def meet(self, ticket: OpenTicket | None) -> Meeting:
        """Tell which ticket is open here, and return what is new."""

    async def add(self, note: SharedNote) -> None:
        """Add a note. One that was added is not added twice."""

    async def leave(self) -> None:
        """Tell that this dashboard is closed."""


def at_the_same(
    store: Store, ticket: OpenTicket | None
) -> Iterator[tuple[Colleague, OpenTicket, bool]]:
    """Yield colleagues with a ticket on the same recipient or wallet as a ticket here.

    With each comes the colleague's ticket, and True if it is the recipient that is the same.
    """
    if ticket is None:
        return
    for colleague in store.colleagues.rows():
        theirs = colleague.ticket
        if theirs is None:
            continue
        is_payee = theirs.recipient_id is not None and theirs.recipient_id == ticket.recipient_id
        if is_payee or set(theirs.wallet_ids) & set(ticket.wallet_ids):
            yield colleague, theirs, is_payee


def notes_on(store: Store, subject: str) -> list[SharedNote]:
    """Return the notes on an object, the newest first; those not handed in yet come first."""
    found = [note for note in store.shared_notes.rows() if note.subject == subject]
    return sorted(found, key=lambda note: (note.number is None, note.number or 0), reverse=True)
