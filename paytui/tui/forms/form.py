"""Forms: the declaration of a request's fields, and the ticket that fills them in and sends them.

Fields are named by the canonical paths of the form's request (`domain.requests`), by which the
service's complaints are matched to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import Any, TypeVar, get_args, get_origin

from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow
from paytui.domain.models import Kind, PayInAddress, field_types
from paytui.domain.requests import CreationRequest, DialectFeatures
from paytui.platform.text import clean
from paytui.store.filter import read_moment
from paytui.tui.confirmation import Checks, Demand, may_create
from paytui.tui.format.cells import CAREFUL, Cell, Tone
from paytui.tui.ticket import model
from paytui.tui.ticket.choices import only_option
from paytui.tui.ticket.model import Finding
from paytui.tui.ticket.task import Task
from paytui.tui.ui_context import UiContext

R = TypeVar("R")


class FieldKind(StrEnum):
    """The kinds of fields; a dialect adds fields of text, numbers and booleans by these names."""

    TEXT = "text"
    NUMBER = "number"
    LONG_DIGITS = "long digits"  # An account number or similar; spaces are not sent
    CODE = "code"  # An IBAN or BIC; sent in capitals without spaces
    DATE = "date"
    DATE_TIME = "date and time"
    EMAIL = "e-mail"
    PHONE = "phone"
    COUNTRY = "country"
    CURRENCY = "currency"
    CHOICE = "choice"  # One of `Field.choices` only
    YES_NO = "boolean"  # Held as `true` or `false`; never preset


Check = Callable[[str, model.Values], str]
"""Returns the warning about a text as it is sent, given the texts beside it by name; else empty."""


def _yes_or_no() -> tuple[model.Option, ...]:
    return (model.Option(key="true", name="yes"), model.Option(key="false", name="no"))


@dataclass(frozen=True, slots=True)
class Field(model.Field):
    """An input field of a form, as it is declared; a `Section` places it with what it holds.

    Attributes:
        key: the canonical path in the request, `physical_address.city`, or in a part of it.
        about: its purpose or notation in one line of at most 76 cells.
        choices: the values to choose from.
        others: the warning about a value that is no choice; empty if none is sent.
        check: an additional check of a text that is not empty.
        default: returns what it holds until it is edited, by all that is filled in.
        applies: returns True if the form shows the field; a hidden value is kept, but not sent.
        value: once it is placed, its text as it is sent.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    about: str = ""
    required: bool = False
    choices: Callable[[], tuple[model.Option, ...]] = tuple
    others: str = ""
    check: Check = lambda *_: ""
    default: Callable[[model.Values], str] = lambda _: ""
    applies: Callable[[model.Values], bool] = lambda _: True
    value: str = ""

    @property
    def offers(self) -> Callable[[], tuple[model.Option, ...]]:
        return _yes_or_no if self.kind is FieldKind.YES_NO else self.choices


COUNT = "#"  # Ends the key that holds the number of parts of a repeated section


