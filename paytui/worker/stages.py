"""All pollers of a worker, in the order in which the first reads have to happen."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from itertools import chain

from paytui.api.resources import READS, TRACKED
from paytui.domain.models import Kind
from paytui.worker.polling import Poller, Shared
from paytui.worker.tracked import Tracked, TrackedPoller

LOOK = 5.0
"""Seconds between two looks at which identifiers are known of."""


class Stages:
    """A poller for each kind that has a list, and one for each that is read by identifier.

    What is listed by wallet or by recipient comes after what tells which of these there are.

    Args:
        shared: what pollers work with.
        known: the identifiers to read one by one.

    Attributes:
        first: reads balances, which a trader waits for.
    """

    def __init__(self, shared: Shared, known: Tracked) -> None:
        self._pace = shared.pace
        self._known = known
        whole = {kind: Poller(kind, shared) for kind, read in READS.items() if read.parent is None}
        fanned_out = [
            Poller(kind, shared, whole[read.parent])
            for kind, read in READS.items()
            if read.parent is not None
        ]
        self._one_by_one = {kind: TrackedPoller(kind, known, shared) for kind in TRACKED}
        self.first = whole[Kind.WALLETS]
        self._lists = (*whole.values(), *fanned_out)
        self._stages: tuple[tuple[Poller | TrackedPoller, ...], ...] = (
            tuple(whole.values()),
            tuple(poller for kind, poller in self._one_by_one.items() if kind in whole),
            tuple(fanned_out),
            tuple(poller for kind, poller in self._one_by_one.items() if kind not in whole),
        )

    def __iter__(self) -> Iterator[Poller | TrackedPoller]:
        """All of them, in their order."""
        return chain.from_iterable(self._stages)

    async def watch(self) -> None:
        """Have what is read one by one go by what is known of now, until cancelled.

        One look is for all of them: each of them would wake an idle host as often.
        """
        while True:
            await asyncio.sleep(LOOK)
            known = self._known()
            for poller in self._one_by_one.values():
                poller.look(known)

    async def poll_once(self) -> None:
        """Read everything once, stage by stage."""
        self.doubt()
        for stage in self._stages:
            async with asyncio.TaskGroup() as group:
                for poller in stage:
                    group.create_task(poller.poll())

    def doubt(self) -> None:
        """Have the next round read all lists, however young they are."""
        for lists in self._lists:
            lists.doubt()

    def poll_now(self) -> None:
        """End all pauses."""
        for poller in self:
            poller.poll_now()

    def poll_soon(self, kind: Kind) -> None:
        """End the pause of what reads a kind, unless all are told to pause.

        What it last read is not doubted.
        """
        if self._pace.paused:
            return
        for lists in self._lists:
            if lists.kind is kind:
                lists.poll_now()
        if kind in self._one_by_one:
            self._one_by_one[kind].poll_now()

    def read_named(self, kind: Kind) -> None:
        """Read tracked objects now, also while polling is paused."""
        if kind in self._one_by_one:
            self._one_by_one[kind].poll_now()

    def in_doubt(self, kinds: Collection[Kind]) -> None:
        """Read on of these kinds, and of what tells which lists there are, though all pause."""
        parents = {parent for kind in kinds if (parent := READS[kind].parent) is not None}
        self._pace.in_doubt = {*kinds, *parents}

    def look(self, kind: Kind) -> None:
        """Read all lists of a kind now, and what tells which there are."""
        for lists in self._lists:
            if lists.kind in (kind, READS[kind].parent):
                lists.doubt()
                lists.poll_now()
