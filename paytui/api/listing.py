"""Lists as they were read: what came, what could not be read, and whether that is all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some records of a list, at most 500, none of them seen on a page before.

    Attributes:
        records: those that could be read.
        known: ids of records that were read before and are still the same; not among `records`.
        total: how many the whole list has, if the service tells.
        last: whether no page follows.
        complete: on the last page, whether nothing of the list is known to be missing.
        skipped: records that could not be read in the service's answer that this page ends.
        reason: why the first of them could not.
        cut: why the list is not complete, where more is known than that its total is not reached.
        remark: why it may be less than all that there is, where nobody can know.
        ends_answer: whether the next page comes of another answer of the service.
    """

    records: tuple[T, ...]
    total: int | None = None
    last: bool = True
    complete: bool = True
    skipped: int = 0
    reason: str = ""
    cut: str = ""
    remark: str = ""
    known: tuple[str, ...] = ()
    ends_answer: bool = True


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A whole list; `str()` says how much of it this is."""

    records: tuple[T, ...]
    total: int | None = None
    complete: bool = True
    skipped: int = 0
    reason: str = ""
    cut: str = ""
    remark: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether what is not in it is not in the service's list either."""
        return self.complete and not self.remark

    def __str__(self) -> str:
        if self.complete:
            return str(len(self.records))
        return f"{len(self.records)} of {'more' if self.total is None else self.total}"


def gather(pages: Iterable[Page[T]]) -> Listing[T]:
    """The list that these pages make up, in their order."""
    read = tuple(pages)
    return Listing(
        records=tuple(record for page in read for record in page.records),
        total=read[-1].total if read else None,
        complete=all(page.complete for page in read),
        skipped=sum(page.skipped for page in read),
        reason=next((page.reason for page in read if page.reason), ""),
        cut=read[-1].cut if read else "",
        remark=read[-1].remark if read else "",
    )
