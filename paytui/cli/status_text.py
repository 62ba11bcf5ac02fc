"""What `paytui status` prints for a person: feeds, totals, wallets, what is under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from paytui.api.resources import READS
from paytui.cli.columns import Row, columns, shortened
from paytui.cli.jsonable import utc
from paytui.cli.snapshot import as_of, feed_error
from paytui.config.settings import Profile
from paytui.domain.models import Kind, PayIn, Payment, State, Trade, Wallet
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.store.views import account_name, totals, wallet_label

LONGEST_NAME = 40
"""Cells of a name or a state in a table; identifiers have 36."""


def status_text(store: Store, profile: Profile) -> str:
    """The whole text; `--json` has every object."""
    oldest = as_of(store)
    live = "LIVE, " if profile.live else ""
    title = f"{profile.name} ({live}{profile.base_url})"
    head = (
        f"{title}, as of {utc(oldest.replace(microsecond=0))}"
        if oldest
        else f"{title}, nothing was read"
    )
    tables = (
        _table("Feeds", ("", "count", ""), _feeds(store), "<><"),
        _table(
            "Totals",
            ("", "available", "reserved", "pending", "wallets"),
            _totals(store),
            "<>>>>",
        ),
        _table(
            "Wallets",
            ("", "available", "reserved", "pending", "state", "name", "account"),
            _wallets(store),
            "<>>>" + "<<<",
        ),
        _table("Movements", ("", "state", "count"), _movements(store), "<<>"),
    )
    return "\n".join([head, *(line for table in tables for line in table)])


def _table(title: str, head: Row, body: Iterator[Row], alignment: str) -> list[str]:
    """A titled table, after an empty line; nothing at all where there are no rows."""
    rows = list(body)
    if not rows:
        return []
    return ["", *columns([(title, *head[1:]), *rows], alignment)]


def _feeds(store: Store) -> Iterator[Row]:
    for kind in READS:
        feed, count = store.feed(kind), len(getattr(store, kind.value))
        told_already = feed.problem is not None and feed.problem == store.link.problem
        error = "not read" if told_already else feed_error(feed, count)
        yield kind.value.replace("_", " "), str(count), error or _well(feed)


def _well(feed: Feed) -> str:
    return f"ok; {feed.remark}" if feed.remark else "ok"


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
            shortened(wallet_label(store, wallet.wallet_id), LONGEST_NAME),
            shortened(account_name(store, wallet.account_id), LONGEST_NAME),
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
    return shortened(state.name.replace("_", " "), LONGEST_NAME) if state else MISSING
