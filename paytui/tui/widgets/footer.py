"""The last line: the keys that matter here."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Protocol, runtime_checkable

from textual import events
from textual.app import App
from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.text import SplitLine

LASTING = frozenset({"help", "quit"})
"""What is told however narrow the terminal is: from there all else is found."""

BACK = "back"
"""The action that leads to where one came from."""

BETWEEN = Content("  ")


@runtime_checkable
class HidesHints(Protocol):
    """A screen on which some keys are not worth a hint at times: they only say why they cannot."""

    def is_quiet(self, action: str) -> bool:
        """Return True if an action has nothing to do now."""
        ...


@runtime_checkable
class RefusesActions(Protocol):
    """A screen that refuses some actions: neither footer nor help offers them."""

    def refuses(self, action: str) -> bool:
        """Return True if an action only says why it is refused."""
        ...


def is_refused(screen: Screen[object], action: str) -> bool:
    """Return True if a screen refuses an action."""
    return isinstance(screen, RefusesActions) and screen.refuses(action)


class KeyHints(SplitLine):
    """Follows the active bindings of the screen that it is on."""

    def __init__(self) -> None:
        super().__init__()
        self._hints: dict[str, Content] = {}
        self._warning = Content()

    def warn(self, words: Content) -> None:
        """Say at the right edge why a key that was pressed does nothing; blank where it does."""
        self._warning = words
        self._tell()

    def on_mount(self) -> None:
        """Follow the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def on_resize(self) -> None:
        """Tell as many as there is room for now."""
        self._tell()

    def _follow(self, screen: Screen[object]) -> None:
        own = {binding.id for binding in vars(type(screen)).get("BINDINGS", ())}
        active = sorted(screen.active_bindings.values(), key=lambda one: _rank(screen, one, own))
        every = [one.binding for one in active]
        shown = [binding for binding in every if binding.show and not _is_quiet(screen, binding)]
        self._hints = {}
        for binding in shown:  # of two keys that do the same, the first is told
            self._hints.setdefault(binding.action, self._hint(binding))
        self._tell()

    def _tell(self) -> None:
        room = self.content_size.width - self._warning.cell_length
        self.say(BETWEEN.join(fitting(self._hints, room)), self._warning)

    def _hint(self, binding: Binding) -> Content:
        key = toned(f" {self.app.get_key_display(binding)}", Tone.ACCENT)
        return Content(" ").join([key, toned(binding.description, Tone.MUTED)])


def _rank(screen: Screen[object], active: ActiveBinding, own: Container[str]) -> int:
    """First what is in focus, and the way back; then what this kind of screen has alone."""
    is_of_focus = active.node is not screen and not isinstance(active.node, App)
    if is_of_focus or active.binding.action == BACK:
        return 0
    return 1 if active.binding.id in own else 2


def _is_quiet(screen: Screen[object], binding: Binding) -> bool:
    is_quiet = isinstance(screen, HidesHints) and screen.is_quiet(binding.action)
    return is_quiet or is_refused(screen, binding.action)


def fitting(hints: Mapping[str, Content], width: int) -> list[Content]:
    """The hints, by action, that fit into so many cells; the last ones go first."""
    kept = dict(hints)
    between = len(BETWEEN.plain)  # once its cell_length is known, join() counts it once too often
    over = sum(hint.cell_length + between for hint in kept.values()) - width
    for action in reversed(tuple(hints)):
        if over <= between:  # behind the last there is nothing to part it from
            break
        if action not in LASTING:
            over -= kept.pop(action).cell_length + between
    return list(kept.values())


# Keys that come many at a time are carried out one after the other, where they then belong.


class OrderedKeys(Widget):
    """Carries out its keys itself: a key that gives the focus away has those behind it follow.

    Keys often come many at a time, over a slow link or out of quick fingers. They wait here by
    then, and a line that the first of them opened by way of the app would come too late.
    """

    def __bool__(self) -> bool:
        """Textual gives keys to what has the focus if that is true; a list of no rows is, too."""
        return True

    async def on_key(self, event: events.Key) -> None:
        """Carry out what a key means here; what came behind one that led elsewhere is for there."""
        screen = self.screen
        if not screen.is_active:
            hand_on(event, self.app.screen)
            return
        found = screen.active_bindings.get(event.key)
        if screen.focused is not None and screen.focused is not self:
            hand_on(event, screen)
        elif (
            found is not None
            and found.node in (self, screen, self.app)
            and await self.app.run_action(found.binding.action, found.node)
        ):
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted behind a key that led elsewhere is for there; here it is nothing."""
        screen = self.screen if self.screen.is_active else self.app.screen
        if screen.focused is not None and screen.focused is not self:
            hand_on(event, screen)


def hand_on(event: events.Key | events.Paste, screen: Screen[object]) -> None:
    """Have what was typed go to what has the focus there, behind what waits for that already."""
    event.stop()
    # A new one: nobody has prevented anything of it yet.
    again = (
        events.Paste(event.text)
        if isinstance(event, events.Paste)
        else events.Key(event.key, event.character)
    )
    (screen.focused or screen).post_message(again)
