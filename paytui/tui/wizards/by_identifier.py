"""Identifiers typed in a wizard, for a service without lists (service.md §4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.models import PaymentAddress, Record, Wallet
from paytui.domain.money import CurrencyCode
from paytui.platform.text import clean
from paytui.tui.format.cells import WRONG
from paytui.tui.format.feeds import noun, noun_of_one
from paytui.tui.step_protocol import Entry, StepView, Wizard
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext

ACTION = "identifier"  # The action that replaces a list by a line to type an identifier in

_CURRENCY = re.compile("[A-Z]{3}")


class IdentifierInput(Wizard):
    """A wizard that lets you type an identifier in place of choosing from a list of another wizard.

    Where the list is empty, the line is there at once. The worker reads the object or, if the
    service has no such read, adds it by its identifier. It is then chosen like any other.
    """

    def __init__(self, ui: UiContext, wizard: Wizard) -> None:
        self._ui = ui
        self._wizard = wizard
        self._forget(is_asked_for=False)

    def _forget(self, *, is_asked_for: bool) -> None:
        self._is_asked_for = is_asked_for
        self._text = ""
        self._trouble = ""
        self._awaited: Record | None = None

    def view(self) -> StepView:
        """Return the step of the inner wizard, or the line in place of its list."""
        inner = self._wizard.view()
        if not inner.names:
            return inner
        if not self._is_typing(inner):
            return replace(inner, actions=(*inner.actions, ACTION))
        return replace(
            inner,
            options=(),
            chosen=None,
            entry=_entry(inner.names, self._text),
            words=(*(() if inner.options else inner.words), *self._words(inner)),
        )

    def _is_typing(self, inner: StepView) -> bool:
        """Return True if the line is on view: asked for, begun, or all that there is."""
        return bool(inner.names and (self._is_asked_for or self._text or not inner.options))

    def _words(self, inner: StepView) -> Iterator[Cell]:
        if self._trouble:
            yield WRONG.cell(self._trouble)
        elif self._awaited is not None:
            yield Cell(f"Requesting {identifier_of(self._awaited)} from the service …", Tone.MUTED)
            problem = self._ui.store.feed(KIND_OF[type(self._awaited)]).problem
            yield from () if problem is None else (WRONG.cell(str(problem)),)
        elif inner.options:
            yield Cell("For an object that is not in the list. esc: back.", Tone.MUTED)
        else:
            listed = " or ".join(noun(KIND_OF[type(one)]) for one in inner.names)
            words = f"This service has no list of {listed}: type or paste an identifier."
            yield Cell(words, Tone.CLOSING)

    def act(self, action: str) -> None:
        if action != ACTION:
            self._wizard.act(action)
        elif self._wizard.view().names:
            self._forget(is_asked_for=True)

    def typed(self, text: str) -> None:
        if self._is_typing(self._wizard.view()):
            self._text, self._trouble, self._awaited = text, "", None
        else:
            self._wizard.typed(text)

    def go_on(self) -> None:
        inner = self._wizard.view()
        if not self._is_typing(inner):
            self._wizard.go_on()
            return
        identifier, _, currency = clean(self._text).strip().partition(" ")
        self._trouble = self._name(inner.names, identifier, currency.strip().upper())

    def _name(self, names: tuple[Record, ...], identifier: str, currency: str) -> str:
        """Have the worker look for an object. Return why not, or an empty string."""
        if not identifier or not (currency == "" or _CURRENCY.fullmatch(currency)):
            asked = (
                f"{_noun(one)} id{' and its currency' * _lacks_currency(one)}" for one in names
            )
            return f"Type {', or '.join(asked)}."
        tables = [self._ui.store.table(KIND_OF[type(one)]) for one in names]
        known = [table.get(identifier) for table in tables]
        meant = [one for one, row in zip(names, known, strict=True) if row is not None]
        meant += [one for one in names if _lacks_currency(one) == bool(currency)]
        template = (*meant, *names)[0]
        given: dict[str, Any] = {fields(template)[0].name: identifier}
        named = replace(template, **given)
        if isinstance(named, Wallet | PaymentAddress) and named.currency is None:
            there = next((row for row in known if isinstance(row, type(named))), None)
            told = there.currency if there else None
            if told is None and not currency:
                return f"Type its currency too: {identifier} USD."
            is_other = told is not None and currency not in ("", told)
            if is_other and not self._was_typed(there):
                return f"{identifier} is in {told}, not {currency}."
            named = replace(named, currency=CurrencyCode(currency) if currency else told)
        self._awaited = named
        self._ui.port.add_object(named)
        self._choose()
        return ""

    def back(self) -> bool:
        """Go back from the line to the list, or one step."""
        inner = self._wizard.view()
        was_typing = self._is_typing(inner)
        self._forget(is_asked_for=False)
        return bool(was_typing and inner.options) or self._wizard.back()

    def chosen(self, key: str) -> None:
        self._wizard.chosen(key)

    def confirm(self, shown: object) -> None:
        self._wizard.confirm(shown)

    def tick(self) -> None:
        self._wizard.tick()

    def store_changed(self) -> None:
        self._wizard.store_changed()
        self._choose()

    def _choose(self) -> None:
        """Choose the object if it is among the options by now, as it was typed."""
        if self._awaited is None:
            return
        key, kind = identifier_of(self._awaited), KIND_OF[type(self._awaited)]
        row = self._ui.store.table(kind).get(key)
        if self._was_typed(row) and _currency_of(row) != _currency_of(self._awaited):
            return  # the worker has yet to replace what was typed before
        if any(one.key == key for one in self._wizard.view().options):
            self._forget(is_asked_for=False)
            self._wizard.chosen(key)

    def _was_typed(self, row: Record | None) -> bool:
        """Return True if no more is known of an object than was typed; it can be corrected."""
        if not isinstance(row, Wallet | PaymentAddress) or row.status is None:
            return False
        kind = KIND_OF[type(row)]
        created_here = self._ui.own_record.of(kind, identifier_of(row)) is not None
        return row.status.as_created and not created_here


def _entry(names: tuple[Record, ...], text: str) -> Entry:
    label = f"{' or '.join(_noun(one) for one in names).capitalize()} id"
    lacking = [_noun(one) for one in names if _lacks_currency(one)]
    return Entry(label, text, f"of a {lacking[0]} with its currency: 123 USD" if lacking else "")


def _noun(named: Record) -> str:
    return noun_of_one(KIND_OF[type(named)])


def _currency_of(record: Record | None) -> CurrencyCode | None:
    return record.currency if isinstance(record, Wallet | PaymentAddress) else None


def _lacks_currency(named: Record) -> bool:
    return isinstance(named, Wallet | PaymentAddress) and named.currency is None
