"""Mishaps of the host and the service while a desk works."""

from __future__ import annotations

from datetime import timedelta

from tests.simulation.disk import FAILING, FULL
from tests.simulation.site import Site


class Mishaps:
    """Lets one of them happen at a time."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rng = site.rng("mishaps")

    async def rival(self) -> None:
        """Another program signs in as the same client."""
        self._site.trace.fault("token superseded")
        await self._site.service.rival_signs_in()

    async def suspend(self) -> None:
        """The lid is closed for a while."""
        self._site.trace.fault("suspend")
        self._site.clock.suspend(self._rng.uniform(5.0, 600.0))

    async def wrong_clock(self) -> None:
        """The host's clock is set; now and then to another day."""
        most = self._rng.choice((1.0, 3.0, 36.0))
        hours = self._rng.uniform(-most, most)
        self._site.trace.fault("clock off by hours" if abs(hours) > 1 else "clock jump")
        self._site.host.ahead = timedelta(hours=hours)

    async def disk_trouble(self) -> None:
        """Soon statements fail, for some or for many of them."""
        failure = self._rng.choice((FULL, FAILING))
        self._site.trace.fault(failure.name)
        after, length = self._rng.randint(0, 12), self._rng.choice((1, 2, 5, 20))
        self._site.disk.fail(failure, after, length)

    async def forget_keys(self) -> None:
        """Not while the network may still deliver twice: that nobody on this side could prevent."""
        if self._site.service.expects_nothing and not self._site.scenario.replay_safe:
            self._site.trace.fault("keys forgotten")
            self._site.service.forget_keys()

    def clear(self) -> None:
        """No more of them."""
        self._site.trace.say("the network and the disk are well again")
        self._site.weather.clear()
        self._site.service.lag = 0.0
        self._site.disk.mend()
