"""The questions of a trade wizard as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from paytui.domain.intent import Intent, IntentId
from paytui.domain.money import other_amount
from paytui.store.views.rates import last_known_rate
from paytui.tui.context import Desk
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms.amount import echo
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.deal import Deal
from paytui.tui.wizards.payment_lines import reference_line, sent_to, short_words
from paytui.tui.wizards.proof import proof_entry, proof_words
from paytui.tui.wizards.rate_lock import RateLock
from paytui.tui.wizards.service_fields import ServiceField, extra_lines
from paytui.tui.wizards.step import Entry, Line, Option, StepView, to_confirm
from paytui.tui.wizards.trade_draft import (
    Legs,
    Obstacle,
    Payee,
    Pricing,
    Step,
    TradeDraft,
    amount_of,
)
from paytui.tui.wizards.trade_end import end_view
from paytui.tui.wizards.trade_lines import (
    amount_lines,
    answers,
    deal_lines,
    locked_lines,
    rate_words,
    real_time_lines,
)
from paytui.tui.wizards.trade_options import named_at, options_of
from paytui.tui.wizards.trade_review import TradeReview, lacks, refused_already, review_of
from paytui.tui.wizards.trade_wanted import suggested, wanted_words

TITLE = "Trade"

_NOTHING: dict[Step | ServiceField, str] = {
    Step.ACCOUNT: "There is no account yet.",
    Step.SELL: "This account has no wallet yet.",
    Step.BUY: "There is no other wallet, and no recipient.",
    Step.ADDRESS: "No account of this recipient is known yet.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A trade wizard between two keys.

    Attributes:
        steps: all that are asked.
        intent_id: of the intent that a confirmation makes.
        proven: the hash of the new account that was confirmed to be the recipient's.
        trouble: what is wrong with the answer on view; empty while nothing is.
        legs: None while they are not whole.
        deal: None while something of it is lacking.
        intent: what was confirmed; it is followed from then on.
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


def view_of(desk: Desk, scene: Scene) -> StepView:
    """A trade wizard as it is now."""
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


def _question(desk: Desk, scene: Scene) -> StepView:
    """Return a step with options, or with a line for a reference or a service's field."""
    options = options_of(desk, scene.draft, scene.step)
    entry = _entry(scene)
    names = named_at(desk.store, scene.draft, scene.step)
    nothing = "" if options or entry or names else _NOTHING.get(scene.step, "")
    wanted = wanted_words(desk.store, scene.draft, scene.step)
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(answers(desk, scene.draft, scene.step)),
        options=options,
        chosen=suggested(desk.store, scene.draft, scene.step, options),
        names=names,
        entry=entry,
        words=(
            *_trouble(scene.trouble or nothing),
            *([Cell(wanted, Tone.MUTED)] if wanted else ()),
        ),
    )


def _entry(scene: Scene) -> Entry | None:
    if isinstance(scene.step, ServiceField):
        return scene.step.entry(scene.draft.extra)
    if scene.step is not Step.REFERENCE:
        return None
    is_payee = scene.legs is not None and isinstance(scene.legs.target, Payee)
    return Entry("Reference", scene.draft.reference, "required" if is_payee else "none")


# --- how much --------------------------------------------------------------------------------


def _amount(desk: Desk, scene: Scene, legs: Legs) -> StepView:
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


def _judged(desk: Desk, scene: Scene, legs: Legs) -> Iterator[Cell]:
    """Yield remarks on the current input."""
    draft = scene.draft
    tab = f"tab fixes what you {draft.side.other} instead, in {legs.currency(draft.side.other)}"
    if draft.amount:
        found = amount_of(draft, legs)
        if isinstance(found, Obstacle):
            # What go_on() said is not said twice.
            yield from () if scene.trouble else _trouble(found.why)
        else:
            yield from _understood(desk, draft, legs, found)
    yield Cell(tab, Tone.MUTED)


def _understood(desk: Desk, draft: TradeDraft, legs: Legs, amount: Decimal) -> Iterator[Cell]:
    yield Cell(f"= {echo(amount, legs.currency(draft.side))}", Tone.ACCENT)
    rate = last_known_rate(desk.store, legs.pair)
    other = other_amount(legs.pair, legs.currency(draft.side), amount, rate)
    if other is not None:
        about = f"≈ {echo(other, legs.currency(draft.side.other))} at the last known rate"
        yield Cell(about, Tone.MUTED)
    deal = Deal(legs=legs, side=draft.side, amount=amount, indication=rate)
    yield from short_words(lacks(desk, deal), legs.pair.sell)
    yield from _trouble(refused_already(desk, deal))


# --- whose account it is ---------------------------------------------------------------------


def _proof(desk: Desk, scene: Scene, payee: Payee) -> StepView:
    return StepView(
        title=TITLE,
        name=scene.step.value,
        place=_place(scene),
        lines=tuple(answers(desk, scene.draft, scene.step)),
        entry=proof_entry(payee.address),
        words=(*_trouble(scene.trouble), *proof_words(desk, payee.address)),
    )


# --- at which rate ---------------------------------------------------------------------------


def _rate(desk: Desk, scene: Scene, lock: RateLock) -> StepView:
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


def _priced(desk: Desk, scene: Scene, lock: RateLock) -> Iterator[Line]:
    """Both amounts at the rate that is held, and that rate."""
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
        Option(key=Pricing.REAL_TIME, name="Real-time rate", facts="the service's own at booking"),
    )


def _requote_failed(lock: RateLock) -> Iterator[Cell]:
    """Yield why there is no newer rate than the one that is shown."""
    if lock.problem is not None and lock.rate is not None:
        yield CAREFUL.cell(str(lock.problem))


def _place(scene: Scene) -> str:
    return f"{scene.steps.index(scene.step) + 1} of {len(scene.steps)}"


def _trouble(words: str) -> Iterator[Cell]:
    if words:
        yield WRONG.cell(words)


# --- confirm ---------------------------------------------------------------------------------


def _confirm(desk: Desk, scene: Scene) -> StepView:
    held = scene.lock if scene.draft.pricing is Pricing.LOCKED else None
    review = None
    if scene.deal is not None:
        review = review_of(desk, scene.deal, scene.proven, scene.intent_id)
    ready = review is not None and not review.barred and (held is None or held.good)
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
    desk: Desk, scene: Scene, review: TradeReview | None, held: RateLock | None
) -> Iterator[Line]:
    """All that is confirmed; while a new rate is on its way, the old one."""
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
    yield sent_to(desk)


def _words(
    desk: Desk, scene: Scene, review: TradeReview | None, held: RateLock | None
) -> Iterator[Cell]:
    """Yield warnings, problems, and the effect of enter."""
    if review is not None:
        yield from short_words(lacks(desk, review.deal), review.deal.legs.pair.sell)
        for words in (*review.deceit, *review.unsure, *review.lookalikes):
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
        yield Cell("enter books it, esc goes back", Tone.MUTED)
