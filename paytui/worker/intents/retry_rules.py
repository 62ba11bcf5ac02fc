"""Rules for sending and repeating the requests of intents: rates, ages, and idempotency keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from paytui.api.dialect import Idempotency
from paytui.api.errors import NotSent
from paytui.domain.intent import Action, Intent, IntentTerms
from paytui.domain.models import Problem, RateSheet
from paytui.domain.rates import sheet_left
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import SETTLING_EVENTS, Entry, RecordedIntent
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.journal import row_of

QUOTE_MARGIN = timedelta(seconds=3)
"""Nothing is sent within this time before a rate expires (architecture.md)."""

MAX_SEND_DELAY = timedelta(seconds=60)
"""Maximum time from confirmation to the first attempt. After a night's suspend, a trader may no
longer mean what was confirmed the evening before."""


def just_confirmed(time: ServiceTime, intent: Intent) -> Callable[[], None]:
    """Return a check like `rate_check`, with `MAX_SEND_DELAY` from this call."""
    rate_lives, confirmed = rate_check(time, intent.terms, intent.quote), time.clock.boot()

    def check() -> None:
        if time.clock.boot() - confirmed > MAX_SEND_DELAY.total_seconds():
            raise NotSent(_TOO_LATE, written=False)
        rate_lives()

    return check


def rate_check(
    time: ServiceTime, terms: IntentTerms, quote: RateSheet | None
) -> Callable[[], None]:
    """Return a check for just before sending; it raises `NotSent`.

    A rate is judged by the service's clock, and by the age of its sheet if that is known.
    """

    def check() -> None:
        why = ""
        if terms.rate_sheet_id is not None and terms.rate is None:
            why = "its sheet holds no rate for these currencies"
        elif terms.expires_at is not None and not (time.known or quote):
            why = "the service's time is unknown, so its expiry cannot be checked"
        elif terms.expires_at is not None:
            left = sheet_left(time, quote) if quote else terms.expires_at - time.latest()
            why = "it has expired" if left <= QUOTE_MARGIN else ""
        if why:
            remedy = "Nothing was sent. Request a new rate."
            problem = Problem("book at the rate that was confirmed", why, remedy=remedy)
            raise NotSent(problem, written=False)

    return check


_TOO_LATE = Problem(
    "send the intent",
    "more than a minute has passed since",
    remedy="Nothing was sent. Confirm it again if you still want it.",
)


REPEAT_WINDOW = timedelta(minutes=10)
"""The time after confirmation in which a repeat needs no question (architecture.md)."""

IN_TRANSIT = timedelta(seconds=30)
"""The time for which a request may still arrive after it was given up. The connection is aborted,
so our host sends no more; this allows for hosts and gateways on the way."""

FIRST_PAUSE = 2.0  # Seconds before the first repeat; the pause doubles after each attempt
LONGEST_PAUSE = 60.0  # Maximum seconds before a repeat
KEY_MARGIN = timedelta(hours=1)  # Safety margin before the service forgets an idempotency key


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryRules:
    """Rules for one service and client: what may be sent again, and until when.

    `gateway_patience` is additional time for which a gateway may hold a request. On a desk nothing
    `repeats_by_itself`: only a person lets an intent leave twice.
    """

    profile: str
    base_url: str
    client_id: str
    idempotency: Idempotency
    time: ServiceTime
    user: str
    host: str
    gateway_patience: timedelta = timedelta()
    repeats_by_itself: bool = True

    @property
    def in_transit(self) -> timedelta:
        """Return how long a request that was given up may still arrive."""
        return IN_TRANSIT + self.gateway_patience

    def may_arrive_until(self) -> datetime:
        """Return until when a request that is given up now may arrive, by the host's clock."""
        return self.time.clock.now() + self.in_transit

    def entry(self, intent: Intent, prepared: PreparedRequest) -> Entry:
        safe = self.is_replay_safe(intent.action)
        return Entry(
            intent_id=intent.intent_id,
            key=intent.key,
            profile=self.profile,
            base_url=self.base_url,
            client_id=self.client_id,
            action=intent.action,
            method=prepared.method,
            path=prepared.path,
            key_header=prepared.key_header,
            body=prepared.body,
            title=intent.title,
            terms=intent.terms,
            confirmed_at=intent.confirmed_at,
            user=self.user,
            host=self.host,
            replay_safe=safe,
            resend_until=self._resend_until(intent) if safe else None,
            host_time=self.time.clock.now(),
        )

    def is_for_this_service(self, entry: Entry) -> bool:
        """Return True if an entry is for this service and client id.

        As another client the same key would be a new one, and the repeat a second payment.
        """
        ours = (self.profile, self.base_url, self.client_id)
        return (entry.profile, entry.base_url, entry.client_id) == ours

    def is_replay_safe(self, action: Action) -> bool:
        """Return True if the dialect says that a repeat of it is answered, not executed."""
        return action.value in self.idempotency.replay_safe

    @property
    def repeated_for(self) -> timedelta:
        """Return the time after confirmation in which a repeat needs no question."""
        return min(REPEAT_WINDOW, self.idempotency.retention - KEY_MARGIN)

    def _resend_until(self, intent: Intent) -> datetime | None:
        """Return the end of automatic repeats; None if there are none.

        The time counts from confirmation or from now, whichever is earlier: the host's clock may
        have been wrong at confirmation.
        """
        if not self.repeats_by_itself:
            return None
        if not self.time.known:
            return None  # the host's clock alone does not tell the age of the intent
        if intent.action is Action.BOOK_TRADE and intent.terms.expires_at is None:
            return None  # at a real-time rate a repeat could book another price
        since = min(intent.confirmed_at, self.time.latest())
        bounds = [since + self.repeated_for]
        if intent.terms.expires_at is not None:
            bounds.append(intent.terms.expires_at - QUOTE_MARGIN)
        return min(bounds)

    def may_repeat(self, recorded: RecordedIntent, *, waited: float, age: timedelta | None) -> bool:
        """Return True if an intent may be sent again without asking the trader.

        `waited` are the seconds since it is in doubt, `age` the time since this process confirmed
        it; None if another process did.
        """
        entry = recorded.entry
        known_as_safe = entry.replay_safe and self.is_replay_safe(entry.action)
        if not known_as_safe or not self.is_for_this_service(entry):
            return False
        pause = min(FIRST_PAUSE * 2.0 ** row_of(recorded).attempts, LONGEST_PAUSE)
        # After an end the trader may have confirmed a replacement.
        was_ended = any(event.kind in SETTLING_EVENTS for event in recorded.events)
        return self._is_young(entry, age) and waited >= pause and not was_ended

    def _is_young(self, entry: Entry, age: timedelta | None) -> bool:
        """Return True if it is recent both by the service's clock and by the host's."""
        if entry.resend_until is None or not self.time.known or age is None:
            return False
        return age < self.repeated_for and self.time.latest() < entry.resend_until
