"""Forms as tickets: the fields of a request, its review, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow
from paytui.domain.models import Kind, PayInAddress, Record, State
from paytui.domain.requests import Request
from paytui.tui.drafts import Draft, path_shift
from paytui.tui.format.cells import CAREFUL, WRONG, state_cell
from paytui.tui.format.ticket import path_words
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import EXTRA, with_dialect_fields
from paytui.tui.forms.schema import FieldKind, Finding, Form, Section
from paytui.tui.guards.send_permission import Demand, may_create
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

COUNT = "#"  # Ends the key that holds the number of parts of a repeated section
SIDE_BY_SIDE = 50  # Cells for a value's words and its wire value, on a terminal of 80 columns


@dataclass(frozen=True, slots=True)
class Placed:
    """A field of a form where it stands now.

    Attributes:
        part: the index of its part in a repeated section.
        value: its text as it is sent.
    """

    path: str
    field: schema.Field
    section: Section
    part: int | None = None
    value: str = ""
    finding: Finding | None = None

    @property
    def title(self) -> str:
        return self.section.title if self.part is None else f"{self.section.title} {self.part + 1}"


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that can be confirmed.

    Attributes:
        title: of its intent: `Wallet USD desk`.
        fields: those that are filled in, with their values as they are sent.
    """

    title: str
    request: Request
    fields: tuple[Placed, ...]


def draft_of(values: Values) -> Draft:
    """Return the values and the numbers of parts that a ticket holds as a draft."""
    counts = {key: int(text) for key, text in values.items() if key.endswith(COUNT)}
    held = {key: text for key, text in values.items() if key not in counts}
    return Draft(held, {key.removesuffix(COUNT): count for key, count in counts.items()})


def placed(form: Form, draft: Draft) -> tuple[Placed, ...]:
    """Return the fields that are shown now, judged by their values as they are sent.

    A repeated section without parts has one field, whose option adds the first.
    """
    found: list[Placed] = []
    for section in form.sections:
        if not section.shown(draft):
            continue
        count = parts_of(section, draft)
        if section.repeated and not count:
            add = Option(key="1", name=f"Add a {section.title.lower()}")
            key, choices = f"{section.key}{COUNT}", partial(tuple, [add])
            field = schema.Field(key, "None yet", FieldKind.CHOICE, choices=choices)
            found.append(Placed(key, field, section))
        for part in range(count) if section.repeated else (None,):
            scope = draft if part is None else draft.part(section.key, part)
            start = "" if part is None else f"{section.key}.{part}."
            shown = [one for one in section.fields if one.shown(scope)]
            sent = Draft({one.key: schema.wire_value(one, scope[one.key]) for one in shown})
            for one in shown:
                value = sent[one.key]
                complaint = schema.finding(one, value, sent)
                found.append(Placed(f"{start}{one.key}", one, section, part, value, complaint))
    return tuple(found)


def parts_of(section: Section, draft: Draft) -> int:
    return max(section.min_parts, draft.parts.get(section.key, 0))


