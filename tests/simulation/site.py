"""Everything that outlives a process: the host's clock and disk, network, service."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.simulation.disk import Disk
from tests.simulation.fates import Weather
from tests.simulation.post_log import PostLog
from tests.simulation.scenario import Scenario
from tests.simulation.service import Service
from tests.simulation.trace import Trace
from tests.simulation.world import World
from tests.support.clock import ManualClock, WrongClock


@dataclass(frozen=True, slots=True)
class Site:
    """The site of a seed.

    Attributes:
        clock: of the service, and true.
        host: the clock of the desk's machine, which may be wrong.
    """

    seed: int
    scenario: Scenario
    world: World
    clock: ManualClock
    host: WrongClock
    disk: Disk
    service: Service
    weather: Weather
    log: PostLog
    trace: Trace

    def rng(self, purpose: str) -> random.Random:
        """Randomness of its own for whatever needs some, so that one does not disturb another."""
        return random.Random(f"{self.seed} {purpose}")  # noqa: S311 - a seed repeats itself
