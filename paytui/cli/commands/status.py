"""`paytui status`: one full read of the service, as text or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

import click

from paytui.api.resources import READS
from paytui.cli.common import (
    ExitCode,
    ProfileChoice,
    Row,
    choice_options,
    columns,
    jsonable,
    truncated,
)
from paytui.config.settings import Profile
from paytui.domain.models import Kind, PayIn, Payment, Record, State, Trade, Wallet
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.platform.clock import utc
from paytui.store.figures import totals
from paytui.store.health import RETRIED, LinkState
from paytui.store.names import account_name, wallet_label
from paytui.store.store import Store


@click.command()
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
@choice_options(accept=True)
@click.pass_context
def status(ctx: click.Context, *, as_object: bool, choice: ProfileChoice) -> None:
    """Read everything once and print it."""
    from paytui.cli.wiring.compose import read_all

    settings = choice.load_verified()
    store = read_all(settings)
    if as_object:
        click.echo(json.dumps(as_json(store, settings.profile), default=jsonable))
    else:
        click.echo(status_text(store, settings.profile))
    if store.link.unshared:
        click.echo(f"The token is not shared with other processes: {store.link.unshared}", err=True)
    for problem in problems(store):
        click.echo(problem, err=True)
    ctx.exit(exit_code(store))


def rows_of(store: Store, kind: Kind) -> list[Record]:
    """Return the objects of a kind by identifier, so that two outputs can be compared."""
    table = store.table(kind)
    return sorted(table.rows(), key=table.key)


def feed_error(store: Store, kind: Kind) -> str | None:
    """Return why a list is incomplete; None if it is complete."""
    feed = store.feed(kind)
    if feed.problem is not None:
        return str(feed.problem).replace(RETRIED, "Run the command again.")
    if feed.unread:
        return f"{feed.unread} as created: {feed.remark}"
    if not feed.offered and not feed.tracked:
        return "The service has no such list."
    return feed.lacks(len(store.table(kind))) or (None if feed.ok else "Not read.")


def problems(store: Store, kinds: Collection[Kind] | None = None) -> list[str]:
    """Return the problems of some lists, or all; a problem of the link only once.

    Of given lists it is left out if all were read in spite of it.
    """
    found = {kind: feed_error(store, kind) for kind in (READS if kinds is None else kinds)}
    is_missed = not kinds or any(found.values())  # or at least names are
    if store.link.problem is not None and is_missed:
        return [str(store.link.problem)]
    return [f"{kind.value.replace('_', ' ')}: {error}" for kind, error in found.items() if error]


def as_of(store: Store) -> datetime | None:
    """Return the service time of the oldest read."""
    return min((time for kind in READS if (time := store.feed(kind).as_of)), default=None)


def as_json(store: Store, profile: Profile) -> dict[str, object]:
    return {
        "profile": profile.name,
        "base_url": profile.base_url,
        "as_of": as_of(store),
        "feeds": {kind.value: _feed(store, kind) for kind in READS},
        **{kind.value: rows_of(store, kind) for kind in READS},
    }


def _feed(store: Store, kind: Kind) -> dict[str, object]:
    feed = store.feed(kind)
    return {
        "ok": feed.ok,
        "as_of": feed.as_of,
        "count": len(store.table(kind)),
        "error": feed_error(store, kind),
        "remark": feed.remark or None,
    }


def exit_code(store: Store) -> ExitCode:
    """Return the exit code for the worst problem.

    A list that the service does not have is no failure, but a tracked identifier that could not be
    read instead is one.
    """
    if store.link.state is LinkState.REFUSED:
        return ExitCode.REFUSED
    feeds = [store.feed(kind) for kind in READS]
    if not any(feed.ok for feed in feeds):
        return ExitCode.UNREACHABLE
    expected = [feed for feed in feeds if feed.offered or feed.problem or feed.unread]
    if any(feed_error(store, feed.kind) for feed in expected):
        return ExitCode.IN_PART
    return ExitCode.DONE


LONGEST_NAME = 40  # Cells of a name or a state in a table; an identifier takes 36


def status_text(store: Store, profile: Profile) -> str:
    """Return feeds, totals, wallets and counts of movements; `--json` has every object."""
    oldest = as_of(store)
    live = "LIVE, " if profile.live else ""
    title = f"{profile.name} ({live}{profile.base_url})"
    head = (
        f"{title}, as of {utc(oldest.replace(microsecond=0))}"
        if oldest
        else f"{title}, nothing was read"
    )
    amounts = ("available", "reserved", "pending")
    lines = [head]
    for head_row, body, alignment in (
        (("Feeds", "count", ""), _feeds(store), "<><"),
        (("Totals", *amounts, "wallets"), _totals(store), "<>>>>"),
        (("Wallets", *amounts, "state", "name", "account"), _wallets(store), "<>>><<<"),
        (("Movements", "state", "count"), _movements(store), "<<>"),
    ):
        if rows := list(body):
            lines += ["", *columns([head_row, *rows], alignment)]
    return "\n".join(lines)


def _feeds(store: Store) -> Iterator[Row]:
    for kind in READS:
        feed = store.feed(kind)
        told_already = feed.problem is not None and feed.problem == store.link.problem
        error = "not read" if told_already else feed_error(store, kind)
        yield (
            kind.value.replace("_", " "),
            str(len(store.table(kind))),
            error or (f"ok; {feed.remark}" if feed.remark else "ok"),
        )


def _totals(store: Store) -> Iterator[Row]:
    for total in totals(store.wallets.rows()):
        untold = f" ({total.untold} untold)" if total.untold else ""
        yield (
            total.currency,
            *_amounts(total.currency, total.available, total.reserved, total.pending),
            f"{total.wallets}{untold}",
        )


def _wallets(store: Store) -> Iterator[Row]:
    def order(wallet: Wallet) -> tuple[str, str, str]:
        return wallet.currency or "", account_name(store, wallet.account_id), wallet.wallet_id

    for wallet in sorted(store.wallets.rows(), key=order):
        currency = wallet.currency or CurrencyCode(MISSING)
        balances = (wallet.available_balance, wallet.reserved_balance, wallet.pending_balance)
        yield (
            currency,
            *_amounts(currency, *balances),
            _state(wallet.status),
            truncated(wallet_label(store, wallet.wallet_id), LONGEST_NAME),
            truncated(account_name(store, wallet.account_id), LONGEST_NAME),
        )


def _movements(store: Store) -> Iterator[Row]:
    movements: tuple[tuple[Kind, Sequence[Payment | Trade | PayIn]], ...] = (
        (Kind.PAYMENTS, store.payments.rows()),
        (Kind.TRADES, store.trades.rows()),
        (Kind.PAYINS, store.payins.rows()),
    )
    for kind, rows in movements:
        states = Counter(_state(row.status) for row in rows)
        for state, count in sorted(states.items()):
            yield kind.value, state, str(count)


def _amounts(currency: CurrencyCode, *amounts: Decimal | None) -> tuple[str, ...]:
    return tuple(format_amount(amount, currency) for amount in amounts)


def _state(state: State | None) -> str:
    return truncated(state.name.replace("_", " "), LONGEST_NAME) if state else MISSING
