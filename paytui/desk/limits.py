"""The limits of a desk, their use today and open mandates, for `paytui desk status`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from paytui.desk.database import Connection
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.money import CurrencyCode
from paytui.outbox.shared_log import limits_of
from paytui.platform.text import clean

_USED = """
    SELECT trader::text, recipient, currency, sum(amount) FROM paytui.charges
    WHERE counts AND client = %s AND day = paytui.day_of(%s::jsonb, clock_timestamp())
    GROUP BY trader, recipient, currency
"""


_MANDATES = """
    SELECT intent, made_by::text, host, sell, buy, currency, up_to, up_to - used, rate, approvals,
      extract(epoch FROM until - clock_timestamp())::float8
    FROM paytui.mandates WHERE client = %s AND is_open ORDER BY n
"""


@dataclass(frozen=True, slots=True)
class MandateState:
    """An open mandate; `left` of it is not used, and it ends in some seconds."""

    intent: str
    who: str
    host: str
    sell: CurrencyCode
    buy: CurrencyCode
    currency: CurrencyCode
    up_to: Decimal
    left: Decimal
    rate: Decimal
    approvals: int
    ends_in: float


def open_mandates(connection: Connection, client: str) -> list[MandateState]:
    rows = connection.execute(_MANDATES, (client,)).fetchall()
    return [
        MandateState(*(clean(each) if isinstance(each, str) else each for each in row))  # type: ignore[arg-type]
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class LimitUse:
    """The use of one limit of a day; `of` is a trader or a recipient, or empty."""

    of: str
    currency: CurrencyCode
    used: Decimal
    at_most: Decimal


@dataclass(frozen=True, slots=True)
class LimitsState:
    limits: DeskLimits
    uses: tuple[LimitUse, ...]


def limits_state(connection: Connection, client: str) -> LimitsState | None:
    """Return the limits of a client and their use today; None if there are none."""
    [[found]] = connection.execute("SELECT paytui.limits_of(%s)", (client,)).fetchall()
    if found is None:
        return None
    document = json.dumps(found)
    limits = limits_of(document)
    used: Mapping[str, dict[tuple[str, CurrencyCode], Decimal]] = defaultdict(dict)
    for trader, recipient, currency, amount in connection.execute(_USED, (client, document)):
        assert isinstance(amount, Decimal)
        code = CurrencyCode(str(currency))
        of = {"at_most": "", "per_trader": trader, "per_recipient": recipient}
        for scope, name in of.items():
            if name is not None:
                key = clean(str(name)), code
                used[scope][key] = used[scope].get(key, Decimal()) + amount
    whole = {("", code): Decimal() for code in limits.at_most}
    scopes = (
        (whole | used["at_most"], limits.at_most),
        (used["per_trader"], limits.per_trader),
        (used["per_recipient"], limits.per_recipient),
    )
    uses = (
        LimitUse(name, code, amount, at_most[code])
        for amounts, at_most in scopes
        for (name, code), amount in sorted(amounts.items())
        if code in at_most
    )
    return LimitsState(limits, tuple(uses))
