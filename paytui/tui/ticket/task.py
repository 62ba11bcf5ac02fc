"""The task of a ticket: what its fields are for, and what becomes of an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic

from paytui.domain.colleagues import OpenTicket
from paytui.domain.intent import Action, Intent, IntentId, IntentRow, Standing, tags_of
from paytui.domain.models import Payment, PaymentAddress, Record, State, Trade
from paytui.tui.confirmation import Checks
from paytui.tui.details.common_facts import progress_words
from paytui.tui.details.intent import FAILED, approval_words, outcome_cells
from paytui.tui.format.cells import CAREFUL, Cell, Tone, path_words, standing_cell, state_cell
from paytui.tui.ticket.model import CONFIRM, Edit, Field, Line, T, TicketView, Values, having, line
from paytui.tui.ticket.rate_lock import RateLock
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext


class Task(Generic[T]):
    """The declaration of what a ticket does: its fields, its order, the review and the end.

    The values of a ticket are what the trader chose and typed; `filled` values have every choice as
    well that has one candidate. All methods but `send`, `reach` and `restart` are functions of the
    values and the store.
    """

    key: str
    title: str
    noun: str  # Of what it creates
    verb: str = "send"  # The effect of enter at the confirmation
    context: str = ""  # The object that it is about; each has a draft of its own
    walks: bool = False  # Enter goes to the next field, not to the next that is missing
    keeps_draft: bool = True  # What was filled in is offered again, once the ticket was left
    changed: str = "Details changed while you were confirming. Please review."

    def __init__(self, ui: UiContext) -> None:
        self.ui = ui
        self.intent_id = ui.maker.new_id()  # Of the next intent; the review shows its tag
        self.proven = ""  # The fingerprint of the new account that was checked
        self._sent: Intent | IntentRow | None = None

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        raise NotImplementedError

    def order(self, filled: Values) -> T:
        """Return what can be confirmed, or raise the first `Obstacle` to it."""
        raise NotImplementedError

    def filled(self, values: Values) -> Values:
        """Return the values with every choice filled in that has one candidate."""
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        return having(values, **{key: text})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        return having(values, **{key: choice})

    def paid(self, filled: Values) -> PaymentAddress | None:
        """Return the recipient's account that would be paid; None if none is."""
        return None

    def told(self, filled: Values) -> OpenTicket | None:
        """Return what colleagues are told of the ticket; None: nothing."""
        return None

    def review(self, order: T) -> Checks:
        raise NotImplementedError

    def agreed(self, order: T, review: Checks) -> object:
        """Return all facts that the trader agrees to; a change has to be seen again."""
        return (order, review.warnings)

    def effect(self, order: T) -> str:
        """Return the effect of enter at the confirmation, as a verb."""
        return self.verb

    def review_lines(self, order: T, review: Checks) -> Iterator[Line]:
        raise NotImplementedError

    def review_words(self, order: T, review: Checks) -> Iterator[Cell]:
        """Yield remarks before the warnings, such as a shortfall."""
        yield from ()

    def lines(self, filled: Values) -> Iterator[Line]:
        """Yield facts below the fields, such as the rate."""
        yield from ()

    @property
    def sent(self) -> IntentId | None:
        """The intent whose failure brings back what was filled in, once the ticket was left."""
        return None

    def lock(self, filled: Values) -> RateLock | None:
        """Return the rate that an order is sent at; None if it needs none."""
        return None

    def edits(self, values: Values, at: str) -> Mapping[str, Edit]:
        """Return the actions that change the fields, with their effects."""
        return {}

    def reach(self, at: str, filled: Values) -> None:
        """Take in that the cursor comes to a field or to `CONFIRM`, such as to request a rate."""

    # What becomes of an order

    def send(self, order: T) -> None:
        """Pass a confirmed order on, once."""
        self._sent = self._intent_of(order)
        self.ui.port.submit(self._sent)

    def _intent_of(self, order: T) -> Intent:
        """Return the intent of a confirmed order, under `intent_id`."""
        raise NotImplementedError

    def end(self) -> TicketView | None:
        """Return the outcome; None before the confirmation."""
        if self._sent is None:
            return None
        ui, intent, record = self.ui, self._sent, None
        row = ui.store.intents.get(intent.intent_id)
        lines = [line("Intent", intent.title)]
        if intent.action.moves_money and intent.action is not Action.MANDATE:
            lines.append(reference_line(intent.terms.reference))
        if row is not None:
            since = Cell(f"since {clock_seconds(row.since, ui.zone)}", Tone.MUTED)
            lines.append(Line("Status", (standing_cell(row), since)))
            lines.append(line("Intent id", row.intent_id))
            if row.object_id:
                record = ui.store.table(row.action.becomes).get(row.object_id)
                lines += [line(self.noun, row.object_id), *self._became_lines(record)]
            if row.standing is Standing.PROPOSED:
                lines.append(approval_line(ui, row))
            if row.problem is not None:
                lines.append(line("Problem", row.problem.happened))
                for one in row.problem.fields:
                    lines.append(line("", f"{path_words(one.field)}: {one.message}"))
            if row.standing.open:
                lines += [line("Candidate", candidate) for candidate in row.candidates]
        words = tuple(outcome_cells(ui, row)) if row else (Cell("Being recorded.", Tone.MUTED),)
        return TicketView(name="outcome", lines=tuple(lines), words=words, became=record)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        """Yield the object that was created, once it was read."""
        status = getattr(became, "status", None)
        if became is None:
            yield line(f"{self.noun} status", "not read yet", tone=Tone.MUTED)
        elif isinstance(status, State):
            yield Line(f"{self.noun} status", (state_cell(status),))
        if isinstance(became, Payment | Trade) and status is not None:
            yield line("Progress", progress_words(self.ui, became), tone=Tone.MUTED)

    def refusals(self) -> Mapping[str, str] | None:
        """Return the complaints by field, the others under `CONFIRM`; None unless it has failed."""
        row = failed_row(self.ui, self._sent) if self._sent else None
        if row is None:
            return None
        said: dict[str, list[str]] = {}
        for one in row.problem.fields if row.problem else ():
            key, note = self._refused(row, one.field)
            said.setdefault(key, []).append(f"{path_words(one.field)}: {one.message}{note}")
        if row.problem and not said:
            said[CONFIRM] = [row.problem.said or row.problem.what]
        failed = "Refused" if row.standing is Standing.REFUSED else "Not executed"
        complaints = {key: f"{failed}: {'; '.join(words)}" for key, words in said.items()}
        return complaints or {CONFIRM: f"{failed}."}

    def _refused(self, row: IntentRow, path: str) -> tuple[str, str]:
        """Return the field that a complaint about a path of the request is for, and a note."""
        return path, ""

    def restart(self) -> None:
        """Forget what failed, so that it can be corrected."""
        self._sent, self.intent_id = None, self.ui.maker.new_id()


