"""The state of the link, from the outcomes of all reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from paytui.api.client import Client
from paytui.api.errors import ApiError, AuthRefused, NotOffered, ServiceUnreachable
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime
from paytui.store.health import Link, LinkState
from paytui.store.store import Store

MISSES = 3
"""Reads in a row, of whatever kind, that got no answer: then it is the link, not one slow list."""


class LinkKeeper:
    """Keeps the store's `Link` true.

    Args:
        came_back: called when a read succeeds after trouble with the link as a whole.

    Attributes:
        back_offs: reads so far that brought nothing, and are put off for it.
    """

    def __init__(
        self,
        client: Client,
        store: Store,
        service_time: ServiceTime,
        came_back: Callable[[], None],
    ) -> None:
        self._client = client
        self._store = store
        self._time = service_time
        self._came_back = came_back
        self._missed = 0
        self.back_offs = 0

    def succeeded(self) -> None:
        """A read brought what it was to bring."""
        self._missed = 0
        was_in_trouble = self._store.link.problem is not None
        self._set(LinkState.UP, None)
        if was_in_trouble:
            self._came_back()

    def failed(self, error: ApiError) -> None:
        """A read brought nothing."""
        if isinstance(error, NotOffered):
            self._not_offered(error)
            return
        self.back_offs += 1
        if isinstance(error, AuthRefused):
            self._set(LinkState.REFUSED, error.problem)
        elif isinstance(error, ServiceUnreachable):
            self._missed += 1
            if self._missed >= MISSES or self._store.link.state is not LinkState.UP:
                self._set(LinkState.UNREACHABLE, error.problem)
        else:
            self._answered(error)

    def _not_offered(self, error: NotOffered) -> None:
        """Note a missing list: the link works if the service answered."""
        if error.written:
            self.succeeded()

    def _answered(self, error: ApiError) -> None:
        """The service speaks; whether it lets us in is not known before a read succeeds."""
        self._missed = 0
        if self._store.link.state is LinkState.UP:
            self._set(LinkState.UP, None)
        else:
            self._set(LinkState.CONNECTING, error.problem)

    def _set(self, state: LinkState, problem: Problem | None) -> None:
        before = self._store.link
        since = before.since if before.state is state else self._time.earliest()
        token = self._client.token_health
        held = token if token.remaining is not None else before  # what the last one listed
        after = Link(
            state,
            since,
            problem,
            superseded=token.contested,
            unshared=token.unshared,
            host_news=self._client.host_news,
            services=held.services,
            missing_services=held.missing_services,
        )
        if replace(after, since=before.since) != before:
            self._store.set_link(after)
