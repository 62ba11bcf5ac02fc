"""Checks before a confirmation: permission, limits, payees, duplicates, and proposals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from paytui.api.resources import identifier_of
from paytui.config.key_bindings import first_key
from paytui.config.settings import Profile
from paytui.config.spending_limits import refusal_reason, requires_typing
from paytui.domain import models
from paytui.domain.intent import IntentRow, IntentTerms, Standing, intent_terms
from paytui.domain.money import CurrencyCode, Money, plain
from paytui.domain.requests import MoneyRequest, judge_iban
from paytui.platform.text import clean
from paytui.store.health import Feed
from paytui.store.mandates import mandate_of
from paytui.store.names import recipient_title
from paytui.store.payable import PayeeStatus, mixed_words
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, Cell, Tone, amount_words, state_words
from paytui.tui.times import age
from paytui.tui.ui_context import IdleLock, UiContext
from paytui.tui.widgets.feeds import LATE, feed_age, how_old, is_of_unknown_age

_LONGEST = 60  # Characters of a name in a warning; the detail view shows more

# Payees, their accounts, and duplicates


def name_warnings(
    ui: UiContext, recipient: models.Recipient, address: models.PaymentAddress
) -> Iterator[str]:
    """Yield a warning if a payee's name looks like another's or mixes alphabets, or the account's
    IBAN has a mistake.
    """
    name, account_name = recipient_title(recipient), address.account_name or ""
    if marks := ui.likeness.of(recipient):
        yield f"{clean(name, _LONGEST)} {' and '.join(marks)}: verify the payee."
    if account_name != name and (words := mixed_words(account_name)):
        yield f"The account name {clean(account_name, _LONGEST)} {words}: verify the payee."
    if address.iban and (words := judge_iban("".join(address.iban.split()), {})):
        yield f"IBAN: {words} Verify it with the payee."


DIGITS = 4  # Characters of the account number to be typed

NO_ENDING = f"Type the last {DIGITS} characters first."
WRONG_ENDING = "These characters do not match this account. Ask the payee again."
UNPROVEN = "New or changed account: go back and type its last four characters."

_MEANS = {
    PayeeStatus.NEW: "First payment to this account, as far as paytui knows.",
    PayeeStatus.CHANGED: "Bank details changed since the last payment.",
}


def needs_account_check(ui: UiContext, address: models.PaymentAddress, proven: str | None) -> bool:
    """Return True if the trader still has to type the end of an account's number.

    The payee told the trader those characters. If a fraudster sent other details, the trader finds
    out before money goes there. `proven` is the fingerprint of the account that was confirmed,
    if any.
    """
    return proven != models.bank_fingerprint(address) and is_new_account(ui, address)


def is_new_account(ui: UiContext, address: models.PaymentAddress) -> bool:
    """Return True if an account is new here, or has changed since it was paid."""
    return ui.acquaintances.of(address) is not PayeeStatus.KNOWN


def proof_hint(address: models.PaymentAddress) -> str:
    """Return what is to be typed of an account, whose number is hidden meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return f"last {DIGITS} of its {what}"


def proof_words(ui: UiContext, address: models.PaymentAddress) -> tuple[Cell, ...]:
    """Return the reason for the account check, and whom to ask."""
    means = _MEANS.get(ui.acquaintances.of(address), "This account was verified meanwhile.")
    call = (
        "Call the payee on a number that you already had, and type the last four characters they "
        "read out. Do not copy them from an e-mail."
    )
    return CAREFUL.cell(means), Cell(call, Tone.MUTED)


def ends_with(address: models.PaymentAddress, typed: str) -> bool:
    """Return True if the account number or the IBAN ends as typed; without both, the identifier."""
    numbers = [_characters(one) for one in (address.account_number, address.iban) if one]
    known = [number for number in numbers if number] or [_characters(address.payment_address_id)]
    return _characters(typed) in [number[-DIGITS:] for number in known]


def _characters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


RECENT = timedelta(hours=24)
"""Age up to which an equal payment is worth a warning (architecture.md)."""

_OPEN = {
    Standing.RECORDED: "Not sent yet",
    Standing.PROPOSED: "Proposed",
    Standing.SENDING: "Being sent",
    Standing.IN_DOUBT: "In doubt",
}
"""The states in which an intent may still debit a wallet, in words."""

_MAY_MOVE_IT = (*_OPEN, Standing.ACCEPTED, Standing.DONE)


