"""The parts that a table is read in: the whole list at once, or one list a wallet or recipient."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from paytui.api.page_cache import Memory
from paytui.api.pages import Page
from paytui.domain.models import Problem, Recipient, Record
from paytui.worker.ground import Ground


@dataclass(slots=True)
class Part:
    """One list of a kind, and how its newest read went.

    Attributes:
        parent: whose list it is; None for the one list of all.
        parent_row: the parent as it was when the list was last read.
        sent: boot time in seconds at which the newest whole read was sent; None before the first.
            Less `age`.
        age: seconds that the oldest of its answers lay in a cache.
        held: ids of the rows in the table that are this part's.
        missed: those of them that its newest whole read did not hold, and that may only have moved.
        total: how many the service says there are.
        complete: whether that is all of them.
        cut: why it is not, where more is known than that its total is not reached.
        remark: why it may be less, where nobody can know.
        skipped: records that could not be read.
        trouble: why the newest read failed; None where it did not.
        stale: whether it is to be read again, however young it is.
        doubts: how often that was said, so that a read which began before does not answer it.
        embedded: its rows came inside the parent's own record, and are as old as that.
        memory: what the answers of its newest reads came to.
        news: what answers to questions for what changed alone came to.
        ground: what is known of it since all of it was read.
        is_partial: whether its newest read asked for less than all of it.
        is_cut: whether a read of less than all did not bring what it was to bring, so that some
            of it is older than that; until that came, or all of it did.
        owed: the same at which something in it should have been looked at that was not since; what
            it holds is no younger than that. Infinity where there is no such thing.
        lost: open rows that all of it no longer holds, and that cannot be read by themselves.
        whole: boot time in seconds at which all of it was last read, less `whole_age`.
        whole_age: seconds that the oldest answer to that read lay in a cache.
        swept: boot time in seconds at which that was last done as if nothing of it were known.
        sweep_took: how many seconds that took.
        swept_size: how many rows it held then.
        looked: the same of its newest, where it is asked for changes alone.
        offset: the service's clock less our boot time, in seconds, before its newest read.
        prepends: whether a new row was seen to be listed first.
        loss: what there is to say of many rows that were gone at once.
        loss_at: service time at which that was believed; None before.
        lag: seconds by which a new row may be seen late; 0 where that is not worth a word.
    """

    parent: str | None = None
    parent_row: Record | None = None
    sent: float | None = None
    age: float = 0.0
    held: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)
    total: int | None = None
    complete: bool = True
    cut: str = ""
    remark: str = ""
    skipped: int = 0
    trouble: Problem | None = None
    stale: bool = False
    doubts: int = 0
    embedded: bool = False
    memory: Memory = field(default_factory=Memory)
    news: Memory = field(default_factory=Memory)
    ground: Ground = field(default_factory=Ground)
    is_partial: bool = False
    is_cut: bool = False
    owed: float = float("inf")
    lost: int = 0
    whole: float | None = None
    whole_age: float = 0.0
    swept: float | None = None
    sweep_took: float = 0.0
    swept_size: int = 0
    looked: float = 0.0
    offset: float = float("-inf")
    prepends: bool = False
    loss: str = ""
    loss_at: datetime | None = None
    lag: float = 0.0

    def doubt(self) -> None:
        """Have it read again, as if nothing of it were known."""
        self.stale = True
        self.doubts += 1


def embedded_addresses(parent_row: Record | None) -> Page[Record] | None:
    """The payment addresses in a recipient's own record; None where it holds none.

    A recipient has at least one (api.md §2), so a record without any just does not tell.
    """
    if not isinstance(parent_row, Recipient) or not parent_row.payment_addresses:
        return None
    recipient_id, addresses = parent_row.recipient_id, parent_row.payment_addresses
    rows = tuple(replace(address, recipient_id=recipient_id) for address in addresses)
    return Page(rows, total=len(rows))


def whole_read_at(parts: Iterable[Part]) -> float | None:
    """Boot time of the oldest newest read, or look that is owed: nothing in the parts is older.

    None where a part was never read; infinity where all of them are as old as their parents.
    """
    oldest = float("inf")
    for part in parts:
        if part.sent is None:
            return None
        if not part.embedded:
            oldest = min(oldest, part.sent, part.owed)
    return oldest


def total_told(parts: Iterable[Part]) -> int | None:
    """Return how many rows the service says there are in all parts, if it tells of each."""
    total = 0
    for part in parts:
        if part.total is None:
            return None
        total += part.total
    return total
