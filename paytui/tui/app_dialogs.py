"""Dialogs of the whole app: quit with open intents, unlock, and the help on keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input, Static

from paytui.config.key_bindings import UNBOUND, shown_key
from paytui.config.templates import Template, read_templates, save_template
from paytui.config.validation import ConfigError
from paytui.domain.colleagues import LONGEST_NOTE
from paytui.domain.intent import IntentRow
from paytui.platform.text import InvalidValue, clean
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen, BoxDialog, Dialog, T, scrolled
from paytui.tui.format.cells import CAREFUL, DONE, GOING_ON, UNKNOWN, WRONG, Mark, Tone, toned
from paytui.tui.notifications import open_words
from paytui.tui.ui_context import UnlockCheck

MEANING = "It stays open until paytui runs again. It is not tracked meanwhile."


class QuitDialog(BoxDialog):
    """A warning before quitting that lists open intents and unsent forms; quitting again leaves.

    Args:
        rows: the open intents.
        why_not: the reason why nothing is sent from here; None if sending works.
        unsent: the form entries that would be lost, in words, or "".
        key: the key that quits.
    """

    BINDINGS = textual_bindings.groups("Leaving")

    def __init__(self, rows: list[IntentRow], why_not: str | None, unsent: str, key: str) -> None:
        lines = [toned(words, Tone.DOUBT) for words in open_words(rows)]
        if rows:
            lines += [Content(), toned(why_not or MEANING)]
        if unsent:
            lines += [*([Content()] if lines else []), toned(unsent, Tone.CLOSING)]
        title = "Something is still open" if rows else "Unsent forms"
        super().__init__(title, scrolled(lines), keys=f"{key}: quit anyway", esc="stay")


class LineDialog(Dialog[T]):
    """A question for a line of text, with words below it."""

    LINE: ClassVar[type[Input]] = Input

    def __init__(
        self, title: str, does: str, words: str, *, text: str = "", hint: str = ""
    ) -> None:
        """`does` is the effect of enter."""
        super().__init__()
        self._line = self.LINE(text, placeholder=hint, select_on_focus=False)
        self._line.cursor_blink = False
        self._words = Static(toned(words, Tone.MUTED), markup=False)
        self._title, self._does = title, does

    def compose(self) -> ComposeResult:
        yield self.box(self._title, self._line, self._words, keys=f"enter: {self._does}")

    def on_mount(self) -> None:
        self._line.focus()  # even if the terminal's window has lost the focus

    def _say(self, words: str, tone: Tone = Tone.CLOSING) -> None:
        self._words.update(toned(words, tone))


class UnlockLine(Input):
    """A text input that ignores pastes: a paste is no deliberate key."""

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()

    def action_paste(self) -> None:
        """Ignore a paste by key."""


class UnlockDialog(LineDialog[bool]):
    """A lock that opens with the profile's name, and a proof of identity if one is set up."""

    LINE = UnlockLine

    def __init__(self, name: str, prove: UnlockCheck) -> None:
        words = f"Type {name}, the name of this profile, to continue."
        super().__init__("Locked after inactivity", "unlock", words)
        self._name_of_profile = name
        self._prove = prove

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value.strip() != self._name_of_profile:
            self._say(f"That is not {self._name_of_profile}. Type it to unlock.")
        else:
            self._line.disabled = True
            self.run_worker(self._unlock(), group="unlock", exclusive=True)

    async def _unlock(self) -> None:
        self._say("Waiting for the unlock program.")
        if why_not := await self._prove():
            self._line.disabled = False
            self._line.focus()
            self._say(why_not)
        else:
            self.dismiss(True)


# Help: the keys of the current screen, and the meaning of signs.

KEY = 18  # Cells for keys

SIGNS: tuple[tuple[Mark, str], ...] = (
    (DONE, "done, as intended"),
    (GOING_ON, "in progress"),
    (CAREFUL, "held, late or waiting for a person"),
    (WRONG, "rejected, failed, returned"),
    (UNKNOWN, "unknown status, as the service sent it"),
    (Mark("—", Tone.FAINT), "the service did not send it"),
    (Mark("▲ ▼ ="), "up, down, unchanged since the previous rate sheet"),
)


