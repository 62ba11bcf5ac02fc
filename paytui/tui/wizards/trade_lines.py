"""The lines of a trade wizard."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from paytui.domain.models import AccountId, RateSheet, Wallet
from paytui.domain.money import Pair, inverse, plain, significant
from paytui.store.views import RateRow, account_name, rate_rows, recipient_title
from paytui.tui.context import Desk
from paytui.tui.forms.amount import echo
from paytui.tui.theme.themes import Tone
from paytui.tui.wizards.deal import Deal
from paytui.tui.wizards.payment_lines import balance_words, bank_lines
from paytui.tui.wizards.payment_options import address_title, another_account, told_apart_by
from paytui.tui.wizards.rate_lock import RateLock
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.step import Line, line
from paytui.tui.wizards.trade_draft import PARTIES, Payee, Side, Step, TradeDraft

FIXED = "fixed"


def answers(desk: Desk, draft: TradeDraft, step: Step | ServiceField) -> Iterator[Line]:
    """Yield what the questions before the one on view were answered with."""
    before = PARTIES[: PARTIES.index(step)] if step in PARTIES else PARTIES
    if Step.ACCOUNT in before:
        yield line("Account", account_name(desk.store, draft.account_id))
    source = desk.store.wallets.get(draft.sell_wallet_id) if draft.sell_wallet_id else None
    if source is not None and Step.SELL in before:
        yield wallet_line(desk, "Sell from", source, draft.account_id)
    key = draft.buy_wallet_id
    target = desk.store.wallets.get(key) if key else None
    if target is not None and Step.BUY in before:
        yield wallet_line(desk, "Buy into", target, draft.account_id)
    recipient = desk.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and Step.BUY in before:
        yield line("Buy for", recipient_title(recipient), ", ".join(desk.likeness.of(recipient)))


def wallet_line(desk: Desk, label: str, wallet: Wallet, account_id: AccountId | None) -> Line:
    """A wallet, what it holds by now, and whose it is where that is not the account that sells."""
    known = desk.store.wallets.get(wallet.wallet_id) or wallet
    words = [known.wallet_name or known.wallet_id]
    if known.account_id != account_id:
        words.append(another_account(desk.store, known))
    return line(label, " · ".join(words), balance_words(desk, known))


def amount_lines(deal: Deal) -> Iterator[Line]:
    """Both amounts: one is fixed, of the other the service decides."""
    yield _amount_line("You sell", deal, Side.SELL)
    yield _amount_line("You buy", deal, Side.BUY)


def deal_lines(desk: Desk, deal: Deal, *, hidden: bool) -> Iterator[Line]:
    """Both amounts, where they leave and where they go; with the bank, where that is one."""
    yield _amount_line("You sell", deal, Side.SELL)
    source = deal.legs.source
    yield wallet_line(desk, "  from", source, source.account_id)
    yield _amount_line("You buy", deal, Side.BUY)
    target = deal.legs.target
    if isinstance(target, Payee):
        name = recipient_title(target.recipient)
        yield line("  for", name, address_title(desk, target.address))
        if told_apart_by(target.recipient):
            yield line("Recipient id", target.recipient.recipient_id)
        yield from bank_lines(target.address, hidden=hidden)
    else:
        yield wallet_line(desk, "  into", target, source.account_id)


def locked_lines(desk: Desk, lock: RateLock) -> Iterator[Line]:
    """The locked rate in each way of writing it, and what it was before a requote."""
    if lock.sheet is None or lock.rate is None:
        return
    tone = Tone.INK if lock.good else Tone.EXPIRED
    yield line("Rate", rate_words(lock.pair, lock.rate), lock.phase, tone)
    if lock.before is not None:
        was = f"was {plain(lock.before)} → now {plain(lock.rate)}"
        yield line("", was, moved(lock.before, lock.rate), Tone.CLOSING)
    yield from _other_ways(_row(desk, lock.sheet, lock.pair), tone)


def real_time_lines(pair: Pair, indication: Decimal | None) -> Iterator[Line]:
    """Yield that the rate is the service's, with the last known one."""
    yield line("Rate", "real-time: the service's own at booking", "not locked", Tone.CLOSING)
    if indication is not None:
        yield line("Last known", rate_words(pair, indication), "binds nobody", Tone.MUTED)


def rate_words(pair: Pair, rate: Decimal) -> str:
    """The service's direction, every digit of the wire and at least six that count."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"


def moved(before: Decimal, now: Decimal) -> str:
    """Return the change of a rate, as a sign and in digits."""
    change = now - before
    if not change:
        return "= 0"
    return f"▲ +{plain(change)}" if change > 0 else f"▼ {plain(change)}"


def _amount_line(label: str, deal: Deal, side: Side) -> Line:
    currency = deal.legs.currency(side)
    if side is deal.side:
        return line(label, echo(deal.amount, currency), FIXED, Tone.ACCENT)
    other = deal.other_amount
    if other is None:
        return line(label, f"{currency}", "as much as the service's rate gives", Tone.INK)
    return line(label, f"≈ {echo(other, currency)}", "until it is booked")


def _row(desk: Desk, sheet: RateSheet, pair: Pair) -> RateRow:
    rows = rate_rows(sheet, None, desk.settings.rates.desk_order)
    return next(row for row in rows if row.pair == pair)


def _other_ways(row: RateRow, tone: Tone) -> Iterator[Line]:
    if row.market_rate is not None:
        side = f" {row.side}" if row.side else ""
        yield line("Market", f"{row.market}{side} {significant(row.market_rate)}", "", tone)
    turned = inverse(row.rate)
    if turned is not None:
        yield line("Inverse", rate_words(row.pair.reverse, turned), "", tone)
