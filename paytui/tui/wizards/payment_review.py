"""The review of an order: the facts to confirm, by which a change is noticed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from paytui.domain.models import Kind, Wallet
from paytui.domain.requests import MoneyRequest
from paytui.tui.context import Desk
from paytui.tui.guards.limits import Demand, RefusedAbove, TypeIt, demand
from paytui.tui.guards.payee_warnings import deceit, is_unproven, lookalikes
from paytui.tui.guards.sending import accounts_not_read, may_create, not_yet_read, service_warnings
from paytui.tui.wizards.deal import identity
from paytui.tui.wizards.payment_options import Party, unsure
from paytui.tui.wizards.payment_order import Order, PayoutOrder
from paytui.tui.wizards.payment_state import PaymentState
from paytui.tui.wizards.proof import UNPROVEN
from paytui.tui.wizards.service_fields import required_trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """An order, and what a trader should know before it is confirmed.

    Attributes:
        request: what goes out, with the tag in its reference.
        demand: what has to be typed for it, or why it is refused.
        deceit: how the payee could be another than is meant, in words.
        unsure: what nobody knows to be Active, or the token to be for, in words.
        lookalikes: payments and intents that it may be the same as, in words.
        short_by: what the wallet lacks; None where it lacks nothing, or nobody knows.
        unread: why the account's bank details are to be read again; empty where they are not.
        is_hidden: whether the account is still to be proven, so that its number is not shown.
        barred: why nothing can be sent at all; empty where it can.
    """

    order: Order
    request: MoneyRequest
    demand: Demand
    deceit: tuple[str, ...]
    unsure: tuple[str, ...]
    lookalikes: tuple[str, ...]
    short_by: Decimal | None
    unread: str
    is_hidden: bool
    barred: str

    @property
    def deal(self) -> object:
        """All that a trader agrees to; balances come and go without making it another one."""
        order = self.order
        if isinstance(order, PayoutOrder):
            goes_to: object = (replace(order.recipient, payment_addresses=()), order.address)
        else:
            goes_to = identity(order.destination)
        figures = (order.amount, order.currency, self.request.reference, order.extra)
        lacks = self.short_by is not None
        said = (*self.deceit, *self.unsure, *self.lookalikes)
        return (identity(order.source), goes_to, figures, self.demand, said, lacks)

    @property
    def is_barred(self) -> bool:
        """Return True if it cannot be sent, whatever is typed."""
        return bool(self.barred) or isinstance(self.demand, RefusedAbove)

    def why_not(self, typed: str) -> str:
        """Return why it cannot be sent, with so much typed to confirm it; empty if it can."""
        if self.barred:
            return self.barred
        match self.demand:
            case RefusedAbove(words):
                return words
            case TypeIt(text) if typed.strip() != text:
                return f"Type {text} to confirm."
            case _:
                return ""


def review_of(desk: Desk, order: Order, state: PaymentState) -> Review:
    """Review an order now."""
    unread, unproven = _unread(desk, order), _unproven(desk, order, state.proven)
    return Review(
        order=order,
        request=desk.maker.as_sent(order.request, state.intent_id),
        demand=_demand(desk, order),
        deceit=tuple(_deceit(desk, order)),
        unsure=(*unsure(*_parties(order)), *service_warnings(desk, "payments")),
        lookalikes=lookalikes(desk.store, order.request, desk.time.latest()),
        short_by=short_by(order.source, order.amount),
        unread=unread,
        is_hidden=bool(unproven),
        barred=may_create(desk)
        or not_yet_read(desk, Kind.WALLETS)
        or unread
        or required_trouble(desk.vocabulary, order.request)
        or unproven,
    )


def _unread(desk: Desk, order: Order) -> str:
    if not isinstance(order, PayoutOrder):
        return ""
    return accounts_not_read(desk, order.recipient, order.address) or ""


def _unproven(desk: Desk, order: Order, proven: str) -> str:
    if not isinstance(order, PayoutOrder):
        return ""
    return UNPROVEN if is_unproven(desk, order.address, proven) else ""


def _deceit(desk: Desk, order: Order) -> Iterable[str]:
    return deceit(desk, order.recipient, order.address) if isinstance(order, PayoutOrder) else ()


def _parties(order: Order) -> tuple[Party, ...]:
    if isinstance(order, PayoutOrder):
        return order.source, order.recipient, order.address
    return order.source, order.destination


def _demand(desk: Desk, order: Order) -> Demand:
    recipient = order.recipient.recipient_id if isinstance(order, PayoutOrder) else None
    return demand(desk.settings.profile, order.amount, order.currency, recipient)


def short_by(wallet: Wallet, amount: Decimal) -> Decimal | None:
    """Return what a wallet lacks of an amount; None if it lacks nothing, or nobody knows."""
    available = wallet.available_balance
    return amount - available if available is not None and available < amount else None
