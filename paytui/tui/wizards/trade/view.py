"""The steps and outcome of a trade wizard, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from paytui.domain.intent import Intent, IntentId
from paytui.domain.models import AccountId, Kind, RateSheet, Trade, TradeId, Wallet
from paytui.domain.money import Pair, inverse, other_amount, plain, significant
from paytui.store.views import RateRow, account_name, rate_rows, recipient_title
from paytui.store.views.rates import last_known_rate
from paytui.tui.context import UiContext
from paytui.tui.details.fields import amount_words
from paytui.tui.details.state_path import TRADE, path_of_dialect
from paytui.tui.format.cells import CAREFUL, WRONG, state_cell
from paytui.tui.forms.values import echo
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.common_steps import (
    CONFIRMED,
    intent_lines,
    proof_entry,
    proof_words,
    unrecorded_view,
)
from paytui.tui.wizards.payment.options import (
    address_title,
    distinguishing_id,
    other_owner_words,
    wallet_of,
)
from paytui.tui.wizards.payment.view import (
    balance_words,
    bank_lines,
    end_words,
    reference_line,
    service_line,
    shortfall_warning,
)
from paytui.tui.wizards.protocol import Entry, Line, Option, StepView, line, to_confirm
from paytui.tui.wizards.rate_lock import RateLock
from paytui.tui.wizards.service_fields import ServiceField, extra_lines
from paytui.tui.wizards.trade.draft import (
    PARTIES,
    Deal,
    Legs,
    Obstacle,
    Payee,
    Pricing,
    Side,
    Step,
    TradeDraft,
    amount_of,
)
from paytui.tui.wizards.trade.options import (
    identifier_templates,
    options_of,
    pair_hint,
    suggested_option,
)
from paytui.tui.wizards.trade.review import TradeReview, deal_shortfall, limit_refusal, review_of

TITLE = "Trade"
FIXED = "fixed"


def answers(desk: UiContext, draft: TradeDraft, step: Step | ServiceField) -> Iterator[Line]:
    """Yield the answers of the earlier steps."""
    before = PARTIES[: PARTIES.index(step)] if step in PARTIES else PARTIES
    if Step.ACCOUNT in before:
        yield line("Account", account_name(desk.store, draft.account_id))
    source = wallet_of(desk.store, draft.sell_wallet_id)
    if source is not None and Step.SELL in before:
        yield wallet_line(desk, "Sell from", source, draft.account_id)
    target = wallet_of(desk.store, draft.buy_wallet_id)
    if target is not None and Step.BUY in before:
        yield wallet_line(desk, "Buy into", target, draft.account_id)
    recipient = desk.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and Step.BUY in before:
        yield line("Buy for", recipient_title(recipient), ", ".join(desk.likeness.of(recipient)))


def wallet_line(desk: UiContext, label: str, wallet: Wallet, account_id: AccountId | None) -> Line:
    """Return a wallet with its current balance, and its owner if that is not this account."""
    known = desk.store.wallets.get(wallet.wallet_id) or wallet
    words = [known.wallet_name or known.wallet_id]
    if known.account_id != account_id:
        words.append(other_owner_words(desk.store, known))
    return line(label, " · ".join(words), balance_words(desk, known))


def amount_lines(deal: Deal) -> Iterator[Line]:
    """Yield both amounts: the fixed one and the estimated one."""
    yield _amount_line("You sell", deal, Side.SELL)
    yield _amount_line("You buy", deal, Side.BUY)


def deal_lines(desk: UiContext, deal: Deal, *, hidden: bool) -> Iterator[Line]:
    """Yield both amounts with their source and target, and the bank of a recipient."""
    yield _amount_line("You sell", deal, Side.SELL)
    source = deal.legs.source
    yield wallet_line(desk, "  from", source, source.account_id)
    yield _amount_line("You buy", deal, Side.BUY)
    target = deal.legs.target
    if isinstance(target, Payee):
        name = recipient_title(target.recipient)
        yield line("  for", name, address_title(desk, target.address))
        if distinguishing_id(target.recipient):
            yield line("Recipient id", target.recipient.recipient_id)
        yield from bank_lines(target.address, hidden=hidden)
    else:
        yield wallet_line(desk, "  into", target, source.account_id)


def locked_lines(desk: UiContext, lock: RateLock) -> Iterator[Line]:
    """Yield the locked rate in each notation, and its change by a requote."""
    if lock.sheet is None or lock.rate is None:
        return
    tone = Tone.INK if lock.is_good else Tone.EXPIRED
    yield line("Rate", rate_words(lock.pair, lock.rate), lock.phase, tone)
    if lock.before is not None:
        was = f"was {plain(lock.before)} → now {plain(lock.rate)}"
        yield line("", was, rate_change(lock.before, lock.rate), Tone.CLOSING)
    yield from _other_ways(_row(desk, lock.sheet, lock.pair), tone)


def real_time_lines(pair: Pair, indication: Decimal | None) -> Iterator[Line]:
    """Yield that the rate is the service's, with the last known one."""
    yield line("Rate", "real-time: market rate at execution", "not locked", Tone.CLOSING)
    if indication is not None:
        yield line("Last known", rate_words(pair, indication), "indicative only", Tone.MUTED)


