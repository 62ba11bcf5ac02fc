"""Any text from a service can be shown: it causes neither crash nor action."""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal

import pytest

from paytui.domain.models import Kind
from paytui.store.export import Format, export_rows, layout
from tests.support.clock import ManualClock
from tests.support.hostile.corpus import NUMBERS, TEXTS, UNSEEN
from tests.support.hostile.service import HostileService
from tests.support.virtual import VirtualLoop
from tests.worker.desk import LISTED, Desk

WHOLE = 2 * len(TEXTS) + len(NUMBERS) + 4
"""Of a list; besides there are eight things in it that are no records."""

UNSAFE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A desk that has read everything from a hostile service; nothing here changes it."""
    clock = ManualClock()
    desk, loop = Desk(HostileService(), clock), VirtualLoop(clock)
    loop.run_until_complete(desk.worker.sync_once())
    loop.close()
    return desk


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from strings(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


def numbers(value: object) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from numbers(getattr(value, field.name))


@pytest.mark.slow
@pytest.mark.parametrize("kind", LISTED)
def test_every_record_that_has_an_identifier_is_kept_and_its_numbers_can_be_written_out(
    desk: Desk, kind: Kind
) -> None:
    assert desk.count(kind) == WHOLE
    assert desk.store.feed(kind).skipped == 8
    for row in desk.store.table(kind).rows():
        for number in numbers(row):
            assert number.is_finite()
            assert len(format(number, "f")) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", LISTED)
def test_no_text_of_any_field_can_move_a_cursor_or_hide(desk: Desk, kind: Kind) -> None:
    kept = {text for row in desk.store.table(kind).rows() for text in strings(row)}
    assert len(kept) > len(TEXTS)
    for text in kept:
        found = {char for char in text if unicodedata.category(char) in UNSAFE}
        assert not found - {"\ufffd"}, text[:200]
        assert not set(text) & set(UNSEEN), text[:200]
        assert len(text) <= 2_000


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        *((kind, Format.CSV) for kind in LISTED),
        *((Kind.PAYMENTS, form) for form in Format if form is not Format.CSV),
    ],
)
def test_all_of_it_can_be_exported(desk: Desk, kind: Kind, form: Format) -> None:
    file = io.StringIO(newline="")
    rows = desk.store.table(kind).rows()
    export_rows(layout(desk.store, kind), rows, form, file)
    written = file.getvalue()
    strange = {char for char in written if unicodedata.category(char) in UNSAFE} - {"\r", "\n"}
    assert strange <= {"\ufffd"}
    assert "\n=HYPERLINK" not in written
    assert ",=HYPERLINK" not in written
    assert ",@SUM" not in written
    if form is Format.JSON:
        assert len(json.loads(written)) == len(rows)
