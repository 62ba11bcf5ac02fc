"""The outcome of a confirmed trade, followed to its end."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.intent import Intent, IntentRow
from paytui.domain.models import Kind, Trade, TradeId
from paytui.domain.money import Pair
from paytui.tui.context import Desk
from paytui.tui.details.fields import amount_words
from paytui.tui.details.state_path import TRADE, journey_here
from paytui.tui.format.cells import state_cell
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.intent_lines import intent_lines
from paytui.tui.wizards.payment_end import end_words
from paytui.tui.wizards.payment_lines import reference_line
from paytui.tui.wizards.step import Line, StepView, line
from paytui.tui.wizards.trade_lines import rate_words


def end_view(desk: Desk, intent: Intent) -> StepView:
    """Return the outcome of a trade; booked figures are the service's own."""
    row = desk.store.intents.get(intent.intent_id)
    what = (line("Confirmed", intent.title), reference_line(intent.terms.reference))
    if row is None:
        words = (Cell("It is being written down.", Tone.MUTED),)
        return StepView(title="Trade", name="confirmed", lines=what, words=words)
    return StepView(
        title="Trade",
        name="confirmed",
        lines=(*what, *_lines(desk, row)),
        words=tuple(end_words(desk, row)),
        became=desk.store.trades.get(TradeId(row.object_id)) if row.object_id else None,
    )


def _lines(desk: Desk, row: IntentRow) -> Iterator[Line]:
    trade = desk.store.trades.get(TradeId(row.object_id)) if row.object_id else None
    return intent_lines(desk, row, "Trade", _trade(desk, trade))


def _trade(desk: Desk, trade: Trade | None) -> Iterator[Line]:
    if trade is None:
        yield line("State", "not read yet", tone=Tone.MUTED)
        return
    yield from _booked(trade)
    yield Line("State", (state_cell(trade.status),))
    if trade.status is not None:
        name = trade.status.name
        journey = journey_here(desk, TRADE, Kind.TRADES)
        seen = desk.store.trades.seen(trade.trade_transaction_id)
        path = [f"✓ {one}" for one in journey.passed(name) if one in seen]
        path += [f"● {name}", *(f"○ {one}" for one in journey.ahead(name))]
        yield line("Path", "  ".join(path).replace("_", " "), tone=Tone.MUTED)


def _booked(trade: Trade) -> Iterator[Line]:
    if trade.sell_amount is not None:
        sold = amount_words(trade.sell_amount, trade.sell_currency)
        yield line("You sold", sold, tone=Tone.ACCENT)
    if trade.buy_amount is not None:
        bought = amount_words(trade.buy_amount, trade.buy_currency)
        yield line("You bought", bought, tone=Tone.ACCENT)
    if trade.rate is not None and trade.sell_currency and trade.buy_currency:
        yield line("Rate", rate_words(Pair(trade.sell_currency, trade.buy_currency), trade.rate))
