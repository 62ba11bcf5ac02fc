"""The days of a desk: traders at work, mishaps in between, and calm at the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from paytui.domain.rates import Quote
from tests.simulation.clients import KNOWN
from tests.simulation.dashboard import Dashboard
from tests.simulation.desk import Desk
from tests.simulation.mishaps import Mishaps
from tests.simulation.oracles import what_is_wrong
from tests.simulation.scenario import Dates
from tests.simulation.setup import Setup
from tests.simulation.site import Site

PAUSES = (0.01, 0.3, 1.0, 5.0, 30.0)
"""Seconds between two steps."""

LEFT_OF_A_RATE = (150.0, 120.0, 30.0, 8.0, 6.0, 5.0, 1.0, -2.0)
"""Seconds; it lives 150 (service.md §8)."""

Step = Callable[[], Awaitable[None]]


class Days:
    """One run.

    Attributes:
        dashboards: every process that there was.
        wrong: what must not be, in words.
    """

    def __init__(self, site: Site) -> None:
        self.desk = Desk(site)
        self.dashboards: list[Dashboard] = []
        self.wrong: list[str] = []
        self._site = site
        self._rng = site.rng("days")
        self._processes = 0
        self._mishaps = Mishaps(site)
        self._setup = Setup()
        self._dashboard: Dashboard
        self._is_stormy = True
        steps: dict[Step, int] = {
            self._ask: 40,
            self._trade_at_a_quote: 14,
            self._die_soon: 14,
            self._decide: 12,
            self._let_time_pass: 6,
            self._restart: 5,
            self._second_dashboard: 5,
            self._look_alikes: 10,
            self._paid_by_hand_already: 5,
            self._disk_trouble: 7,
            self._lock_removed: 3,
            self._long_absence: 4,
            self._mishaps.rival: 5,
            self._mishaps.suspend: 4,
            self._mishaps.wrong_clock: 5,
            self._mishaps.forget_keys: 2,
        }
        self._steps, self._weights = list(steps), list(steps.values())

    async def live(self) -> None:
        """All of it, to the judgement."""
        if (dates := self._site.scenario.dates) is not Dates.RIGHT:
            self._site.trace.fault(f"service's date {dates.name.lower().replace('_', ' ')}")
        self._dashboard = await self._started()
        await self._wait(2.0)
        for _ in range(self._site.scenario.steps):
            await self._rng.choices(self._steps, self._weights)[0]()
            await self._wait(self._rng.choice(PAUSES))
        await self._judged()

    def standings(self) -> Counter[str]:
        """Count the final standings of intents, as traders saw them."""
        ends = (asked.shown[-1:] for asked in self.desk.asked.values())
        return Counter(str(end[0]) if end else "never seen" for end in ends)

    # Steps

    async def _ask(self) -> None:
        for _ in range(self._rng.choice((1, 1, 1, 2, 3))):
            if self._rng.random() < 0.75:
                self.desk.pay(self._dashboard)
            else:
                self.desk.trade_at_once(self._dashboard)

    async def _trade_at_a_quote(self) -> None:
        at = self._dashboard
        quote_id = self.desk.ask_quote(at)
        await self._wait(self._rng.uniform(1.0, 20.0))
        quote = at.store.quotes.get(quote_id)
        if at is self._dashboard and quote is not None:
            await self._wait(self._until_left(quote, self._rng.choice(LEFT_OF_A_RATE)))
            if at is self._dashboard:
                self.desk.trade(at, quote)

    def _until_left(self, quote: Quote, left: float) -> float:
        """Seconds until so many are left of a rate, or a moment where fewer are."""
        if quote.sheet is None:
            return 0.1
        lasts = quote.sheet.expires_at - self._site.service.now()
        return max(0.1, lasts.total_seconds() - left)

    async def _die_soon(self) -> None:
        self._dashboard.power.arm(self._rng.randint(0, 60))
        await self._ask()

    async def _decide(self) -> None:
        self.desk.decide(self._dashboard)

    async def _let_time_pass(self) -> None:
        await self._wait(self._rng.uniform(60.0, 400.0))

    async def _restart(self) -> None:
        await self._end()
        self._dashboard = await self._started()

    async def _second_dashboard(self) -> None:
        second = await self._started()
        self._site.trace.fault("second dashboard")
        await asyncio.sleep(1.0)
        first = self._dashboard
        if second.may_send and first.alive and first.may_send and not first.disowned_since:
            self.wrong.append("two dashboards own one outbox")
        self.desk.pay(second)
        await asyncio.sleep(self._rng.uniform(1.0, 30.0))
        self.desk.look(second)
        await second.close()
        if second.may_send and not first.alive:
            first.leave_disk_to_another()

    async def _long_absence(self) -> None:
        """Longer than the service remembers a key (service.md §10: 24 h).

        Whoever was told a time that is hours ahead also takes what comes that much later for new.
        """
        self._site.trace.fault("long absence")
        await self._end()
        await self._site.service.quiet()
        dates = self._site.scenario.dates
        ahead = 2.0 if dates is Dates.AHEAD else 0.0
        self._site.clock.advance((self._rng.uniform(25.0, 30.0) + ahead) * 3600)
        if self._rng.random() < 0.5 and self.desk.pay_old_doubt_by_hand():
            self._site.trace.fault("paid by hand with a reference of ours")
        self._dashboard = await self._started()

    async def _look_alikes(self) -> None:
        """The same figures again and again, all of them meant."""
        self.desk.pay_alike(self._dashboard, self._rng.randint(2, 3))

    async def _paid_by_hand_already(self) -> None:
        """The same was paid elsewhere, and is meant once more here."""
        self._site.trace.fault("paid by hand")
        request = self.desk.pay_by_hand()
        await self._wait(self._rng.choice((1.0, 100.0, 1500.0)))
        self.desk.confirm(self._dashboard, request)

    async def _disk_trouble(self) -> None:
        await self._mishaps.disk_trouble()
        await self._ask()

    async def _lock_removed(self) -> None:
        """By somebody who tidies up; another dashboard may own the outbox from then on."""
        self._site.trace.fault("lock file removed")
        self._site.disk.take_lock_away()
        self._dashboard.disowned_since = self._site.service.now()
        await self._ask()
        if self._rng.random() < 0.5:
            await self._second_dashboard()
        await self._restart()

    # Processes

    async def _started(self) -> Dashboard:
        self._setup = self._setup.edited(self._rng)
        if self._setup.read_only:
            self._site.trace.fault("profile set read-only")
        if self._setup.client_id != KNOWN:
            self._site.trace.fault("profile of another client id")
        return await self._start(self._setup)

    async def _start(self, setup: Setup) -> Dashboard:
        self._processes += 1
        dashboard = Dashboard(self._processes, self._site, setup)
        self.dashboards.append(dashboard)
        await dashboard.start()
        return dashboard

    async def _end(self) -> None:
        """A person ends the dashboard, or it is dead already."""
        if self._dashboard.alive:
            await self._dashboard.close()
            self.desk.look(self._dashboard)
        if not self._dashboard.alive:
            await self._dashboard.bury()

    async def _wait(self, seconds: float) -> None:
        """Let time pass; a dashboard that dies meanwhile is started again after a while."""
        ends = self._site.clock.monotonic() + seconds
        while (left := ends - self._site.clock.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._dashboard.power.ended.wait()
            if not self._dashboard.alive:
                await self._rise_again()
        self.desk.look(self._dashboard)
        if self._is_stormy:
            self.desk.settle_in_haste(self._dashboard)

    async def _rise_again(self) -> None:
        self.desk.look(self._dashboard)
        await self._dashboard.bury()
        await asyncio.sleep(self._rng.choice((0.5, 10.0, 120.0)))
        self._dashboard = await self._started()

    # The end

    async def _judged(self) -> None:
        """Once the network is well again, a fresh dashboard must come to the truth by itself."""
        self._mishaps.clear()
        self._is_stormy = False
        self._dashboard.power.disarm()
        await self._end()
        await self._site.service.quiet()
        self._dashboard = await self._start(Setup())
        for _ in range(20):
            await self._wait(30.0)
            wrong = what_is_wrong(self._site, self.desk, self.dashboards)
            if not wrong:
                break
            self._dashboard.inbox.refresh()
        self.wrong += wrong
        await self._end()
        await self._site.service.quiet()
