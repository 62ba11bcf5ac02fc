"""The words of the status bar, in what room there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widget import Widget

from paytui.tui.theme.themes import TINTED

GAP = 2
"""Cells between two of them."""

LEGIBLE = 8
"""Cells of a name under which it says nothing any more."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong, at length and in short."""

    full: Content
    short: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What there is to say.

    Attributes:
        fixed: what never gives way: which profile this is, whether money is real, read-only.
        scope: whose figures are shown.
        host: where they come from; the first to give way.
        troubles: what is wrong, the worst first; they take short forms before they are cut.
    """

    fixed: Content
    scope: Content
    host: Content
    troubles: tuple[Trouble, ...] = ()


class StatusWords(Widget):
    """Repaints only when it has something else to say."""

    DEFAULT_CSS = """
    StatusWords { height: 1; width: 1fr; }
    """

    def __init__(self, *, is_tinted: bool) -> None:
        super().__init__()
        self._is_tinted = is_tinted
        self._standing = Standing(fixed=Content(), scope=Content(), host=Content())

    def say(self, standing: Standing) -> None:
        """Show this, if it is not shown already."""
        if standing != self._standing:
            self._standing = standing
            self.refresh()

    def render(self) -> Content:
        """As much of it as there is room for."""
        words = arranged(self._standing, self.content_size.width)
        return words.stylize(TINTED) if self._is_tinted else words


def arranged(standing: Standing, width: int) -> Content:
    """The words in so many cells; what is cut ends in an ellipsis."""
    room = width - standing.fixed.cell_length
    warnings = _warnings(standing.troubles, room - 2 * GAP)
    room -= warnings.cell_length + 2 * GAP * bool(warnings)
    left = Content("  ").join([standing.fixed, *_names(standing, room)])
    left = left.truncate(width, ellipsis=True)
    after = Content(" " * GAP) if warnings else Content()
    between = Content(" " * (width - (left + warnings + after).cell_length))
    return Content("").join([left, between, warnings, after])


def _warnings(troubles: Sequence[Trouble], room: int) -> Content:
    """At length; in short where that does not fit; cut where nothing else helps."""
    if not troubles:
        return Content()
    full = Content("  ").join(trouble.full for trouble in troubles)
    if full.cell_length <= room:
        return full
    short = Content("  ").join(trouble.short for trouble in troubles)
    return short.truncate(max(0, room), ellipsis=True)


def _names(standing: Standing, room: int) -> Iterable[Content]:
    """Host and scope in this order; of both the host gives way first."""
    scope = _legible(standing.scope, room - GAP)
    host = _legible(standing.host, room - GAP - scope.cell_length - GAP * bool(scope))
    return filter(None, (host, scope))


def _legible(words: Content, room: int) -> Content:
    if room < min(LEGIBLE, words.cell_length):
        return Content()
    return words.truncate(room, ellipsis=True)
