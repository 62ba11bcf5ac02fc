"""The steps and outcome of a trade wizard, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from paytui.domain.intent import Intent, IntentId
from paytui.domain.models import AccountId, Kind, Record, Trade, Wallet
from paytui.domain.money import Money, Pair, inverse, other_amount, plain, significant
from paytui.store.figures import last_known_rate, rate_rows
from paytui.store.names import account_name, recipient_title
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import CAREFUL, amount_words, state_cell
from paytui.tui.forms.common_fields import echo
from paytui.tui.guards.send_permission import Demand, demand, demand_of_exchange
from paytui.tui.step_protocol import Entry, Line, Option, StepView, line, to_confirm
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import common_steps, parties, trade_draft
from paytui.tui.wizards.common_steps import Review, ServiceField, complaint, refusal_of
from paytui.tui.wizards.outcome import end_view
from paytui.tui.wizards.parties import Payee, shortfall_warning
from paytui.tui.wizards.rate_lock import RateLock, rate_words


def review_of(
    ui: UiContext, deal: trade_draft.Deal, proven: str, intent_id: IntentId
) -> Review[trade_draft.Deal]:
    wanted = _demand(ui, deal)
    return common_steps.review_of(
        ui,
        deal,
        deal.request,
        wanted,
        source=deal.legs.source,
        target=deal.legs.target,
        service="trades",
        intent_id=intent_id,
        proven=proven,
        refusal=refusal_of(wanted),
    )


def limit_refusal(ui: UiContext, deal: trade_draft.Deal) -> str:
    """Return the profile's refusal of these amounts, as far as they are known; else empty."""
    if deal.other_amount is not None:
        return refusal_of(_demand(ui, deal))
    fixed, payee = deal.legs.currency(deal.side), deal.request.recipient_id
    return refusal_of(demand(ui.settings.profile, deal.amount, fixed, payee))


def _demand(ui: UiContext, deal: trade_draft.Deal) -> Demand:
    fixed, other = deal.legs.currency(deal.side), deal.legs.currency(deal.side.other)
    amount = Money(deal.amount, fixed)
    payee = deal.request.recipient_id
    return demand_of_exchange(ui.settings.profile, amount, deal.other_amount, other, payee)


def deal_shortfall(ui: UiContext, deal: trade_draft.Deal) -> Decimal | None:
    """Return the sold amount that the wallet lacks; None if it lacks nothing, or is unknown."""
    source = ui.store.wallets.get(deal.legs.source.wallet_id)
    return parties.short_by(source, deal.sold) if source and deal.sold is not None else None


TITLE = "Trade"
FIXED = "fixed"


def answers(
    ui: UiContext, draft: trade_draft.TradeDraft, step: trade_draft.TradeStep
) -> Iterator[Line]:
    before = (
        trade_draft.PARTIES[: trade_draft.PARTIES.index(step)]
        if step in trade_draft.PARTIES
        else trade_draft.PARTIES
    )
    if trade_draft.Step.ACCOUNT in before:
        yield line("Account", account_name(ui.store, draft.account_id))
    source = parties.wallet_of(ui.store, draft.sell_wallet_id)
    if source is not None and trade_draft.Step.SELL in before:
        yield wallet_line(ui, "Sell from", source, draft.account_id)
    target = parties.wallet_of(ui.store, draft.buy_wallet_id)
    if target is not None and trade_draft.Step.BUY in before:
        yield wallet_line(ui, "Buy into", target, draft.account_id)
    recipient = ui.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and trade_draft.Step.BUY in before:
        yield line("Buy for", recipient_title(recipient), ", ".join(ui.likeness.of(recipient)))


def wallet_line(ui: UiContext, label: str, wallet: Wallet, account_id: AccountId | None) -> Line:
    """Return a wallet with its current balance, and its owner if that is not this account."""
    known = ui.store.wallets.get(wallet.wallet_id) or wallet
    words = [known.wallet_name or known.wallet_id]
    if known.account_id != account_id:
        words.append(parties.other_owner_words(ui.store, known))
    return line(label, " · ".join(words), parties.balance_words(ui, known))


