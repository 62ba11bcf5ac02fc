"""Forms as tickets: the fields of a request, its review, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow
from paytui.domain.models import Kind, PayInAddress, Record, State
from paytui.domain.requests import Request
from paytui.tui.drafts import Draft, path_shift
from paytui.tui.format.cells import CAREFUL, WRONG, state_cell
from paytui.tui.format.ticket import path_words
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import with_dialect_fields
from paytui.tui.forms.schema import FieldKind, Finding, Form, Section
from paytui.tui.guards.send_permission import NoDemand, may_create
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.model import (
    CONFIRM,
    NO_VALUES,
    Checks,
    Edit,
    Field,
    Line,
    Obstacle,
    Option,
    Task,
    TicketView,
    Values,
    line,
)
from paytui.tui.ticket.outcome import failed_row, outcome_view, outcome_words
from paytui.tui.ui_context import UiContext

# The fields of a form, and the submission that they make

COUNT = "#"
"""Ends the key that holds the number of parts of a repeated section."""

SIDE_BY_SIDE = 50
"""Cells for a value's words and its wire value side by side, on a terminal of 80 columns."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A field of a form where it stands; `part` is its index in a repeated section."""

    path: str
    field: schema.Field
    section: Section
    part: int | None = None

    @property
    def title(self) -> str:
        return self.section.title if self.part is None else f"{self.section.title} {self.part + 1}"

    def scope(self, draft: Draft) -> Draft:
        return draft if self.part is None else draft.part(self.section.key, self.part)


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that can be confirmed.

    Attributes:
        title: of its intent: `Wallet USD desk`.
        values: those of the shown fields, as they are sent.
        warnings: remarks on them, which do not stop it.
    """

    title: str
    request: Request
    values: Draft
    warnings: tuple[str, ...] = ()


def draft_of(values: Values) -> Draft:
    """Return the values and the numbers of parts that a ticket holds as a draft."""
    counts = {key: int(text) for key, text in values.items() if key.endswith(COUNT)}
    held = {key: text for key, text in values.items() if key not in counts}
    return Draft(held, {key.removesuffix(COUNT): count for key, count in counts.items()})


def fields_of(form: Form, draft: Draft) -> tuple[Placed, ...]:
    """Return all fields that are shown now."""
    shown = (section for section in form.sections if section.shown(draft))
    return tuple(one for section in shown for one in _placed(section, draft))


def wire_values(form: Form, draft: Draft) -> Draft:
    """Return the values of the shown fields as they are sent."""
    shown = fields_of(form, draft)
    repeated = (each for each in form.sections if each.repeated and each.shown(draft))
    return Draft(
        values={one.path: schema.wire_value(one.field, draft[one.path]) for one in shown},
        parts={section.key: _count(section, draft) for section in repeated},
    )


def findings(form: Form, draft: Draft) -> dict[str, Finding]:
    """Return the complaints about a draft, by path, in the order of its fields."""
    out = wire_values(form, draft)
    found = (
        (one.path, schema.finding(one.field, out[one.path], one.scope(out)))
        for one in fields_of(form, draft)
    )
    return {path: finding for path, finding in found if finding is not None}


def submission_of(form: Form, draft: Draft) -> Submission:
    """Return the submission of a draft without errors."""
    out = wire_values(form, draft)
    labels = {one.path: one.field.label for one in fields_of(form, draft)}
    warnings = (f"{labels[path]}: {one.words}" for path, one in findings(form, draft).items())
    request = replace(form.request(out), extra=out.under("extra"))
    title = f"{form.noun} {form.object_name(out)}".strip()
    return Submission(title, request, out, tuple(warnings))


def _placed(section: Section, draft: Draft) -> tuple[Placed, ...]:
    """Return the fields of a section that are shown now."""
    if not section.repeated:
        return tuple(Placed(one.key, one, section) for one in section.fields if one.shown(draft))
    return tuple(
        Placed(f"{section.key}.{part}.{one.key}", one, section, part)
        for part in range(_count(section, draft))
        for one in section.fields
        if one.shown(draft.part(section.key, part))
    )


def _count(section: Section, draft: Draft) -> int:
    return max(section.min_parts, draft.parts.get(section.key, 0))


# The ticket


def form_ticket(
    ui: UiContext, form: Form, context: str = "", start: Values = NO_VALUES
) -> Ticket[Submission]:
    """Return the ticket of a form, with what was filled in before unless it was sent.

    A request that failed after the form was left comes back with the service's complaints.
    """
    kept = ui.drafts.get((form.key, context))
    row = ui.store.intents.get(kept.intent_id) if kept and kept.intent_id else None
    failed = failed_row(ui, row) if row else None
    values, note = start, ""
    if kept and (kept.intent_id is None or failed):
        values = kept.draft.values
        over = first_key(ui.settings.keys, "ticket.clear")
        note = f"Restored draft, not sent. {over} starts over."
    elif kept and (row is None or row.standing.open):
        name = row.title if row else kept.intent_id
        note = f"{name} is still open: see Activity (8). Sending this creates another one."
    ticket = Ticket(ui, FormTask(ui, form, context, start, failed), values, note)
    if failed:
        ticket.go_on()
    return ticket


class FormTask(Task[Submission]):
    """The filling in and sending of one form.

    Args:
        context: the object that it is about.
        start: the values to begin with, and to start over with.
        confirmed: its intent, if it is corrected after it has failed.
    """

    walks = True

    def __init__(
        self,
        ui: UiContext,
        form: Form,
        context: str = "",
        start: Values = NO_VALUES,
        confirmed: IntentRow | None = None,
    ) -> None:
        super().__init__(ui)
        self.form = with_dialect_fields(form, ui.vocabulary)
        self.key, self.title = form.key, form.title
        self.context = context
        self._start = start
        self._intent: Intent | IntentRow | None = confirmed

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:  # noqa: ARG002
        draft, found = draft_of(filled), []
        out = wire_values(self.form, draft)
        for section in self.form.sections:
            placed = _placed(section, draft) if section.shown(draft) else ()
            found += [self._field(one, draft, out) for one in placed]
            if section.repeated and section.shown(draft) and not placed:
                found.append(self._none_yet(section))
        return tuple(found)

    def _field(self, one: Placed, draft: Draft, out: Draft) -> Field:
        field, text = one.field, draft[one.path]
        choices = schema.choices_of(field)
        choice = schema.named_choice(choices, text) if text else None
        found = schema.finding(field, out[one.path], one.scope(out))
        sign = CAREFUL if found and found.overridable else WRONG
        return Field(
            key=one.path,
            label=field.label,
            text=choice.name if choice else text,
            note=choice.facts if choice else "",
            hint="required" if field.required else "",
            options=partial(schema.choices_of, field) if choices else None,
            free=field.kind in schema.SUGGESTED or field.allows_others(),
            finding=sign.cell(found.words) if found else None,
            help=field.help,
            section=one.title if len(self.form.sections) > 1 else "",
        )

    def _none_yet(self, section: Section) -> Field:
        """Return the stop at a repeated section without parts; its option adds the first."""
        add = first_key(self.ui.settings.keys, "ticket.add")
        one = Option(key="1", name=f"Add a {section.title.lower()}")
        return Field(
            key=f"{section.key}{COUNT}",
            label="None yet",
            hint=f"{add} adds one",
            options=lambda: (one,),
            section=section.title,
        )

    def filled(self, values: Values) -> Values:
        """Return the values with every required choice that has only one possible value."""
        filled = dict(values)
        for one in fields_of(self.form, draft_of(values)):
            is_chosen = one.field.kind is FieldKind.CHOICE and one.field.required
            if is_chosen and not filled.get(one.path):
                possible = [each.key for each in schema.choices_of(one.field) if not each.why_not]
                if len(possible) == 1:
                    filled[one.path] = possible[0]
        return filled

    def with_text(self, values: Values, key: str, text: str) -> Values:
        return values if key.endswith(COUNT) else {**values, key: text}

    def edits(self, values: Values, at: str) -> Mapping[str, Edit]:
        """Return how to add or remove a part of a repeated section, and to start over."""
        if at == CONFIRM:
            return {}
        fields = self.fields(self._start, self.filled(self._start))
        empty = next((one.key for one in fields if not one.text), fields[0].key)
        found = {"clear": Edit(self._start, empty, lambda _: None)}
        section, part = self._repeated(at)
        if section is None:
            return found
        count, key = _count(section, draft_of(values)), f"{section.key}{COUNT}"
        first_of_new = f"{section.key}.{count}.{section.fields[0].key}"
        found["add"] = Edit({**values, key: str(count + 1)}, first_of_new, lambda path: path)
        if part is not None and count > section.min_parts:
            move = path_shift(section.key, part)
            moved = {to: text for path, text in values.items() if (to := move(path)) is not None}
            moved[key] = str(count - 1)
            left = [one.path for one in _placed(section, draft_of(moved))]
            start = f"{section.key}.{min(part, count - 2)}."
            place = next((path for path in left if path.startswith(start)), key)
            found["remove"] = Edit(moved, place, move)
        return found

    def _repeated(self, at: str) -> tuple[Section | None, int | None]:
        """Return the repeated section of a field, and the index of its part."""
        for section in self.form.sections:
            if section.repeated and at.startswith((f"{section.key}.", f"{section.key}{COUNT}")):
                number = at.removeprefix(f"{section.key}.").partition(".")[0]
                return section, int(number) if number.isdecimal() else None
        return None, None

    def order(self, filled: Values) -> Submission | Obstacle:
        draft = draft_of(filled)
        for path, found in findings(self.form, draft).items():
            if not found.overridable:
                return Obstacle(path, found.words)
        submission = submission_of(self.form, draft)
        if not any(submission.values.values.values()):
            return Obstacle(self.fields(filled, filled)[0].key, "Nothing is filled in.")
        return submission

    def review(self, order: Submission, *, intent_id: IntentId, proven: str) -> Checks:  # noqa: ARG002
        rows = (row for row in self.ui.store.intents.rows() if row.standing.open)
        return Checks(
            demand=NoDemand(),
            name_warnings=order.warnings,
            duplicate_warnings=tuple(
                f"Possible duplicate of {row.intent_id} ({row.standing.value})."
                for row in rows
                if row.title == order.title
            ),
            barred=may_create(self.ui) or "",
        )

    def agreed(self, order: Submission, review: Checks) -> object:
        return order, review.warnings

    def review_lines(self, order: Submission, review: Checks) -> Iterator[Line]:  # noqa: ARG002
        """Yield the values to send, by section."""
        values = order.values
        filled = [one for one in fields_of(self.form, values) if values[one.path]]
        titles, last = {one.title for one in filled}, ""
        for one in filled:
            if one.title != last and len(titles) > 1:
                yield from () if not last else (Line("", ()),)
                yield Line(f"{one.title}:", ())
            last = one.title
            yield from _value_lines(one.field, values[one.path])

    def send(self, order: Submission, intent_id: IntentId) -> None:
        now = self.ui.time.latest()
        self._intent = self.ui.maker.make(
            order.request, title=order.title, confirmed_at=now, intent_id=intent_id
        )
        self.ui.port.submit(self._intent)

    @property
    def sent(self) -> IntentId | None:
        return self._intent.intent_id if self._intent else None

    def end(self) -> TicketView | None:
        """Return the status of the confirmed intent, and the created object."""
        if self._intent is None:
            return None
        became = partial(_created_lines, self.form.noun)
        view = outcome_view(self.ui, self.title, self._intent, noun=self.form.noun, became=became)
        return replace(view, words=(*view.words, *_copy_it(self.ui, view.became)))

    def refusals(self) -> Mapping[str, str] | None:
        row = failed_row(self.ui, self._intent) if self._intent else None
        if row is None:
            return None
        complaints = row.problem.fields if row.problem else ()
        said = {one.field: f"{path_words(one.field)}: {one.message}" for one in complaints}
        happened = row.problem.happened if row.problem else ""
        return said or {CONFIRM: f"{outcome_words(row)}: {happened}"}

    def restart(self) -> None:
        self._intent = None


def _value_lines(field: schema.Field, text: str) -> Iterator[Line]:
    """Yield a value in words, with its wire value beside or below it."""
    choice = schema.named_choice(schema.choices_of(field), text)
    if choice is None or field.kind is FieldKind.YES_NO:
        yield line(field.label, choice.name if choice else text)
        return
    key = "" if choice.key in (choice.name, choice.facts) else choice.key
    note = "  ".join(filter(None, [key, choice.facts]))
    if len(choice.name) + len(note) <= SIDE_BY_SIDE:
        yield line(field.label, choice.name, note)
    else:
        yield line(field.label, choice.name)
        yield line("", note, tone=Tone.MUTED)


def _created_lines(noun: str, became: Record | None) -> Iterator[Line]:
    status = getattr(became, "status", None)
    if isinstance(status, State):
        yield Line(f"{noun} status", (state_cell(status),))
    elif became is None:
        yield line(f"{noun} status", "not read yet", tone=Tone.MUTED)


def _copy_it(ui: UiContext, became: Record | None) -> Iterator[Cell]:
    """Ask for bank details to be copied if the service cannot show them again."""
    is_missing = "list_payin_addresses" in ui.vocabulary.missing
    is_shown = ui.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
    if isinstance(became, PayInAddress) and not is_shown:
        keys = ui.settings.keys
        how = f"{first_key(keys, 'ticket.open')}, then {first_key(keys, 'deposit.copy')}"
        yield CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        yield Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)
