"""`paytui watch`: print changes, one a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

import click

from paytui.api.resources import READS
from paytui.cli.common import (
    CommandError,
    ExitCode,
    ProfileChoice,
    choice_options,
    drop_stdout,
    jsonable,
)
from paytui.cli.wiring import compose
from paytui.cli.wiring.secrets import read_secret
from paytui.domain import models
from paytui.domain.models import Kind, Problem, Record, State, Wallet
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.platform.clock import Clock, utc
from paytui.store.health import LinkState, WorkerMetrics
from paytui.store.names import account_title, recipient_title
from paytui.store.store import Store
from paytui.store.table import Subset, WakeUp


@click.command()
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
@click.option("--initial", is_flag=True, help="Print the current state first.")
@choice_options(accept=True)
def watch(*, as_objects: bool, initial: bool, choice: ProfileChoice) -> None:
    """Print what changes, a line each, until interrupted.

    Balances, states, intents in doubt, and how well the service can be read. Nothing is sent: a
    dashboard may run beside it.
    """
    settings = choice.load_verified()
    context = compose.new_context(settings, read_secret(settings, "Watching"))
    store, time = context.store, context.time
    watcher = Watcher(store, time.clock, settings.profile.host, initial=initial)
    line = json_line if as_objects else text_line

    async def follow(_: Callable[[], WorkerMetrics], running: asyncio.Task[None]) -> None:
        wake = WakeUp(asyncio.get_running_loop())
        store.subscribe(wake)
        running.add_done_callback(lambda _: wake())
        await asyncio.sleep(0)  # the worker reads the outbox first: its intents are no news
        while not running.done():
            for change in watcher.changes():
                click.echo(line(change, time.latest()))
            with suppress(TimeoutError):
                async with asyncio.timeout(watcher.look_again):
                    await wake.wait()

    try:
        compose.run_worker(context, follow)
    except BrokenPipeError:  # the reader of the pipe is gone
        drop_stdout()


Value = str | Decimal | None

BALANCES = ("available_balance", "reserved_balance", "pending_balance")
_BY_STATUS = (Kind.PAYINS, Kind.TRADES, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES, Kind.PAYMENTS)
WATCHED: Mapping[Kind, tuple[str, ...]] = {
    Kind.ACCOUNTS: ("status",),
    Kind.WALLETS: ("status", *BALANCES),
    **dict.fromkeys(_BY_STATUS, ("status",)),
}
"""The fields of each kind whose changes are reported."""


class ChangeType(StrEnum):
    """The type of a change."""

    STANDS = "stands"  # The state when watching began
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"  # The service no longer lists it


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change, printed on one line; the names and their order are those of the JSON.

    Attributes:
        kind: `payment`, `wallet`, `intent`, `list`, `service`.
        id: the identifier, or the name of the list, or the host.
        about: a name for people; None if the identifier suffices.
        field: the field that changed: `status`, `available_balance`; None for the whole object.
    """

    event: ChangeType
    kind: str
    id: str
    about: str | None = None
    field: str | None = None
    old: Value = None
    new: Value = None
    currency: CurrencyCode | None = None
    why: str | None = None


def _value(row: Record | None, name: str) -> Value:
    value: State | Decimal | None = None if row is None else getattr(row, name)
    return value.name.replace("_", " ") if isinstance(value, State) else value


def _about(row: Record) -> str:
    """Return a short name for people; the identifier is printed beside it."""
    about = ""
    match row:
        case models.Account():
            about = account_title(row)
        case Wallet():
            about = row.wallet_name or ""
        case models.Recipient():
            about = recipient_title(row)
        case models.PaymentAddress():
            about = row.iban or row.account_number or ""
        case models.Payment():
            about = _words(row.payment_type, _amount(row.amount, row.currency))
        case models.PayIn():
            sender = f"from {row.sender_name}" if row.sender_name else ""
            about = _words(_amount(row.amount, row.currency), sender)
        case models.Trade():
            sold = _amount(row.sell_amount, row.sell_currency) or row.sell_currency
            bought = _amount(row.buy_amount, row.buy_currency) or row.buy_currency
            about = _words(sold, "to", bought) if sold and bought else ""
    return about


