"""The one place that says whether anything can be sent from here."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from paytui.api.models import Kind, PaymentAddress, Recipient
from paytui.config.key_schemes import first_key
from paytui.store.health import FailingList, Feed
from paytui.store.views import recipient_title
from paytui.text import clean
from paytui.tui.desk import Desk
from paytui.tui.feed_words import LATE, feed_age, how_old, noun

TELL_ACCOUNTS = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
"""The lists that tell the bank details of whom money goes to."""

_LONGEST = 60
"""Characters of a name."""

_ONCE_READ = "this can be confirmed once they are read"


def may_send(desk: Desk) -> str | None:
    """Why nothing can be sent, in words; None where it can. Rates can be locked all the same."""
    if desk.settings.profile.read_only:
        return f"This profile is read-only{_by_whom(desk)}: nothing is sent from here."
    sending = desk.store.sending
    return None if sending.allowed else sending.why


def _by_whom(desk: Desk) -> str:
    """Who has made it so, where that is not the user."""
    place = f"profiles.{desk.settings.profile.name}.read_only"
    return f", {desk.settings.origins[place]}" if place in desk.settings.held else ""


def may_create(desk: Desk) -> str | None:
    """Why nothing new can be confirmed, in words; None where it can. What is open goes on."""
    key = first_key(desk.settings.keys, "app.unlock")
    return may_send(desk) or desk.idle.why(key) or None


def not_yet_read(desk: Desk, *kinds: Kind) -> str | None:
    """Why nothing that rests on these lists can be confirmed: they are as another run knew them."""
    cached = [noun(kind) for kind in kinds if desk.store.feed(kind).cached]
    if not cached:
        return None
    return f"The {' and '.join(cached)} shown are old; {_ONCE_READ}."


def accounts_not_read(
    desk: Desk, payee: Recipient | None, address: PaymentAddress | None
) -> str | None:
    """Why bank details cannot be gone by: were they changed meanwhile, nobody would see it here.

    Args:
        desk: what is known.
        payee: whom money goes to; None where that is not known.
        address: the account that it goes to, likewise.
    """
    recipients, addresses = map(desk.store.feed, TELL_ACCOUNTS)
    own = addresses.failing.get(payee.recipient_id) if payee is not None else None
    if words := not_yet_read(desk, Kind.RECIPIENTS) or _too_old(desk, recipients):
        return words
    if payee is not None and own is not None:
        return _own_list_fails(desk, payee, replace(addresses, read_at=own.read_at), own)
    if payee is None or not addresses.failing:
        return not_yet_read(desk, Kind.PAYMENT_ADDRESSES) or _too_old(desk, addresses)
    return _others_list_fails(desk, addresses, address)


def _own_list_fails(desk: Desk, payee: Recipient, addresses: Feed, own: FailingList) -> str | None:
    whose = f"The payment addresses of {clean(recipient_title(payee), _LONGEST)}"
    if own.read_at is None:
        return f"{whose} could not be read ({own.problem.what}); {_ONCE_READ}."
    if not _is_too_old(desk, addresses):
        return None
    return f"{whose} are {how_old(desk, addresses)} ({own.problem.what}); {_ONCE_READ} again."


def _others_list_fails(desk: Desk, addresses: Feed, address: PaymentAddress | None) -> str | None:
    """Somebody else's list bars nobody; what another run knew is not to be gone by all the same."""
    unconfirmed = desk.store.payment_addresses.unconfirmed() if addresses.cached else set()
    is_known = address is not None and address.payment_address_id not in unconfirmed
    if addresses.cached and (addresses.others_read_at is None or not is_known):
        return not_yet_read(desk, Kind.PAYMENT_ADDRESSES)
    return _too_old(desk, replace(addresses, read_at=addresses.others_read_at, cached=False))


def _too_old(desk: Desk, feed: Feed) -> str | None:
    if not _is_too_old(desk, feed):
        return None
    return f"The {noun(feed.kind)} shown are {how_old(desk, feed)}; {_ONCE_READ} again."


def _is_too_old(desk: Desk, feed: Feed) -> bool:
    """Whether it was to be read twice since it was; a failure or two are not worth a word."""
    return feed_age(desk, feed) > LATE + 2 * timedelta(seconds=feed.every)


def is_told_whole(desk: Desk, *kinds: Kind) -> bool:
    """Whether the newest reads of these lists brought all that there is."""
    feeds = [desk.store.feed(kind) for kind in kinds]
    return all(feed.ok and not feed.cut and not feed.skipped for feed in feeds)
