"""Everything that depends on private parts of Textual, under public names.

Written for Textual 8.2.8. `tests/test_private_parts.py` fails if a part of it changes.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial, wraps
from inspect import unwrap
from typing import Any, TypeVar

from rich.console import RenderableType
from textual import work
from textual._compositor import Compositor, CompositorMap, ReflowResult
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Idle, Key, Paste, Resize
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import AwaitMount, Widget
from textual.worker import WorkerFailed

T = TypeVar("T")


class HookedApp(App[None]):
    """An app with hooks for crashes, batched painting, and its terminal."""

    def is_behind(self) -> bool:
        return isinstance(self._driver, HookedDriver) and self._driver.is_behind

    @property
    def is_batching(self) -> bool:
        return bool(self._batch_count)

    def write_terminal(self, data: str) -> None:
        if self._driver is not None:
            self._driver.write(data)

    def mark_styled(self, screen: Screen[T]) -> None:
        """Note that a new screen mounts with the current theme.

        Textual would apply all styles again when it shows the screen: 25 ms.
        """
        screen._css_update_count = self._css_update_count  # noqa: SLF001

    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        """Read the style sheets of a new screen before it is mounted.

        Textual does so afterwards: it parses all others again, and styles all widgets again: 20 ms.
        """
        for path in screen.css_path if isinstance(screen, Screen) else ():
            if not self.stylesheet.has_source(str(path), ""):
                self.stylesheet.read(path)
        return super()._get_screen(screen)

    def crash(self, error: Exception) -> None:
        self._handle_exception(error)

    def note_crash(self, error: BaseException) -> None:
        """Hook: the app ends because of an error."""

    def panic(self, *_: RenderableType) -> None:
        """End after a crash, without printing any renderable."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """End after a crash. Textual's own report would print local variables, secrets included."""
        if self._exception is not None:
            error = self._exception
            self.note_crash(error.error if isinstance(error, WorkerFailed) else error)
        self._close_messages_no_wait()

    def holds(self, event: Key | Paste) -> bool:  # noqa: ARG002  (a hook's default)
        """Hook: return True if input is kept for a screen that is not ready yet."""
        return False

    def filter_output(self, data: str) -> str:
        """Hook: return the data to send to the terminal."""
        return data

    def take_over_screen(self) -> bool:
        """Hook: take over the terminal; return True if its alternate screen is open already."""
        return False


PARTS = 6  # Of a new screen: each is rendered in about 2 ms


class RowCompositor(Compositor):
    """A compositor that has widgets render only the rows to be painted, and to be seen.

    Textual's has each widget between the first and the last of them render all of its own. A list
    between its title and its sums would be rendered whenever both change. A container is rendered
    behind its children: a quarter of the first paint of a screen. And it takes a size that it
    computed for a region, before the layout, for one that the widget was told.
    """

    _is_painted: Callable[[int], bool]

    def __init__(self) -> None:
        super().__init__()
        self._told: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        self._full_map = self._told
        result = super().reflow(parent, size)
        self._told, self._full_map_invalidated = self._full_map, False
        return result

    def render_part(self, part: int) -> None:
        """Have widgets render one part, numbered from the top, and keep its lines for the paint."""
        self._is_painted = lambda y: y * PARTS // self.size.height == part
        for _ in self._get_renders():
            pass

    def _render_chops(
        self, crop: Region, is_rendered_line: Callable[[int], bool]
    ) -> Sequence[Mapping[int, Strip]]:
        self._is_painted = is_rendered_line
        return super()._render_chops(crop, is_rendered_line)

    def _get_renders(
        self, crop: Region | None = None
    ) -> Iterator[tuple[Region, Region, list[Strip]]]:
        cropped = self.size.region if crop is None else crop
        covered = {y: 0 for y in cropped.line_range if self._is_painted(y)}  # a bit for each column
        for widget, (region, clip) in self.visible_widgets.items():  # those in front first
            seen = region.intersection(clip)
            columns = ((1 << seen.width) - 1) << seen.x
            lines = [y for y in seen.line_range if columns & ~covered.get(y, -1)]
            covered.update({y: covered[y] | columns for y in lines})
            if lines:
                rows = Region(0, lines[0], self.size.width, lines[-1] - lines[0] + 1)
                shown = seen.intersection(rows).translate(-region.offset)
                yield region, clip.intersection(rows), widget.render_lines(shown)


