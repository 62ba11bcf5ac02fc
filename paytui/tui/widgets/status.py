"""The status bar: profile, account in scope, warnings and the clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from paytui.config.key_bindings import first_key
from paytui.domain.intent import SendPermission
from paytui.domain.intent import Standing as IntentStanding
from paytui.platform.clock import Zone
from paytui.store.health import Link, LinkState
from paytui.store.names import account_name
from paytui.tui.format.cells import TINTED, Tone, toned
from paytui.tui.format.colleagues import here_words
from paytui.tui.textual_bindings import TICKETS
from paytui.tui.times import age, clock_seconds, since_time
from paytui.tui.ui_context import UiContext, newest_ticket
from paytui.tui.widgets.feeds import cached_words, late_words
from paytui.tui.widgets.text import TickingCell

GAP = 2

LEGIBLE = 8  # Minimum cells of a cut name


@dataclass(frozen=True, slots=True)
class Trouble:
    full: Content
    short: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusContent:
    """The content of the status bar.

    Attributes:
        fixed: never cut: profile, whether money is real, read-only.
        scope: the account whose figures are shown.
        host: the service's host; the first to be dropped.
        here: the colleagues at the desk, by name and by number; dropped if neither fits.
        draft: the drafts of tickets, at full length and ever shorter; dropped if none fits.
        troubles: warnings, the worst first; shortened before they are cut.
    """

    fixed: Content
    scope: Content
    host: Content
    here: tuple[Content, ...] = ()
    draft: tuple[Content, ...] = ()
    troubles: tuple[Trouble, ...] = ()


class StatusWords(Widget):
    """The text of the status bar; repaints only on a change."""

    DEFAULT_CSS = """
    StatusWords { height: 1; width: 1fr; }
    """

    def __init__(self, *, is_tinted: bool) -> None:
        super().__init__()
        self._is_tinted = is_tinted
        self._content = StatusContent(fixed=Content(), scope=Content(), host=Content())

    def say(self, content: StatusContent) -> None:
        if content != self._content:
            self._content = content
            self.refresh()

    def render(self) -> Content:
        words = arrange(self._content, self.content_size.width)
        return words.stylize(TINTED) if self._is_tinted else words


def arrange(content: StatusContent, width: int) -> Content:
    """Return the content in a width, cut with an ellipsis."""
    room = width - content.fixed.cell_length
    warnings = _warnings(content.troubles, room - 2 * GAP)
    room -= warnings.cell_length + 2 * GAP * bool(warnings)
    scope = _legible(content.scope, room - GAP)
    room -= scope.cell_length + GAP * bool(scope)
    gaps = GAP if warnings else 2 * GAP
    draft = next((one for one in content.draft if one.cell_length + gaps <= room), Content())
    room -= draft.cell_length + gaps * bool(draft)
    gaps = GAP if warnings or draft else 2 * GAP
    here = next((one for one in content.here if one.cell_length + gaps <= room), Content())
    room -= here.cell_length + gaps * bool(here)
    host = _legible(content.host, room - GAP)
    left = Content("  ").join([content.fixed, *filter(None, (host, scope))])
    left = left.truncate(width, ellipsis=True)
    right = Content("  ").join(filter(None, (here, draft, warnings)))
    after = Content(" " * GAP) if right else Content()
    between = Content(" " * (width - (left + right + after).cell_length))
    return Content("").join([left, between, right, after])


def _warnings(troubles: Sequence[Trouble], room: int) -> Content:
    """Return the warnings in long form; if they do not fit, in short form; cut at last."""
    if not troubles:
        return Content()
    full = Content("  ").join(trouble.full for trouble in troubles)
    if full.cell_length <= room:
        return full
    short = Content("  ").join(trouble.short for trouble in troubles)
    return short.truncate(max(0, room), ellipsis=True)


def _legible(words: Content, room: int) -> Content:
    if room < min(LEGIBLE, words.cell_length):
        return Content()
    return words.truncate(room, ellipsis=True)


STEP = 5  # Seconds between two ticks; each sends about 75 bytes


class ClockCell(TickingCell):
    """The service's time in steps of five seconds, with the display's zone: `14:02:05 UTC`.

    Its tick shows that the screen is alive, even if no data arrives.
    """

    DEFAULT_CSS = """
    ClockCell { min-width: 13; padding-right: 1; }
    """

    def __init__(self, *, is_tinted: bool) -> None:
        super().__init__()
        self._is_tinted = is_tinted

    def tick(self, now: datetime, zone: Zone) -> None:
        """Update the time, rounded down to the step."""
        shown = clock_seconds(now.replace(second=now.second // STEP * STEP), zone)
        self.show(Content.styled(shown, TINTED) if self._is_tinted else toned(shown))


WORTH_A_WORD = timedelta(seconds=5)
"""Skew of the host's clock to report; paytui does not depend on it, other programs may."""

