"""Text widgets: split lines, titles on a rule, panels, the tabs, scrollable text, and tones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from paytui.config.key_bindings import GROUPS
from paytui.tui import textual_bindings
from paytui.tui.format.cells import Tone, toned


class SplitLine(Widget):
    """A line of two parts; each has at least half of it and is cut with an ellipsis."""

    GAP: ClassVar[int] = 1  # Cells between both parts

    DEFAULT_CSS = """
    SplitLine { height: 1; width: 1fr; }
    """

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._left = Content()
        self._right = Content()

    def say(self, left: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Set both parts; only the cells that change are painted."""
        if left.is_same(self._left) and right.is_same(self._right):
            return
        if self.is_mounted and self.content_size.width:
            before, self._left, self._right = self.render(), left, right
            if changed := changed_region(before, self.render()):
                self.refresh(changed)
        else:
            self._left, self._right = left, right
            self.refresh()

    def render(self) -> Content:
        return self.line(self._left, self._right, self.content_size.width)

    def line(self, left: Content, right: Content, width: int) -> Content:
        """Return both parts in a line of exactly `width` cells."""
        left, right = split(left, right, width, self.GAP)
        return Content("").join([left, Content(" " * (width - (left + right).cell_length)), right])


def split(left: Content, right: Content, width: int, gap: int) -> tuple[Content, Content]:
    """Return two parts of a line; each has at least half of it, with a gap between them."""
    gap = gap if right else 0
    right = cut_words(right, max(width // 2, width - gap - left.cell_length))
    return left.truncate(max(0, width - gap - right.cell_length), ellipsis=True), right


def cut_words(words: Content, width: int) -> Content:
    """Return words that fit; words that do not are cut behind a whole one, with an ellipsis."""
    cut = words.truncate(width, ellipsis=True)
    if cut.cell_length == words.cell_length:
        return cut
    whole = words.plain[: len(cut.plain)].rpartition(" ")[0].rstrip(" ,:;")
    return words.truncate(cell_len(whole) + 1, ellipsis=True) if whole else cut


def changed_region(before: Content, after: Content) -> Region | None:
    """Return the region that holds all differences between two lines of the same width."""
    old, new = _styled(before), _styled(after)
    if old == new:
        return None
    start = _shared(old, new)
    end = len(new) - min(_shared(old[::-1], new[::-1]), len(new) - start)
    return Region(after[:start].cell_length, 0, after[start:end].cell_length, 1)


def _styled(line: Content) -> list[tuple[str, list[object]]]:
    """Return each character with its styles."""
    styled: list[tuple[str, list[object]]] = [(text, []) for text in line.plain]
    for span in line.spans:
        for _, styles in styled[span.start : span.end]:
            styles.append(span.style)
    return styled


def _shared(old: Sequence[object], new: Sequence[object]) -> int:
    """Return the length of the common start."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (was, now) in pairs if was != now), min(len(old), len(new)))


SCREENS = [
    (key.keys, name.removeprefix("screen."), key.does)
    for name, key in GROUPS["Everywhere"].items()
    if key.keys.isdigit()
]
"""Key, mode and name. The number of a screen never changes."""

_CURRENT = "bold $background on $accent"


class Tabs(SplitLine):
    """The numbered screens; the current one stands out by weight and colour."""

    def __init__(self, current: str) -> None:
        super().__init__()
        self._current = current

    def on_resize(self) -> None:
        """Drop spaces first, then most of the names; the current screen keeps its name."""
        for form in ((" ", " "), (" ",), ("",), (" ", "", 3), (" ", "", 0)):
            if (words := self._line(*form)).cell_length <= self.size.width:
                break
        self.say(words)

    def _line(self, space: str, end: str = "", most: int | None = None) -> Content:
        """Return all screens; names other than the current one's have at most so many letters."""
        parts = []
        for key, mode, name in SCREENS:
            if mode == self._current:
                parts.append(Content.styled(f" {key} {name} ", _CURRENT))
            else:
                parts.append(toned(f" {key}", Tone.ACCENT))
                parts.append(toned(f"{space}{name[:most]}{end}", Tone.MUTED))
        return Content("").join(parts)


class LongText(VerticalScroll, inherit_bindings=False):
    """Scrollable, wrapped text that can be selected with the mouse."""

    BINDINGS = textual_bindings.groups("Long texts")

    def __init__(self, text: Content = Content()) -> None:  # noqa: B008  (immutable)
        super().__init__()
        self._text = Static(text, markup=False)

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, text: Content) -> None:
        self._text.update(text)


class TickingCell(Widget):
    """A short text that ticks, in a widget of its own: `show()` repaints all of it."""

    DEFAULT_CSS = """
    TickingCell { width: auto; height: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = Content()

    def show(self, words: Content) -> None:
        before, self._shown = self._shown, words
        if not words.is_same(before):
            self.refresh(layout=words.cell_length != before.cell_length)

    def render(self) -> Content:
        return self._shown


class TonedWidget(Widget):
    """A widget that renders its lines itself, in tones."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"part--{tone}" for tone in Tone}
    DEFAULT_CSS = "\n".join(f"TonedWidget > .part--{tone} {{ color: ${tone}; }}" for tone in Tone)

    def __init__(self) -> None:
        super().__init__()
        self._looks: dict[tuple[str, bool], Style] = {}

    def look(self, part: str, *, partial: bool = False) -> Style:
        """Return the style of a tone or another part; `partial`: only what its own rules say.

        It is cached: Textual computes it again after each refresh.
        """
        if (part, partial) not in self._looks:
            style = self.get_component_rich_style(f"part--{part}", partial=partial)
            self._looks[part, partial] = style
        return self._looks[part, partial]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()


class TextBlock(Static):
    """A text that hides while it is empty, and repaints only if it changes."""

    def __init__(self, *, classes: str = "said") -> None:
        super().__init__(markup=False, classes=classes)
        self._shown = Content()
        self.display = False

    def show(self, words: Content) -> None:
        if not words.is_same(self._shown):
            self._shown = words
            self.display = bool(words)
            self.update(words)


LIGHT, HEAVY = ("─", "╭", "╮"), ("━", "┏", "┓")
"""A line and its corners; the heavy ones show the focus in a theme without colours."""

SHORTEST = 3  # Cells between both words that a rule takes


class Panel(Vertical):
    """A title on a rule, above widgets. The title is bold, and in the accent colour with the focus.

    The rule takes one row. On a wide screen it is the top of a frame (`frame.tcss`), which takes a
    row and two columns more.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.rule = PanelTitle(title)
        self.body = PanelBody(self.rule)

    def compose(self) -> Iterator[Widget]:
        yield self.rule
        with self.body:
            yield from self.content()

    def content(self) -> Iterator[Widget]:
        """Yield the widgets below the title."""
        raise NotImplementedError

    def say(self, *words: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Set the words after the title, such as a count, and those at the right edge."""
        self.rule.say(Content("").join(words), right)


class RuleLine(SplitLine):
    """Words, a rule, and words at the right edge: `─ 12 payments ─── 3 s old ─`.

    A line that is too full for all of its words has no rule.
    """

    GAP = 2  # One blank would read as one sentence

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
        left, right = split(left, right, inner, self.GAP)
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
