"""Traders and their knowledge, none of which may be forgotten or prove untrue."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from paytui.domain.intent import (
    Decision,
    Intent,
    IntentId,
    IntentMaker,
    IntentRow,
    Standing,
    Verdict,
    without_tag,
)
from paytui.domain.rates import Quote, QuoteId
from paytui.domain.requests import PayoutRequest, Request, TransferRequest
from tests.simulation.asking import Wishes
from tests.simulation.dashboard import Dashboard
from tests.simulation.site import Site
from tests.support.intents import money_of

PATIENCE = timedelta(seconds=45)
"""The time that a trader leaves to paytui's own lookup."""

GUESSES = 0.2
"""The probability that a trader trusts the screen or guesses instead of asking the service."""


HASTY = 0.3
"""The probability that a trader decides as soon as the ticket allows it."""


@dataclass(slots=True)
class Asked:
    """An intent that a trader confirmed.

    Attributes:
        process: the one that it was given to.
        at: the service's true time then.
        client_id: as whom it was to be sent.
        is_dated: whether the service had told its time by then; else nobody knows how old it is.
        shown: the standings in which traders saw it, in order.
        sent_anew: when a trader had it sent, after it was confirmed.
        repeated: how often of these he had the same sent again, in doubt of what became of it.
        guessed: whether a trader settled it without knowing the truth.
        given_up_at: when a trader settled it as not done, although it was sent.
    """

    intent: Intent
    process: int
    at: datetime
    client_id: str
    is_dated: bool
    shown: list[Standing] = field(default_factory=list)
    sent_anew: list[datetime] = field(default_factory=list)
    repeated: int = 0
    guessed: bool = False
    given_up_at: datetime | None = None


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
        self.confirm(at, request)

    def pay_alike(self, at: Dashboard, times: int) -> None:
        """Confirm one payment several times at once: each is meant."""
        request = self._wishes.payout()
        for _ in range(times):
            self.confirm(at, request)

    def pay_by_hand(self) -> Request:
        """Pay something elsewhere; what it would be here."""
        request = self._wishes.payout()
        self._site.service.pay_by_hand(request, request.reference)
        return request

    def pay_old_doubt_by_hand(self) -> bool:
        """Pay elsewhere, with its reference copied, what is in doubt since long; whether any is."""
        for asked in self.asked.values():
            request = asked.intent.request
            in_doubt = asked.shown[-1:] == [Standing.IN_DOUBT]
            if in_doubt and isinstance(request, PayoutRequest | TransferRequest):
                self._site.service.pay_by_hand(request, request.reference)
                return True
        return False

    def trade_at_once(self, at: Dashboard) -> None:
        """Confirm a trade without a locked rate."""
        self.confirm(at, self._wishes.trade(self._wishes.pair(), None))

    def ask_quote(self, at: Dashboard) -> QuoteId:
        """Ask for a locked rate, which appears in the dashboard's store."""
        quote_id = QuoteId(next(self._quote_ids))
        at.inbox.ask_quote(quote_id, self._wishes.pair())
        return quote_id

    def trade(self, at: Dashboard, quote: Quote) -> None:
        """Confirm a trade at a locked rate, which may have expired on a screen that hung."""
        sheet = quote.sheet
        if sheet is not None and sheet.rates:
            self.confirm(at, self._wishes.trade(quote.pair, sheet), quote)

    def _earlier(self) -> Request | None:
        if not self.asked or self._rng.random() < 0.7:
            return None
        request = money_of(self._rng.choice(list(self.asked.values())).intent)
        return replace(request, reference=without_tag(request.reference))

    def confirm(self, at: Dashboard, request: Request, quote: Quote | None = None) -> None:
        """Confirm this."""
        intent = self._maker.make(
            request,
            title=type(request).__name__.removesuffix("Request"),
            confirmed_at=at.time.latest(),
            quote=quote.sheet if quote else None,
        )
        now, client_id = self._site.service.now(), at.setup.client_id
        self.asked[intent.intent_id] = Asked(
            intent, at.number, now, client_id, is_dated=at.time.known
        )
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
            if at.disowned_since is not None:
                continue  # it says that another process may send by now
            shown = asked.shown
            if shown[-1:] != [row.standing]:
                shown.append(row.standing)
                self._site.trace.say(f"#{at.number} shows {row.intent_id} {row.standing}")

    def decide(self, at: Dashboard) -> None:
        """Decide what waits for a trader: mostly with the service's books in view."""
        for row in at.rows():
            asked = self.asked[row.intent_id]
            if self._site.service.now() - row.since <= PATIENCE:
                continue
            guesses = self._rng.random() < GUESSES
            if guesses or not self._site.service.expects(asked.intent.key):
                self._decide(at, row, asked, guesses=guesses)

    def settle_in_haste(self, at: Dashboard) -> None:
        """Settle as not done what the service's books do not hold, as soon as that is offered."""
        for row in at.rows():
            asked = self.asked[row.intent_id]
            if row.standing is not Standing.IN_DOUBT or self._is_too_early(row, Verdict.NOT_DONE):
                continue
            if row.booked_otherwise:
                continue  # nothing but "it was done" is offered
            is_hasty = self._site.rng(f"haste of {row.intent_id}").random() < HASTY
            if is_hasty and not self._site.service.executed(asked.intent):
                self._tell(at, asked, Verdict.NOT_DONE, None)

    @staticmethod
    def _is_too_early(row: IntentRow, verdict: Verdict) -> bool:
        """Return True if the ticket does not offer a decision yet."""
        return row.may_arrive_until is not None and verdict.rests_on_absence

    def _decide(self, at: Dashboard, row: IntentRow, asked: Asked, *, guesses: bool) -> None:
        if row.standing not in (Standing.RECORDED, Standing.IN_DOUBT):
            return
        if row.booked_otherwise:
            self._tell(at, asked, Verdict.DONE, row.object_id)
            return
        found = self._site.service.executed(asked.intent)
        is_guess = guesses and row.standing is Standing.IN_DOUBT
        if is_guess:
            found = list(row.candidates)
        verdict = self._verdict(row, found, guesses=guesses)
        if self._is_too_early(row, verdict):
            return
        asked.guessed = asked.guessed or is_guess
        self._tell(at, asked, verdict, found[0] if verdict is Verdict.DONE else None)

    def _tell(self, at: Dashboard, asked: Asked, verdict: Verdict, object_id: str | None) -> None:
        intent_id = asked.intent.intent_id
        if verdict is Verdict.NOT_DONE:
            asked.given_up_at = self._site.service.now()
        if verdict in (Verdict.SEND, Verdict.REPEAT):
            asked.sent_anew.append(self._site.service.now())
        asked.repeated += verdict is Verdict.REPEAT
        self._site.trace.say(f"#{at.number} is told of {intent_id}: {verdict}")
        at.inbox.decide(Decision(intent_id=intent_id, verdict=verdict, object_id=object_id))

    def _verdict(self, row: IntentRow, found: list[str], *, guesses: bool) -> Verdict:
        if row.standing is Standing.RECORDED:
            return self._rng.choice((Verdict.SEND, Verdict.NOT_DONE))
        if found:
            return Verdict.DONE
        return Verdict.NOT_DONE if guesses else self._rng.choice((Verdict.REPEAT, Verdict.NOT_DONE))
