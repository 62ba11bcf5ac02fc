"""Base classes of screens and dialogs: status bar, hints, tabs, and updates while visible."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, runtime_checkable

from textual.app import App, ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key, Paste, ScreenResume
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from paytui.domain.models import Kind
from paytui.store.needs_attention import Attention
from paytui.tui import textual_bindings
from paytui.tui.format.cells import Link, Tone, toned
from paytui.tui.textual_bindings import TICKETS
from paytui.tui.textual_internals import HookedApp, HookedScreen
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.ordered_keys import fresh
from paytui.tui.widgets.status import StatusBar
from paytui.tui.widgets.text import SCREENS, SplitLine, Tabs

if TYPE_CHECKING:
    from paytui.config.templates import Kind as TemplateKind

FRAME_CSS = Path(__file__).with_name("frame.tcss")
"""The styles of every full screen; a path alone would be relative to a subclass's file."""


MAX_COPY = 50_000  # Maximum bytes to copy: terminals accept about 74,000 of OSC 52, as base64


@runtime_checkable
class Dashboard(Protocol):
    """The app, as far as screens call it."""

    def is_behind(self) -> bool: ...

    def open_link(self, link: Link | Attention) -> None: ...

    def save_template(self, kind: TemplateKind, values: Mapping[str, str]) -> None: ...


