"""All that is done with intents, put together: one outbox, one service, one store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from paytui.api.sending import Sender
from paytui.config.settings import Profile
from paytui.config.spending_limits import refusal_of
from paytui.domain.intent import Decision, Intent, Terms
from paytui.domain.models import Kind, Record
from paytui.outbox.outbox import Outbox
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.creations import Creations
from paytui.worker.drafting import Drafting
from paytui.worker.journal import Journal
from paytui.worker.quote_check import QuoteCheck
from paytui.worker.resolve import Resolver
from paytui.worker.submit import Submitter


@dataclass(frozen=True, slots=True)
class Office:
    """The parts that sending needs beside a client: outbox, log, entry builder.

    Attributes:
        log: gets a copy of each line, where that is set.
        profile: whose limits hold, whatever a screen has let through; None: there are none.
    """

    outbox: Outbox
    drafting: Drafting
    log: Syslog | None = None
    profile: Profile | None = None


class Orders:
    """Submits intents, and follows each to its end.

    Args:
        look: has the list of a kind read now.
        in_doubt: told in which kinds something is looked for.
        booked: called with each object that came of an intent.
    """

    def __init__(
        self,
        office: Office,
        sender: Sender,
        store: Store,
        service_time: ServiceTime,
        *,
        look: Callable[[Kind], None],
        in_doubt: Callable[[Collection[Kind]], None],
        booked: Callable[[Record], None],
    ) -> None:
        self._journal = Journal(office.outbox, store, office.log, service_time.clock)
        creations = Creations(sender, store, service_time)
        self._submitter = Submitter(
            journal=self._journal,
            sender=sender,
            drafting=office.drafting,
            quotes=QuoteCheck(service_time),
            service_time=service_time,
            booked=booked,
            creations=creations,
            refusal=partial(_refusal, office.profile, store),
        )
        self._resolver = Resolver(
            journal=self._journal,
            submitter=self._submitter,
            drafting=office.drafting,
            store=store,
            service_time=service_time,
            creations=creations,
            look=look,
            in_doubt=in_doubt,
        )
        self._office = office

    def submit(self, intent: Intent) -> None:
        """See `Port`."""
        self._submitter.submit(intent)

    def decide(self, decision: Decision) -> None:
        """See `Port`."""
        self._submitter.decide(decision)

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the objects that intents became, to be read one by one without a list."""
        return self._journal.made()

    def open(self) -> None:
        """Show what the outbox holds; what a process that ended left under way is in doubt."""
        self._resolver.take_over()

    async def run(self) -> None:
        """Carry out intents and follow them, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._submitter.run())
            group.create_task(self._resolver.run())

    def close(self) -> None:
        """Let the outbox go, with all that could not be written into it before."""
        self._journal.catch_up()
        self._office.outbox.close()
        if self._office.log is not None:
            self._office.log.close()


def _refusal(profile: Profile | None, store: Store, terms: Terms) -> str:
    return "" if profile is None else refusal_of(profile, store, terms)
