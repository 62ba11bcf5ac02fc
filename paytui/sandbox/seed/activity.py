"""Simulated activity of other users while the service runs: pay-ins, payments and trades."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from paytui.sandbox import context
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import savepoint
from paytui.sandbox.ledger import rounded, text
from paytui.sandbox.messages import ApiError, JsonObject
from paytui.sandbox.seed.accounts import NameGenerator
from paytui.sandbox.service import payins, payments, trades

EVERY = {"payin": 12.0, "payout": 25.0, "transfer": 45.0, "trade": 50.0}
"""Mean seconds between two actions of each kind, at speed 1, plus or minus a half."""

MOST_TO_CATCH_UP = timedelta(hours=1)
"""Longer pauses (at speed 1) are not caught up."""

NOBODY = "traffic"

OF_OTHERS = "createdAt < (SELECT epoch FROM clock)"
"""The condition for wallets of the history; later ones are the caller's own."""


def begin(bank: Bank, now: datetime) -> None:
    """Schedule the first action of each kind."""
    for kind, seconds in EVERY.items():
        context.later(bank, "traffic", kind, now, seconds)


def happen(bank: Bank, kind: str, at: datetime) -> None:
    """Run one action, if it is possible, and schedule the next of its kind."""
    missed = (bank.clock.now() - at) * bank.options.speed
    if missed > MOST_TO_CATCH_UP:
        at = bank.clock.now()
    rng = bank.chance.draw("traffic", kind, iso(at))
    try:
        with savepoint(bank.db):
            DEEDS[kind](bank, rng, at)
    except ApiError:
        pass  # the wallet holds too little, or its market is closed
    context.later(bank, "traffic", kind, at, EVERY[kind])


def _pay_in(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    names = NameGenerator(rng, awkward=bank.options.awkward)
    amount = _part(rng, available, currency)
    sent = payins.Transfer(wallet_id, amount, names.anyone(), names.reference())
    payins.arrive(bank, sent, at)


def _payout(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    query = (
        "SELECT recipientId, paymentAddressId FROM payment_addresses JOIN recipients"
        " USING (recipientId) JOIN wallets USING (accountId) WHERE walletId = ?"
        " AND payment_addresses.currency = ? ORDER BY payment_addresses.seq"
    )
    places = bank.db.execute(query, (wallet_id, currency)).fetchall()
    if places:
        recipient_id, address_id = rng.choice(places)
        amount = text(_part(rng, available, currency), currency)
        body: JsonObject = {
            "sourceWalletId": wallet_id,
            "recipientId": recipient_id,
            "paymentAddressId": address_id,
            "amount": amount,
            "reference": NameGenerator(rng, awkward=bank.options.awkward).reference(),
        }
        payments.payout(bank, _call(body, at))


def _transfer(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    chosen = f"{OF_OTHERS} AND currency = ? AND walletId != ? ORDER BY seq LIMIT 50"
    query = f"SELECT walletId FROM wallets WHERE {chosen}"  # noqa: S608 - our own words
    others = bank.db.execute(query, (currency, wallet_id)).fetchall()
    if others:
        body: JsonObject = {
            "sourceWalletId": wallet_id,
            "destinationWalletId": rng.choice(others)[0],
            "amount": text(_part(rng, available, currency), currency),
            "reference": NameGenerator(rng, awkward=bank.options.awkward).reference(),
        }
        payments.transfer(bank, _call(body, at))


def _trade(bank: Bank, rng: Random, at: datetime) -> None:
    sell_id, sell, available = _wallet(bank, rng)
    buy_id, buy, _ = _wallet(bank, rng)
    body: JsonObject = {
        "sellCurrency": sell,
        "buyCurrency": buy,
        "sellAmount": text(_part(rng, available, sell), sell),
        "sellWalletId": sell_id,
        "buyWalletId": buy_id,
        "reference": NameGenerator(rng, awkward=bank.options.awkward).reference(),
    }
    trades.book(bank, _call(body, at))


DEEDS: dict[str, Callable[[Bank, Random, datetime], None]] = {
    "payin": _pay_in,
    "payout": _payout,
    "transfer": _transfer,
    "trade": _trade,
}


def _wallet(bank: Bank, rng: Random) -> tuple[str, str, Decimal]:
    """Return a wallet of the history: identifier, currency and available balance."""
    wallets = f"FROM wallets WHERE {OF_OTHERS}"
    (count,) = bank.db.execute(f"SELECT count(*) {wallets}").fetchone()
    query = f"SELECT walletId, currency, availableBalance {wallets} LIMIT 1 OFFSET ?"
    wallet_id, currency, available = bank.db.execute(query, (rng.randrange(count),)).fetchone()
    return wallet_id, currency, Decimal(available)


def _part(rng: Random, available: Decimal, currency: str) -> Decimal:
    """Return a small part of a wallet's balance."""
    return rounded(available * rng.randrange(1, 300) / 10000, currency)


def _call(body: JsonObject, at: datetime) -> Call:
    return Call(NOBODY, at, {}, {}, body)
