"""What a soak is for: mistakes that cost next to nothing for an hour."""

from __future__ import annotations

from tests.mutants.bug import Bug

BUGS = (
    Bug(
        name="answers that are remembered",
        file="paytui/api/transport.py",
        before="        self._count(call, request, response, sent)\n",
        after=(
            "        self._count(call, request, response, sent)\n"
            "        self.__dict__.setdefault('all', []).append(answered)\n"
        ),
    ),
    Bug(
        name="a task for each sheet that never ends",
        file="paytui/worker/rates.py",
        before="        self._sheet, self._asked_for = sheet, pairs\n",
        after=(
            "        self._sheet, self._asked_for = sheet, pairs\n"
            "        waits = asyncio.Event().wait()\n"
            "        self.__dict__.setdefault('all', set()).add(asyncio.create_task(waits))\n"
        ),
    ),
    Bug(
        name="an outbox that is written in while nothing happens",
        file="paytui/worker/resolve.py",
        before="        self._journal.catch_up()\n",
        after=(
            "        self._journal.catch_up()\n"
            "        if self._time.latest().strftime('%M%S')[1:] < '003':\n"
            "            for known in self._journal.standing(Standing.ACCEPTED):\n"
            "                self._note(known.entry, EventKind.ALERT)\n"
        ),
    ),
    Bug(
        name="a countdown that is counted, not computed",
        file="paytui/clock.py",
        before="        return min(by_service, by_age)\n",
        after=(
            "        counted = self.clock.monotonic() + 4_000 - sent\n"
            "        return lifetime - timedelta(seconds=counted)\n"
        ),
    ),
    Bug(
        name="a mistake that a feed swallows",
        file="paytui/worker/polling.py",
        before="            await self._follow_upstream()\n",
        after=(
            "            await self._follow_upstream()\n"
            "            if self._clock.monotonic() > 8_000:\n"
            "                raise KeyError(self.kind)\n"
        ),
    ),
)
