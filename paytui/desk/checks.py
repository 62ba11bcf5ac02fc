"""Checks of a desk, its limits and mandates, for `paytui doctor` and `paytui desk status`.

A trader's role sees little of a server: its settings, the number of its standbys, and what its own
connections notice. The checks need no more.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from time import monotonic

from psycopg.conninfo import conninfo_to_dict

from paytui.desk.database import (
    LINK,
    OWNER,
    UNCONFIRMED,
    Connection,
    DeskAway,
    connect,
    limited,
    without_standby,
    without_warning,
)
from paytui.desk.log import read_charges
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.models import Problem
from paytui.domain.money import CurrencyCode
from paytui.outbox.shared_log import limits_of
from paytui.platform.text import clean

LONGEST_COMMIT = 3.0  # Seconds
LONGEST_NEWS = 2.0  # Seconds for a notification; without it seats look every two seconds
LONGEST_IDLE = 15.0  # Seconds for which a transaction may do nothing
NOTICED_WITHIN = 60.0  # Seconds after which a server should notice that a host is gone
CHANNEL = "paytui_doctor"

_SETTINGS = """
    SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
      pg_has_role(current_user, %s, 'USAGE'),
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
      inet_server_addr() IS NULL, current_setting('synchronous_commit'),
      (SELECT sum(CASE name WHEN 'tcp_keepalives_idle' THEN setting::int ELSE 0 END)
        + max(CASE name WHEN 'tcp_keepalives_interval' THEN setting::int ELSE 0 END)
        * max(CASE name WHEN 'tcp_keepalives_count' THEN setting::int ELSE 0 END)
        FROM pg_settings WHERE name LIKE 'tcp_keepalives%%')::float8,
      (SELECT setting::float8 / 1000 FROM pg_settings
        WHERE name = 'idle_in_transaction_session_timeout')
