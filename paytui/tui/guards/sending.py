"""The one place that says whether anything can be sent from here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from paytui.api.models import Kind
from paytui.config.key_schemes import first_key
from paytui.tui.desk import Desk
from paytui.tui.feed_words import LATE, feed_age, how_old, noun

TELL_ACCOUNTS = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
"""The lists that tell the bank details of whom money goes to."""


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
    return f"The {' and '.join(cached)} shown are old; this can be confirmed once they are read."


def accounts_not_read(desk: Desk) -> str | None:
    """Why bank details cannot be gone by: were they changed meanwhile, nobody would see it here."""
    return not_yet_read(desk, *TELL_ACCOUNTS) or next(_too_old(desk), None)


def _too_old(desk: Desk) -> Iterator[str]:
    """Lists that were to be read twice since they were; a failure or two are not worth a word."""
    for feed in map(desk.store.feed, TELL_ACCOUNTS):
        if feed_age(desk, feed) > LATE + 2 * timedelta(seconds=feed.every):
            old = f"The {noun(feed.kind)} shown are {how_old(desk, feed)}"
            yield f"{old}; this can be confirmed once they are read again."


def is_told_whole(desk: Desk, *kinds: Kind) -> bool:
    """Whether the newest reads of these lists brought all that there is."""
    feeds = [desk.store.feed(kind) for kind in kinds]
    return all(feed.ok and not feed.cut and not feed.skipped for feed in feeds)