FEW_WORDS = 48  # Maximum cells for why nothing can be sent; an attempt to send shows the whole text


class StatusBar(Horizontal):
    """Profile, host, account in scope, drafts, warnings and the clock.

    Attributes:
        offers_draft: True if the newest draft of a ticket is named.
        is_in_draft: True in a draft: only the key for the next one is named.
    """

    DEFAULT_CSS = """
    StatusBar { height: 1; background: $tint; }
    """

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        is_tinted = ui.settings.profile.tint is not None
        self._words = StatusWords(is_tinted=is_tinted)
        self._clock = ClockCell(is_tinted=is_tinted)
        self._counted = (0, 0)
        self.offers_draft = True
        self.is_in_draft = False

    def compose(self) -> ComposeResult:
        yield self._words
        yield self._clock

    def show(self) -> None:
        content = self._status_content()
        self._words.say(content)
        if self.is_mounted and self.size:
            needed = content.fixed.cell_length + self._clock.render().cell_length + 1
            self._clock.display = needed <= self.size.width

    def on_resize(self) -> None:
        """Hide the clock if there is only room for the profile."""
        self.show()

    def tick(self) -> None:
        self.show()
        if self._ui.settings.display.heartbeat:
            self._clock.tick(self._ui.time.latest(), self._ui.zone)

    def _status_content(self) -> StatusContent:
        profile, scope = self._ui.settings.profile, self._ui.scope
        name = badge(profile.name, live=profile.live)
        held = profile.read_only or (self._is_closed and not self._ui.store.sending.short)
        store = self._ui.store
        whose = "all accounts" if scope is None else account_name(store, scope)
        colleagues = here_words(store) if len(store.colleagues) > 0 else ()
        return StatusContent(
            fixed=name + toned("  read-only", Tone.CLOSING) if held else name,
            scope=toned(whose),
            host=toned(profile.host, Tone.MUTED),
            here=tuple(toned(words, Tone.MUTED) for words in colleagues),
            draft=tuple(toned(words, Tone.ACCENT) for words in self._draft()),
            troubles=tuple(self._troubles()),
        )

    def _draft(self) -> Iterator[str]:
        if self.offers_draft and (key := newest_ticket(self._ui.drafts)) is not None:
            keys = self._ui.settings.keys
            count = sum(kept in TICKETS for kept, _ in self._ui.drafts)
            opens, discards = (first_key(keys, f"app.{one}") for one in ("draft", "discard"))
            name, kind = self._ui.drafts[key].name, key[0].capitalize()
            many = f"{count} drafts" if count > 1 else "draft"
            if self.is_in_draft:
                yield from (f"{opens} next draft: {name}", f"{opens} next draft")
                return
            for what in (name, kind):
                if count > 1:
                    yield f"{many} · {opens} {what} · {discards} discard"
                else:
                    yield f"{many}: {what} · {opens} open · {discards} discard"
            yield f"{many} · {opens} open · {discards} discard"
            yield f"{many} · {opens}, {discards}"

    @property
    def _is_closed(self) -> bool:
        """Return True if nothing can be sent; False until the outbox was opened."""
        sending = self._ui.store.sending
        return not sending.allowed and sending != SendPermission()

    def _troubles(self) -> Iterator[Trouble]:
        if self._ui.idle.is_locked:
            key = first_key(self._ui.settings.keys, "app.unlock")
            yield _trouble(f"locked, {key} unlocks", "locked", Tone.CLOSING, bold=True)
        if in_doubt := self._in_doubt():
            doubts = f"{in_doubt:,} in doubt"
            yield _trouble(doubts, doubts, Tone.DOUBT, bold=True)
        if waiting := self._ui.alerts_waiting:
            alerts = f"{waiting} {'alert' if waiting == 1 else 'alerts'}"
            yield _trouble(f"{alerts} waiting", alerts, Tone.DOUBT, bold=True)
        link = self._ui.store.link
        yield from self._link_troubles(link)
        if self._is_closed and not self._ui.settings.profile.read_only:
            sending, short = self._ui.store.sending, self._ui.store.sending.short
            why = f"cannot send: {short}" if short else sending.brief or sending.why
            told = toned(why, Tone.CLOSING)
            told = told.truncate(FEW_WORDS, ellipsis=True)
            yield Trouble(told, toned(short or "cannot send", Tone.CLOSING))
        if link.superseded:
            words = "another program uses this clientId", "clientId in use"
            yield _trouble(*words, Tone.CLOSING, bold=True)
        if link.host_news:
            yield _trouble("new certificate", "new cert", Tone.CLOSING)
        if link.unshared:
            yield _trouble("token not shared", "not shared", Tone.CLOSING)
        if self._ui.store.listening.problem is not None:
            yield _trouble("webhook listener down", "no webhooks", Tone.CLOSING)
        yield from self._age_troubles()
        skew = self._ui.time.skew()
        if abs(skew) >= WORTH_A_WORD:
            which_way = "ahead" if skew > timedelta(0) else "behind"
            # Rounded to seconds or minutes: the skew is only a lower bound.
            minute, second = timedelta(minutes=1), timedelta(seconds=1)
            unit = minute if abs(skew) >= 59.5 * second else second
            rounded = age(round(abs(skew) / unit) * unit)
            words = f"host clock {rounded} {which_way}", f"clock {which_way}"
            yield _trouble(*words, Tone.CLOSING)

    def _age_troubles(self) -> Iterator[Trouble]:
        if cached := cached_words(self._ui):
            yield _trouble(cached, "cached", Tone.CLOSING)
        if self._ui.settings.polling.paused:
            yield _trouble("polling paused", "paused", Tone.CLOSING)
        elif late := late_words(self._ui):
            yield _trouble(late, late, Tone.CLOSING)

    def _in_doubt(self) -> int:
        """Return the number of intents in doubt of all accounts, cached by table version."""
        intents = self._ui.store.intents
        if intents.version != self._counted[0]:
            stand = [row.standing for row in intents.rows()]
            self._counted = intents.version, stand.count(IntentStanding.IN_DOUBT)
        return self._counted[1]

    def _link_troubles(self, link: Link) -> Iterator[Trouble]:
        now, zone = self._ui.time.latest(), self._ui.zone
        since = f" since {since_time(link.since, now, zone)}" if link.since else ""
        match link.state:
            case LinkState.CONNECTING:
                yield _trouble("connecting", "connecting", Tone.MUTED)
            case LinkState.UNREACHABLE:
                yield _trouble(f"unreachable{since}", "unreachable", Tone.DOWN, bold=True)
            case LinkState.REFUSED:
                full = f"login refused{since}, r: retry"
                yield _trouble(full, "login refused", Tone.DOWN, bold=True)
            case LinkState.STOPPED:
                full = "updates stopped, restart paytui"
                yield _trouble(full, "no longer refreshed", Tone.DOWN, bold=True)
            case LinkState.UP:
                pass


def _trouble(full: str, short: str, tone: Tone, *, bold: bool = False) -> Trouble:
    return Trouble(toned(full, tone, bold=bold), toned(short, tone, bold=bold))


def badge(name: str, *, live: bool) -> Content:
    """Return the profile's badge; a live one stands out by words and colour."""
    if live:
        return Content.styled(f" {name.upper()} LIVE ", "bold white on $live")
    return Content.styled(f" {name} test ", "bold $accent on $line")
