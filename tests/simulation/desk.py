"""Traders, and what they know: none of it may be forgotten or turn out to be untrue."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from paytui.intent import (
    Decision,
    Intent,
    IntentId,
    IntentMaker,
    IntentRow,
    Request,
    Standing,
    Verdict,
    without_tag,
)
from paytui.quote import Quote, QuoteId
from tests.simulation.asking import Wishes
from tests.simulation.dashboard import Dashboard
from tests.simulation.site import Site

PATIENCE = timedelta(seconds=45)
"""How long a trader lets paytui look for itself."""


@dataclass(slots=True)
class Asked:
    """An intent that a trader confirmed.

    Attributes:
        process: the one that it was given to.
        at: the service's true time then.
        shown: the standings in which traders saw it, in order.
        sent_anew: how often a trader had it sent, after it was confirmed.
        repeated: how often of these he had the same sent again, in doubt of what became of it.
    """

    intent: Intent
    process: int
    at: datetime
    shown: list[Standing] = field(default_factory=list)
    sent_anew: int = 0
    repeated: int = 0


class Desk:
    """Traders at whatever dashboard is there.

    Attributes:
        asked: all that was confirmed, by identifier.
    """

    def __init__(self, site: Site) -> None:
        self.asked: dict[IntentId, Asked] = {}
        self._site = site
        self._rng = site.rng("traders")
        self._wishes = Wishes(site.rng("wishes"), site.world)
        self._maker = IntentMaker(site.rng("intents"), tagged=site.scenario.tagged)
        self._quote_ids = count(1)

    # Asking

    def pay(self, at: Dashboard) -> None:
        """Confirm a payment, which may look like an earlier one and is meant all the same."""
        request: Request
        kinds = (self._wishes.payout, self._wishes.transfer)
        request = self._earlier() or self._rng.choice(kinds)()
        self._confirm(at, request)

    def trade_at_once(self, at: Dashboard) -> None:
        """Confirm a trade without a locked rate."""
        self._confirm(at, self._wishes.trade(self._wishes.pair(), None))

    def ask_quote(self, at: Dashboard) -> QuoteId:
        """Ask for a locked rate, which appears in the dashboard's store."""
        quote_id = QuoteId(next(self._quote_ids))
        at.inbox.ask_quote(quote_id, self._wishes.pair())
        return quote_id

    def trade(self, at: Dashboard, quote: Quote) -> None:
        """Confirm a trade at a locked rate, which may have expired on a screen that hung."""
        sheet = quote.sheet
        if sheet is not None and sheet.rates:
            self._confirm(at, self._wishes.trade(quote.pair, sheet), quote)

    def _earlier(self) -> Request | None:
        if not self.asked or self._rng.random() < 0.7:
            return None
        request = self._rng.choice(list(self.asked.values())).intent.request
        return replace(request, reference=without_tag(request.reference))

    def _confirm(self, at: Dashboard, request: Request, quote: Quote | None = None) -> None:
        intent = self._maker.make(
            request,
            title=type(request).__name__.removesuffix("Request"),
            confirmed_at=at.time.latest(),
            quote=quote.sheet if quote else None,
        )
        self.asked[intent.intent_id] = Asked(intent, at.number, self._site.service.now())
        words = f"{intent.intent_id} {intent.title} {intent.terms.amount} key {intent.key[:8]}"
        self._site.trace.say(f"#{at.number} is asked for {words}")
        at.inbox.submit(intent)

    # Looking and deciding

    def look(self, at: Dashboard) -> None:
        """Take in what a dashboard shows."""
        for row in at.rows():
            asked = self.asked[row.intent_id]
            if not at.may_send and asked.process != at.number:
                continue  # what another process does is seen there first
            shown = asked.shown
            if shown[-1:] != [row.standing]:
                shown.append(row.standing)
                self._site.trace.say(f"#{at.number} shows {row.intent_id} {row.standing}")

    def decide(self, at: Dashboard) -> None:
        """Decide what waits for a trader, as a careful one does who has the ledger in view."""
        for row in at.rows():
            asked = self.asked[row.intent_id]
            waits = self._site.service.now() - row.since > PATIENCE
            if waits and not self._site.service.expects(asked.intent.key):
                self._decide(at, row, asked)

    def _decide(self, at: Dashboard, row: IntentRow, asked: Asked) -> None:
        found = self._site.service.executed(asked.intent)
        if row.standing is Standing.RECORDED:
            verdict = self._rng.choice((Verdict.SEND, Verdict.NOT_DONE))
        elif row.standing is not Standing.IN_DOUBT:
            return
        elif found:
            verdict = Verdict.DONE
        else:
            verdict = self._rng.choice((Verdict.REPEAT, Verdict.NOT_DONE))
        asked.sent_anew += verdict in (Verdict.SEND, Verdict.REPEAT)
        asked.repeated += verdict is Verdict.REPEAT
        object_id = found[0] if found else None
        self._site.trace.say(f"#{at.number} is told of {row.intent_id}: {verdict}")
        at.inbox.decide(Decision(intent_id=row.intent_id, verdict=verdict, object_id=object_id))
