"""The review of a deal: its warnings and obstacles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from paytui.domain.intent import IntentId
from paytui.domain.models import Kind
from paytui.domain.money import Money
from paytui.domain.requests import MoneyRequest
from paytui.tui.context import UiContext
from paytui.tui.guards.limits import Demand, RefusedAbove, TypeAmount, demand, demand_of_exchange
from paytui.tui.guards.payee_warnings import duplicate_warnings, name_warnings
from paytui.tui.guards.sending import accounts_not_read, may_create, not_yet_read, service_warnings
from paytui.tui.wizards.common_steps import UNPROVEN
from paytui.tui.wizards.payment.options import Party, unsure
from paytui.tui.wizards.payment.view import short_by
from paytui.tui.wizards.service_fields import required_trouble
from paytui.tui.wizards.trade.draft import Deal, Payee, legs_need_account_check


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeReview:
    """The facts to confirm; if any of them changes, a new review is required.

    Attributes:
        request: as it is sent, with the tag in its reference.
        asked: the text to type for it; None for nothing.
        name_warnings: reasons to suspect another payee than is meant, in words.
        unsure: warnings about parties of unknown status and the token's scopes.
        duplicate_warnings: intents that it may be the same as, in words.
        unread: the reason to read the bank details again; empty if there is none.
        is_hidden: True if the account is to be checked first, so that its number is hidden.
        barred: the reason why it cannot be sent whatever is typed; empty if it can.
    """

    deal: Deal
    request: MoneyRequest
    asked: str | None
    name_warnings: tuple[str, ...]
    unsure: tuple[str, ...]
    duplicate_warnings: tuple[str, ...]
    unread: str
    is_hidden: bool
    barred: str

    def why_not(self, typed: str) -> str:
        """Return the reason why it cannot be sent with this text typed; empty if it can."""
        if self.barred or self.asked in (None, typed.strip()):
            return self.barred
        return f"Type {self.asked} to confirm."


def review_of(desk: UiContext, deal: Deal, proven: str, intent_id: IntentId) -> TradeReview:
    """Review a deal now.

    Args:
        desk: the store, the settings and the clock.
        deal: the trade.
        proven: the hash of the account that was confirmed to be the recipient's.
        intent_id: of the next intent.
    """
    wanted, unread = _demand(desk, deal), _unread(desk, deal)
    is_hidden = legs_need_account_check(desk, deal.legs, proven)
    return TradeReview(
        deal=deal,
        request=desk.maker.as_sent(deal.request, intent_id),
        asked=wanted.text if isinstance(wanted, TypeAmount) else None,
        name_warnings=tuple(_name_warnings(desk, deal)),
        unsure=(*unsure(*_parties(deal)), *service_warnings(desk, "trades")),
        duplicate_warnings=duplicate_warnings(desk.store, deal.request, desk.time.latest()),
        unread=unread,
        is_hidden=is_hidden,
        barred=may_create(desk)
        or not_yet_read(desk, Kind.WALLETS)
        or _refusal(wanted)
        or unread
        or required_trouble(desk.vocabulary, deal.request)
        or (UNPROVEN if is_hidden else ""),
    )


def _unread(desk: UiContext, deal: Deal) -> str:
    match deal.legs.target:
        case Payee(recipient, address):
            return accounts_not_read(desk, recipient, address) or ""
        case _:
            return ""


def limit_refusal(desk: UiContext, deal: Deal) -> str:
    """Return the profile's refusal of these amounts, as far as they are known; else empty."""
    if deal.other_amount is not None:
        return _refusal(_demand(desk, deal))
    fixed, payee = deal.legs.currency(deal.side), deal.request.recipient_id
    return _refusal(demand(desk.settings.profile, deal.amount, fixed, payee))


def _name_warnings(desk: UiContext, deal: Deal) -> Iterable[str]:
    target = deal.legs.target
    return (
        name_warnings(desk, target.recipient, target.address) if isinstance(target, Payee) else ()
    )


def _parties(deal: Deal) -> tuple[Party, ...]:
    source, target = deal.legs.source, deal.legs.target
    if isinstance(target, Payee):
        return source, target.recipient, target.address
    return source, target


def _refusal(asked: Demand) -> str:
    return asked.words if isinstance(asked, RefusedAbove) else ""


def _demand(desk: UiContext, deal: Deal) -> Demand:
    fixed, other = deal.legs.currency(deal.side), deal.legs.currency(deal.side.other)
    amount = Money(deal.amount, fixed)
    payee = deal.request.recipient_id
    return demand_of_exchange(desk.settings.profile, amount, deal.other_amount, other, payee)


def deal_shortfall(desk: UiContext, deal: Deal) -> Decimal | None:
    """Return the sold amount that the wallet lacks; None if it lacks nothing, or is unknown."""
    source = desk.store.wallets.get(deal.legs.source.wallet_id)
    return short_by(source, deal.sold) if source and deal.sold is not None else None
