"""Comparison of the dashboard with the service's own books."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from paytui.domain.models import State
from paytui.store.store import Store
from tests.simulation.service import Service
from tests.simulation.site import Site


def wrong_in_store(site: Site, store: Store) -> Iterator[str]:
    """In words, what is shown otherwise than it is, or not at all."""
    yield from _different("payment", _shown_payments(store), site.service.payments())
    if site.scenario.lists_all:
        yield from _different("trade", _shown_trades(store), site.service.trades())
        yield from _different_wallets(store, site.service)


def _different(what: str, shown: dict[str, str], true: dict[str, str]) -> Iterator[str]:
    for identifier in sorted(shown.keys() | true.keys()):
        ours, theirs = shown.get(identifier), true.get(identifier)
        if ours != theirs:
            yield f"{what} {identifier} is shown as {ours} and is {theirs}"


def _shown_payments(store: Store) -> dict[str, str]:
    return {row.payment_transaction_id: _word(row.status) for row in store.payments.rows()}


def _shown_trades(store: Store) -> dict[str, str]:
    return {row.trade_transaction_id: _word(row.status) for row in store.trades.rows()}


def _different_wallets(store: Store, service: Service) -> Iterator[str]:
    shown: dict[str, tuple[Decimal | None, Decimal | None]] = {
        row.wallet_id: (row.available_balance, row.reserved_balance) for row in store.wallets.rows()
    }
    for wallet_id, held in service.held().items():
        if shown.get(wallet_id) != held:
            yield f"wallet {wallet_id} is shown with {shown.get(wallet_id)} and holds {held}"


def _word(state: State | None) -> str:
    return "" if state is None else state.name
