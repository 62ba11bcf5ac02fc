"""Base classes of screens and dialogs: status bar, hints, tabs, and updates while visible."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import ScreenResume
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.terminal.textual_patches import RowCompositor
from paytui.tui.widgets.footer import KeyHints
from paytui.tui.widgets.status import StatusBar
from paytui.tui.widgets.text import Tabs


class BaseScreen(Screen[None], inherit_bindings=False):
    """A full screen that reads the store only while it is visible."""

    CSS_PATH = ["frame.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    BINDINGS = keys.FRAME
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (72, "-normal"),
        (110, "-wide"),
    ]

    _is_painted_whole_next = False

    class Resumed(Message):
        """A message that the screen became visible: it may have missed changes."""

    class ConfirmsChanged(Message):
        """A message that a confirm step appeared on this screen, or was left."""

    def __init__(self, desk: UiContext) -> None:
        super().__init__()
        self._compositor = RowCompositor()
        self.desk = desk
        self.status = StatusBar(desk)
        self.hints = KeyHints()

    def compose(self) -> ComposeResult:
        """Yield the body between the status bar and the hints."""
        yield self.status
        yield from self.body()
        yield self.hints

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Pull the changes that were missed; a new theme is applied already."""
        event.refresh_styles = False
        self.post_message(self.Resumed())

    def _compositor_refresh(self) -> None:
        """Paint changes, unless `_refresh_layout()` is about to paint the whole screen."""
        if not self._is_painted_whole_next:
            super()._compositor_refresh()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out; skip partial painting if the whole screen is painted next anyway."""
        self._is_painted_whole_next = self._repaint_required
        super()._refresh_layout(size, scroll)
        self._is_painted_whole_next = False

    def body(self) -> Iterator[Widget]:
        """Yield the widgets between the status bar and the hints."""
        raise NotImplementedError

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a wizard to start from."""
        return None

    @property
    def kinds_in_view(self) -> Collection[Kind]:
        """Return the kinds of objects to read often while this screen is visible."""
        return tuple(Kind)

    @property
    def confirms(self) -> bool:
        """Return True on a confirm step, which nothing may cover."""
        return False

    @property
    def is_over(self) -> bool:
        """Return True if nothing is left to do here, so that its number key leads past it."""
        return False

    def refuses(self, action: str) -> bool:
        """Return True for an action that a read-only profile refuses."""
        return self.desk.settings.profile.read_only and action in keys.CREATES

    async def pull(self) -> None:
        """Take in changes of the store and of the account in scope."""
        self.status.show()

    def tick(self) -> None:
        """Update times; called every second."""
        self.status.tick()


class MainPage(BaseScreen):
    """A screen that has a number, with the tabs of all numbered screens.

    Attributes:
        WATCHES_RATES: True if a live rate sheet is held while the screen is visible.
    """

    WATCHES_RATES: ClassVar[bool] = False

    def __init__(self, desk: UiContext, mode: str) -> None:
        super().__init__(desk)
        self._mode = mode

    def compose(self) -> ComposeResult:
        """Yield the tabs and the body between the status bar and the hints."""
        yield self.status
        yield Tabs(self._mode)
        yield from self.body()
        yield self.hints


T = TypeVar("T")


class Dialog(ModalScreen[T], inherit_bindings=False):
    """A box over the screen that esc closes."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.FRAME, *keys.DIALOG]

    async def pull(self) -> None:
        """Take in changes of the store; most dialogs show none."""

    def action_back(self) -> None:
        """Close without a choice."""
        self.dismiss(None)
