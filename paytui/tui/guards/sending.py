"""Checks that say why money cannot be sent, or a confirmation not given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from paytui.config.keys import first_key
from paytui.domain.models import Kind, PaymentAddress, Recipient
from paytui.platform.text import clean
from paytui.store.health import FailingList, Feed
from paytui.store.views import recipient_title
from paytui.tui.context import UiContext
from paytui.tui.format.feeds import LATE, feed_age, how_old, is_of_unknown_age, noun

TELL_ACCOUNTS = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
"""The lists that hold payees' bank details."""

_LONGEST = 60

_ONCE_READ = "this can be confirmed once they are read"


def may_send(desk: UiContext) -> str | None:
    """Return the reason why nothing can be sent; None if it can. Rates can be locked anyway."""
    if desk.settings.profile.read_only:
        return f"This profile is read-only{_by_whom(desk)}: nothing is sent from here."
    sending = desk.store.sending
    return None if sending.allowed else sending.why


def _by_whom(desk: UiContext) -> str:
    """Return the origin of that setting if it is not the user's."""
    place = f"profiles.{desk.settings.profile.name}.read_only"
    return f", {desk.settings.origins[place]}" if place in desk.settings.operator_locked else ""


def may_create(desk: UiContext) -> str | None:
    """Return the reason why nothing new can be confirmed; None if it can. Open steps continue."""
    key = first_key(desk.settings.keys, "app.unlock")
    return may_send(desk) or desk.idle.why(key) or None


def not_offered(desk: UiContext, operation: str) -> str | None:
    """Return the reason why the dialect offers no such operation; None if it does."""
    if operation not in desk.vocabulary.missing:
        return None
    what = operation.replace("_", " ")
    return f"This service does not offer: {what}. Its dialect says [paths] {operation} = []."


def service_warnings(desk: UiContext, service: str) -> Iterator[str]:
    """Yield a warning if the token lists services, and not this one."""
    link = desk.store.link
    if service in link.missing_services:
        listed = clean(", ".join(link.services), _LONGEST)
        yield f"The token lists {listed}, not {service}: the service may refuse this."


def not_yet_read(desk: UiContext, *kinds: Kind) -> str | None:
    """Return the reason why nothing can be confirmed by cached lists; None if all are read."""
    cached = [noun(kind) for kind in kinds if desk.store.feed(kind).cached]
    if not cached:
        return None
    return f"The {' and '.join(cached)} shown are old; {_ONCE_READ}."


def accounts_not_read(
    desk: UiContext, payee: Recipient | None, address: PaymentAddress | None
) -> str | None:
    """Return the reason why bank details are too old to pay; None if they are fresh.

    An account may have changed since.

    Args:
        desk: holds the state of the lists.
        payee: the recipient; None if unknown.
        address: the recipient's account; None if unknown.
    """
    payee_id = None if payee is None else payee.recipient_id
    address_id = None if address is None else address.payment_address_id
    is_tracked = desk.store.feed(Kind.PAYMENT_ADDRESSES).tracked
    whose = address_id if is_tracked else payee_id
    return _not_read(desk, Kind.RECIPIENTS, payee, payee_id, payee_id) or _not_read(
        desk, Kind.PAYMENT_ADDRESSES, payee, whose, address_id
    )


def _not_read(
    desk: UiContext, kind: Kind, payee: Recipient | None, whose: str | None, row: str | None
) -> str | None:
    """Return the reason why one of the two lists is too old; `whose` names the row's own list."""
    feed = desk.store.feed(kind)
    if payee is None or whose is None or not feed.failing:
        return not_yet_read(desk, kind) or _too_old(desk, feed)
    own = feed.failing.get(whose)
    if own is not None:
        return _own_list_fails(desk, payee, replace(feed, read_at=own.read_at), own)
    return _others_list_fails(desk, feed, row)


def _own_list_fails(desk: UiContext, payee: Recipient, feed: Feed, own: FailingList) -> str | None:
    what = "details" if feed.kind is Kind.RECIPIENTS else noun(feed.kind)
    whose = f"The {what} of {clean(recipient_title(payee), _LONGEST)}"
    if own.read_at is None:
        return f"{whose} could not be read ({own.problem.what}); {_ONCE_READ}."
    if not _is_too_old(desk, feed):
        return None
    return f"{whose} are {how_old(desk, feed)} ({own.problem.what}); {_ONCE_READ} again."


def _others_list_fails(desk: UiContext, feed: Feed, row: str | None) -> str | None:
    """Judge a row by the reads of the other lists.

    A failure of another payee's list does not refuse this one. Rows known only from an earlier run
    are refused all the same.
    """
    unconfirmed = desk.store.table(feed.kind).unconfirmed() if feed.cached else set()
    is_known = row is not None and row not in unconfirmed
    if feed.cached and (feed.others_read_at is None or not is_known):
        return not_yet_read(desk, feed.kind)
    return _too_old(desk, replace(feed, read_at=feed.others_read_at, cached=False))


def _too_old(desk: UiContext, feed: Feed) -> str | None:
    if not _is_too_old(desk, feed):
        return None
    return f"The {noun(feed.kind)} shown are {how_old(desk, feed)}; {_ONCE_READ} again."


def _is_too_old(desk: UiContext, feed: Feed) -> bool:
    """Return True if the feed missed two reads since it was read.

    A list that failed before it was read whole counts as too old; during the first read it does
    not.
    """
    if is_of_unknown_age(feed):
        return feed.problem is not None
    return feed_age(desk, feed) > LATE + 2 * timedelta(seconds=feed.every)


def is_complete(desk: UiContext, *kinds: Kind) -> bool:
    """Return True if the newest reads of these lists were complete."""
    feeds = [desk.store.feed(kind) for kind in kinds]
    return all(feed.ok and not feed.cut and not feed.skipped for feed in feeds)
