"""What happened before the sandbox was started: days of payments, trades and pay-ins."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from paytui.sandbox import traffic
from paytui.sandbox.amounts import rounded, unit
from paytui.sandbox.bank import Bank
from paytui.sandbox.chance import happens
from paytui.sandbox.currencies import CURRENCIES
from paytui.sandbox.seed.draft import Draft
from paytui.sandbox.seed.events import Events, Notice, moment_of
from paytui.sandbox.seed.names import Names
from paytui.sandbox.seed.parties import Parties, Registrar, Span, Wallet

LENGTH = timedelta(days=10)
OPEN_SPAN = timedelta(seconds=40)
"""What is still open began in so short a time before the start."""

FEWEST_OPEN = 6
OPEN_SHARE = 50
TRADES_PER_PAYMENT = 0.15
PAYINS_PER_PAYMENT = 0.2


def write_history(bank: Bank, now: datetime) -> None:
    """Fill an empty database with what happened before: `scale` payments, and what fits them."""
    draft = Draft(bank)
    start = now - LENGTH
    names = Names(bank.chance.draw("names"))
    parties = Registrar(draft, bank.chance, names, Span(start, now)).register(bank.options.scale)
    Historian(bank, draft, parties, names, now).tell(bank.options.scale)
    draft.write()
    bank.db.execute("UPDATE counter SET value = 1")
    traffic.begin(bank, now)


class Historian:
    """Writes events into a draft in the order of time."""

    def __init__(
        self, bank: Bank, draft: Draft, parties: Parties, names: Names, now: datetime
    ) -> None:
        self._rng: Random = bank.chance.draw("history")
        self._names = names
        self._events = Events(bank, draft, parties, self._rng)
        self._parties = parties
        self._payers = parties.payers()
        self._draft = draft
        self._now = now

    def tell(self, scale: int) -> None:
        """An opening pay-in for each wallet, then all kinds of events, the last ones still open."""
        for wallet in self._parties.wallets:
            opening = self._worth(wallet.currency, 6.0, 6.8)
            self._events.opening(wallet, opening, self._now - LENGTH)
        counts = {
            "payment": scale,
            "trade": math.ceil(scale * TRADES_PER_PAYMENT),
            "payin": math.ceil(scale * PAYINS_PER_PAYMENT),
        }
        opened = {
            kind: min(many // 2, FEWEST_OPEN + many // OPEN_SHARE) for kind, many in counts.items()
        }
        closed = {kind: many - opened[kind] for kind, many in counts.items()}
        start, end = self._now - LENGTH, self._now - OPEN_SPAN
        self._tell_all(self._shuffled(closed), start, end, is_open=False)
        self._tell_all(self._shuffled(opened), end, self._now, is_open=True)

    def _tell_all(self, kinds: list[str], start: datetime, end: datetime, *, is_open: bool) -> None:
        """Events at even distances."""
        for index, kind in enumerate(kinds, start=1):
            at = start + (end - start) * (index / (len(kinds) + 1))
            self._tell_one(kind, at, is_open=is_open)

    def _shuffled(self, counts: dict[str, int]) -> list[str]:
        kinds = [kind for kind, many in counts.items() for _ in range(many)]
        self._rng.shuffle(kinds)
        return kinds

    def _tell_one(self, kind: str, at: datetime, *, is_open: bool) -> None:
        wallet = self._rng.choice(self._payers if kind == "payment" else self._parties.wallets)
        moment = moment_of(at, self._now, is_open=is_open)
        reference = self._names.reference() if happens(self._rng, 0.8) else None
        if kind == "payin":
            notice = Notice(self._names.anyone(), reference)
            self._events.payin(wallet, self._worth(wallet.currency, 2.0, 5.3), moment, notice)
            return
        amount = self._affordable(wallet)
        if kind == "payment":
            self._events.payment(wallet, amount, moment, reference)
        else:
            self._events.trade(wallet, amount, moment, reference)

    def _affordable(self, wallet: Wallet) -> Decimal:
        """Something that leaves the wallet most of what it holds."""
        most = rounded(self._draft.available(wallet.wallet_id) / 20, wallet.currency)
        return max(unit(wallet.currency), min(self._worth(wallet.currency, 1.7, 5.3), most))

    def _worth(self, currency: str, low: float, high: float) -> Decimal:
        """An amount worth 10^low to 10^high dollars, as often as not a round one."""
        dollars = 10 ** self._rng.uniform(low, high)
        amount = dollars / CURRENCIES[currency].dollars
        if happens(self._rng, 0.5):
            amount = float(f"{amount:.1e}")
        return max(unit(currency), rounded(Decimal(f"{amount:.4f}"), currency))
