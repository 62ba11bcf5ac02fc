"""A hash chain over intents and events, in the order in which they were written.

Each link covers the link before it. A row that is removed, changed, added or moved breaks the
chain, and so does a missing link. An attacker who also resets SQLite's counters can remove rows at
the end with their links; the host's log detects that, since each line carries the head of the
chain. The hashes are not keyed: a process that can write the file can make a new chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from paytui.outbox.errors import AlteredFile
from paytui.outbox.rows import Connection, Value

ROWS = ("intents", "events")
BEGINS = "begins"
"""The table name of the first link, which covers all rows older than the chain."""

_Row: TypeAlias = "tuple[Value, Value]"
"""A table and the number of a row in it."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The verified chain of a file.

    Attributes:
        hashes: the hash of each link, by number.
        adopted: the number of rows that are older than the chain.
    """

    hashes: Mapping[int, str]
    adopted: int

    @property
    def head(self) -> str:
        """The last link, as written to the host's log: `<number>.<hash>`."""
        number = len(self.hashes)
        return f"{number}.{self.hashes[number]}"

    def holds(self, head: str) -> bool:
        """Return True if `head` is or was the head of this chain."""
        return head in {f"{number}.{link}" for number, link in self.hashes.items()}


def begin(connection: Connection) -> None:
    """Write the first link, over all existing rows."""
    rows = _rows(connection)
    _add(connection, 1, BEGINS, len(rows), _first_hash(rows))


def append(connection: Connection, table: str) -> str:
    """Link the newest row of a table to the chain, in the transaction that wrote it.

    Returns:
        The new head.
    """
    [[row, row_hash]] = _select(connection, f"number, row_hash FROM {table}", last=True)
    [[number, before]] = _select(connection, "number, hash FROM chain", last=True)
    assert isinstance(number, int)
    link = _hash([before, number + 1, table, row, row_hash])
    _add(connection, number + 1, table, row, link)
    return f"{number + 1}.{link}"


def read_chain(connection: Connection) -> Chain:
    """Read and verify the chain of a file, in the transaction that reads its rows.

    Raises:
        AlteredFile: the chain is broken.
    """
    unlinked = _rows(connection)
    links = _select(connection, "number, of, row, hash FROM chain")
    _check_counters(connection)
    if not links or links[0][:2] != (1, BEGINS):
        raise AlteredFile("the beginning of its chain is missing")
    hashes: dict[int, str] = {}
    for expected, (number, table, row, link) in enumerate(links[1:], start=2):
        if number != expected:
            raise AlteredFile(f"link {expected} of its chain is missing")
        row_hash = unlinked.pop((table, row), None)
        if row_hash is None:
            raise AlteredFile(f"row {row!r} of its {table!s} is missing")
        before = hashes.get(expected - 1, links[0][3])
        hashes[expected] = _hash([before, number, table, row, row_hash])
        if hashes[expected] != link:
            raise AlteredFile(f"its chain is broken at link {number}: a row was changed or moved")
    _, _, adopted, first = links[0]
    hashes[1] = _first_hash(unlinked)
    if adopted != len(unlinked) or first != hashes[1]:
        raise AlteredFile("rows were removed, changed or added outside its chain")
    return Chain(hashes, len(unlinked))


def _rows(connection: Connection) -> dict[_Row, Value]:
    return {
        (table, number): row_hash
        for table in ROWS
        for number, row_hash in _select(connection, f"number, row_hash FROM {table}")
    }


def _check_counters(connection: Connection) -> None:
    """Compare the rows with SQLite's counters, which keep the highest number ever used.

    Raises:
        AlteredFile: rows at the end are missing.
    """
    found = connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    counters = {row[0]: row[1] for row in found}
    for table in (*ROWS, "chain"):
        last = _select(connection, f"number FROM {table}", last=True)
        if counters.get(table, 0) != (last[0][0] if last else 0):
            raise AlteredFile(f"the last rows of its {table} are missing")


def _first_hash(rows: Mapping[_Row, Value]) -> str:
    return _hash([BEGINS, *([*row, row_hash] for row, row_hash in rows.items())])


def _hash(said: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _add(connection: Connection, number: int, of: str, row: Value, link: str) -> None:
    sql = "INSERT INTO chain (number, of, row, hash) VALUES (?, ?, ?, ?)"
    connection.execute(sql, (number, of, row, link))


def _select(connection: Connection, what: str, *, last: bool = False) -> list[tuple[Value, ...]]:
    order = "number DESC LIMIT 1" if last else "number"
    return connection.execute(f"SELECT {what} ORDER BY {order}").fetchall()
