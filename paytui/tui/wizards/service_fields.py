"""Fields of trades, payouts and transfers that only one service asks for.

A dialect declares them in `[extra.<request>]`. Each is a step, checked like a field of a form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import request_name
from paytui.domain.requests import MoneyRequest, missing_fields
from paytui.platform.text import clean
from paytui.store.store import Store
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import EXTRA, added_fields
from paytui.tui.forms.schema import Field, choices_of, named_choice
from paytui.tui.wizards.protocol import MAX_VALUE_LENGTH, Entry, Line, Option, line

Answers = Mapping[str, str]
"""Typed texts by field name; a missing field was not asked yet."""


@dataclass(frozen=True, slots=True)
class ServiceField:
    """A step that asks for one of these fields."""

    field: Field

    @property
    def name(self) -> str:
        """Its name in `[extra.<request>]`."""
        return self.field.key.removeprefix(f"{EXTRA}.")

    @property
    def value(self) -> str:
        """The name of the step, different from the wizard's own steps."""
        return f"also asked: {clean(self.field.label, MAX_VALUE_LENGTH)}"

    def text(self, answers: Answers) -> str:
        """Return an answer as it is sent."""
        return schema.wire_value(self.field, answers.get(self.name, ""))

    def trouble(self, answers: Answers) -> str:
        """Return a complaint about an answer; empty if it is good."""
        if self.name not in answers:
            return "Answer this, or leave it empty."
        text = self.text(answers)
        if len(text) > MAX_VALUE_LENGTH:
            return (
                f"It is {len(text) - MAX_VALUE_LENGTH} characters longer than {MAX_VALUE_LENGTH}."
            )
        found = schema.finding(self.field, text)
        return found.words if found else ""

    def entry(self, answers: Answers) -> Entry | None:
        """Return the input; None if the field has choices."""
        if choices_of(self.field):
            return None
        hint = "required" if self.field.required else "may be left empty"
        return Entry(clean(self.field.label, MAX_VALUE_LENGTH), answers.get(self.name, ""), hint)

    def options(self) -> tuple[Option, ...]:
        """Return the options; empty if the field is typed."""
        offered = tuple(Option(key=one.key, name=one.words) for one in choices_of(self.field))
        if not offered or self.field.required:
            return offered
        return (*offered, Option(key="", name="leave it out"))


def service_fields(vocabulary: DialectFeatures, request: str) -> tuple[ServiceField, ...]:
    """Return the questions that a service adds to a request, such as `payout_request`."""
    return tuple(ServiceField(one) for one in added_fields(vocabulary, request))


def extra_of(asked: Sequence[ServiceField], answers: Answers) -> tuple[tuple[str, str], ...]:
    """Return the values to send, by name, without empty ones."""
    told = ((one.name, one.text(answers)) for one in asked)
    return tuple((name, text) for name, text in told if text)


def extra_lines(vocabulary: DialectFeatures, request: MoneyRequest) -> Iterator[Line]:
    """Yield the lines that show these fields of a request."""
    for one in service_fields(vocabulary, request_name(request)):
        if text := request.extra.get(one.name):
            choice = named_choice(choices_of(one.field), text)
            yield line(clean(one.field.label, MAX_VALUE_LENGTH), choice.words if choice else text)


def required_trouble(vocabulary: DialectFeatures, request: MoneyRequest) -> str:
    """Return a complaint about missing required fields; empty if there are none.

    The tag that paytui adds does not count as a reference: `request` is without it.
    """
    names = missing_fields(request, vocabulary.required.get(request_name(request), ()))
    words = ", ".join(name.replace("_", " ") for name in names)
    return f"The service requires: {words}." if words else ""


def answers_before(store: Store, object_id: str) -> Answers:
    """Return the added fields of the intent that created a trade or payment."""
    start = f"{EXTRA}."
    return {
        path.removeprefix(start): text
        for row in store.intents.rows()
        if row.object_id == object_id and row.action.moves_money
        for path, text in row.terms.asked
        if path.startswith(start)
    }