def deal_lines(ui: UiContext, deal: trade_draft.Deal, *, hidden: bool) -> Iterator[Line]:
    """Yield both amounts with their source and target, and the bank of a recipient."""
    yield _amount_line("You sell", deal, trade_draft.Side.SELL)
    source = deal.legs.source
    yield wallet_line(ui, "  from", source, source.account_id)
    yield _amount_line("You buy", deal, trade_draft.Side.BUY)
    target = deal.legs.target
    if isinstance(target, Payee):
        name = recipient_title(target.recipient)
        yield line("  for", name, parties.address_title(ui, target.address))
        if parties.distinguishing_id(target.recipient):
            yield line("Recipient id", target.recipient.recipient_id)
        yield from parties.bank_lines(target.address, hidden=hidden)
    else:
        yield wallet_line(ui, "  into", target, source.account_id)


def locked_lines(ui: UiContext, lock: RateLock) -> Iterator[Line]:
    """Yield the locked rate in each notation, and its change by a requote."""
    if lock.sheet is None or lock.rate is None:
        return
    tone = Tone.INK if lock.is_good else Tone.EXPIRED
    yield line("Rate", rate_words(lock.pair, lock.rate), lock.phase, tone)
    if lock.before is not None:
        was = f"was {plain(lock.before)} → now {plain(lock.rate)}"
        yield line("", was, rate_change(lock.before, lock.rate), Tone.CLOSING)
    rows = rate_rows(lock.sheet, None, ui.settings.rates.desk_order)
    row = next(row for row in rows if row.pair == lock.pair)
    if row.market_rate is not None:
        side = f" {row.side}" if row.side else ""
        yield line("Market", f"{row.market}{side} {significant(row.market_rate)}", "", tone)
    turned = inverse(row.rate)
    if turned is not None:
        yield line("Inverse", rate_words(row.pair.reverse, turned), "", tone)


def real_time_lines(pair: Pair, indication: Decimal | None) -> Iterator[Line]:
    """Yield that the rate is the service's, with the last known one."""
    yield line("Rate", "real-time: market rate at execution", "not locked", Tone.CLOSING)
    if indication is not None:
        yield line("Last known", rate_words(pair, indication), "indicative only", Tone.MUTED)


def rate_change(before: Decimal, now: Decimal) -> str:
    """Format the change of a rate with its sign."""
    change = now - before
    if not change:
        return "= 0"
    return f"▲ +{plain(change)}" if change > 0 else f"▼ {plain(change)}"


def _amount_line(label: str, deal: trade_draft.Deal, side: trade_draft.Side) -> Line:
    currency = deal.legs.currency(side)
    if side is deal.side:
        return line(label, echo(deal.amount, currency), FIXED, Tone.ACCENT)
    other = deal.other_amount
    if other is None:
        return line(label, f"{currency}", "set at execution", Tone.INK)
    return line(label, f"≈ {echo(other, currency)}", "final at booking")


def _trade(ui: UiContext, trade: Record | None) -> Iterator[Line]:
    if not isinstance(trade, Trade):
        yield line("Trade status", "not read yet", tone=Tone.MUTED)
        return
    yield from _booked(trade)
    yield Line("Trade status", (state_cell(trade.status),))
    if trade.status is not None:
        name = trade.status.name
        journey = path_of_dialect(ui, Kind.TRADES)
        seen = ui.store.trades.seen(trade.trade_transaction_id)
        path = [f"✓ {one}" for one in journey.passed(name) if one in seen]
        path += [f"● {name}", *(f"○ {one}" for one in journey.ahead(name))]
        yield line("Progress", "  ".join(path).replace("_", " "), tone=Tone.MUTED)


def _booked(trade: Trade) -> Iterator[Line]:
    if trade.sell_amount is not None:
        sold = amount_words(trade.sell_amount, trade.sell_currency)
        yield line("You sold", sold, tone=Tone.ACCENT)
    if trade.buy_amount is not None:
        bought = amount_words(trade.buy_amount, trade.buy_currency)
        yield line("You bought", bought, tone=Tone.ACCENT)
    if trade.rate is not None and trade.sell_currency and trade.buy_currency:
        yield line("Rate", rate_words(Pair(trade.sell_currency, trade.buy_currency), trade.rate))


