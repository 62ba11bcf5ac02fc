"""A titled panel: a rule or frame that holds a title, a count, and words at the right edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.tui.theme.tones import Tone, toned
from paytui.tui.widgets.text import SplitLine, split

LIGHT, HEAVY = ("─", "╭", "╮"), ("━", "┏", "┓")
"""A line and its corners; the heavy ones show the focus in a theme without colours."""

SHORTEST = 3  # Cells between both words that a rule takes


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


class RuleLine(SplitLine):
    """Words, a rule, and words at the right edge: `─ 12 payments ─── 3 s old ─`.

    A line that is too full for all of its words has no rule.
    """

    def line(self, left: Content, right: Content, width: int) -> Content:
        return self.ruled(left, right, width, LIGHT[0], ("", ""))

    def ruled(
        self, left: Content, right: Content, width: int, dash: str, corners: tuple[str, str]
    ) -> Content:
        """Return the line with a rule of these dashes, between two corners."""
        start, end = f"{corners[0]}{dash} ", f" {dash}{corners[1]}"
        inner = width - len(start) - len(end)
        if not corners[0] and left.cell_length + right.cell_length + SHORTEST > inner:
            return super().line(Content(" ") + left, right, width)
        left, right = split(left, right, inner)
        gap = inner - (left + right).cell_length
        if right:
            filled = f" {dash * (gap - 2)} " if gap >= SHORTEST else " " * gap
        else:
            filled, end = f" {dash * gap}", f"{dash}{corners[1]}"
        return Content("").join([Content(start), left, Content(filled), right, Content(end)])


class PathLine(RuleLine):
    """A title behind the names of the screens that led to it, as many as there is room for."""

    def __init__(self) -> None:
        super().__init__(classes="title")
        self._path: tuple[str, ...] = ()

    def follow(self, path: Iterable[str]) -> None:
        """Set the names, the first screen first."""
        self._path = tuple(path)
        self.refresh()

    def line(self, left: Content, right: Content, width: int) -> Content:
        for start in range(len(self._path)):
            names = ("…", *self._path[start:]) if start else self._path
            led = toned("".join(f"{name} › " for name in names), Tone.MUTED)
            if (led + left).cell_length + right.cell_length + 2 * len("─  ") < width:
                return super().line(led + left, right, width)
        return super().line(left, right, width)


class PanelTitle(RuleLine):
    """The title of a panel, which is the top of its frame."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def line(self, left: Content, right: Content, width: int) -> Content:
        panel = self.parent
        assert isinstance(panel, Panel), "a panel mounts its title"
        is_focused = panel.has_focus_within
        is_heavy = is_focused and self.app.theme_variables["focus-edge"] == "heavy"
        dash, first, last = HEAVY if is_heavy else LIGHT
        is_framed = bool(panel.body.styles.border_left[0])
        title = toned(self._title, Tone.ACCENT if is_focused else Tone.INK, bold=True)
        return self.ruled(
            title + left, right, width, dash, (first, last) if is_framed else ("", "")
        )


class PanelBody(Vertical):
    """The widgets of a panel; its border, if it has one, goes on in the title."""

    def __init__(self, rule: PanelTitle) -> None:
        super().__init__()
        self._rule = rule

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._rule.refresh()