def duplicate_warnings(
    store: Store, checked: MoneyRequest | IntentRow, now: datetime
) -> tuple[str, ...]:
    """Return warnings of an equal request within a day, and of open ones from the wallet.

    Warnings are named in the confirmation; they never refuse it. A recorded intent that is about
    to be sent is compared with the others.
    """
    own = checked.intent_id if isinstance(checked, IntentRow) else None
    terms = checked.terms if isinstance(checked, IntentRow) else intent_terms(checked, None)
    rows = [row for row in store.intents.rows() if row.intent_id != own]
    ours = {row.object_id for row in rows if row.object_id and not row.booked_otherwise}
    return (
        *_open(rows, terms),
        *_same_intents(rows, terms, now),
        *_same_objects(store, terms, now, ours),
    )


def _open(rows: list[IntentRow], terms: IntentTerms) -> Iterator[str]:
    source = terms.source_wallet_id
    for row in rows if source is not None else ():
        if (words := _OPEN.get(row.standing)) and row.terms.source_wallet_id == source:
            yield f"{words} since {_clock(row.since)}, from the same wallet: {row.title}{_by(row)}."


def _same_intents(rows: list[IntentRow], terms: IntentTerms, now: datetime) -> Iterator[str]:
    for row in rows:
        recent = now - row.confirmed_at <= RECENT
        if recent and row.standing in _MAY_MOVE_IT and _figures(row.terms) == _figures(terms):
            confirmed = f"confirmed at {_clock(row.confirmed_at)} ({row.standing_words}){_by(row)}"
            yield f"Possible duplicate: {row.title}, {confirmed}."


def _same_objects(store: Store, terms: IntentTerms, now: datetime, ours: set[str]) -> Iterator[str]:
    """Yield the payments to the same account, or trades from the same wallet, of this amount."""
    figures = (terms.amount, terms.currency)
    found: list[tuple[models.Payment | models.Trade, str]] = []
    if terms.sell_currency is not None:
        yield from _not_looked_at(store, models.Kind.TRADES, now)
        pair = (terms.sell_currency, terms.buy_currency, terms.source_wallet_id)
        for trade in store.trades.rows():
            sold = (trade.sell_amount, trade.sell_currency)
            bought = (trade.buy_amount, trade.buy_currency)
            is_same = (sold[1], bought[1], trade.sell_wallet_id) == pair
            if is_same and figures in (sold, bought):
                done = f"sold for {bought[1]}" if figures == sold else f"bought for {sold[1]}"
                found.append((trade, done))
    elif terms.payment_address_id is not None:
        yield from _not_looked_at(store, models.Kind.PAYMENTS, now)
        for payment in store.payments.rows():
            is_same = payment.payment_address_id == terms.payment_address_id
            if is_same and figures == (payment.amount, payment.currency):
                found.append((payment, "sent to this account"))
    for row, done in found:
        is_recent = row.created_at is not None and now - row.created_at <= RECENT
        if is_recent and identifier_of(row) not in ours:
            assert row.created_at is not None
            assert terms.amount is not None
            assert terms.currency is not None
            amount = amount_words(terms.amount, terms.currency)
            status = f" ({state_words(row.status)})" if row.status else ""
            yield f"Possible duplicate: {amount} {done} at {_clock(row.created_at)}{status}."


def _not_looked_at(store: Store, kind: models.Kind, now: datetime) -> Iterator[str]:
    """Yield the periods of the last day whose rows are not in memory."""
    retention = store.retention(kind)
    since = None if retention is None else retention.since
    if since is not None and now - since < RECENT:
        yield f"Not checked: {kind} before {_clock(since)} (not in memory)."
    feed = store.feed(kind)
    if feed.cached and feed.as_of is not None:
        yield f"Not checked: {kind} since {_clock(feed.as_of)} (not read yet)."


def _by(row: IntentRow) -> str:
    """Name the colleague who confirmed an intent."""
    return f" by {row.user} on {row.host}" if row.is_colleagues else ""


def _figures(terms: IntentTerms) -> tuple[object, ...]:
    return (
        terms.amount,
        terms.currency,
        terms.payment_address_id or terms.destination_wallet_id,
        terms.sell_currency,
        terms.buy_currency,
    )


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M:%S} UTC"


# Permission to send, and the age of what is paid by

TELL_ACCOUNTS = (models.Kind.RECIPIENTS, models.Kind.PAYMENT_ADDRESSES)
"""The lists that hold payees' bank details."""

_ONCE_READ = "this can be confirmed once they are read"


def may_send(ui: UiContext) -> str | None:
    """Return the reason why nothing can be sent; None if it can. Rates can be locked anyway."""
    if ui.settings.profile.read_only:
        place = f"profiles.{ui.settings.profile.name}.read_only"
        locked = place in ui.settings.operator_locked
        by_whom = f", {ui.settings.origins[place]}" if locked else ""
        return f"This profile is read-only{by_whom}: nothing is sent from here."
    sending = ui.store.sending
    return None if sending.allowed else sending.why


