"""Records of the wire as a dialect reads them: what they are called by, and what they lack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paytui.api.dialect import Dialect
from paytui.api.wire.decode import BadRecord, Reader, Readers, section_of
from paytui.domain.exact_json import Json
from paytui.domain.models import RateSheet


def identifiers(cls: type, records: Iterable[Json], dialect: Dialect) -> list[str]:
    """Of the records that can be read, in their order."""
    reader: Reader[object] = Readers(dialect).of(cls)
    found = []
    for record in records:
        try:
            found.append(reader.identity(reader.read(record)))
        except BadRecord:
            continue
    return found


def of_no_use(cls: type, records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    """What makes records useless that can all be read."""
    if cls is RateSheet:
        return _without_rates(records, dialect)
    return _shared(cls, records, dialect)


def _without_rates(records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    for raw in records:
        try:
            sheet = Readers(dialect).of(RateSheet).read(raw, sent_at=0.0)
        except BadRecord:
            continue
        if not sheet.rates and not sheet.unavailable:
            yield "  none of its rates can be used: see [fields.rate_sheet] rates and [fields.rate]"


def _shared(cls: type, records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    """That records have one identifier, so that only one of them is kept."""
    found = identifiers(cls, records, dialect)
    if others := len(found) - len(set(found)):
        what = f"{others} of them have the identifier of another"
        yield f"  {what}: see [fields.{section_of(cls)}]"