@dataclass(frozen=True, slots=True)
class Section:
    """Fields that are shown together.

    Attributes:
        title: of the section, or of one of its parts: `Representative`.
        path: of the parts in the request, if it is repeated: `authorised_representatives`.
        request: the request in the dialect that the parts are: `payment_address_request`.
    """

    title: str
    fields: tuple[Field, ...]
    path: str = ""
    request: str = ""
    min_parts: int = 0
    applies: Callable[[model.Values], bool] = lambda _: True

    def count(self, values: model.Values) -> int:
        return max(self.min_parts, int(values.get(f"{self.path}{COUNT}", 0)))

    def placed(self, values: model.Values) -> Iterator[Field]:
        """Yield the fields that are shown now, with what they hold, judged as it is sent.

        A repeated section without parts has one field, whose option adds the first.
        """
        if not self.applies(values):
            return
        count, fields, starts = self.count(values), self.fields, {self.title: ""}
        if count:
            starts = {f"{self.title} {part + 1}": f"{self.path}.{part}." for part in range(count)}
        elif self.path:
            add = (model.Option(key="1", name=f"Add a {self.title.lower()}"),)
            fields = (Field(self.path + COUNT, "None yet", FieldKind.CHOICE, choices=lambda: add),)
        for title, start in starts.items():
            texts = {one: values.get(start + one.key, "") for one in fields if one.applies(values)}
            sent = {one.key: wire_value(one, text) for one, text in texts.items()}
            for one, text in texts.items():
                choice = named_choice(one.offers(), text) if text else None
                yield replace(
                    one,
                    key=start + one.key,
                    section=title,
                    text=choice.name if choice else text,
                    note=choice.facts if choice else "",
                    hint="required" if one.required else "",
                    help=one.about,
                    options=one.offers if one.offers() else None,
                    free=one.others != "",
                    passes=True,
                    value=sent[one.key],
                    finding=finding(one, sent[one.key], {**values, **sent}),
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The declaration of the form for one request.

    Attributes:
        key: of its saved drafts: `wallet`; its request in the dialect is then `wallet_request`.
        noun: of the created object: `Wallet`.
        object_name: the object's name, by what is sent; without personal data of an account.
    """

    key: str
    noun: str
    sections: tuple[Section, ...]
    request: type[CreationRequest]
    object_name: Callable[[model.Values], str] = lambda _: ""

    def placed(self, values: model.Values) -> tuple[Field, ...]:
        return tuple(field for one in self.sections for field in one.placed(values))

    def submission(self, fields: tuple[Field, ...]) -> Submission:
        filled = tuple(one for one in fields if one.value)
        texts = {one.key: one.value for one in filled}
        title = f"{self.noun} {self.object_name(texts)}".strip()
        return Submission(title, made_of(self.request, texts), filled)


def named_choice(choices: Sequence[model.Option], text: str) -> model.Option | None:
    """Return the choice with this key or name; None if there is none, or more than one."""
    typed = text.strip().casefold()
    exact = [one for one in choices if one.key == text]
    found = exact[:1] or [one for one in choices if typed in map(str.casefold, (one.key, one.name))]
    return found[0] if len(found) == 1 else None


_CAPITALS = (FieldKind.CODE, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CLOSE = (FieldKind.CODE, FieldKind.LONG_DIGITS)


def wire_value(field: Field, text: str) -> str:
    """Return a text as it is sent: stripped, and the key of a choice."""
    typed = clean(text).strip()
    if typed and (choice := named_choice(field.offers(), typed)):
        return choice.key
    if field.kind in _CLOSE:
        typed = "".join(typed.split())
    return typed.upper() if field.kind in _CAPITALS else typed


def finding(field: Field, text: str, beside: model.Values = model.NO_VALUES) -> Finding | None:
    """Return the complaint about a text as it is sent, given the texts beside it by name."""
    if not text:
        return Finding("Required.") if field.required else None
    kind, choices = field.kind, field.offers()
    fits, complaint = _NOTATIONS.get(kind, (bool, ""))
    if not fits(text):
        return Finding(complaint, overridable=kind in (FieldKind.EMAIL, FieldKind.PHONE))
    choice = named_choice(choices, text)
    if choice and choice.why_not:
        return Finding(f"{choice.name}: {choice.why_not}.")
    if not choice and (choices or kind is FieldKind.CHOICE):
        unknown = Finding(f"{text} {field.others}", overridable=True)
        return unknown if field.others else Finding("Choose one from the list.")
    words = field.check(text, beside)
    return Finding(words, overridable=True) if words else None


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_day(text: str) -> date | None:
    moment = parse_moment(text) if _DAY.fullmatch(text) else None
    return moment.date() if moment else None


def parse_moment(text: str) -> datetime | None:
    """Parse a date and time, in UTC if it has no offset; None if it is invalid."""
    return read_moment(text) if _DAY.match(text) else None


def _like(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


_NOTATIONS: Mapping[FieldKind, tuple[Callable[[str], object], str]] = {
    FieldKind.DATE: (parse_day, "No such date. Write it as 1980-05-31."),
    FieldKind.DATE_TIME: (parse_moment, "Write a date, or date and time: 2030-01-31 14:30."),
    # As it is sent: a review shows the text, and other notations would be rewritten or refused.
    FieldKind.NUMBER: (
        _like(r"-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?"),
        "Write a number, without grouping: 1200.5.",
    ),
    FieldKind.CURRENCY: (_like("[A-Z]{3}"), "A currency is three letters, such as AUD."),
    FieldKind.COUNTRY: (_like("[A-Z]{2,3}"), "No such country. Type its name or two-letter code."),
    FieldKind.EMAIL: (_like(r"[^@\s]+@[^@\s]+\.[^@\s.]+"), "Not a valid e-mail address."),
    FieldKind.PHONE: (_like(r"\+?[0-9 ()./-]+"), "Use only digits, spaces and + ( ) . / -."),
}
"""By kind, what returns nothing for a text in another notation, and the complaint about that."""


EXTRA = "extra"  # The path of the fields that only this service has


def with_dialect_fields(form: Form, vocabulary: DialectFeatures) -> Form:
    """Return a form as the dialect declares its request; added fields come last.

    It has the fields that the service takes. Of a required object, the first one is required. An
    only section needs no title.
    """
    whole, sections = f"{form.key}_request", []
    for section in form.sections:
        request = section.request if section.path else whole
        unmarked, fields = set(vocabulary.required.get(request, ())), []
        for field in section.fields:
            name = field.key.partition(".")[0]
            if field.required or vocabulary.takes(request, name):
                is_required = field.required or not unmarked.isdisjoint({field.key, name})
                fields.append(replace(field, required=is_required))
                unmarked -= {field.key, name}
        fields += added_fields(vocabulary, section.request)
        is_required = section.path in vocabulary.required.get(whole, ())
        least = max(section.min_parts, int(is_required))
        sections.append(replace(section, fields=tuple(fields), min_parts=least))
    if added := added_fields(vocabulary, whole):
        sections.append(Section("Other fields of this service", added))
    if len(sections) == 1:
        sections = [replace(sections[0], title="")]
    return replace(form, sections=tuple(sections))


def added_fields(vocabulary: DialectFeatures, request: str) -> tuple[Field, ...]:
    required, found = vocabulary.required.get(request, ()), []
    for one in vocabulary.added.get(request, ()):
        label, kind = clean(one.label, model.MAX_VALUE_LENGTH), FieldKind(one.kind)
        found.append(Field(f"{EXTRA}.{one.key}", label, kind, required=one.key in required))
    return tuple(found)


# The ticket of a form


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that can be confirmed, the title of its intent, and its filled-in fields."""

    title: str
    request: CreationRequest
    fields: tuple[Field, ...]


def made_of(record: type[R], texts: model.Values) -> R:
    """Make a request, or an object in it, of its texts by path: `physical_address.city`."""
    given: dict[str, Any] = {}
    for name, kind in field_types(record).items():
        inner = model.below(texts, name)
        if name == EXTRA:
            given[name] = inner
        elif get_origin(kind) is tuple:
            parts = dict.fromkeys(path.partition(".")[0] for path in inner)
            (item, _) = get_args(kind)
            given[name] = tuple(made_of(item, model.below(inner, part)) for part in parts)
        elif inner:
            given[name] = made_of(kind, inner)
        elif name in texts:
            given[name] = _PARSERS.get(kind, str)(texts[name])
    return record(**given)


_PARSERS: Mapping[type, Callable[[str], object]] = {
    date: parse_day,
    datetime: parse_moment,
    bool: lambda text: text == "true",
}


class FormTask(Task[Submission]):
    """The filling in and sending of one form about an object, its context.

    Args:
        start: the values to begin with, and to start over with.
        sent: its intent, if it is corrected after it has failed.
    """

    walks = True

    def __init__(
        self, ui: UiContext, form: Form, context: str, start: model.Values, sent: IntentRow | None
    ) -> None:
        super().__init__(ui)
        self.form = with_dialect_fields(form, ui.vocabulary)
        self.key, self.title = form.key, f"New {form.noun.lower()}"
        self.noun, self.context = form.noun, context
        self._start, self._sent = start, sent

    def fields(self, values: model.Values, filled: model.Values) -> tuple[Field, ...]:
        adds = f"{first_key(self.ui.settings.keys, 'ticket.add')} adds one"
        placed = self.form.placed(filled)
        return tuple(replace(one, hint=adds) if one.key.endswith(COUNT) else one for one in placed)

    def filled(self, values: model.Values) -> model.Values:
        """Return the values with defaults, and required choices that have one possible value."""
        given: dict[str, str | None] = {}
        for one in self.form.placed(values):
            if one.required and one.kind is FieldKind.CHOICE and not values.get(one.key):
                given[one.key] = only_option(one.choices())
            elif one.key not in values:
                given[one.key] = one.default(values) or None
        return model.having(values, **given)

    def with_text(self, values: model.Values, key: str, text: str) -> model.Values:
        return values if key.endswith(COUNT) else {**values, key: text}

    def edits(self, values: model.Values, at: str) -> Mapping[str, model.Edit]:
        """Return how to add or remove a part of a repeated section, and to start over."""
        if at == model.CONFIRM:
            return {}
        fields = self.fields(self._start, self.filled(self._start))
        empty = next((one.key for one in fields if not one.text), fields[0].key)
        edits = {"clear": model.Edit(self._start, empty, lambda _: None)}
        for section in self.form.sections:
            if not section.path or not at.startswith(section.path):
                continue
            start, first = f"{section.path}.", section.fields[0].key
            number = f"{section.path}{COUNT}"
            count = 0 if at == number else section.count(values)  # its option adds the first too
            added = {**values, number: str(count + 1)}
            edits["add"] = model.Edit(added, f"{start}{count}.{first}", lambda path: path)
            if at != number and count > section.min_parts:
                part = int(at.removeprefix(start).partition(".")[0])
                move = partial(_moved, start=start, part=part)
                left = {to: text for path, text in values.items() if (to := move(path))}
                fewer = model.having(left, **{number: str(count - 1) if count > 1 else None})
                place = f"{start}{min(part, count - 2)}.{first}" if count > 1 else number
                edits["remove"] = model.Edit(fewer, place, move)
        return edits

    def order(self, filled: model.Values) -> Submission:
        fields = self.form.placed(filled)
        for one in fields:
            if one.finding and not one.finding.overridable:
                raise model.Obstacle(one.key, one.finding.words)
        if not any(one.value for one in fields):
            raise model.Obstacle(fields[0].key, "Nothing is filled in.")
        return self.form.submission(fields)

    def review(self, order: Submission) -> Checks:
        warnings = [f"{one.label}: {one.finding.words}" for one in order.fields if one.finding]
        rows = self.ui.store.intents.rows()
        same = [row for row in rows if row.standing.open and row.title == order.title]
        warnings += [
            f"Possible duplicate of {one.intent_id} ({one.standing.value})." for one in same
        ]
        barred = may_create(self.ui) or ""
        return Checks(demand=Demand(), warnings=tuple(warnings), barred=barred)

    def review_lines(self, order: Submission, review: Checks) -> Iterator[model.Line]:
        """Yield the values to send in words, by section, with their wire values."""
        has_titles = len({one.section for one in order.fields}) > 1
        for place, (title, fields) in enumerate(groupby(order.fields, lambda one: one.section)):
            if has_titles and place:
                yield model.Line("", ())
            if has_titles:
                yield model.Line(f"{title}:", ())
            for one in fields:
                choice, note = named_choice(one.offers(), one.value), ""
                if choice and one.kind is not FieldKind.YES_NO:
                    key = "" if choice.key in (choice.name, choice.facts) else choice.key
                    note = "  ".join(filter(None, [key, choice.facts]))
                yield model.line(one.label, choice.name if choice else one.value, note)

    def _intent_of(self, order: Submission) -> Intent:
        now = self.ui.time.latest()
        return self.ui.maker.make(
            order.request, title=order.title, confirmed_at=now, intent_id=self.intent_id
        )

    @property
    def sent(self) -> IntentId | None:
        return self._sent.intent_id if self._sent else None

    def end(self) -> model.TicketView | None:
        """Ask for bank details to be copied if the service cannot show them again."""
        view, keys = super().end(), self.ui.settings.keys
        is_missing = "list_payin_addresses" in self.ui.vocabulary.missing
        is_shown = self.ui.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
        if view is None or is_shown or not isinstance(view.became, PayInAddress):
            return view
        how = f"{first_key(keys, 'ticket.open')}, then {first_key(keys, 'deposit.copy')}"
        copy = CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        forgets = Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)
        return replace(view, words=(*view.words, copy, forgets))


def _moved(path: str, *, start: str, part: int) -> str | None:
    """Return a path after a part of a section was removed; None if it is gone."""
    number, _, name = path.removeprefix(start).partition(".")
    if not path.startswith(start) or int(number) < part:
        return path
    return None if int(number) == part else f"{start}{int(number) - 1}.{name}"
