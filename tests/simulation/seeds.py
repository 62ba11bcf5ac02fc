"""Many seeds at once, each within one process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.run import Outcome, run_seed

AT_ONCE = 8
"""Seeds given to a process in one go."""


def outcomes(seeds: range, jobs: int) -> Iterator[Outcome]:
    """Yield the outcome of each seed in order; stop when the consumer stops."""
    if jobs == 1 or len(seeds) == 1:
        yield from map(run_seed, seeds)
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawned) as pool:
        try:
            yield from pool.map(run_seed, seeds, chunksize=AT_ONCE)
        finally:
            pool.shutdown(cancel_futures=True)
