"""Rate sheets for watched currency pairs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta

from paytui.api.errors import ApiError
from paytui.domain.models import Kind, Problem, RateSheet
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.domain.requests import RateSheetRequest
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.health import Failure, failure_of, feed_after, unexpected
from paytui.worker.sync.poller import FLOOR, NOT_OFFERED_RETRY, Backoff, Shared

KEPT = 50
"""Sheets kept in the store, for the last change and the history of a pair."""

LONGEST_WAIT = 10.0
"""Maximum seconds to sleep: the loop's clock stands still during a suspend."""

ATTEMPTED = "lock rates"


class RateSheetKeeper:
    """A loop that always holds a live rate sheet while pairs are watched.

    Args:
        shared: the parts that pollers share.
        lifetime: maximum lifetime of a sheet (service.md §8).
    """

    def __init__(self, shared: Shared, lifetime: timedelta) -> None:
        self._shared = shared
        self._lifetime = lifetime
        self._backoff = Backoff(shared.rng)
        self._pairs: tuple[Pair, ...] = ()
        self._sheet: RateSheet | None = None
        self._asked_for: tuple[Pair, ...] = ()
        self._wake = asyncio.Event()

    def watch(self, pairs: tuple[Pair, ...]) -> None:
        """Set the pairs to hold a sheet of; () for none."""
        if pairs != self._pairs:
            self._pairs = pairs
            self.ask_now()

    def ask_now(self) -> None:
        """End the current wait, and reset the back-off."""
        self._backoff.reset()
        self._wake.set()

    async def run(self) -> None:
        """Hold a sheet, until cancelled."""
        while True:
            self._wake.clear()
            wait = await self._keep()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()

    async def _keep(self) -> float | None:
        """Request a sheet if one is needed.

        Returns:
            Seconds until the next call; None: until the pairs change.
        """
        if not self._pairs:
            return None
        if (left := self._left()) > 0:
            return min(left, LONGEST_WAIT)
        failure = await self._ask(self._pairs)
        self._shared.store.notify()
        if failure is None:
            self._backoff.reset()
            return min(max(self._left(), FLOOR), LONGEST_WAIT)
        if not failure.offered:
            return NOT_OFFERED_RETRY
        return self._backoff.after_failure(failure.retry_after)

    def _left(self) -> float:
        """Return the seconds that the held sheet remains valid for the watched pairs."""
        sheet = self._sheet
        if sheet is None or not set(self._pairs) <= set(self._asked_for):
            return 0.0
        return sheet_left(self._shared.service_time, sheet).total_seconds()

    async def _ask(self, pairs: tuple[Pair, ...]) -> Failure | None:
        shared = self._shared
        failure: Failure
        try:
            sheet = await shared.client.create_rate_sheet(RateSheetRequest(currency_pairs=pairs))
            shared.link.succeeded()
            self._hold(sheet, pairs)
            if sheet_left(shared.service_time, sheet) > timedelta(0):
                return None
            failure = Failure(_over(sheet))
        except ApiError as error:
            shared.link.failed(error)
            failure = failure_of(error)
        except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
            failure = unexpected(ATTEMPTED, error)
        self._report(Part(), [failure])
        return failure

    def _hold(self, sheet: RateSheet, pairs: tuple[Pair, ...]) -> None:
        store = self._shared.store
        store.rate_sheets.put([sheet])
        oldest_first = sorted(store.rate_sheets.rows(), key=lambda held: held.sent_at)
        store.rate_sheets.remove(held.rate_sheet_id for held in oldest_first[:-KEPT])
        self._report(Part(sent=sheet.sent_at, skipped=sheet.skipped), [])
        self._sheet, self._asked_for = sheet, pairs

    def _report(self, read: Part, failures: list[Failure]) -> None:
        store, time = self._shared.store, self._shared.service_time
        before, every = store.feed(Kind.RATE_SHEETS), self._lifetime.total_seconds()
        store.set_feed(feed_after(before, [read], failures, None, time, every=every))


def _over(sheet: RateSheet) -> Problem:
    what = f"the rate sheet had expired before it came, at {sheet.expires_at:%Y-%m-%d %H:%M:%S} UTC"
    remedy = "Check [fields.rate_sheet] expires_at in the dialect, and the service's clock."
    return Problem(ATTEMPTED, what, remedy=remedy)
