"""The dialog that saves what a ticket or a payment has as a template."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual.widgets import Input

from paytui.config.templates import Template, read_templates, save_template
from paytui.config.validation import ConfigError
from paytui.platform.text import InvalidValue, clean
from paytui.tui.screens.list_dialogs import LineDialog
from paytui.tui.theme.tones import Tone


class TemplateDialog(LineDialog):
    """A question for the name of a template; an existing one is replaced on a second enter."""

    def __init__(
        self,
        folder: Path,
        named: Callable[[str], Template],
        dated: Callable[[str | None], str | None],
    ) -> None:
        """`named` returns the template by its name, `dated` a reference of today."""
        super().__init__("Save as template", "save", hint="name for the template")
        self._folder, self._named, self._dated = folder, named, dated
        self._agreed: Template | None = None

    def on_mount(self) -> None:
        self._say(
            "{month}, {year}, {day} and {date} in the reference become those of the day on which "
            "the template is opened.",
            Tone.MUTED,
        )

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            template = self._named(event.value)
            # In a thread: a home on a network may hang.
            found = await asyncio.to_thread(read_templates, self._folder)
            named = found.named(template.name)
            if named and named[1] != self._agreed and named[1].profile == template.profile:
                self._agreed = named[1]
                self._say(f"{named[1].name} exists. enter again: replace it.", Tone.CLOSING)
                return
            path = await asyncio.to_thread(save_template, self._folder, template, self._agreed)
        except InvalidValue as error:
            self._say(f"It {error.message}.", Tone.CLOSING)
            return
        except ConfigError as error:
            self._say(clean(str(error)), Tone.CLOSING)
            return
        self.dismiss(None)
        stays = self._dated(template.reference) != template.reference
        literal = " The reference of this ticket stays as typed." if stays else ""
        self.app.notify(clean(f"Saved: {path}") + literal, markup=False)
