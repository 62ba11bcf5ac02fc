"""What the rows of a list are: their fields, their names, and how they are seen in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paytui.domain.models import Kind
from paytui.store.query.fields import Listed
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.details.objects import TITLES
from paytui.tui.format.feeds import empty_words, feed_words, noun
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.frame import Frame
from paytui.tui.theme.themes import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What is particular to the rows of a list, whatever list they are in.

    Attributes:
        listed: what their fields are read off.
        title: what one is called: `Pay-in address`.
        noun: what many are called: `pay-in addresses`.
        stem: what a file of them is called: `payin_addresses`.
        health: what there is to say of how they come in; empty while all is well.
        empty: what to say where there are none.
        detail: shows the one with an identifier in full.
    """

    listed: Listed
    title: str
    noun: str
    stem: str
    health: Callable[[Desk], Cell]
    empty: Callable[[Desk], str]
    detail: Callable[[Desk, str], Frame]


def objects_of(kind: Kind) -> Contents:
    """Objects that the service lists."""
    return Contents(
        listed=kind,
        title=TITLES[kind],
        noun=noun(kind),
        stem=kind.value,
        health=lambda desk: feed_words(desk, kind, len(desk.store.table(kind))),
        empty=lambda desk: empty_words(desk, kind),
        detail=lambda desk, key: DetailScreen(desk, Ref(kind, key)),
    )
