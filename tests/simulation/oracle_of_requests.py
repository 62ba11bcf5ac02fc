"""Invariants of sent requests: recorded first, sent once, never different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise

from paytui.domain.intent import Action
from tests.simulation.dashboard import Dashboard
from tests.simulation.desk import Asked, Desk
from tests.simulation.fates import Fate
from tests.simulation.post_log import Post
from tests.simulation.scenario import Dates
from tests.simulation.site import Site

LAST_MOMENTS = timedelta(seconds=3)
"""Of a locked rate, in which nothing is sent."""

JUST_NOW = timedelta(seconds=61)
"""After a trader confirmed it, for a first attempt: a minute, and what it takes to take it in."""

YOUNG = timedelta(minutes=10)
YOUNG_AT_REAL_TIME = timedelta(seconds=60)
TOKEN = timedelta(seconds=60)
"""The longest wait of a request for its token after the decision to send it."""


def came_back(post: Post) -> bool:
    """Return True if the service refused the token; the attempt continues with another."""
    return post.status == 401 and post.fate is not Fate.REFUSED_AFTER


def wrong_requests(site: Site, desk: Desk, dashboards: Sequence[Dashboard]) -> list[str]:
    """In words, what must not have been sent."""
    by_key = {asked.intent.key: asked for asked in desk.asked.values()}
    keys, wrong = site.log.keys(), []
    for key in keys:
        if key not in by_key:
            wrong.append(f"a request went out under the key {key}, which nobody confirmed")
            continue
        asked, posts = by_key[key], site.log.of(key)
        found = [
            *_not_the_same(posts),
            *_not_written_down(posts),
            *_as_another(asked, posts),
            *_unlooked(site, asked, posts),
            *_left_by_another(asked, posts),
            *_without_the_outbox(posts, dashboards),
            *_too_often(site, asked, posts),
            *_too_late(site, asked, posts),
        ]
        wrong += [f"{asked.intent.intent_id}: {words}" for words in found]
    return wrong


def _not_the_same(posts: list[Post]) -> Iterator[str]:
    if len({post.body for post in posts}) > 1:
        yield "it was sent with another body"
    paths = {post.path for post in posts}
    if len(paths) > 1:
        yield f"it was sent to {paths}"


def _not_written_down(posts: list[Post]) -> Iterator[str]:
    """Each attempt is on disk before its first byte leaves."""
    known = 0
    for post in posts:
        if len(post.departures) <= known or post.departures[-1] != post.path:
            yield "it left before that was written down"
        known = len(post.departures)


def _as_another(asked: Asked, posts: list[Post]) -> Iterator[str]:
    if any(post.client_id != asked.client_id for post in posts):
        yield "it was sent as another client, to whom its key is a new one"


def _unlooked(site: Site, asked: Asked, posts: list[Post]) -> Iterator[str]:
    """By itself nothing is repeated before a look that could have found it."""
    is_trade = asked.intent.action is Action.BOOK_TRADE
    if is_trade and not site.scenario.lists_all:
        return
    wanted = "/trades" if is_trade else "/payments"
    looks = [look for look in site.log.looks if look.path.endswith(wanted)]
    for before, post in pairwise(posts):
        # A process that took over does not know how long another goes on.
        ended = before.at if before.process != post.process else before.ended or before.at
        by_word = any(ended <= said <= post.at for said in asked.sent_anew)
        looked = any(ended <= look.asked and look.told <= post.at for look in looks)
        if not came_back(before) and not by_word and not looked:
            yield "it was repeated by itself without a look"


def _left_by_another(asked: Asked, posts: list[Post]) -> Iterator[str]:
    """Yield an error if another process sent it; only the original one knows its age."""
    for post in posts:
        by_word = any(said <= post.at for said in asked.sent_anew)
        if post.process != asked.process and not by_word:
            yield "it was sent by itself by a process that found it in the outbox"


def _without_the_outbox(posts: list[Post], dashboards: Sequence[Dashboard]) -> Iterator[str]:
    lost = {each.number: each.disowned_since for each in dashboards if each.disowned_since}
    if any(post.process in lost and post.at > lost[post.process] for post in posts):
        yield "it was sent by a process that no longer owned the outbox"


def _too_often(site: Site, asked: Asked, posts: list[Post]) -> Iterator[str]:
    if site.scenario.replay_safe:
        return
    allowed = 1 + len(asked.sent_anew) + sum(map(came_back, posts))
    if len(posts) > allowed:
        yield f"it was sent {len(posts)} times, {allowed} are allowed"


def _too_late(site: Site, asked: Asked, posts: list[Post]) -> Iterator[str]:
    terms, first = asked.intent.terms, posts[0]
    # A crash may have come before the first byte; a repeat by a trader's word is then the first.
    # Who sends it later has nothing but the service's own word for what the time is.
    is_later = asked.sent_anew or first.process != asked.process
    misdated = is_later and site.scenario.dates is not Dates.RIGHT
    if terms.expires_at is not None and not (asked.repeated or misdated):
        left = terms.expires_at - first.at
        if left <= LAST_MOMENTS:
            yield f"it was sent {left} before its rate expired"
    if asked.sent_anew:
        return
    at_real_time = terms.sell_currency is not None and terms.expires_at is None
    until = asked.at + (YOUNG_AT_REAL_TIME if at_real_time else YOUNG)
    if terms.expires_at is not None and site.scenario.dates is Dates.RIGHT:
        until = min(until, terms.expires_at)
    if first.process == asked.process and first.at - asked.at > JUST_NOW:
        yield f"it left {first.at - asked.at} after it was confirmed"
    for before, post in pairwise(posts):
        if came_back(before) and not site.scenario.replay_safe:
            if before is first and post.at - asked.at > JUST_NOW:
                yield f"it was executed {post.at - asked.at} after it was confirmed"
        elif not came_back(before) and post.at > until + TOKEN:
            yield f"it was repeated by itself {post.at - until} too late"
