"""The guards of a decision that moves money: those of a first confirmation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from paytui.domain.intent import IntentRow, Standing, Terms, Verdict
from paytui.domain.models import PaymentAddress, Recipient
from paytui.domain.money import Money, Pair, other_amount
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.store.views.rates import last_known_rate
from paytui.tui.context import Desk
from paytui.tui.guards.limits import (
    Demand,
    NoDemand,
    RefusedAbove,
    TypeIt,
    demand,
    demand_of_exchange,
)
from paytui.tui.guards.payee_warnings import deceit, is_unproven, lookalikes_of
from paytui.tui.guards.sending import TELL_ACCOUNTS, accounts_not_read, is_told_whole, may_create
from paytui.tui.wizards.decision_options import arrival_words
from paytui.tui.wizards.proof import UNPROVEN

SENDING = (Verdict.SEND, Verdict.REPEAT)
"""What lets money move."""

UNREAD = "The account that it pays was not read yet: this can be decided once it was."


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReview:
    """The warnings and obstacles of a decision.

    Attributes:
        demand: what has to be typed for it, or why it is refused.
        address: the account that it pays, as it is shown.
        deceit: how the payee could be another than is meant, in words.
        lookalikes: payments and other intents that it may be the same as, in words.
        unread: why the account's bank details are to be read again; empty where they are not.
        barred: why nothing can be decided at all; empty where it can.
    """

    demand: Demand = field(default_factory=NoDemand)
    address: PaymentAddress | None = None
    deceit: tuple[str, ...] = ()
    lookalikes: tuple[str, ...] = ()
    unread: str = ""
    barred: str

    @property
    def refusal(self) -> str:
        """Return why it is not done whatever is typed; empty if it can be."""
        refused = self.demand.words if isinstance(self.demand, RefusedAbove) else ""
        return self.barred or refused

    @property
    def asked(self) -> str | None:
        """Return the text to type; None for nothing."""
        if self.barred or not isinstance(self.demand, TypeIt):
            return None
        return self.demand.text

    def why_not(self, typed: str) -> str:
        """Return why it cannot be done with so much typed to confirm it; empty if it can."""
        if self.refusal or self.asked in (None, typed.strip()):
            return self.refusal
        return f"Type {self.asked} to confirm."


def review_of(desk: Desk, row: IntentRow, verdict: Verdict, proven: str) -> DecisionReview:
    """Review a decision now; `proven` is the hash of an account that was proven."""
    too_early = arrival_words(desk, row) if verdict.rests_on_absence else ""
    barred = may_create(desk) or too_early
    if verdict not in SENDING or not row.action.moves_money:
        return DecisionReview(barred=barred)
    unread = _unread(desk, row.terms)
    return DecisionReview(
        demand=_demand(desk, row.terms),
        address=paid_address(desk.store, row.terms),
        deceit=tuple(_deceit(desk, row.terms)),
        lookalikes=lookalikes_of(desk.store, row, desk.time.latest()),
        unread=unread,
        barred=barred or unread or _bar_of_account(desk, row.terms, proven),
    )


def _deceit(desk: Desk, terms: Terms) -> Iterable[str]:
    payee, address = _payee(desk.store, terms), paid_address(desk.store, terms)
    return deceit(desk, payee, address) if payee is not None and address is not None else ()


def _unread(desk: Desk, terms: Terms) -> str:
    if terms.payment_address_id is None:
        return ""
    payee, address = _payee(desk.store, terms), paid_address(desk.store, terms)
    return accounts_not_read(desk, payee, address) or ""


def _bar_of_account(desk: Desk, terms: Terms, proven: str) -> str:
    """Return why the account that it pays is to be read or proven first; empty if it is not."""
    if terms.payment_address_id is None:
        return ""
    address = paid_address(desk.store, terms)
    if address is None:
        return "" if is_told_whole(desk, *TELL_ACCOUNTS) else UNREAD
    return UNPROVEN if is_unproven(desk, address, proven) else ""


def paid_address(store: Store, terms: Terms) -> PaymentAddress | None:
    """The account that it pays, as the service tells it now; None where it tells none."""
    recipient = _payee(store, terms)
    known = addresses_of(store, recipient) if recipient else ()
    return next((one for one in known if one.payment_address_id == terms.payment_address_id), None)


def _payee(store: Store, terms: Terms) -> Recipient | None:
    return store.recipients.get(terms.recipient_id) if terms.recipient_id else None


def is_decided(before: IntentRow, now: IntentRow, verdict: Verdict) -> bool:
    """Return True if an intent shows that the decision was carried out."""
    match verdict:
        case Verdict.DONE:
            return now.standing is Standing.DONE
        case Verdict.NOT_DONE:
            return now.standing is Standing.NOT_DONE
        case Verdict.SEND | Verdict.REPEAT:
            return (now.attempts, now.since) != (before.attempts, before.since)


def _demand(desk: Desk, terms: Terms) -> Demand:
    profile = desk.settings.profile
    if terms.amount is None or terms.currency is None:
        return RefusedAbove("How much it is is not known.")
    if terms.sell_currency is None or terms.buy_currency is None:
        return demand(profile, terms.amount, terms.currency, terms.recipient_id)
    pair = Pair(terms.sell_currency, terms.buy_currency)
    rate = terms.rate or last_known_rate(desk.store, pair)
    other = other_amount(pair, terms.currency, terms.amount, rate)
    fixed = Money(terms.amount, terms.currency)
    turned = pair.buy if terms.currency == pair.sell else pair.sell
    return demand_of_exchange(profile, fixed, other, turned, terms.recipient_id)