def may_create(ui: UiContext) -> str | None:
    """Return the reason why nothing new can be confirmed; None if it can. Open steps continue."""
    key = first_key(ui.settings.keys, "app.unlock")
    return may_send(ui) or locked_words(ui.idle, key) or None


def locked_words(lock: IdleLock, key: str) -> str:
    """Return why nothing can be created and which key unlocks; empty while unlocked."""
    if lock.after is None or not lock.is_locked:
        return ""
    return f"Locked: no key was pressed for {age(lock.after)}. {key} unlocks."


def not_offered(ui: UiContext, operation: str) -> str | None:
    """Return the reason why the dialect offers no such operation; None if it does."""
    if operation not in ui.vocabulary.missing:
        return None
    what = operation.replace("_", " ")
    return f"This service does not offer: {what}. Its dialect says [paths] {operation} = []."


def service_warnings(ui: UiContext, service: str) -> Iterator[str]:
    link = ui.store.link
    if service in link.missing_services:
        listed = clean(", ".join(link.services), _LONGEST)
        yield f"The token lists {listed}, not {service}: the service may refuse this."


def not_yet_read(ui: UiContext, *kinds: models.Kind) -> str | None:
    """Return the reason why nothing can be confirmed by cached lists; None if all are read."""
    cached = [kind.noun for kind in kinds if ui.store.feed(kind).cached]
    return f"The {' and '.join(cached)} shown are old; {_ONCE_READ}." if cached else None


def accounts_not_read(
    ui: UiContext, payee: models.Recipient | None, address: models.PaymentAddress | None
) -> str | None:
    """Return why bank details are too old to pay, as they may have changed; None if fresh."""
    payee_id = None if payee is None else payee.recipient_id
    address_id = None if address is None else address.payment_address_id
    is_tracked = ui.store.feed(models.Kind.PAYMENT_ADDRESSES).tracked
    whose = address_id if is_tracked else payee_id
    return _not_read(ui, models.Kind.RECIPIENTS, payee, payee_id, payee_id) or _not_read(
        ui, models.Kind.PAYMENT_ADDRESSES, payee, whose, address_id
    )


def _not_read(
    ui: UiContext,
    kind: models.Kind,
    payee: models.Recipient | None,
    whose: str | None,
    row: str | None,
) -> str | None:
    """Return the reason why one of the two lists is too old; `whose` names the row's own list."""
    feed = ui.store.feed(kind)
    if payee is None or whose is None or not feed.failing:
        return not_yet_read(ui, kind) or _too_old(ui, feed)
    own = feed.failing.get(whose)
    if own is None:
        return _others_list_fails(ui, feed, row)
    feed, what = replace(feed, read_at=own.read_at), own.problem.what
    details = "details" if kind is models.Kind.RECIPIENTS else kind.noun
    theirs = f"The {details} of {clean(recipient_title(payee), _LONGEST)}"
    if own.read_at is None:
        return f"{theirs} could not be read ({what}); {_ONCE_READ}."
    is_old = _is_too_old(ui, feed)
    return f"{theirs} are {how_old(ui, feed)} ({what}); {_ONCE_READ} again." if is_old else None


def _others_list_fails(ui: UiContext, feed: Feed, row: str | None) -> str | None:
    """Judge a row by the reads of the other lists.

    A failure of another payee's list does not refuse this one. Rows known only from an earlier run
    are refused all the same.
    """
    unconfirmed = ui.store.table(feed.kind).unconfirmed() if feed.cached else set()
    is_known = row is not None and row not in unconfirmed
    if feed.cached and (feed.others_read_at is None or not is_known):
        return not_yet_read(ui, feed.kind)
    return _too_old(ui, replace(feed, read_at=feed.others_read_at, cached=False))


def _too_old(ui: UiContext, feed: Feed) -> str | None:
    words = f"The {feed.kind.noun} shown are {how_old(ui, feed)}; {_ONCE_READ} again."
    return words if _is_too_old(ui, feed) else None


def _is_too_old(ui: UiContext, feed: Feed) -> bool:
    """Return True if the feed missed two reads since it was read.

    A list that failed before it was read whole counts as too old; during the first read it does
    not.
    """
    if is_of_unknown_age(feed):
        return feed.problem is not None
    return feed_age(ui, feed) > LATE + 2 * timedelta(seconds=feed.every)


def is_complete(ui: UiContext, *kinds: models.Kind) -> bool:
    feeds = [ui.store.feed(kind) for kind in kinds]
    return all(feed.ok and not feed.cut and not feed.skipped for feed in feeds)