_NOTHING: dict[trade_draft.TradeStep, str] = {
    trade_draft.Step.ACCOUNT: "There is no account yet.",
    trade_draft.Step.SELL: "This account has no wallet yet.",
    trade_draft.Step.BUY: "There is no other wallet, and no recipient.",
    trade_draft.Step.ADDRESS: "No account of this recipient is known yet.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeState:
    """The state of a trade wizard; legs and deal are None while they are incomplete.

    Attributes:
        proven: the hash of the new account that was confirmed to be the recipient's.
        trouble: the complaint about the current answer; empty if there is none.
    """

    draft: trade_draft.TradeDraft
    step: trade_draft.TradeStep
    steps: tuple[trade_draft.TradeStep, ...]
    intent_id: IntentId
    proven: str
    trouble: str
    legs: trade_draft.Legs | None
    lock: RateLock | None
    deal: trade_draft.Deal | None
    intent: Intent | None


def view_of(ui: UiContext, scene: TradeState) -> StepView:
    """Return the view of a trade wizard; booked figures are the service's own."""
    if intent := scene.intent:
        what = (line("Intent", intent.title), parties.reference_line(intent.terms.reference))
        return end_view(ui, TITLE, intent, what, noun="Trade", became=partial(_trade, ui))
    view = StepView(
        title=TITLE,
        name=scene.step.value,
        place=f"{scene.steps.index(scene.step) + 1} of {len(scene.steps)}",
        lines=tuple(answers(ui, scene.draft, scene.step)),
    )
    match scene.step:
        case trade_draft.Step.AMOUNT if scene.legs is not None:
            side = scene.draft.side
            label = f"{side.value.capitalize()} {scene.legs.currency(side)}"
            return replace(
                view,
                entry=Entry(label, scene.draft.amount, "2,500.00, 1k or 1.5m"),
                words=(*complaint(scene.trouble), *_judged(ui, scene, scene.legs)),
                actions=("side",),
            )
        case trade_draft.Step.PROOF if scene.legs is not None and isinstance(
            scene.legs.target, Payee
        ):
            address = scene.legs.target.address
            return replace(
                view,
                entry=common_steps.proof_entry(address),
                words=(*complaint(scene.trouble), *common_steps.proof_words(ui, address)),
            )
        case trade_draft.Step.RATE if scene.lock is not None:
            return _rate(ui, scene, scene.lock, view)
        case trade_draft.Step.CONFIRM:
            return _confirm(ui, scene, view)
        case _:
            return _question(ui, scene, view)


def _question(ui: UiContext, scene: TradeState, view: StepView) -> StepView:
    options = trade_draft.options_of(ui, scene.draft, scene.step)
    entry = _entry(scene)
    names = trade_draft.identifier_templates(ui.store, scene.draft, scene.step)
    nothing = "" if options or entry or names else _NOTHING.get(scene.step, "")
    wanted = trade_draft.pair_hint(ui.store, scene.draft, scene.step)
    return replace(
        view,
        options=options,
        chosen=trade_draft.suggested_option(ui.store, scene.draft, scene.step, options),
        names=names,
        entry=entry,
        words=(
            *complaint(scene.trouble or nothing),
            *([Cell(wanted, Tone.MUTED)] if wanted else ()),
        ),
    )


def _entry(scene: TradeState) -> Entry | None:
    if isinstance(scene.step, ServiceField):
        return scene.step.entry(scene.draft.extra)
    if scene.step is not trade_draft.Step.REFERENCE:
        return None
    is_payee = scene.legs is not None and isinstance(scene.legs.target, Payee)
    return Entry("Reference", scene.draft.reference, "required" if is_payee else "none")


def _judged(ui: UiContext, scene: TradeState, legs: trade_draft.Legs) -> Iterator[Cell]:
    draft = scene.draft
    tab = f"tab: enter the {legs.currency(draft.side.other)} amount instead"
    if draft.amount:
        found = trade_draft.amount_of(draft, legs)
        if isinstance(found, trade_draft.Obstacle):
            # The complaint of go_on() is not repeated.
            yield from () if scene.trouble else complaint(found.why)
        else:
            yield from _understood(ui, draft, legs, found)
    yield Cell(tab, Tone.MUTED)


def _understood(
    ui: UiContext, draft: trade_draft.TradeDraft, legs: trade_draft.Legs, amount: Decimal
) -> Iterator[Cell]:
    yield Cell(f"= {echo(amount, legs.currency(draft.side))}", Tone.ACCENT)
    rate = last_known_rate(ui.store, legs.pair)
    other = other_amount(legs.pair, legs.currency(draft.side), amount, rate)
    if other is not None:
        about = f"≈ {echo(other, legs.currency(draft.side.other))} at the last known rate"
        yield Cell(about, Tone.MUTED)
    deal = trade_draft.Deal(legs=legs, side=draft.side, amount=amount, indication=rate)
    yield from shortfall_warning(deal_shortfall(ui, deal), legs.pair.sell)
    yield from complaint(limit_refusal(ui, deal))


def _rate(ui: UiContext, scene: TradeState, lock: RateLock, view: StepView) -> StepView:
    rate = "" if lock.rate is None else rate_words(lock.pair, lock.rate)
    return replace(
        view,
        lines=(*answers(ui, scene.draft, trade_draft.Step.AMOUNT), *_priced(ui, scene, lock)),
        options=(
            Option(
                key=trade_draft.Pricing.LOCKED,
                name="Locked rate",
                facts=rate,
                why_not=lock.why_not(),
            ),
            Option(
                key=trade_draft.Pricing.REAL_TIME,
                name="Real-time rate",
                facts="market rate at execution, not guaranteed",
            ),
        ),
        chosen=scene.draft.pricing,
        words=(*complaint(scene.trouble), *_requote_failed(lock)),
        left=lock.left,
        actions=("requote",),
    )


def _priced(ui: UiContext, scene: TradeState, lock: RateLock) -> Iterator[Line]:
    """Yield both amounts at the held rate, and that rate."""
    found = trade_draft.amount_of(scene.draft, scene.legs) if scene.legs else None
    if scene.legs is not None and isinstance(found, Decimal):
        side = scene.draft.side
        deal = trade_draft.Deal(legs=scene.legs, side=side, amount=found, indication=lock.rate)
        yield _amount_line("You sell", deal, trade_draft.Side.SELL)
        yield _amount_line("You buy", deal, trade_draft.Side.BUY)
    yield from locked_lines(ui, lock)


def _requote_failed(lock: RateLock) -> Iterator[Cell]:
    """Yield the reason why a requote failed."""
    if lock.problem is not None and lock.rate is not None:
        yield CAREFUL.cell(str(lock.problem))


def _confirm(ui: UiContext, scene: TradeState, view: StepView) -> StepView:
    held = scene.lock if scene.draft.pricing is trade_draft.Pricing.LOCKED else None
    review = None
    if scene.deal is not None:
        review = review_of(ui, scene.deal, scene.proven, scene.intent_id)
    ready = review is not None and not review.barred and (held is None or held.is_good)
    asked = review.asked if review and ready else None
    return replace(
        view,
        lines=tuple(_lines(ui, scene, review, held)),
        entry=to_confirm(asked) if asked else None,
        words=tuple(_words(ui, scene, review, held)),
        left=held.left if held else None,
        confirms=review if ready else None,
        wants_reading=bool(review and review.unread),
        actions=("requote",) if held else (),
    )


def _lines(
    ui: UiContext,
    scene: TradeState,
    review: Review[trade_draft.Deal] | None,
    held: RateLock | None,
) -> Iterator[Line]:
    """Yield all facts to confirm; the old rate while a new one is on its way."""
    if scene.deal is not None:
        yield from deal_lines(ui, scene.deal, hidden=bool(review and review.is_hidden))
    else:
        yield from answers(ui, scene.draft, scene.step)
    if held is not None:
        yield from locked_lines(ui, held)
    elif scene.deal is not None:
        yield from real_time_lines(scene.deal.legs.pair, scene.deal.indication)
    if review is not None:
        yield parties.reference_line(review.request.reference)
        yield from common_steps.extra_lines(ui.vocabulary, review.request)
    yield parties.service_line(ui)


def _words(
    ui: UiContext,
    scene: TradeState,
    review: Review[trade_draft.Deal] | None,
    held: RateLock | None,
) -> Iterator[Cell]:
    """Yield warnings, problems, and the effect of enter."""
    if review is not None:
        yield from shortfall_warning(deal_shortfall(ui, review.order), review.order.legs.pair.sell)
        for words in review.warnings:
            yield CAREFUL.cell(words)
    barred = review.barred if review else ""
    late = held.why_not() if held else ""
    yield from complaint(scene.trouble)
    if held is not None:
        yield from _requote_failed(held)
    for words in (barred, late):
        if words != scene.trouble:
            yield from complaint(words)
    if review is not None and not barred and not late:
        yield Cell("enter: book · esc: back", Tone.MUTED)