"""
_COMMIT = "SELECT paytui.commit_safely(), pg_logical_emit_message(true, 'paytui', '')"


def weaknesses(connection: Connection) -> Iterator[Problem]:
    """Yield what makes a desk less safe than it can be, the worst first."""
    [found] = connection.execute(_SETTINGS, (OWNER,)).fetchall()
    is_superuser, is_owner, is_encrypted, is_local, commits, noticed_after, idle = found
    assert isinstance(noticed_after, float)
    assert isinstance(idle, float)
    named = {name: str(value) for name, value in conninfo_to_dict(connection.info.dsn).items()}

    def weakness(what: str, remedy: str) -> Problem:
        return Problem("use the desk", what, remedy=remedy)

    if is_superuser:
        remedy = "Give each trader a role of their own: paytui desk init --trader NAME"
        yield weakness("the role is a superuser", remedy)
    elif is_owner:
        remedy = f"An administrator takes that back: REVOKE {OWNER} FROM ROLE"
        yield weakness("the role owns the desk's tables, and can change the log", remedy)
    if not is_local and not (is_encrypted and named.get("sslmode") == "verify-full"):
        yield weakness("the server is not verified by TLS", "Add sslmode=verify-full to desk.dsn.")
    if commits in ("off", "local"):
        remedy = "Set it to on for this role or database. The log's own commits wait all the same."
        yield weakness(f"synchronous_commit is {commits}", remedy)
    ours = {name: value for name, value in LINK.items() if name != "application_name"}
    if other := [
        f"{name}={named[name]}" for name in ours if named.get(name, ours[name]) != ours[name]
    ]:
        remedy = "Remove that from desk.dsn: the screen may tell late that the desk is away."
        yield weakness(f"desk.dsn sets {', '.join(other)}", remedy)
    if not is_local and not 0 < noticed_after <= NOTICED_WITHIN:
        what = f"the server notices only after {noticed_after:.0f} s that a host is gone"
        remedy = "ALTER SYSTEM as in step 2 of Setting up, docs/desk.md, sets tcp_keepalives."
        yield weakness(what, remedy)
    if not 0 < idle <= LONGEST_IDLE:
        what = "a transaction that was begun and left may hold up all traders"
        remedy = "Set idle_in_transaction_session_timeout = '15s' for this database."
        yield weakness(what, remedy)


@dataclass(frozen=True, slots=True)
class Standbys:
    """The standbys of a server.

    Attributes:
        names: those that a commit waits for, as the server's setting has them; "" if for none.
        connected: receivers of its log; a backup that is being made is one, too.
    """

    names: str
    connected: int


def standbys(connection: Connection) -> Standbys:
    [[names, connected]] = connection.execute(
        "SELECT current_setting('synchronous_standby_names'), "
        "(SELECT count(*) FROM pg_stat_replication)"
    ).fetchall()
    assert isinstance(connected, int)
    return Standbys(clean(str(names)), connected)


def commit_time(connection: Connection, limit: float = LONGEST_COMMIT) -> float:
    """Commit something, as the log does; return the seconds until it is confirmed.

    Raises:
        DeskAway: it is not confirmed in time, and the connection is ended.
    """
    names, began = standbys(connection).names, monotonic()
    try:
        with limited(connection, limit), without_warning(connection):
            connection.execute(_COMMIT)
    except DeskAway as error:
        if monotonic() - began < limit:
            raise
        if names:
            raise without_standby() from error
        remedy = "Look at the server's disk and its log."
        raise DeskAway(UNCONFIRMED, remedy=remedy) from error
    return monotonic() - began


def news_time(listen_dsn: str, connection: Connection) -> float | None:
    """Return the seconds that a notification takes to another connection; None if it is lost.

    Raises:
        DeskAway: there is no other connection.
    """
    with closing(connect(listen_dsn)) as listener, limited(listener, 2 * LONGEST_NEWS):
        listener.execute(f"LISTEN {CHANNEL}".encode())
        began = monotonic()
        with limited(connection):
            connection.execute(f"NOTIFY {CHANNEL}".encode())
        for _ in listener.notifies(timeout=LONGEST_NEWS, stop_after=1):
            return monotonic() - began
        listener.execute(f"UNLISTEN {CHANNEL}".encode())  # a pooler keeps the connection
    return None


_MANDATES = """
    SELECT intent, made_by::text, sell, buy, currency, up_to, up_to - used, rate, approvals,
      extract(epoch FROM until - clock_timestamp())::float8
    FROM paytui.mandates WHERE client = %s AND is_open ORDER BY n
"""


@dataclass(frozen=True, slots=True)
class MandateState:
    """An open mandate; `left` of it is not used, and it ends in some seconds."""

    intent: str
    who: str
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


def limits_state(
    connection: Connection, client: str
) -> tuple[DeskLimits, Sequence[LimitUse]] | None:
    """Return the limits of a client and their use today; None if there are none."""
    [[found]] = connection.execute("SELECT paytui.limits_of(%s)", (client,)).fetchall()
    if found is None:
        return None
    limits = limits_of(json.dumps(found))
    used: Mapping[str, dict[tuple[str, CurrencyCode], Decimal]] = defaultdict(dict)
    for each in read_charges(connection, client):
        of = {"at_most": "", "per_trader": each.trader, "per_recipient": each.recipient}
        for scope, name in of.items():
            if name is not None:
                key = name, each.currency
                used[scope][key] = used[scope].get(key, Decimal()) + each.amount
    whole = {("", code): Decimal() for code in limits.at_most}
    scopes = (
        (whole | used["at_most"], limits.at_most),
        (used["per_trader"], limits.per_trader),
        (used["per_recipient"], limits.per_recipient),
    )
    return limits, [
        LimitUse(name, code, amount, at_most[code])
        for amounts, at_most in scopes
        for (name, code), amount in sorted(amounts.items())
        if code in at_most
    ]