# Checks of an amount against the profile's limits: confirm by key, by typing, or refuse.


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """The confirmation that an amount needs; both texts empty for nothing but a key.

    Attributes:
        typed: the amount to type, as digits without grouping and needless zeros.
        refusal: why it is never sent, and what would change that.
    """

    typed: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The warnings and obstacles of what is to be confirmed."""

    demand: Demand  # The text to type for it, or the reason for a refusal
    warnings: tuple[str, ...] = ()  # Of a suspicious payee, an unknown status or a duplicate
    unread: str = ""  # The reason to read the bank details again; empty if there is none
    is_hidden: bool = False  # The account is to be checked first, so its number is hidden
    barred: str  # The reason why nothing can be sent at all; empty if it can

    @property
    def refusal(self) -> str:
        """Return why it is not done whatever is typed; empty if it can be."""
        return self.barred or self.demand.refusal

    @property
    def asked(self) -> str:
        """Return the text to type; empty for nothing."""
        return "" if self.barred else self.demand.typed

    def why_not(self, typed: str) -> str:
        """Return why it cannot be done with so much typed to confirm it; empty if it can."""
        if self.refusal or self.asked == typed.strip():
            return self.refusal
        return f"Type {self.asked or 'nothing but the letters'} to confirm."


def check_payee(
    ui: UiContext,
    payee: models.Recipient | None,
    address: models.PaymentAddress | None,
    *,
    proven: str,
    needs: Demand,
) -> Checks:
    """Check a payee and its account, either None if it is not among the rows read.

    `proven` is the fingerprint of an account that was checked, `needs` what the amount needs.
    """
    is_hidden, unproven = False, ""
    if address is None:
        if not is_complete(ui, *TELL_ACCOUNTS):
            unproven = "The payee's account was not read yet: decide once it is read."
    elif needs_account_check(ui, address, proven):
        is_hidden, unproven = True, UNPROVEN
    named = name_warnings(ui, payee, address) if payee and address else ()
    unread = accounts_not_read(ui, payee, address) or ""
    return Checks(
        demand=needs,
        warnings=tuple(named),
        unread=unread,
        is_hidden=is_hidden,
        barred=unread or unproven,
    )


def demand(
    profile: Profile,
    recipient: models.RecipientId | None,
    fixed: Money,
    *others: tuple[Decimal | None, CurrencyCode],
) -> Demand:
    """Return the confirmation that an amount needs; of a trade, the stricter one of both sides.

    The `fixed` amount is typed. That of the other side may be an estimate, or None if it is not
    known. `refuse_above` holds on every profile. `confirm_above` holds on live profiles, where a
    currency without a limit is always typed. Limits of the recipient and of the operator hold on
    every profile.
    """
    sides = ((fixed.amount, fixed.currency), *others)
    for amount, currency in sides:
        if words := refusal_reason(profile, amount, currency, recipient):
            return Demand(refusal=words)
    is_typed = any(requires_typing(profile, *side, recipient) for side in sides)
    return Demand(typed=_digits(fixed.amount) if is_typed else "")


def typed(needs: Demand, amount: Decimal | None) -> Demand:
    """Return a demand for which the amount is typed, whatever the limits."""
    return needs if amount is None else replace(needs, typed=_digits(amount))


def _digits(amount: Decimal) -> str:
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text


# Proposals of colleagues

LONGEST = 10_000  # The most characters that a person reviews; a request has some hundred


def values_of(body: str) -> Sequence[tuple[str, str]]:
    """Return each value of a request with its path, as in `amount.value`.

    Empty if it cannot be reviewed: it is too long, no JSON, or names a value twice.
    """
    if len(body) > LONGEST:
        return ()
    try:
        found = json.loads(body, object_pairs_hook=_once, parse_float=str, parse_int=str)
        return tuple(_values("", found))
    except (ValueError, RecursionError):
        return ()


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")  # readers differ in which of them counts
    return found


def _values(path: str, value: object) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _values(f"{path}.{clean(name)}".lstrip("."), each)
        case list():
            for place, each in enumerate(value):
                yield from _values(f"{path}.{place}", each)
        case None:
            yield path, "null"
        case _:
            yield path, clean(str(value))


def unlike(row: IntentRow, body: str) -> str:
    """Return in what a proposed request or mandate is not the one shown; empty if in nothing."""
    if row.is_mandate:
        mandate = mandate_of(row)
        is_other = mandate is None or mandate.body.decode() != body
        return "The request is not the mandate that it says." if is_other else ""
    terms = row.terms
    values = [text for _, text in values_of(body)]
    if not values:
        return "The request cannot be reviewed."
    named = {
        "the wallet": terms.source_wallet_id,
        "the wallet that it goes to": terms.destination_wallet_id,
        "the recipient's account": terms.payment_address_id,
        "the reference": terms.reference,
    }
    lacks = [what for what, said in named.items() if said and clean(said) not in values]
    if not any(_number(text) == terms.amount for text in values):
        lacks.insert(0, "the amount")
    return f"The request is not what it says: it lacks {', '.join(lacks)}." if lacks else ""


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