def submission_of(form: Form, fields: tuple[Placed, ...]) -> Submission:
    """Return the submission of fields without errors."""
    counts = {one.section.key: one.part + 1 for one in fields if one.part is not None}
    values = Draft({one.path: one.value for one in fields}, counts)
    request = replace(form.request(values), extra=values.under(EXTRA))
    title = f"{form.noun} {form.object_name(values)}".strip()
    return Submission(title, request, tuple(one for one in fields if one.value))


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
        values, at = kept.draft.values, kept.at
        over = first_key(ui.settings.keys, "ticket.clear")
        note = f"Restored draft, not sent. {over} starts over."
    elif kept and (row is None or row.standing.open):
        name = row.title if row else kept.intent_id
        note = f"{name} is still open: see Activity (8). Sending this creates another one."
    ticket = Ticket(ui, FormTask(ui, form, context, start, failed), values, note, at)
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
        self, ui: UiContext, form: Form, context: str, start: Values, confirmed: IntentRow | None
    ) -> None:
        super().__init__(ui)
        self.form = with_dialect_fields(form, ui.vocabulary)
        self.key, self.title = form.key, f"New {form.noun.lower()}"
        self.context = context
        self._start = start
        self._intent: Intent | IntentRow | None = confirmed

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:  # noqa: ARG002
        draft, fields = draft_of(filled), []
        add = first_key(self.ui.settings.keys, "ticket.add")
        for one in placed(self.form, draft):
            field, found, text = one.field, one.finding, draft[one.path]
            choices = schema.choices_of(field)
            choice = schema.named_choice(choices, text) if text else None
            sign = CAREFUL if found and found.overridable else WRONG
            hint = f"{add} adds one" if one.path.endswith(COUNT) else ""
            fields.append(
                Field(
                    key=one.path,
                    label=field.label,
                    text=choice.name if choice else text,
                    note=choice.facts if choice else "",
                    hint="required" if field.required else hint,
                    options=partial(schema.choices_of, field) if choices else None,
                    free=field.kind in schema.SUGGESTED or field.allows_others(),
                    finding=sign.cell(found.words) if found else None,
                    help=field.help,
                    section=one.title if len(self.form.sections) > 1 else "",
                )
            )
        return tuple(fields)

    def filled(self, values: Values) -> Values:
        """Return the values with every required choice that has only one possible value."""
        filled = dict(values)
        for one in placed(self.form, draft_of(values)):
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
        edits = {"clear": Edit(self._start, empty, lambda _: None)}
        draft = draft_of(values)
        here = next((one for one in placed(self.form, draft) if one.path == at), None)
        if here is None or not here.section.repeated:
            return edits
        section, part, count = here.section, here.part, parts_of(here.section, draft)
        key, first = f"{section.key}{COUNT}", section.fields[0].key
        added = {**values, key: str(count + 1)}
        edits["add"] = Edit(added, f"{section.key}.{count}.{first}", lambda path: path)
        if part is not None and count > section.min_parts:
            move = path_shift(section.key, part)
            left = {to: text for path, text in values.items() if (to := move(path)) is not None}
            left[key] = str(count - 1)
            place = f"{section.key}.{min(part, count - 2)}.{first}" if count > 1 else key
            edits["remove"] = Edit(left, place, move)
        return edits

    def order(self, filled: Values) -> Submission | Obstacle:
        fields = placed(self.form, draft_of(filled))
        for one in fields:
            if one.finding and not one.finding.overridable:
                return Obstacle(one.path, one.finding.words)
        if not any(one.value for one in fields):
            return Obstacle(fields[0].path, "Nothing is filled in.")
        return submission_of(self.form, fields)

    def review(self, order: Submission, *, intent_id: IntentId, proven: str) -> Checks:  # noqa: ARG002
        rows = self.ui.store.intents.rows()
        alike = [row for row in rows if row.standing.open and row.title == order.title]
        return Checks(
            demand=Demand(),
            name_warnings=tuple(
                f"{one.field.label}: {one.finding.words}" for one in order.fields if one.finding
            ),
            duplicate_warnings=tuple(
                f"Possible duplicate of {row.intent_id} ({row.standing.value})." for row in alike
            ),
            barred=may_create(self.ui) or "",
        )

    def agreed(self, order: Submission, review: Checks) -> object:
        return order, review.warnings

    def review_lines(self, order: Submission, review: Checks) -> Iterator[Line]:  # noqa: ARG002
        """Yield the values to send, by section."""
        has_titles = len({one.title for one in order.fields}) > 1
        for place, (title, fields) in enumerate(groupby(order.fields, lambda one: one.title)):
            if has_titles and place:
                yield Line("", ())
            if has_titles:
                yield Line(f"{title}:", ())
            for one in fields:
                yield from _value_lines(one.field, one.value)

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
        view = outcome_view(self.ui, self._intent, noun=self.form.noun, became=became)
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
    name, note = choice.name if choice else text, ""
    if choice and field.kind is not FieldKind.YES_NO:
        key = "" if choice.key in (choice.name, choice.facts) else choice.key
        note = "  ".join(filter(None, [key, choice.facts]))
    is_short = len(name) + len(note) <= SIDE_BY_SIDE
    yield line(field.label, name, note if is_short else "")
    if note and not is_short:
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
