"""One look at each kind of object with a dialect's eyes: live, or at an answer in a file."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from paytui.api.client import Client
from paytui.api.dialect import Dialect
from paytui.api.dialect_survey import Survey
from paytui.api.errors import ApiError, AuthRefused, NoSecret, NotOffered, Refused, TokenLost
from paytui.api.resources import READS, TRACKED
from paytui.api.wire.codec import Slice, Wire
from paytui.cli.dialect_envelope import Unwrapping
from paytui.cli.dialect_lists import Assumptions
from paytui.cli.dialect_paging import NOT_TRIED, PagesOf, Trial
from paytui.cli.dialect_records import identifiers, of_no_use
from paytui.cli.dialect_report import is_guessed, paged, report
from paytui.cli.errors import CommandError
from paytui.cli.watch_changes import noun
from paytui.config.settings import DEFAULT_WATCH
from paytui.domain.exact_json import CannotReadError, Json, parse
from paytui.domain.models import Kind, RateSheet, Record
from paytui.domain.money import Pair
from paytui.domain.requests import RateSheetRequest

MOST_ASKED = 5
"""Wallets, recipients or identifiers that are asked for until one of them shows something."""

_ASKED = "signed in: the token was understood"
_SHARED = (
    "signed in with a token that another paytui shares: [fields.token] was not tried; "
    "it is once no other ran for five minutes"
)

_NOTHING = "Nothing was understood: begin with prefix and [paths]."
_NOT_LET_IN = (
    "Nothing was read, so nothing can be said of the dialect: the service rejected every token. "
    "End other programs with this client id, then run this again."
)

_NO_CODE = (
    "  [errors] code: this refusal has none but its status. If all errors of the service are so, "
    "name a member that each has: until then, a payment that it refuses stays in doubt."
)

MOST_LOCKED = 3
"""Pairs of the rate sheet that is locked to be looked at."""


@dataclass(slots=True)
class Outcome:
    """The lines to print, and whether all records could be read.

    Attributes:
        let_in: no read failed for want of a token.
        to_judge: lines that only a person with the manual can judge.
    """

    lines: list[str] = field(default_factory=list)
    understood: bool = True
    let_in: bool = True
    to_judge: int = 0

    def take(
        self, title: str, cls: type, answer: Slice, dialect: Dialect, trial: Trial = NOT_TRIED
    ) -> list[Json]:
        """Add what becomes of an answer with records of a class, and give these."""
        part, around = Unwrapping(cls, dialect).opened(answer)
        around.extend(paged(part, dialect.paging, goes_on=trial.goes_on))
        around.extend(of_no_use(cls, part.items, dialect))
        self.understood &= not around and not trial.is_sure
        records = part.items
        self.lines.append(f"{title}: {len(records)} looked at")
        self.lines.extend(dict.fromkeys((*around, *trial.lines)))
        survey = Survey(dialect)
        survey.look_at(cls, records)
        self.lines.extend(report(survey, dialect))
        self.understood &= not survey.useless
        for section in survey.sections.values():
            self.understood &= not (section.unreadable or section.useless or is_guessed(section))
            self.to_judge += len(section.unread) + len(section.states)
        return records

    def conclude(self) -> None:
        """Say what is left to a person, who has the manual."""
        if self.to_judge:
            self.lines.append(
                f"Lines that say unread or state: {self.to_judge}. Look through them."
            )

    async def hear(
        self, kind: Kind, asked: Awaitable[tuple[Slice, Trial]], dialect: Dialect
    ) -> list[Json]:
        """Add what becomes of the records that a read brings, or why it brings none."""
        try:
            answer, trial = await asked
        except ApiError as error:
            self.lines.append(f"{kind.value}: {error}")
            if isinstance(error, Refused) and not error.stated:
                self.lines.append(_NO_CODE)
            self.understood &= isinstance(error, NotOffered)
            self.let_in &= not isinstance(error, (TokenLost, AuthRefused, NoSecret))
            return []
        return self.take(kind.value, _record_of(kind), answer, dialect, trial)


async def checked(
    client: Client,
    dialect: Dialect,
    tracked: Mapping[Kind, Sequence[str]],
    watched: Sequence[Pair],
) -> Outcome:
    """A live read of each kind that the service lists, or of which an identifier is tracked.

    A rate sheet is locked for it: of some pairs that are watched, or by default would be.

    Raises:
        ApiError: the service does not let us in.
    """
    outcome = Outcome([_ASKED if await client.sign_in() else _SHARED])
    known: dict[Kind, list[str]] = {}
    for kind, read in READS.items():
        parents = known.get(read.parent, []) if read.parent else [None]
        if read.parent is not None and not parents and not tracked.get(kind):
            outcome.lines.append(_unlisted(kind, read.parent))
            continue
        asked = _answer(client, dialect, kind, parents, tracked.get(kind, ()))
        records = await outcome.hear(kind, asked, dialect)
        known[kind] = identifiers(read.record, records, dialect)
    pairs = tuple(watched or DEFAULT_WATCH)[:MOST_LOCKED]
    named = ", ".join(f"{pair.sell}>{pair.buy}" for pair in pairs)
    outcome.lines.append(f"rate_sheets: locking one of {named}; it commits to nothing")
    sheets = await outcome.hear(Kind.RATE_SHEETS, _locked(client, pairs), dialect)
    if not sheets and not any(known.values()):
        outcome.lines.append(_NOTHING if outcome.let_in else _NOT_LET_IN)
        outcome.understood = False
    outcome.conclude()
    return outcome


async def _answer(
    client: Client,
    dialect: Dialect,
    kind: Kind,
    parents: Sequence[str | None],
    tracked: Sequence[str],
) -> tuple[Slice, Trial]:
    trial = NOT_TRIED
    try:
        for parent in parents[:MOST_ASKED]:
            answer, trial = await _listed(client, dialect, kind, parent)
            if answer.items or trial.lines:
                return answer, trial
    except NotOffered:
        if not tracked:
            raise
    for identifier in tracked[:MOST_ASKED] if kind in TRACKED else ():
        if (answer := await client.samples.fetched(kind, identifier)).items:
            return answer, NOT_TRIED
    return Slice([]), trial


async def _listed(
    client: Client, dialect: Dialect, kind: Kind, parent: str | None
) -> tuple[Slice, Trial]:
    """Return the first answer of a list, and what became of all that is assumed of it."""
    answer, trial = await PagesOf(client.samples, dialect, kind, parent).first()
    if trial.is_sure:
        return answer, trial
    assumed = Assumptions(client.samples, dialect, kind, parent)
    more = await assumed.tried(answer, goes_on=trial.goes_on)
    return answer, replace(trial, lines=(*trial.lines, *more.lines), is_sure=more.is_sure)


async def _locked(client: Client, pairs: tuple[Pair, ...]) -> tuple[Slice, Trial]:
    sheet = await client.samples.locked(RateSheetRequest(currency_pairs=pairs))
    return sheet, NOT_TRIED


def _unlisted(kind: Kind, parent: Kind) -> str:
    one = noun(parent)
    also = f" or a {noun(kind)} of your own" if kind in TRACKED else ""
    return (
        f"{kind.value}: not looked at: they are listed for each {one}, and no {one} is known; "
        f"track a {one}{also}: paytui track ID…"
    )


def explained(kind: Kind, body: bytes, dialect: Dialect) -> Outcome:
    """Explain a response that holds objects of a kind.

    Raises:
        CommandError: it is no JSON, or holds no object.
    """
    wire, outcome = Wire(dialect), Outcome()
    try:
        parse(body)
        answer = _unwrapped(wire, body)
    except CannotReadError as error:
        raise CommandError(f"The answer cannot be read: {error}.") from None
    outcome.take(kind.value, _record_of(kind), answer, dialect)
    outcome.conclude()
    return outcome


def _record_of(kind: Kind) -> type[Record | RateSheet]:
    return READS[kind].record if kind in READS else RateSheet


def _unwrapped(wire: Wire, body: bytes) -> Slice:
    try:
        return wire.many(body)
    except CannotReadError:
        return Slice([wire.raw(body)])
