"""The service and network conditions of a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from enum import Enum
from functools import cache

from paytui.api.dialect import Dialect, Idempotency
from paytui.domain.intent import Action
from tests.support.documented import documented


class Dates(Enum):
    """Ways of a service to date its responses."""

    RIGHT = timedelta(0)
    ABSENT = None
    BEHIND = timedelta(hours=-2)
    AHEAD = timedelta(hours=2)
    A_LITTLE_BEHIND = timedelta(seconds=-20)

    def as_told(self, headers: dict[str, str], now: datetime) -> dict[str, str]:
        """The headers of an answer."""
        if self is Dates.RIGHT or "date" not in headers:
            return headers
        if self.value is None:
            return {name: value for name, value in headers.items() if name != "date"}
        return {**headers, "date": format_datetime(now + self.value, usegmt=True)}


GATEWAY_PATIENCE = timedelta(seconds=15)
"""The longest time beyond 30 s that the network holds an abandoned request."""

EVERY_ACTION = frozenset(action.value for action in Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Drawn once for each seed.

    Attributes:
        honours_keys: whether the service answers a key that it has seen instead of executing.
        replay_safe: whether the user's dialect says so; never where it is not true.
        lists_all: whether the service has the lists that are only assumed (service.md).
        lag: seconds after which its lists show what was created, while the storm lasts.
        storm: how likely something goes wrong with a request that creates something.
        drizzle: the same for all other requests.
        tagged: whether what is sent carries the identifier of its intent, which is a setting.
        dates: what the service says of its time.
        has_payins: whether the user's dialect names what came in to wallets: nothing that is judged
            goes by it, and it takes a third of all requests.
        steps: things that traders, rivals and mishaps do.
    """

    honours_keys: bool
    replay_safe: bool
    lists_all: bool
    lag: float
    storm: float
    drizzle: float
    steps: int
    tagged: bool
    dates: Dates
    has_payins: bool

    @property
    def page(self) -> int:
        """Records of a page: so few that lists are long, or as many as are asked for elsewhere.

        Where a list lags, each page is told without what is new, so that it must be the only one.
        """
        return 3 if self.steps % 2 and not self.lag else 500


def drawn(rng: random.Random) -> Scenario:
    """The scenario of a seed."""
    honours = rng.random() < 0.7
    return Scenario(
        honours_keys=honours,
        replay_safe=honours and rng.random() < 0.75,
        lists_all=rng.random() < 0.85,
        lag=rng.choice((0.0, 0.0, 30.0, 300.0)),
        storm=rng.choice((0.3, 0.6, 0.9)),
        drizzle=rng.choice((0.0, 0.05, 0.2)),
        steps=rng.randint(6, 14),
        tagged=rng.random() < 0.85,
        dates=rng.choices(list(Dates), (12, 1, 1, 1, 1))[0],
        has_payins=rng.random() < 0.15,
    )


_OF_PAYINS = ("list_payins", "list_payin_addresses")


@cache
def _default() -> Dialect:
    return documented()


def dialect_of(scenario: Scenario, edition: int) -> Dialect:
    """The user's dialect; each edition spells what is sent otherwise, to the same effect."""
    dialect = _default()
    idempotency: Idempotency = replace(
        dialect.idempotency,
        replay_safe=EVERY_ACTION if scenario.replay_safe else frozenset(),
        retention=timedelta(hours=24),
    )
    spellings = dialect.paths["book_trade"]
    paths = {**dialect.paths, "book_trade": spellings[::-1] if edition % 2 else spellings}
    if not scenario.has_payins:
        paths |= dict.fromkeys(_OF_PAYINS, ())
    return replace(
        dialect,
        idempotency=idempotency,
        paging=replace(dialect.paging, records=scenario.page),
        gateway_patience=GATEWAY_PATIENCE,
        amounts="number" if edition % 2 else "string",
        paths=paths,
    )