class BaseScreen(HookedScreen[None], inherit_bindings=False):
    """A full screen that reads the store only while it is visible; `FINDS`: find opens from it."""

    FINDS: ClassVar[bool] = False
    FIRST_HINTS: ClassVar[Collection[str]] = ()
    is_ready = False  # True once it has its focus and is up to date, and can take input

    CSS_PATH = [FRAME_CSS]  # noqa: RUF012  (Textual's way; never written to)
    BINDINGS = textual_bindings.groups("Any screen")
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (72, "-normal"),
        (110, "-wide"),
    ]

    class Resumed(Message):
        """A message that the screen is in view, with its focus: it may have missed changes."""

        def __init__(self, screen: BaseScreen) -> None:
            super().__init__()
            self.screen = screen

    class ConfirmsChanged(Message):
        """A message that a confirm step appeared on this screen, or was left."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.ui = ui
        self.status = StatusBar(ui)
        self.hints = KeyHints()

    def compose(self) -> ComposeResult:
        # Textual adds the class once all widgets are styled, which are styled again then.
        self.add_class(
            max(one for one in self.HORIZONTAL_BREAKPOINTS if one[0] <= self.app.size.width)[1]
        )
        yield self.status
        yield from self.body()
        yield self.hints

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Pull the changes that were missed; a new theme is applied already."""
        event.refresh_styles = False
        self.post_message(self.Resumed(self))

    def on_screen_suspend(self) -> None:
        """Leave toasts to the screen above, which shows them too."""
        self.query("ToastRack").set(display=False)

    def body(self) -> Iterator[Widget]:
        raise NotImplementedError

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a ticket to start from."""
        return None

    @property
    def marked(self) -> Collection[object]:
        """Return the marked objects, which come before the one under the cursor."""
        return ()

    @property
    def kinds_in_view(self) -> Collection[Kind]:
        """Return the kinds of objects to read often while this screen is visible."""
        return tuple(Kind)

    @property
    def crumb(self) -> str:
        """Return the name of this screen in the titles of the screens that it leads to."""
        return ""

    @property
    def confirms(self) -> bool:
        """Return True on a confirm step, which nothing may cover."""
        return False

    @property
    def is_over(self) -> bool:
        """Return True if nothing is left to do here, so that its number key leads past it."""
        return False

    @property
    def dashboard(self) -> Dashboard:
        assert isinstance(self.app, Dashboard)
        return self.app

    def copy(self, label: str, value: str | None) -> None:
        """Copy a value to the terminal's clipboard by OSC 52, and tell the user so.

        OSC 52 works over SSH but sends no answer, and tmux or screen may keep the copy to
        themselves. A `Secret` is no string and cannot be copied; the store holds no secrets.
        """
        if not value:
            words = f"nothing to copy: {label} was not sent"
        else:
            kept = value.encode()[:MAX_COPY].decode(errors="ignore")
            self.app.copy_to_clipboard(kept)
            part = f"the first {len(kept):,} of {len(value):,} characters of "
            unless = ", if tmux or screen allows it" if self.ui.surroundings.multiplexed else ""
            words = f"copied {part if kept != value else ''}{label}{unless}"
        self.notify(words, timeout=3)

    def action_back(self) -> None:
        self.dismiss()

    def leave(self) -> None:
        """Keep what is needed of a screen that is left for good."""

    def refuses(self, action: str) -> bool:
        if action == "find":
            return not self.FINDS
        return self.ui.settings.profile.read_only and action in textual_bindings.CREATES

    def is_quiet(self, action: str) -> bool:
        """Hide the hints of tickets, but on lists and objects."""
        return action in TICKETS

    async def pull(self) -> None:
        """Take in changes of the store and of the account in scope."""
        self.status.show()
        self.show_now()

    def tick(self) -> None:
        """Update times; called every second."""
        self.status.tick()
        self.show_now()

    def show_now(self) -> None:
        """Hook: show what depends on the store and on the time."""


class MainPage(BaseScreen):
    """A screen with a number, below the tabs."""

    FIRST_HINTS: ClassVar[Collection[str]] = TICKETS
    FINDS = True

    def __init__(self, ui: UiContext, mode: str) -> None:
        super().__init__(ui)
        self._mode = mode

    def compose(self) -> ComposeResult:
        status, *others = super().compose()
        yield from (status, Tabs(self._mode), *others)

    @property
    def crumb(self) -> str:
        return next(name for _, mode, name in SCREENS if mode == self._mode)

    def visit(self) -> None:
        """Hook: the page comes into view instead of another one."""

    def is_quiet(self, action: str) -> bool:  # noqa: ARG002  (others hide some)
        return False


# The footer of key hints

LASTING = frozenset({"help", "quit"})
"""Actions shown at any width: from there, all others can be found."""

BACK = "back"

MOVES_MONEY = frozenset({*TICKETS, "confirm"})

BETWEEN = Content("  ")


class KeyHints(SplitLine):
    """Hints for the active bindings of its screen."""

    def __init__(self) -> None:
        super().__init__()
        self._hints: dict[str, Content] = {}
        self._warning = Content()

    def warn(self, words: Content) -> None:
        """Show at the right edge why a key did nothing; blank if it worked."""
        self._warning = words
        self._tell()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def on_resize(self) -> None:
        self._tell()

    def _follow(self, screen: Screen[Any]) -> None:
        own = {binding.id for binding in vars(type(screen)).get("BINDINGS", ())}
        assert isinstance(screen, BaseScreen), "a full screen mounts its hints"
        active = sorted(screen.active_bindings.values(), key=lambda one: _rank(screen, one, own))
        shown = [
            one.binding
            for one in active
            if one.binding.show
            and not (screen.is_quiet(one.binding.action) or screen.refuses(one.binding.action))
        ]
        self._hints = {}
        for binding in shown:  # of two keys for one action, the first
            moves_money = binding.action in MOVES_MONEY
            shown_key = f" {self.app.get_key_display(binding)}"
            key = toned(shown_key, Tone.MONEY if moves_money else Tone.ACCENT, bold=moves_money)
            hint = Content(" ").join([key, toned(binding.description, Tone.MUTED)])
            self._hints.setdefault(binding.action, hint)
        self._tell()

    def _tell(self) -> None:
        room = self.content_size.width - self._warning.cell_length
        self.say(BETWEEN.join(fitting(self._hints, room)), self._warning)


def _rank(screen: BaseScreen, active: ActiveBinding, own: Container[str | None]) -> int:
    """Rank a binding: those that the screen puts first, the focused widget's and the way back, the
    screen's own, then all others.
    """
    if active.binding.action in screen.FIRST_HINTS:
        return -1
    is_of_focus = active.node is not screen and not isinstance(active.node, App)
    if is_of_focus or active.binding.action == BACK:
        return 0
    return 1 if active.binding.id in own else 2


def fitting(hints: Mapping[str, Content], width: int) -> list[Content]:
    """Return the hints, by action, that fit into a width, the first ones first."""
    between = len(BETWEEN.plain)  # not cell_length: once that is cached, join() counts it twice
    needs = {action: hint.cell_length + between for action, hint in hints.items()}
    room = width + between - sum(needs[action] for action in LASTING & needs.keys())
    kept = []
    for action, hint in hints.items():
        if action in LASTING:
            kept.append(hint)
        elif needs[action] <= room:
            room -= needs[action]
            kept.append(hint)
    return kept


T = TypeVar("T")


class Dialog(ModalScreen[T], inherit_bindings=False):
    """A box over the screen that esc closes."""

    CSS_PATH = Path(__file__).with_name("dialog.tcss")
    BINDINGS: ClassVar[list[BindingType]] = textual_bindings.groups("Any screen", "Back", "Dialogs")

    async def pull(self) -> None:
        """Take in changes of the store; most dialogs show none."""

    def action_back(self) -> None:
        self.dismiss(None)

    @staticmethod
    def box(title: str, *content: Widget, keys: str = "", esc: str = "back") -> Vertical:
        """Return the frame of a dialog; its foot names `keys`, and what esc does."""
        box = Vertical(*content, classes="box")
        box.border_title = Content(title)
        box.border_subtitle = foot(keys, esc)
        return box


def foot(keys: str, esc: str = "back") -> Content:
    """Return the foot of a dialog."""
    return Content(f"{keys} · esc: {esc}" if keys else f"esc: {esc}")


class BoxDialog(Dialog[None]):
    """A box that only shows something."""

    def __init__(self, title: str, *content: Widget, keys: str = "", esc: str = "back") -> None:
        super().__init__()
        self._box = self.box(title, *content, keys=keys, esc=esc)

    def compose(self) -> ComposeResult:
        yield self._box


def scrolled(lines: Iterable[Content]) -> VerticalScroll:
    """Return lines of text for a dialog."""
    return VerticalScroll(Static(Content("\n").join(lines), markup=False))


class ScreenSwitch:
    """The delay of painting and of input while screens are switched.

    Textual delays painting by 50 ms; a screen is usually ready after 5 ms. Keys that come before
    that are meant for the new screen: on the old one they would act on another row.
    """

    def __init__(self, app: HookedApp) -> None:
        self._app = app
        self._held: tuple[Callable[[], None], ...] = ()
        self._holds = 0
        self._kept: list[Key | Paste] = []

    def hold_input(self) -> None:
        """Keep input until `release_input()`; holds may overlap."""
        self._holds += 1

    def release_input(self) -> None:
        self._holds -= 1

    @property
    def _is_held(self) -> bool:
        """Return True during a hold, while the top screen is not ready, and when there is none."""
        stack = self._app.screen_stack
        is_ready = bool(stack) and getattr(stack[-1], "is_ready", True)
        return self._holds > 0 or not is_ready

    def keeps(self, event: Key | Paste) -> bool:
        """Keep input during a hold or behind kept input; return True if it was kept."""
        if not (self._kept or self._is_held):
            return False
        self._kept.append(fresh(event))
        return True

    def take_kept(self) -> list[Key | Paste]:
        """Return and forget what was kept, in the order in which it was typed; nothing if held."""
        if self._is_held:
            return []
        kept, self._kept = self._kept, []
        # Keys that waited in the old screen's queue come behind later ones.
        return sorted(kept, key=lambda event: event.time)

    def delay(self, seconds: float) -> None:
        """Delay painting until `paint()`, for `seconds` at the most."""
        batch = ExitStack()
        batch.enter_context(self._app.batch_update())

        def end() -> None:
            if end not in self._held:
                return
            self._held = tuple(other for other in self._held if other is not end)
            batch.close()
            if not self._app.is_batching:
                for screen in self._app.screen_stack[-1:]:  # none while the app ends
                    screen.refresh()

        self._held += (end,)
        self._app.set_timer(seconds, end)

    def paint(self) -> None:
        """End the delay once the new screen has processed its pending messages."""
        for screen in self._app.screen_stack[-1:]:
            for end in self._held:
                screen.call_later(end)