def rate_words(pair: Pair, rate: Decimal) -> str:
    """Format a rate in the service's direction, with at least six significant digits."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"


def rate_change(before: Decimal, now: Decimal) -> str:
    """Format the change of a rate with its sign."""
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
    return line(label, f"≈ {echo(other, currency)}", "final at booking")


def _row(desk: UiContext, sheet: RateSheet, pair: Pair) -> RateRow:
    rows = rate_rows(sheet, None, desk.settings.rates.desk_order)
    return next(row for row in rows if row.pair == pair)


def _other_ways(row: RateRow, tone: Tone) -> Iterator[Line]:
    if row.market_rate is not None:
        side = f" {row.side}" if row.side else ""
        yield line("Market", f"{row.market}{side} {significant(row.market_rate)}", "", tone)
    turned = inverse(row.rate)
    if turned is not None:
        yield line("Inverse", rate_words(row.pair.reverse, turned), "", tone)


def end_view(desk: UiContext, intent: Intent) -> StepView:
    """Return the outcome of a trade; booked figures are the service's own."""
    row = desk.store.intents.get(intent.intent_id)
    what = (line("Confirmed", intent.title), reference_line(intent.terms.reference))
    if row is None:
        return unrecorded_view(TITLE, what)
    trade = desk.store.trades.get(TradeId(row.object_id)) if row.object_id else None
    return StepView(
        title=TITLE,
        name=CONFIRMED,
        lines=(*what, *intent_lines(desk, row, "Trade", _trade(desk, trade))),
        words=tuple(end_words(desk, row)),
        became=trade,
    )


def _trade(desk: UiContext, trade: Trade | None) -> Iterator[Line]:
    if trade is None:
        yield line("State", "not read yet", tone=Tone.MUTED)
        return
    yield from _booked(trade)
    yield Line("State", (state_cell(trade.status),))
    if trade.status is not None:
        name = trade.status.name
        journey = path_of_dialect(desk, TRADE, Kind.TRADES)
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


