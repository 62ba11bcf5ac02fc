"""Errors that no user sees: in loops, logs, finalisers and feeds."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from paytui.domain.models import Problem
from paytui.store.health import Feed, Link
from paytui.store.store import Store

MISTAKE = "unexpected "
"""The beginning of every internal error."""


class Swallowed(logging.Handler):
    """Hears of them.

    Attributes:
        told: each, in words.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    @contextmanager
    def listening(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Hear of what happens inside."""
        hook = sys.unraisablehook
        sys.unraisablehook = lambda told: self.told.append(f"unraisable: {told.exc_value!r}")
        loop.set_exception_handler(lambda _loop, told: self.told.append(f"in the loop: {told}"))
        logging.getLogger().addHandler(self)
        try:
            yield
        finally:
            logging.getLogger().removeHandler(self)
            sys.unraisablehook = hook

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(f"logged: {record.getMessage()}")

    def hear(self, problem: Problem | None) -> None:
        """A problem is shown, which may be a mistake of ours."""
        if problem is not None and problem.what.startswith(MISTAKE):
            self.told.append(str(problem))


class HeardStore(Store):
    """A store that tells of each mistake, however short it stands there."""

    def __init__(self, swallowed: Swallowed) -> None:
        super().__init__()
        self._swallowed = swallowed

    def set_feed(self, feed: Feed) -> None:
        self._swallowed.hear(feed.problem)
        super().set_feed(feed)

    def set_link(self, link: Link) -> None:
        self._swallowed.hear(link.problem)
        super().set_link(link)