def _amount(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    if amount is None:
        return ""
    return f"{format_amount(amount, currency or CurrencyCode(MISSING))} {currency or MISSING}"


def _words(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


FAILURE_DELAY = 15.0
"""Seconds for which a list must fail before it is reported; a service that is down is by then."""

LOOK_AGAIN = 1.0  # Seconds between two calls while a failure may have to be reported

_WORDS = {
    LinkState.UP: "answers",
    LinkState.UNREACHABLE: "unreachable",
    LinkState.REFUSED: "login refused",
    LinkState.STOPPED: "no longer read",
}


class Watcher:
    """All changes of one store; with `initial`, also the first state of everything.

    The clock measures the duration of failures.
    """

    def __init__(self, store: Store, clock: Clock, host: str, *, initial: bool) -> None:
        self._store = store
        self._clock = clock
        self._host = host
        self._initial = initial
        self._state: LinkState | None = None
        self._was_let_in = False
        self._failing: dict[Kind, float] = {}
        self._reported: set[Kind] = set()
        self._rows = {kind: Subset(store.table(kind), lambda _: True) for kind in WATCHED}
        self._read_whole: set[Kind] = set()
        self._intents = Subset(store.intents, lambda _: True)
        self._saw_intents = False

    @property
    def look_again(self) -> float | None:
        """Seconds until the next call, even if nothing changes; None if that is not needed."""
        return LOOK_AGAIN if self._failing.keys() - self._reported else None

    def changes(self) -> Iterator[Change]:
        """Yield changes since the last call; raise CommandError if the first login was refused."""
        self._was_let_in = self._was_let_in or self._store.link.state is LinkState.UP
        if self._store.link.state is LinkState.REFUSED and not self._was_let_in:
            problem = self._store.link.problem or "login refused"
            raise CommandError(str(problem), ExitCode.REFUSED)
        yield from self._of_link()
        yield from self._of_feeds()
        yield from self._of_intents()
        for kind in WATCHED:
            yield from self._of_kind(kind)

    def _of_link(self) -> Iterator[Change]:
        """Yield changes; a service that answers from the start is none."""
        link, before = self._store.link, self._state
        if link.state is before or link.state is LinkState.CONNECTING:
            return
        self._state = link.state
        if before is None and link.state is LinkState.UP:
            return
        yield Change(
            event=ChangeType.STANDS if before is None else ChangeType.CHANGED,
            kind="service",
            id=self._host,
            field="link",
            old=None if before is None else _WORDS[before],
            new=_WORDS[link.state],
            why=_why(link.problem),
        )

    def _of_feeds(self) -> Iterator[Change]:
        """Yield lists that fail for long, and that are read again; none while the link is down."""
        now = self._clock.monotonic()
        for kind in READS:
            problem = self._store.feed(kind).problem
            if problem is None:
                self._failing.pop(kind, None)
                if kind in self._reported:
                    self._reported.discard(kind)
                    yield _of_list(kind, "fails", "read")
            elif self._state is not LinkState.UP:
                self._failing.pop(kind, None)
            elif (
                now - self._failing.setdefault(kind, now) >= FAILURE_DELAY
                and kind not in self._reported
            ):
                self._reported.add(kind)
                yield _of_list(kind, "read", "fails", problem)

    def _of_intents(self) -> Iterator[Change]:
        """Yield at the first call the open intents, then each change."""
        for _, before, after in self._intents.changes():
            if after is None or (before is not None and before.standing is after.standing):
                continue
            event = ChangeType.NEW if before is None else ChangeType.CHANGED
            if before is None and not self._saw_intents:
                if not after.standing.open and not self._initial:
                    continue
                event = ChangeType.STANDS
            yield Change(
                event=event,
                kind="intent",
                id=after.intent_id,
                about=after.title or None,
                field="standing",
                old=None if before is None else before.standing,
                new=after.standing,
                why=_why(after.problem),
            )
        self._saw_intents = True

    def _of_kind(self, kind: Kind) -> Iterator[Change]:
        """Yield changes; rows are new only after the list was read whole once."""
        for _, before, after in self._rows[kind].changes():
            if after is None:
                assert before is not None
                yield self._of_row(ChangeType.GONE, kind, before)
                continue
            event = ChangeType.CHANGED
            if before is None:
                event = ChangeType.NEW if kind in self._read_whole else ChangeType.STANDS
            if event is ChangeType.STANDS and not self._initial:
                continue
            for name in WATCHED[kind]:
                old, new = _value(before, name), _value(after, name)
                if old != new:
                    wallet = after if isinstance(after, Wallet) and name in BALANCES else None
                    currency = None if wallet is None else wallet.currency
                    change = self._of_row(event, kind, after)
                    yield replace(change, field=name, old=old, new=new, currency=currency)
        if self._store.feed(kind).as_of is None:
            self._read_whole.discard(kind)
        else:
            self._read_whole.add(kind)

    def _of_row(self, event: ChangeType, kind: Kind, row: Record) -> Change:
        key = self._store.table(kind).key(row)
        return Change(event=event, kind=kind.noun_of_one, id=key, about=_about(row) or None)


def _of_list(kind: Kind, old: str, new: str, problem: Problem | None = None) -> Change:
    return Change(
        event=ChangeType.CHANGED,
        kind="list",
        id=kind.noun,
        field="health",
        old=old,
        new=new,
        why=_why(problem),
    )


def _why(problem: Problem | None) -> str | None:
    return None if problem is None else problem.what or None


_LABELS = {
    "status": "state",
    "available_balance": "available",
    "reserved_balance": "reserved",
    "pending_balance": "pending",
}
"""Labels before the old and new value, for fields that need one."""


def text_line(change: Change, at: datetime) -> str:
    """`2026-03-02T12:00:05Z payment payout 12,000.00 USD (pay-1): state processing → released`."""
    new = "new " if change.event is ChangeType.NEW else ""
    about = f"{change.about} ({change.id})" if change.about else change.id
    why = f" ({change.why})" if change.why else ""
    return f"{utc(at.replace(microsecond=0))} {new}{change.kind} {about}: {_what(change)}{why}"


def json_line(change: Change, at: datetime) -> str:
    """Format as JSON: times in ISO 8601 UTC, amounts as strings with every digit, null if empty."""
    return json.dumps({"at": at, **asdict(change)}, default=jsonable, ensure_ascii=False)


def _what(change: Change) -> str:
    if change.event is ChangeType.GONE:
        return "no longer listed"
    name = _LABELS.get(change.field or "")
    label = f"{name} " if name else ""
    currency = f" {change.currency}" if change.currency else ""
    old, new = (_word(value, change.currency) for value in (change.old, change.new))
    arrow = f"{old} → " if change.event is ChangeType.CHANGED else ""
    return f"{label}{arrow}{new}{currency}"


def _word(value: Value, currency: CurrencyCode | None) -> str:
    if isinstance(value, Decimal):
        return format_amount(value, currency) if currency else plain(value)
    return value or MISSING