_NOTHING: dict[Step | ServiceField, str] = {
    Step.ACCOUNT: "There is no account yet.",
    Step.SELL: "This account has no wallet yet.",
    Step.BUY: "There is no other wallet, and no recipient.",
    Step.ADDRESS: "No account of this recipient is known yet.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeState:
    """The state of a trade wizard; immutable.

    Attributes:
        intent_id: of the next intent.
        proven: the hash of the new account that was confirmed to be the recipient's.
        trouble: the complaint about the current answer; empty if there is none.
        legs: None while they are incomplete.
        deal: None while it is incomplete.
        intent: the confirmed intent.
    """

    draft: TradeDraft
    step: Step | ServiceField
    steps: tuple[Step | ServiceField, ...]
    intent_id: IntentId
    proven: str
    trouble: str
    legs: Legs | None
    lock: RateLock | None
    deal: Deal | None
    intent: Intent | None


def view_of(desk: UiContext, scene: TradeState) -> StepView:
    """Return the view of a trade wizard."""
    if scene.intent is not None:
        return end_view(desk, scene.intent)
    match scene.step:
        case Step.AMOUNT if scene.legs is not None:
            return _amount(desk, scene, scene.legs)
        case Step.PROOF if scene.legs is not None and isinstance(scene.legs.target, Payee):
            return _proof(desk, scene, scene.legs.target)
        case Step.RATE if scene.lock is not None:
            return _rate(desk, scene, scene.lock)
        case Step.CONFIRM:
            return _confirm(desk, scene)
        case _:
            return _question(desk, scene)


def _question(desk: UiContext, scene: TradeState) -> StepView:
    """Return a step with options, or with a line for a reference or a service's field."""
    options = options_of(desk, scene.draft, scene.step)
    entry = _entry(scene)
    names = identifier_templates(desk.store, scene.draft, scene.step)
    nothing = "" if options or entry or names else _NOTHING.get(scene.step, "")
    wanted = pair_hint(desk.store, scene.draft, scene.step)
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(answers(desk, scene.draft, scene.step)),
        options=options,
        chosen=suggested_option(desk.store, scene.draft, scene.step, options),
        names=names,
        entry=entry,
        words=(
            *_trouble(scene.trouble or nothing),
            *([Cell(wanted, Tone.MUTED)] if wanted else ()),
        ),
    )


def _entry(scene: TradeState) -> Entry | None:
    if isinstance(scene.step, ServiceField):
        return scene.step.entry(scene.draft.extra)
    if scene.step is not Step.REFERENCE:
        return None
    is_payee = scene.legs is not None and isinstance(scene.legs.target, Payee)
    return Entry("Reference", scene.draft.reference, "required" if is_payee else "none")


def _amount(desk: UiContext, scene: TradeState, legs: Legs) -> StepView:
    side = scene.draft.side
    label = f"{side.value.capitalize()} {legs.currency(side)}"
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(answers(desk, scene.draft, scene.step)),
        entry=Entry(label, scene.draft.amount, "2,500.00, 1k or 1.5m"),
        words=(*_trouble(scene.trouble), *_judged(desk, scene, legs)),
        actions=("side",),
    )


def _judged(desk: UiContext, scene: TradeState, legs: Legs) -> Iterator[Cell]:
    """Yield remarks on the current input."""
    draft = scene.draft
    tab = f"tab: enter the {legs.currency(draft.side.other)} amount instead"
    if draft.amount:
        found = amount_of(draft, legs)
        if isinstance(found, Obstacle):
            # The complaint of go_on() is not repeated.
            yield from () if scene.trouble else _trouble(found.why)
        else:
            yield from _understood(desk, draft, legs, found)
    yield Cell(tab, Tone.MUTED)


def _understood(desk: UiContext, draft: TradeDraft, legs: Legs, amount: Decimal) -> Iterator[Cell]:
    yield Cell(f"= {echo(amount, legs.currency(draft.side))}", Tone.ACCENT)
    rate = last_known_rate(desk.store, legs.pair)
    other = other_amount(legs.pair, legs.currency(draft.side), amount, rate)
    if other is not None:
        about = f"≈ {echo(other, legs.currency(draft.side.other))} at the last known rate"
        yield Cell(about, Tone.MUTED)
    deal = Deal(legs=legs, side=draft.side, amount=amount, indication=rate)
    yield from shortfall_warning(deal_shortfall(desk, deal), legs.pair.sell)
    yield from _trouble(limit_refusal(desk, deal))


def _proof(desk: UiContext, scene: TradeState, payee: Payee) -> StepView:
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(answers(desk, scene.draft, scene.step)),
        entry=proof_entry(payee.address),
        words=(*_trouble(scene.trouble), *proof_words(desk, payee.address)),
    )