class HookedScreen(Screen[T]):
    """A screen that lays out in one turn of the loop, and paints in the next, once.

    Textual does both in one turn, which takes 15 ms for a new screen. Here that takes several
    turns. And it paints in part just before it paints whole: 2.7 KB more to open a filter. And it
    is idle before the last message in its queue: it paints without what that asks for, and calls
    what waits for the paint.
    """

    _is_painted_next = False
    _turns_of_new = PARTS  # Before the first paint: one to learn sizes, then all parts but one
    _hold: Timer | None = None  # Until it is painted at the latest

    def __init__(self) -> None:
        super().__init__()
        self._compositor: RowCompositor = RowCompositor()

    def hold_paint(self, seconds: float, late: Callable[[], object]) -> None:
        """Paint nothing until `end_hold()`. If that takes as long, call `late`, and paint.

        A paint that follows another one waits for the next frame, up to 17 ms.
        """

        def end() -> None:
            late()
            self.end_hold()

        if self._hold is None:
            self._hold = self.set_timer(seconds, end)

    def end_hold(self) -> None:
        if self._hold is not None:
            self._hold.stop()
            self._hold = None
            self.check_idle()

    async def _on_idle(self, event: Idle) -> None:
        is_busy = self._is_painted_next or self._pending_message is not None
        if self._hold is not None or is_busy:
            event.prevent_default()

    def _on_timer_update(self) -> None:
        is_layout_due = self._layout_required or self._scroll_required
        if self._hold is not None or self._is_painted_next:  # a frame of what was painted before
            self._update_timer.pause()
        elif is_layout_due and self.is_current and not self.app._batch_count:  # noqa: SLF001
            self._refresh_layout(scroll=self._scroll_required)
            self._layout_required = self._scroll_required = False
        else:
            super()._on_timer_update()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out now, and paint in the loop's next turn: keys are handled in between."""
        self._is_painted_next = True
        super()._refresh_layout(size, scroll)
        asyncio.get_running_loop().call_soon(self._paint_layout)

    def _paint_layout(self) -> None:
        try:
            if self._turns_of_new and self.is_current and not self.app._batch_count:  # noqa: SLF001
                self._turns_of_new -= 1
                if self._turns_of_new < PARTS - 1:
                    self._compositor.render_part(self._turns_of_new)
                asyncio.get_running_loop().call_soon(self._paint_layout)
                return
            self._is_painted_next = False
            self._dirty_widgets.add(self)  # until what the layout has changed is painted
            self._on_timer_update()
        except Exception as error:  # noqa: BLE001 - as Textual does for its timers
            self.app._handle_exception(error)  # noqa: SLF001

    def _compositor_refresh(self) -> None:
        """Paint what has changed; while painting is batched Textual would render it in vain."""
        if not (self._is_painted_next or self.app._batch_count):  # noqa: SLF001
            super()._compositor_refresh()

    def _screen_resized(self, size: Size) -> None:
        """Lay out for a new size; Textual does so three times more for that of the first layout."""
        if size != self._compositor.size:
            super()._screen_resized(size)


class TextSizeMixin(Widget):
    """An input that grows by a letter without laying out the screen again, which takes 1 ms.

    Textual does so when `virtual_size` changes; only the scrolling of the text depends on it.
    """

    virtual_size = Reactive(Size(0, 0))


class HookedDriver(LinuxDriver):
    """A driver that knows whether it is behind, resumes after any stop, and keeps to the last size.

    Textual does these in signal handlers. One that interrupts a write waits for ever for the lock
    of the write. One that is interrupted by the next resize reports its older size last. Here they
    are callbacks of the event loop.
    """

    def __init__(self, app: App[None], **options: Any) -> None:  # noqa: ANN401 - Textual's own
        super().__init__(app, **options)
        self._call_on(signal.SIGTSTP, self._sigtstp_application)
        self._call_on(signal.SIGCONT, self._sigcont_application)

    @property
    def is_behind(self) -> bool:
        return self._writer_thread is not None and not self._writer_thread._queue.empty()  # noqa: SLF001

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._call_on(signal.SIGWINCH, self._report_size)

    def _call_on(self, number: signal.Signals, callback: Callable[[], None]) -> None:
        call = asyncio.get_running_loop().call_soon_threadsafe
        signal.signal(number, lambda *_: call(callback))

    def _report_size(self) -> None:
        if not self._in_band_window_resize:
            size = Size(*self._get_terminal_size())
            self._app.post_message(Resize(size, size))

    def _sigcont_application(self, *arguments: object) -> None:
        """Resume after SIGCONT; restore the terminal first if nothing announced the stop.

        Without that, Textual would start a second input thread.
        """
        if self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
        super()._sigcont_application(*arguments)
        self._app.call_later(self._app.refresh, layout=True)  # the screen was erased meanwhile


class KeySequenceParser(XTermParser):
    """Textual's parser of keys. Its reader would wake up ten times a second; ours need not."""

    @property
    def is_half_read(self) -> bool:
        """Return True if a pause would complete a key."""
        return self._timeout_time is not None


_gather: Callable[[CommandPalette, str], Awaitable[None]] = unwrap(CommandPalette._gather_commands)  # noqa: SLF001


class ClosablePalette(CommandPalette):
    """A command palette that may be closed while it searches; Textual's crashes then."""

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)  # noqa: SLF001
    async def _gather_commands(self, search_value: str) -> None:
        with suppress(NoMatches):
            await _gather(self, search_value)


COLOURS = 1024  # Colour pairs to cache, as many as Textual does


def patch_caches() -> None:
    """Replace two caches of Textual that keep painted lines alive.

    `StylesCache` has an `lru_cache` on a method, which keeps the lines of the last 1,024 widgets:
    320 KB each time that the help is opened. A `Strip` that is cut at its end caches itself: only
    the garbage collector frees such a line, and had to free 180 objects a key.
    """
    remembering = StylesCache.__dict__["get_inner_outer"]
    if isinstance(remembering, staticmethod):
        return
    shared = lru_cache(COLOURS)(partial(remembering.__wrapped__, StylesCache))
    setattr(StylesCache, remembering.__name__, staticmethod(shared))
    cut_up = Strip.divide

    @wraps(cut_up)
    def divide(strip: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
        within = [cut for cut in cuts if cut <= strip.cell_length]
        return [strip] if within == [strip.cell_length] else cut_up(strip, within)

    setattr(Strip, cut_up.__name__, divide)