def help_lines(keys: Sequence[ActiveKey]) -> list[Content]:
    """Return keys in sections, those of the screen first, those of its input last; then signs."""
    edits = [key for key in keys if isinstance(key.node, Input)]
    here = [key for key in keys if key.here and key not in edits]
    return [
        *_section("This screen", [key for key in here if not key.moves]),
        *_section("Everywhere", [key for key in keys if not key.here]),
        *_section("Moving around", [key for key in here if key.moves]),
        *_section("Editing text", edits),
        toned("Signs", bold=True),
        *(help_line(mark.sign, mark.tone, words) for mark, words in SIGNS),
    ]


def _section(title: str, keys: Sequence[ActiveKey]) -> Iterator[Content]:
    if not keys:
        return
    yield toned(title, bold=True)
    for key in keys:
        yield help_line(" ".join(key.keys), Tone.INK, key.does)
    yield Content()


def help_line(left: str, tone: Tone, right: str) -> Content:
    return Content("").join([toned(f"  {left:<{KEY}} ", tone), toned(right, Tone.MUTED)])


@dataclass(frozen=True, slots=True)
class ActiveKey:
    """An action of the current screen, and its keys.

    Attributes:
        keys: as shown to users, the first one first.
        does: a label of a word or two.
        node: the DOM node that carries out `action`.
        here: True if it belongs to this screen, False if it works everywhere.
        moves: True if it only moves the cursor or the view.
    """

    keys: tuple[str, ...]
    does: str
    action: str
    node: DOMNode
    here: bool
    moves: bool


def active_keys(screen: Screen[object]) -> list[ActiveKey]:
    """Return all actions that work now, each once; those of this screen first."""
    found: dict[tuple[str, str], ActiveKey] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        is_refused = isinstance(screen, BaseScreen) and screen.refuses(binding.action)
        if active.enabled and not is_refused and binding.description and binding.key != UNBOUND:
            which = (binding.id or binding.action, binding.action)
            known = found.get(which) or ActiveKey(
                (),
                binding.description,
                binding.action,
                active.node,
                here=not isinstance(active.node, App),
                moves=binding.id in textual_bindings.MOTIONS,
            )
            found[which] = replace(known, keys=(*known.keys, shown_key(binding.key)))
    return sorted(found.values(), key=lambda key: (not key.here, key.moves))


class NoteDialog(LineDialog[None]):
    """A question for a note on an object, which all traders of the desk see."""

    def __init__(self, title: str, add: Callable[[str], object]) -> None:
        words = "Colleagues see it with your name and the time. It cannot be removed."
        super().__init__(f"Note on {title}", "add", words, hint="what colleagues should know")
        self._line.max_length = LONGEST_NOTE
        self._add = add

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if words := clean(event.value, LONGEST_NOTE).strip():
            self.dismiss(None)
            self._add(words)
        else:
            self._say("Type a note.")


class TemplateDialog(LineDialog[None]):
    """A question for the name of a template; an existing one is replaced on a second enter."""

    def __init__(
        self,
        folder: Path,
        named: Callable[[str], Template],
        dated: Callable[[str | None], str | None],
    ) -> None:
        """`named` returns the template by its name, `dated` a reference of today."""
        words = (
            "{month}, {year}, {day} and {date} in the reference become those of the day on which "
            "the template is opened."
        )
        super().__init__("Save as template", "save", words, hint="name for the template")
        self._folder, self._named, self._dated = folder, named, dated
        self._agreed: Template | None = None

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            template = self._named(event.value)
            # In a thread: a home on a network may hang.
            found = await asyncio.to_thread(read_templates, self._folder)
            named = found.named(template.name)
            if named and named[1] != self._agreed and named[1].profile == template.profile:
                self._agreed = named[1]
                self._say(f"{named[1].name} exists. enter again: replace it.")
                return
            path = await asyncio.to_thread(save_template, self._folder, template, self._agreed)
        except InvalidValue as error:
            self._say(f"It {error.message}.")
            return
        except ConfigError as error:
            self._say(clean(str(error)))
            return
        self.dismiss(None)
        stays = self._dated(template.reference) != template.reference
        literal = " The reference of this ticket stays as typed." if stays else ""
        self.app.notify(clean(f"Saved: {path}") + literal)
