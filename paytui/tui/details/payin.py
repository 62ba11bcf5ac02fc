"""A pay-in in full."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from paytui.domain.models import Kind, PayIn
from paytui.domain.money import MISSING
from paytui.tui.context import Desk
from paytui.tui.details.facts import (
    Fact,
    Group,
    Ref,
    amount_fact,
    amount_words,
    fact,
    group,
    text_fact,
)
from paytui.tui.details.journeys import PAYIN
from paytui.tui.details.links import link_fact, links_group
from paytui.tui.details.timeline import states_group
from paytui.tui.format.cells import state_cell
from paytui.tui.format.times import short_time

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def payin_groups(desk: Desk, payin: PayIn) -> list[Group]:
    """Everything known of a pay-in."""
    return [
        group(
            "Pay-in",
            amount_fact("Amount", payin.amount, payin.currency),
            fact("State", payin.status),
            fact("Sender", payin.sender_name),
            fact("Reference", payin.reference),
            link_fact(desk, "Into wallet", Kind.WALLETS, payin.wallet_id),
            link_fact(desk, "At", Kind.PAYIN_ADDRESSES, payin.pay_in_address_id),
        ),
        states_group(
            desk,
            PAYIN,
            Kind.PAYINS,
            payin,
            {"received": payin.created_at, "credited": payin.credited_at},
        ),
        group(
            "Identifiers",
            fact("Pay-in", payin.pay_in_transaction_id),
            fact("Wallet", payin.wallet_id),
            fact("Pay-in address", payin.pay_in_address_id),
        ),
    ]


def newest_payins(desk: Desk, keep: Callable[[PayIn], bool]) -> Group:
    """The pay-ins for which `keep` holds, the newest first, each to be opened."""
    mine = [payin for payin in desk.store.payins.rows() if keep(payin)]
    mine.sort(key=lambda payin: payin.created_at or _LONG_AGO, reverse=True)
    return links_group("Pay-ins", mine, lambda payin: _line(desk, payin))


def _line(desk: Desk, payin: PayIn) -> Fact:
    """Return the amount, state, sender and reference of a pay-in."""
    amount = MISSING if payin.amount is None else amount_words(payin.amount, payin.currency)
    told = (amount, state_cell(payin.status).text, payin.sender_name, payin.reference)
    words = "  ".join(part for part in told if part)
    link = Ref(Kind.PAYINS, payin.pay_in_transaction_id)
    return text_fact(short_time(payin.created_at, desk.zone), words, link=link)
