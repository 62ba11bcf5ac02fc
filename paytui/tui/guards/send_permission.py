"""Checks before a confirmation: why nothing can be sent, and what has to be typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from paytui.config.key_bindings import first_key
from paytui.config.settings import Profile
from paytui.config.spending_limits import refusal_reason, requires_typing
from paytui.domain.models import Kind, PaymentAddress, Recipient, RecipientId
from paytui.domain.money import CurrencyCode, Money, plain
from paytui.platform.text import clean
from paytui.store.health import FailingList, Feed
from paytui.store.names import recipient_title
from paytui.tui.format.feeds import LATE, feed_age, how_old, is_of_unknown_age, noun
from paytui.tui.guards import payee_warnings
from paytui.tui.times import age
from paytui.tui.ui_context import IdleLock, UiContext

TELL_ACCOUNTS = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
"""The lists that hold payees' bank details."""

_LONGEST = 60

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


def not_yet_read(ui: UiContext, *kinds: Kind) -> str | None:
    """Return the reason why nothing can be confirmed by cached lists; None if all are read."""
    cached = [noun(kind) for kind in kinds if ui.store.feed(kind).cached]
    if not cached:
        return None
    return f"The {' and '.join(cached)} shown are old; {_ONCE_READ}."


def accounts_not_read(
    ui: UiContext, payee: Recipient | None, address: PaymentAddress | None
) -> str | None:
    """Return why bank details are too old to pay, as they may have changed; None if fresh."""
    payee_id = None if payee is None else payee.recipient_id
    address_id = None if address is None else address.payment_address_id
    is_tracked = ui.store.feed(Kind.PAYMENT_ADDRESSES).tracked
    whose = address_id if is_tracked else payee_id
    return _not_read(ui, Kind.RECIPIENTS, payee, payee_id, payee_id) or _not_read(
        ui, Kind.PAYMENT_ADDRESSES, payee, whose, address_id
    )


def _not_read(
    ui: UiContext, kind: Kind, payee: Recipient | None, whose: str | None, row: str | None
) -> str | None:
    """Return the reason why one of the two lists is too old; `whose` names the row's own list."""
    feed = ui.store.feed(kind)
    if payee is None or whose is None or not feed.failing:
        return not_yet_read(ui, kind) or _too_old(ui, feed)
    own = feed.failing.get(whose)
    if own is not None:
        return _own_list_fails(ui, payee, replace(feed, read_at=own.read_at), own)
    return _others_list_fails(ui, feed, row)


def _own_list_fails(ui: UiContext, payee: Recipient, feed: Feed, own: FailingList) -> str | None:
    what = "details" if feed.kind is Kind.RECIPIENTS else noun(feed.kind)
    whose = f"The {what} of {clean(recipient_title(payee), _LONGEST)}"
    if own.read_at is None:
        return f"{whose} could not be read ({own.problem.what}); {_ONCE_READ}."
    if not _is_too_old(ui, feed):
        return None
    return f"{whose} are {how_old(ui, feed)} ({own.problem.what}); {_ONCE_READ} again."


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
    if not _is_too_old(ui, feed):
        return None
    return f"The {noun(feed.kind)} shown are {how_old(ui, feed)}; {_ONCE_READ} again."


def _is_too_old(ui: UiContext, feed: Feed) -> bool:
    """Return True if the feed missed two reads since it was read.

    A list that failed before it was read whole counts as too old; during the first read it does
    not.
    """
    if is_of_unknown_age(feed):
        return feed.problem is not None
    return feed_age(ui, feed) > LATE + 2 * timedelta(seconds=feed.every)


def is_complete(ui: UiContext, *kinds: Kind) -> bool:
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
        if self.refusal or self.asked in ("", typed.strip()):
            return self.refusal
        return f"Type {self.asked} to confirm."


def check_payee(
    ui: UiContext,
    payee: Recipient | None,
    address: PaymentAddress | None,
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
    elif payee_warnings.needs_account_check(ui, address, proven):
        is_hidden, unproven = True, payee_warnings.UNPROVEN
    named = payee_warnings.name_warnings(ui, payee, address) if payee and address else ()
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
    recipient: RecipientId | None,
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
