"""Forms as tickets: the fields of a request, its review, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from itertools import groupby
from typing import Any, TypeVar, get_args, get_origin

from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow
from paytui.domain.models import Kind, PayInAddress, Record, State, field_types
from paytui.domain.requests import CreationRequest
from paytui.tui.format.cells import CAREFUL, state_cell
from paytui.tui.forms import schema
from paytui.tui.forms.schema import COUNT, EXTRA, FieldKind, Form, with_dialect_fields
from paytui.tui.guards.send_permission import Checks, Demand, may_create
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.choices import only_option
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.model import (
    CONFIRM,
    NO_VALUES,
    Edit,
    Field,
    Line,
    Obstacle,
    SendingTask,
    TicketView,
    Values,
    below,
    failed_row,
    having,
    line,
)
from paytui.tui.ui_context import UiContext

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that can be confirmed, the title of its intent, and its filled-in fields."""

    title: str
    request: CreationRequest
    fields: tuple[schema.Field, ...]


def submission_of(form: Form, fields: tuple[schema.Field, ...]) -> Submission:
    """Return the submission of fields without errors."""
    filled = tuple(one for one in fields if one.value)
    texts = {one.key: one.value for one in filled}
    title = f"{form.noun} {form.object_name(texts)}".strip()
    return Submission(title, made_of(form.request, texts), filled)


def made_of(record: type[R], texts: Values) -> R:
    """Make a request, or an object in it, of its texts by path: `physical_address.city`."""
    given: dict[str, Any] = {}
    for name, kind in field_types(record).items():
        inner = below(texts, name)
        if name == EXTRA:
            given[name] = inner
        elif get_origin(kind) is tuple:
            parts = dict.fromkeys(path.partition(".")[0] for path in inner)
            given[name] = tuple(made_of(get_args(kind)[0], below(inner, part)) for part in parts)
        elif inner:
            given[name] = made_of(kind, inner)
        elif name in texts:
            given[name] = _PARSERS.get(kind, str)(texts[name])
    return record(**given)


_PARSERS: Mapping[type, Callable[[str], object]] = {
    date: schema.parse_day,
    datetime: schema.parse_moment,
    bool: lambda text: text == "true",
}


def form_ticket(
    ui: UiContext, form: Form, context: str = "", start: Values = NO_VALUES
) -> Ticket[Submission]:
    """Return the ticket of a form, with what was filled in before unless it was sent.

    A request that failed after the form was left comes back with the service's complaints.
    """
    kept = ui.drafts.get((form.key, context))
    row = ui.store.intents.get(kept.intent_id) if kept and kept.intent_id else None
    failed = failed_row(ui, row) if row else None
    values, note, at = start, "", ""
    if kept and (kept.intent_id is None or failed):
        values, at = kept.values, kept.at
        over = first_key(ui.settings.keys, "ticket.clear")
        note = f"Restored draft, not sent. {over} starts over."
    elif kept and (row is None or row.standing.open):
        name = row.title if row else kept.intent_id
        note = f"{name} is still open: see Activity (8). Sending this creates another one."
    ticket = Ticket(FormTask(ui, form, context, start, failed), values, note, at)
    if failed:
        ticket.go_on()
    return ticket


