"""Everything known of one intent at the end of a run, from the best source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paytui.domain.intent import Action, IntentRow, Standing
from tests.simulation.desk import Asked
from tests.simulation.fates import DOUBLED, Fate
from tests.simulation.figures import is_booked_otherwise
from tests.simulation.post_log import Post
from tests.simulation.scenario import Dates
from tests.simulation.site import Site

EXECUTED = frozenset({Standing.ACCEPTED, Standing.DONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The requests, bookings and display of one intent.

    Attributes:
        row: as the last dashboard shows it.
        posts: what was sent of it.
        booked: what the service made of it.
        carrying: what carries its identifier at the service, whoever made it.
        claimed: what other intents are shown to have become.
        clients: as whom there was a dashboard.
        told_of_others: all that happened to the other intents, in words.
    """

    site: Site
    asked: Asked
    row: IntentRow
    posts: Sequence[Post]
    booked: Sequence[str]
    carrying: Sequence[str]
    claimed: frozenset[str]
    clients: frozenset[str]
    told_of_others: str

    @property
    def is_trade(self) -> bool:
        """Return True if it is a trade, which service.md §4 cannot list."""
        return self.asked.intent.action is Action.BOOK_TRADE

    @property
    def is_listed(self) -> bool:
        """Return True if the service lists its object."""
        return self.site.scenario.lists_all or not self.is_trade

    @property
    def can_be_known_again(self) -> bool:
        """Return True if its object carries its identifier in a list."""
        return self.site.scenario.tagged and self.is_listed

    @property
    def may_be_doubled(self) -> bool:
        """Return True if a service that ignores keys received it twice."""
        met = {post.fate for post in self.posts}
        return not self.site.scenario.honours_keys and not met.isdisjoint(DOUBLED)

    @property
    def was_misled(self) -> bool:
        """Return True if a response named another object as its own."""
        return any(post.fate is Fate.MISTAKEN and post.status == 201 for post in self.posts)

    @property
    def is_executed(self) -> bool:
        """Return True if it is shown as executed."""
        return self.row.standing in EXECUTED

    @property
    def is_dated_right(self) -> bool:
        """Return True if the service dates its objects by its own clock."""
        return self.site.scenario.dates is Dates.RIGHT

    def is_other(self, identifier: str) -> bool:
        """Return True if an object of the service differs from the confirmation."""
        return is_booked_otherwise(self.asked.intent, self.site.service.booked(identifier))


def evidence_of(
    site: Site,
    asked: Asked,
    row: IntentRow,
    rows: Sequence[IntentRow],
    clients: frozenset[str],
) -> Evidence:
    """Return the evidence of an intent, which is one of these rows."""
    return Evidence(
        site=site,
        asked=asked,
        row=row,
        posts=site.log.of(asked.intent.key),
        booked=site.service.executed(asked.intent),
        carrying=site.service.carrying(asked.intent),
        clients=clients,
        told_of_others=" ".join(
            turn.words for other in rows if other is not row for turn in other.turns
        ),
        claimed=frozenset(
            other.object_id
            for other in rows
            if other is not row and other.object_id is not None and other.standing in EXECUTED
        ),
    )
