"""All that is known of one intent at the end of a run, from whoever knows it best."""

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
    """What was asked, sent, booked and shown.

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
        """Whether it is one, of which service.md §4 has no list."""
        return self.asked.intent.action is Action.BOOK_TRADE

    @property
    def is_listed(self) -> bool:
        """Whether the service lists what it became."""
        return self.site.scenario.lists_all or not self.is_trade

    @property
    def can_be_known_again(self) -> bool:
        """Whether what it became carries its identifier in a list."""
        return self.site.scenario.tagged and self.is_listed

    @property
    def may_be_doubled(self) -> bool:
        """Whether the network delivered it twice to a service that does not look at keys."""
        met = {post.fate for post in self.posts}
        return not self.site.scenario.honours_keys and not met.isdisjoint(DOUBLED)

    @property
    def was_misled(self) -> bool:
        """Whether an answer named another object as what it became."""
        return any(post.fate is Fate.MISTAKEN and post.status == 201 for post in self.posts)

    @property
    def is_executed(self) -> bool:
        """Whether it is shown as executed."""
        return self.row.standing in EXECUTED

    @property
    def is_dated_right(self) -> bool:
        """Whether the service's clock is the one by which it dates its objects."""
        return self.site.scenario.dates is Dates.RIGHT

    def is_other(self, identifier: str) -> bool:
        """Whether an object of the service is not what was confirmed."""
        return is_booked_otherwise(self.asked.intent, self.site.service.booked(identifier))


def evidence_of(
    site: Site,
    asked: Asked,
    row: IntentRow,
    rows: Sequence[IntentRow],
    clients: frozenset[str],
) -> Evidence:
    """What is known of an intent, which is one of these rows."""
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