class FormTask(SendingTask[Submission]):
    """The filling in and sending of one form about an object, its context.

    Args:
        start: the values to begin with, and to start over with.
        confirmed: its intent, if it is corrected after it has failed.
    """

    walks = True

    def __init__(
        self, ui: UiContext, form: Form, context: str, start: Values, confirmed: IntentRow | None
    ) -> None:
        super().__init__(ui)
        self.form = with_dialect_fields(form, ui.vocabulary)
        self.key, self.title = form.key, f"New {form.noun.lower()}"
        self.noun, self.context = form.noun, context
        self._start, self._sent = start, confirmed

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:  # noqa: ARG002
        adds = f"{first_key(self.ui.settings.keys, 'ticket.add')} adds one"
        has_titles, fields = len(self.form.sections) > 1, []
        for one in self.form.placed(filled):
            field = schema.ticket_field(one, filled.get(one.key, ""))
            hint = adds if one.key.endswith(COUNT) else field.hint
            fields.append(replace(field, hint=hint, section=one.section if has_titles else ""))
        return tuple(fields)

    def filled(self, values: Values) -> Values:
        """Return the values with every required choice that has only one possible value."""
        given = {
            one.key: only_option(one.choices())
            for one in self.form.placed(values)
            if one.required and one.kind is FieldKind.CHOICE and not values.get(one.key)
        }
        return having(values, **given)

    def with_text(self, values: Values, key: str, text: str) -> Values:
        return values if key.endswith(COUNT) else {**values, key: text}

    def edits(self, values: Values, at: str) -> Mapping[str, Edit]:
        """Return how to add or remove a part of a repeated section, and to start over."""
        if at == CONFIRM:
            return {}
        fields = self.fields(self._start, self.filled(self._start))
        empty = next((one.key for one in fields if not one.text), fields[0].key)
        edits = {"clear": Edit(self._start, empty, lambda _: None)}
        for section in self.form.sections:
            if not section.path or not at.startswith(section.path):
                continue
            start, first = f"{section.path}.", section.fields[0].key
            number = f"{section.path}{COUNT}"
            count = 0 if at == number else section.count(values)  # its option adds the first too
            added = {**values, number: str(count + 1)}
            edits["add"] = Edit(added, f"{start}{count}.{first}", lambda path: path)
            if at != number and count > section.min_parts:
                part = int(at.removeprefix(start).partition(".")[0])
                move = partial(_moved, start=start, part=part)
                left = {to: text for path, text in values.items() if (to := move(path))}
                if count > 1:
                    left[number], place = str(count - 1), f"{start}{min(part, count - 2)}.{first}"
                else:
                    del left[number]
                    place = number
                edits["remove"] = Edit(left, place, move)
        return edits

    def order(self, filled: Values) -> Submission:
        fields = self.form.placed(filled)
        for one in fields:
            if one.finding and not one.finding.overridable:
                raise Obstacle(one.key, one.finding.words)
        if not any(one.value for one in fields):
            raise Obstacle(fields[0].key, "Nothing is filled in.")
        return submission_of(self.form, fields)

    def review(self, order: Submission) -> Checks:
        rows = self.ui.store.intents.rows()
        alike = [row for row in rows if row.standing.open and row.title == order.title]
        return Checks(
            demand=Demand(),
            warnings=(
                *(f"{one.label}: {one.finding.words}" for one in order.fields if one.finding),
                *(
                    f"Possible duplicate of {row.intent_id} ({row.standing.value})."
                    for row in alike
                ),
            ),
            barred=may_create(self.ui) or "",
        )

    def agreed(self, order: Submission, review: Checks) -> object:
        return order, review.warnings

    def review_lines(self, order: Submission, review: Checks) -> Iterator[Line]:  # noqa: ARG002
        """Yield the values to send in words, by section, with their wire values."""
        has_titles = len({one.section for one in order.fields}) > 1
        for place, (title, fields) in enumerate(groupby(order.fields, lambda one: one.section)):
            if has_titles and place:
                yield Line("", ())
            if has_titles:
                yield Line(f"{title}:", ())
            for one in fields:
                choice, note = schema.named_choice(schema.choices_of(one), one.value), ""
                if choice and one.kind is not FieldKind.YES_NO:
                    key = "" if choice.key in (choice.name, choice.facts) else choice.key
                    note = "  ".join(filter(None, [key, choice.facts]))
                yield line(one.label, choice.name if choice else one.value, note)

    def _intent_of(self, order: Submission) -> Intent:
        now = self.ui.time.latest()
        return self.ui.maker.make(
            order.request, title=order.title, confirmed_at=now, intent_id=self.intent_id
        )

    @property
    def sent(self) -> IntentId | None:
        return self._sent.intent_id if self._sent else None

    def end(self) -> TicketView | None:
        """Return the status of the confirmed intent, and the created object."""
        view = super().end()
        return view and replace(view, words=(*view.words, *_copy_it(self.ui, view.became)))

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        status = getattr(became, "status", None)
        if isinstance(status, State):
            yield Line(f"{self.noun} status", (state_cell(status),))
        elif became is None:
            yield line(f"{self.noun} status", "not read yet", tone=Tone.MUTED)


def _moved(path: str, *, start: str, part: int) -> str | None:
    """Return a path after a part of a section was removed; None if it is gone."""
    number, _, name = path.removeprefix(start).partition(".")
    if not path.startswith(start) or int(number) < part:
        return path
    return None if int(number) == part else f"{start}{int(number) - 1}.{name}"


def _copy_it(ui: UiContext, became: Record | None) -> Iterator[Cell]:
    """Ask for bank details to be copied if the service cannot show them again."""
    is_missing = "list_payin_addresses" in ui.vocabulary.missing
    is_shown = ui.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
    if isinstance(became, PayInAddress) and not is_shown:
        keys = ui.settings.keys
        how = f"{first_key(keys, 'ticket.open')}, then {first_key(keys, 'deposit.copy')}"
        yield CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        yield Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)
