"""Rate sheets that one screen asks for and keeps: nothing swaps them underneath it."""

from __future__ import annotations

from dataclasses import replace

from paytui.api.errors import ApiError
from paytui.domain.money import Pair
from paytui.domain.rates import Quote, QuoteId
from paytui.domain.requests import RateSheetRequest
from paytui.worker.jobs import Jobs
from paytui.worker.polling import Shared
from paytui.worker.rates import ATTEMPTED
from paytui.worker.report import unexpected

KEPT = 20
"""Quotes that stay in the store; older ones have expired long since."""


class QuoteKeeper:
    """Asks for a sheet of one pair whenever a screen wants one."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._jobs = Jobs()

    def ask(self, quote_id: QuoteId, pair: Pair) -> None:
        """Lock a rate of this pair; on the worker's loop."""
        self._jobs.begin(self._ask(Quote(quote_id, pair)))

    async def run(self) -> None:
        """Let quotes be asked for, until cancelled."""
        await self._jobs.run()

    async def _ask(self, quote: Quote) -> None:
        shared = self._shared
        self._show(quote)
        try:
            request = RateSheetRequest(currency_pairs=(quote.pair,))
            sheet = await shared.client.create_rate_sheet(request)
        except ApiError as error:
            shared.link.failed(error)
            self._show(replace(quote, problem=error.problem))
        except Exception as error:  # noqa: BLE001 - a mistake of ours must reach the one who waits
            self._show(replace(quote, problem=unexpected(ATTEMPTED, error).problem))
        else:
            shared.link.succeeded()
            self._show(replace(quote, sheet=sheet))

    def _show(self, quote: Quote) -> None:
        quotes = self._shared.store.quotes
        quotes.put([quote])
        quotes.remove(sorted(quotes.keys())[:-KEPT])
        self._shared.store.notify()
