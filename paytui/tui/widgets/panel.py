"""A titled panel: a rule or frame that holds a title, a count, and words at the right edge."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.tui.theme.tones import Tone, toned
from paytui.tui.widgets.text import SplitLine, split

LIGHT, HEAVY = ("─", "╭", "╮"), ("━", "┏", "┓")
"""A line and its corners; the heavy ones show the focus in a theme without colours."""

SHORTEST = 3  # Cells of rule between title and words, or there is none at their sides either


class Panel(Vertical):
    """A title on a rule, above widgets. The title is bold, and in the accent colour with the focus.

    The rule takes one row. On a wide screen it is the top of a frame (`frame.tcss`), which takes a
    row and two columns more.
    """

    def __init__(self, title: str, *content: Widget, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self.rule = PanelTitle(title)
        self.body = PanelBody(self.rule)
        self._content = content

    def compose(self) -> Iterator[Widget]:
        yield self.rule
        with self.body:
            yield from self.content()

    def content(self) -> Iterator[Widget]:
        """Yield the widgets below the title."""
        yield from self._content

    def say(self, *words: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Set the words after the title, such as a count, and those at the right edge."""
        self.rule.say(Content("").join(words), right)


class PanelTitle(SplitLine):
    """A title, its words, a rule, and words at the right edge: `─ Payments  12 ── 3 s old ─`."""

    def __init__(self, title: str, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._title = title

    def retitle(self, title: str) -> None:
        """Set another title."""
        if title != self._title:
            self._title = title
            self.refresh()

    def line(self, left: Content, right: Content, width: int) -> Content:
        panel = self.parent if isinstance(self.parent, Panel) else None
        is_focused = panel is not None and panel.has_focus_within
        is_heavy = is_focused and self.app.theme_variables["focus-edge"] == "heavy"
        dash, *corners = HEAVY if is_heavy else LIGHT
        if panel is None or not panel.body.styles.border_left[0]:
            corners = ["", ""]
        start, end = f"{corners[0]}{dash} ", f" {dash}{corners[1]}"
        title = toned(self._title, Tone.ACCENT if is_focused else Tone.INK, bold=True)
        left = title + left
        room = width - len(start) - len(end) - SHORTEST - 2 * bool(right)
        if not corners[0] and left.cell_length + right.cell_length > room:
            return super().line(Content(" ") + left, right, width)
        left, right = split(left, right, width - len(start) - len(end))
        gap = width - len(start) - len(end) - (left + right).cell_length
        if right:
            filled = f" {dash * (gap - 2)} " if gap > 2 else " " * gap  # noqa: PLR2004
        else:
            filled, end = f" {dash * gap}", f"{dash}{corners[1]}"
        return Content("").join([Content(start), left, Content(filled), right, Content(end)])


class PanelBody(Vertical):
    """The widgets of a panel; its border, if it has one, goes on in the title."""

    def __init__(self, rule: PanelTitle) -> None:
        super().__init__()
        self._rule = rule

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._rule.refresh()
