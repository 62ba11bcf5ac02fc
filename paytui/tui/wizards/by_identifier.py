"""Identifiers typed in a wizard, for a service without lists (api.md §4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from paytui.api.kinds import KIND_OF
from paytui.api.models import Kind, Record, Wallet
from paytui.config.key_schemes import first_key
from paytui.money import CurrencyCode
from paytui.text import clean
from paytui.tui.desk import Desk
from paytui.tui.feed_words import noun
from paytui.tui.marks import WRONG
from paytui.tui.tone import Cell, Tone
from paytui.tui.wizards.step import Entry, StepView, Wizard

ACTION = "identifier"
"""The action that replaces a list by a line to type an identifier in."""

_CURRENCY = re.compile("[A-Z]{3}")


class ByIdentifier:
    """A wizard that lets you type an identifier in place of choosing from a list of another wizard.

    The worker reads the object or, if the service has no such read, adds it by its identifier. It
    is then chosen like any other.

    Args:
        desk: what is known, and the way to the worker.
        wizard: the wizard whose steps are shown.
    """

    def __init__(self, desk: Desk, wizard: Wizard) -> None:
        self._desk = desk
        self._wizard = wizard
        self._is_typing = False
        self._text = ""
        self._trouble = ""
        self._awaited = ""

    def view(self) -> StepView:
        """Return the step of the inner wizard, or the line in place of its list."""
        inner = self._wizard.view()
        if inner.names is None:
            return inner
        if not self._is_typing:
            words = inner.words if inner.options else (self._no_list(inner.names),)
            return replace(inner, actions=(*inner.actions, ACTION), words=words)
        hint = "w-123 USD" if isinstance(inner.names, Wallet) else ""
        return replace(
            inner,
            options=(),
            chosen=None,
            entry=Entry(_asked_for(inner.names).capitalize(), self._text, hint),
            words=tuple(self._words(KIND_OF[type(inner.names)])),
        )

    def _no_list(self, names: Record) -> Cell:
        key = first_key(self._desk.settings.keys, f"wizard.{ACTION}")
        listed = noun(KIND_OF[type(names)])
        return Cell(
            f"This service has no list of {listed}: {key} types an identifier.", Tone.CLOSING
        )

    def _words(self, kind: Kind) -> Iterator[Cell]:
        problem = self._desk.store.feed(kind).problem
        if self._trouble:
            yield WRONG.cell(self._trouble)
        elif self._awaited:
            yield Cell(f"Asking the service about {self._awaited} …", Tone.MUTED)
            yield from () if problem is None else (WRONG.cell(str(problem)),)
        else:
            yield Cell("For an object that is not in the list. esc goes back.", Tone.MUTED)

    def act(self, action: str) -> None:
        """Change to the line, or pass the action on."""
        if action != ACTION:
            self._wizard.act(action)
        elif self._wizard.view().names is not None:
            self._is_typing, self._text, self._trouble, self._awaited = True, "", "", ""

    def typed(self, text: str) -> None:
        """Take what is typed so far."""
        if self._is_typing:
            self._text, self._trouble, self._awaited = text, "", ""
        else:
            self._wizard.typed(text)

    def go_on(self) -> None:
        """Have the worker look for the object."""
        names = self._wizard.view().names
        if not self._is_typing or names is None:
            self._wizard.go_on()
            return
        identifier, _, currency = clean(self._text).strip().partition(" ")
        self._trouble = self._name(names, identifier, currency.strip().upper())

    def _name(self, names: Record, identifier: str, currency: str) -> str:
        """Have the worker look for an object. Return why not, or an empty string."""
        if not identifier or not (currency == "" or _CURRENCY.fullmatch(currency)):
            return f"Type {_asked_for(names)}."
        known = self._desk.store.table(KIND_OF[type(names)]).get(identifier)
        if isinstance(names, Wallet):
            told = known.currency if isinstance(known, Wallet) else None
            if told is None and not currency:
                return f"Type its currency too: {identifier} USD."
            if told is not None and currency not in ("", told):
                return f"{identifier} holds {told}."
            names = replace(names, currency=told or CurrencyCode(currency))
        self._awaited = identifier
        self._desk.port.name(_with_identifier(names, identifier))
        self._choose()
        return ""

    def back(self) -> bool:
        """Go back from the line to the list, or one step."""
        if not self._is_typing:
            return self._wizard.back()
        self._is_typing, self._awaited = False, ""
        return True

    def chosen(self, key: str) -> None:
        """Pass it on."""
        self._wizard.chosen(key)

    def confirm(self, shown: object) -> None:
        """Pass it on."""
        self._wizard.confirm(shown)

    def tick(self) -> None:
        """Pass it on."""
        self._wizard.tick()

    def store_changed(self) -> None:
        """Choose the object once it is there."""
        self._wizard.store_changed()
        self._choose()

    def _choose(self) -> None:
        """Choose the object if it is among the options by now."""
        key = self._awaited
        if key and any(one.key == key for one in self._wizard.view().options):
            self._is_typing, self._awaited = False, ""
            self._wizard.chosen(key)


def _asked_for(names: Record) -> str:
    noun = type(names).__name__
    words = {"Wallet": "wallet id and its currency", "PaymentAddress": "payment address id"}
    return words.get(noun, f"{noun.lower()} id")


def _with_identifier(names: Record, identifier: str) -> Record:
    given: dict[str, Any] = {fields(names)[0].name: identifier}
    return replace(names, **given)