def failed_row(ui: UiContext, intent: Intent | IntentRow) -> IntentRow | None:
    """Return the row of an intent that has certainly failed, with no alert against that."""
    row = ui.store.intents.get(intent.intent_id)
    return row if row is not None and row.standing in FAILED and not row.alerts else None


def approval_line(ui: UiContext, row: IntentRow) -> Line:
    """Return what a proposal needs, or who has approved it so far."""
    words = row.turns[-1].words if row.turns else "not known yet"
    return line("Approval", approval_words(ui, row) or words)


def day_words(found: tuple[bool, str] | None) -> Iterator[Cell]:
    """Yield a warning if a limit of the day would be exceeded; see `day_limit`."""
    if found is not None and found[0]:
        yield CAREFUL.cell(f"Over {found[1]}. The desk refuses it until then.")


def day_lines(found: tuple[bool, str] | None) -> Iterator[Line]:
    """Yield what of a limit of the day is used and left, if it is not exceeded."""
    if found is not None and not found[0]:
        yield line("Day limit", found[1][:1].upper() + found[1][1:])


def reference_line(reference: str | None) -> Line:
    """Return a reference as it is sent, with paytui's tag."""
    note = "tag added by paytui" if tags_of(reference) else ""
    return line("Reference", reference or "none", note)
