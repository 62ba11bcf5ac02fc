"""The system log gets a line for each event and never blocks."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.domain.intent import Standing
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.syslog import Syslog
from tests.outbox.made import NOON, PROBLEM, entry, event

US = f"paytui[{os.getpid()}]: "


class Log:
    """A host's log."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(20)

    def line(self) -> str:
        return self._socket.recv(65_536).decode()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def place() -> Iterator[Path]:
    """Short enough for the name of a socket."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "log"


@pytest.fixture
def log(place: Path) -> Iterator[Log]:
    log = Log(place)
    yield log
    log.close()


@pytest.fixture
def syslog(place: Path) -> Iterator[Syslog]:
    syslog = Syslog(place)
    yield syslog
    syslog.close()


def lost(syslog: Syslog) -> str | None:
    return syslog.lost


def test_what_is_recorded_and_what_happens_are_a_line_each(log: Log, syslog: Syslog) -> None:
    accepted = Event(
        kind=EventKind.ACCEPTED, at=NOON, method="POST", path="/p", status=201, object_id="p-1"
    )
    syslog.recorded(entry())
    syslog.happened(entry(), accepted, Standing.ACCEPTED)
    assert lost(syslog) is None
    assert log.line() == (
        f"<14>{US}intent=PT-00000001 profile=acme action=create_payout amount=1200.00 "
        "currency=USD standing=recorded user=jo host=desk-4"
    )
    assert log.line() == (
        f"<14>{US}intent=PT-00000001 profile=acme action=create_payout amount=1200.00 "
        "currency=USD standing=accepted event=accepted object=p-1 status=201 user=jo host=desk-4"
    )


@pytest.mark.parametrize("kind", [EventKind.IN_DOUBT, EventKind.ALERT, EventKind.SIGHTED])
def test_what_somebody_should_look_at_is_a_warning(
    log: Log, syslog: Syslog, kind: EventKind
) -> None:
    syslog.happened(entry(), event(kind), Standing.IN_DOUBT)
    line = log.line()
    assert line.startswith("<12>")
    assert ' standing="in doubt" ' in line


def test_the_head_of_the_chain_is_said(log: Log, syslog: Syslog) -> None:
    syslog.recorded(entry(), "2.ab12")
    assert " standing=recorded chain=2.ab12 user=jo " in log.line()
    syslog.happened(entry(), event(EventKind.SENDING), Standing.SENDING, "3.cd34")
    assert " chain=3.cd34 user=jo " in log.line()


def test_who_decided_is_said(log: Log, syslog: Syslog) -> None:
    syslog.happened(
        entry(), replace(event(EventKind.DONE, object_id="p-1"), user="kim"), Standing.DONE
    )
    assert 'standing="settled as done" event="settled as done" object=p-1 by=kim' in log.line()


def test_no_line_holds_key_body_name_or_account(log: Log, syslog: Syslog) -> None:
    told = Event(
        kind=EventKind.IN_DOUBT,
        at=NOON,
        path="/payments",
        problem=replace(PROBLEM, said="account 12345678"),
        words="account 12345678",
        candidates=("p-9",),
    )
    syslog.recorded(entry())
    syslog.happened(entry(), told, Standing.IN_DOUBT)
    for line in (log.line(), log.line()):
        for secret in ("key-1", "Acme Pty", 'amount"', "12345678", "a1", "INV 7"):
            assert secret not in line


@pytest.mark.parametrize(
    ("user", "shown"),
    [
        ("jo\n<8>paytui: intent=PT-X", '"jo <8>paytui: intent=PT-X"'),
        ("jo standing=accepted", '"jo standing=accepted"'),
        ('jo" standing="x', r'"jo\" standing=\"x"'),
        ("", '""'),
        ("Zoë", r'"Zo\u00eb"'),
    ],
)
def test_no_value_passes_for_another_or_for_a_line(
    log: Log, syslog: Syslog, user: str, shown: str
) -> None:
    syslog.recorded(entry(user=user))
    assert f" user={shown} host=" in log.line()


def test_without_a_log_nothing_stops_and_why_is_known(place: Path, syslog: Syslog) -> None:
    syslog.recorded(entry())
    assert lost(syslog) == f"{place}: No such file or directory"


def test_a_log_that_is_started_anew_is_found_again(place: Path, syslog: Syslog) -> None:
    first = Log(place)
    syslog.recorded(entry())
    first.close()
    place.unlink()
    syslog.recorded(entry(2))
    assert lost(syslog) is not None
    second = Log(place)
    syslog.recorded(entry(3))
    assert lost(syslog) is None
    assert "PT-00000003" in second.line()
    second.close()


def test_a_log_that_reads_nothing_holds_nobody_up(log: Log, place: Path, syslog: Syslog) -> None:
    for number in range(2_000):
        syslog.recorded(entry(number))
    assert lost(syslog) == f"{place} takes no more for now"
    assert "PT-00000000" in log.line()
    syslog.recorded(entry())
    assert lost(syslog) is None
