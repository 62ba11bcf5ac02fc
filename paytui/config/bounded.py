"""A profile's limits as they hold: the user's and the operator's together, the tighter of each."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from paytui.config.schema import OperatorLimits, RecipientTable
from paytui.config.settings import Bounds, Limits
from paytui.domain.money import CurrencyCode


def limits_of(amounts: Mapping[str, Decimal]) -> Limits:
    """Amounts by currency, as they are written."""
    return {CurrencyCode(code): amount for code, amount in amounts.items()}


def tighter(own: Limits, others: Limits) -> Limits:
    """Both: of a currency that both have, the lower."""
    both = {**others, **own}
    return {code: min(amount, others.get(code, amount)) for code, amount in both.items()}


def tighter_where_there_are(own: Limits, others: Limits) -> Limits:
    """Those of one, none above the other's: a currency without one is bound without it."""
    return {code: min(amount, others.get(code, amount)) for code, amount in own.items()}


def recipients_of(
    own: Mapping[str, RecipientTable], operator: OperatorLimits
) -> Mapping[str, Bounds]:
    """By identifier, what holds of some recipients beside all else."""
    named = dict.fromkeys((*own, *operator.recipients))
    nothing = RecipientTable()
    return {
        name: _both(own.get(name, nothing), operator.recipients.get(name, nothing))
        for name in named
    }


def _both(own: RecipientTable, operator: RecipientTable) -> Bounds:
    return Bounds(
        confirm_above=tighter(limits_of(own.confirm_above), limits_of(operator.confirm_above)),
        refuse_above=tighter(limits_of(own.refuse_above), limits_of(operator.refuse_above)),
    )