def _rate(desk: UiContext, scene: TradeState, lock: RateLock) -> StepView:
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=(*answers(desk, scene.draft, Step.AMOUNT), *_priced(desk, scene, lock)),
        options=_pricings(lock),
        chosen=scene.draft.pricing,
        words=(*_trouble(scene.trouble), *_requote_failed(lock)),
        left=lock.left,
        actions=("requote",),
    )


def _priced(desk: UiContext, scene: TradeState, lock: RateLock) -> Iterator[Line]:
    """Yield both amounts at the held rate, and that rate."""
    found = amount_of(scene.draft, scene.legs) if scene.legs else None
    if scene.legs is not None and isinstance(found, Decimal):
        side = scene.draft.side
        yield from amount_lines(
            Deal(legs=scene.legs, side=side, amount=found, indication=lock.rate)
        )
    yield from locked_lines(desk, lock)


def _pricings(lock: RateLock) -> tuple[Option, ...]:
    rate = "" if lock.rate is None else rate_words(lock.pair, lock.rate)
    return (
        Option(key=Pricing.LOCKED, name="Locked rate", facts=rate, why_not=lock.why_not()),
        Option(
            key=Pricing.REAL_TIME,
            name="Real-time rate",
            facts="market rate at execution, not guaranteed",
        ),
    )


def _requote_failed(lock: RateLock) -> Iterator[Cell]:
    """Yield the reason why a requote failed."""
    if lock.problem is not None and lock.rate is not None:
        yield CAREFUL.cell(str(lock.problem))


def _place(scene: TradeState) -> str:
    return f"{scene.steps.index(scene.step) + 1} of {len(scene.steps)}"


def _trouble(words: str) -> Iterator[Cell]:
    if words:
        yield WRONG.cell(words)


def _confirm(desk: UiContext, scene: TradeState) -> StepView:
    held = scene.lock if scene.draft.pricing is Pricing.LOCKED else None
    review = None
    if scene.deal is not None:
        review = review_of(desk, scene.deal, scene.proven, scene.intent_id)
    ready = review is not None and not review.barred and (held is None or held.is_good)
    asked = review.asked if review and ready else None
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(_lines(desk, scene, review, held)),
        entry=to_confirm(asked) if asked else None,
        words=tuple(_words(desk, scene, review, held)),
        left=held.left if held else None,
        confirms=review if ready else None,
        wants_reading=bool(review and review.unread),
        actions=("requote",) if held else (),
    )


def _lines(
    desk: UiContext, scene: TradeState, review: TradeReview | None, held: RateLock | None
) -> Iterator[Line]:
    """Yield all facts to confirm; the old rate while a new one is on its way."""
    if scene.deal is not None:
        yield from deal_lines(desk, scene.deal, hidden=bool(review and review.is_hidden))
    else:
        yield from answers(desk, scene.draft, scene.step)
    if held is not None:
        yield from locked_lines(desk, held)
    elif scene.deal is not None:
        yield from real_time_lines(scene.deal.legs.pair, scene.deal.indication)
    if review is not None:
        yield reference_line(review.request.reference)
        yield from extra_lines(desk.vocabulary, review.request)
    yield service_line(desk)


def _words(
    desk: UiContext, scene: TradeState, review: TradeReview | None, held: RateLock | None
) -> Iterator[Cell]:
    """Yield warnings, problems, and the effect of enter."""
    if review is not None:
        yield from shortfall_warning(deal_shortfall(desk, review.deal), review.deal.legs.pair.sell)
        for words in (*review.name_warnings, *review.unsure, *review.duplicate_warnings):
            yield CAREFUL.cell(words)
    barred = review.barred if review else ""
    late = held.why_not() if held else ""
    yield from _trouble(scene.trouble)
    if held is not None:
        yield from _requote_failed(held)
    for words in (barred, late):
        if words and words != scene.trouble:
            yield WRONG.cell(words)
    if review is not None and not barred and not late:
        yield Cell("enter: book · esc: back", Tone.MUTED)
