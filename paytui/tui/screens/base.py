"""The base of full screens: status bar, hints, and updates while visible."""

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
    """A screen that reads the store only while it is the one on view."""

    CSS_PATH = ["frame.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    BINDINGS = keys.FRAME
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (72, "-normal"),
        (110, "-wide"),
    ]

    _is_painted_whole_next = False

    class Resumed(Message):
        """The screen came into view: it may have missed changes."""

    class ConfirmsChanged(Message):
        """A step that confirms came up on this screen, or was left."""

    def __init__(self, desk: UiContext) -> None:
        super().__init__()
        self._compositor = RowCompositor()
        self.desk = desk
        self.status = StatusBar(desk)
        self.hints = KeyHints()

    def compose(self) -> ComposeResult:
        """The frame around the body."""
        yield self.status
        yield from self.body()
        yield self.hints

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Have what happened meanwhile pulled; another theme has been seen to by then."""
        event.refresh_styles = False
        self.post_message(self.Resumed())

    def _compositor_refresh(self) -> None:
        """Paint what changed: Textual's own; see `_refresh_layout()`."""
        if not self._is_painted_whole_next:
            super()._compositor_refresh()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out; a part is not painted where all of it is to be painted next anyway."""
        self._is_painted_whole_next = self._repaint_required
        super()._refresh_layout(size, scroll)
        self._is_painted_whole_next = False

    def body(self) -> Iterator[Widget]:
        """Return the object of this screen."""
        raise NotImplementedError

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a wizard to start from."""
        return None

    @property
    def kinds_in_view(self) -> Collection[Kind]:
        """Return the kinds to read often while this is on view."""
        return tuple(Kind)

    @property
    def confirms(self) -> bool:
        """Return True if something is about to be confirmed here, so that nothing may cover it."""
        return False

    @property
    def is_over(self) -> bool:
        """Return True if there is nothing left to do here, so that its number leads past it."""
        return False

    def refuses(self, action: str) -> bool:
        """Return True for an action that a read-only profile refuses."""
        return self.desk.settings.profile.read_only and action in keys.CREATES

    async def pull(self) -> None:
        """Take in what changed in the store, or which account is looked at."""
        self.status.show()

    def tick(self) -> None:
        """A second has passed."""
        self.status.tick()


# A numbered screen: a frame with the line of all screens.


class MainPage(BaseScreen):
    """One of the screens that have a number.

    Attributes:
        WATCHES_RATES: whether a live rate sheet is to be held while it is on view.
    """

    WATCHES_RATES: ClassVar[bool] = False

    def __init__(self, desk: UiContext, mode: str) -> None:
        super().__init__(desk)
        self._mode = mode

    def compose(self) -> ComposeResult:
        """The frame, with tabs."""
        yield self.status
        yield Tabs(self._mode)
        yield from self.body()
        yield self.hints


# What dialogs share: they lie over a screen, and esc puts them away.

T = TypeVar("T")


class Dialog(ModalScreen[T], inherit_bindings=False):
    """A box over the screen."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.FRAME, *keys.DIALOG]

    async def pull(self) -> None:
        """Take in what changed in the store; most dialogs show nothing of it."""

    def action_back(self) -> None:
        """Put it away; nothing is chosen."""
        self.dismiss(None)
