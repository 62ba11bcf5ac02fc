"""Seats that are cut from the database, from the service, or from both. Not among the tests.

    python -m tests.desk.cuts [SECONDS…]

Seats in three network namespaces (see `namespaces.py`) confirm a transfer each second or two.
The namespace of the wallets' reader is cut from the service; then from the database, while another
is cut from the service; then from both. The others are colleagues. What each seat shows is compared
with the times of the cuts.
"""

# ruff: noqa: T201 - a campaign prints its figures

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.desk.database import install
from paytui.domain.intent import Standing
from paytui.outbox.outbox import OutboxReader
from tests.desk.namespaces import DATABASE, DATABASE_PORT, SERVICE, namespaces
from tests.desk.seats import Seat, Sight, configured
from tests.desk.server import running_server
from tests.desk.storm import CALM, TRADERS, report
from tests.support.sandbox_process import SandboxProcess

SPACES = 3
CUTS: tuple[dict[int, tuple[str, ...]], ...] = (
    {0: (SERVICE,)},
    {0: (DATABASE,), 1: (SERVICE,)},
    {0: (DATABASE, SERVICE)},
)
SECONDS = (5.0, 30.0, 90.0)
BETWEEN = 20.0  # Seconds after a cut
PACE = 1.5  # Seconds between the transfers of a seat
AWAY_WITHIN, KNOWN_WITHIN, OLDEST = 8.0, 3.0, 10  # Seconds


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut of a namespace; its times are the host's.

    Attributes:
        who: "reader" if a seat of the namespace read the wallets for all before.
        others: namespaces that are not cut meanwhile.
    """

    who: str
    space: int
    links: tuple[str, ...]
    began: float
    ended: float
    others: frozenset[int]

    def covers(self, sight: Sight) -> bool:
        return self.began < sight.at <= self.ended + BETWEEN


class Seen:
    """What a seat showed, by time."""

    def __init__(self, seat: Seat, space: int) -> None:
        self.space = space
        self.sights = seat.seen()
        reader = OutboxReader(seat.outbox)
        self.own = {each.entry.intent_id for each in reader.read()}
        reader.close()

    def first(self, what: str, since: float, until: float, hows: Iterable[str]) -> float:
        """Return when it first showed one of these after a time; infinity if it never did."""
        wanted = set(hows)
        times = (
            sight.at
            for sight in self.sights
            if sight.what == what and sight.how in wanted and since < sight.at <= until
        )
        return min(times, default=math.inf)

    def refused(self, cut: Cut) -> Iterator[float]:
        """Yield the seconds that transfers of a cut seat took to end as not executed."""
        for intent in self.own:
            began = self.all_of(intent)[0].at
            ended = self.first(intent, began, math.inf, [Standing.NOT_EXECUTED])
            if cut.began < began < cut.ended and ended < math.inf:
                yield ended - began

    def all_of(self, what: str) -> list[Sight]:
        return [sight for sight in self.sights if sight.what == what]

    def oldest(self, cut: Cut) -> int:
        """Return the greatest age of its lists during a cut and after it; 0 if below seven."""
        ages = (int(each.how) for each in self.all_of("age") if cut.covers(each))
        return max(ages, default=0)

    def at(self, what: str, moment: float) -> str:
        """Return what it showed then; empty if nothing."""
        return ([""] + [sight.how for sight in self.all_of(what) if sight.at <= moment])[-1]


def judge(cut: Cut, seats: list[Seen]) -> bool:
    """Print the figures of a cut; return True if they are as wanted."""
    theirs = [seen for seen in seats if seen.space == cut.space]
    others = [seen for seen in seats if seen.space in cut.others]
    until = cut.ended + BETWEEN
    whys = {sight.how for seen in seats for sight in seen.all_of("sending")} - {""}
    told = {}
    if DATABASE in cut.links:
        told["desk"] = max(seen.first("sending", cut.began, until, whys) for seen in theirs)
    if SERVICE in cut.links:
        lost = ["unreachable"]
        told["service"] = max(seen.first("service", cut.began, until, lost) for seen in theirs)
    away = ", ".join(f"{what} {at - cut.began:.1f} s" for what, at in told.items())
    if SERVICE in cut.links:
        ended = [each for seen in theirs for each in seen.refused(cut)]
        away += f"; transfers not executed after {max(ended, default=0):.1f} s at most"
    held = {
        sight.how
        for seen in others
        for sight in seen.all_of("sending")
        if cut.began < sight.at <= until and sight.how
    }
    left = sum(
        cut.began < seen.first(each, 0, math.inf, [Standing.SENDING]) <= cut.ended
        for seen in others
        for each in seen.own
    )
    late = [each for seen in theirs for each in delays(cut, seen, seats)]
    known, later = (
        max((seconds for seconds, is_early in late if is_early is wanted), default=0.0)
        for wanted in (True, False)
    )
    oldest, own_oldest = (max(seen.oldest(cut) for seen in them) for them in (others, theirs))
    print(
        f"{cut.who} cut from {' and '.join(cut.links)} for {cut.ended - cut.began:.0f} s: on "
        f"screen {away}; its lists at most {own_oldest} s old; colleagues "
        f"{'HELD: ' + '; '.join(held) if held else 'untouched'}, {left} sent by them, "
        f"their lists at most {oldest} s old; outcomes "
        f"known before the end everywhere {known:.1f} s after it, later ones {later:.1f} s"
    )
    is_short = cut.ended - cut.began < AWAY_WITHIN  # it may be over before it is noticed
    is_told = is_short or all(at - cut.began <= AWAY_WITHIN for at in told.values())
    is_alone = cut.links == (SERVICE,) and len(cut.others) == SPACES - 1
    is_young = oldest <= OLDEST or not is_alone
    return is_told and is_young and not held and known <= KNOWN_WITHIN


def delays(cut: Cut, seen: Seen, seats: list[Seen]) -> Iterator[tuple[float, bool]]:
    """Yield the seconds from the end of a cut until all seats showed an outcome of a cut seat.

    With each is True if that seat knew it by the end.
    """
    until = cut.ended + BETWEEN
    for intent in seen.own:
        how, confirmed = seen.at(intent, until), seen.all_of(intent)[0].at
        came = seen.first(intent, 0, until, [how])
        if (
            how in (Standing.SENDING, Standing.RECORDED)
            or confirmed > cut.ended
            or came < cut.began
        ):
            continue
        shown = max(each.first(intent, cut.began, math.inf, [how]) for each in seats)
        if shown > cut.ended:
            yield shown - cut.ended, came <= cut.ended


def may_send(seat: Seat) -> bool:
    return [sight.how for sight in seat.seen() if sight.what == "sending"][-1:] == [""]


def reading_space(server: str, seats: list[Seat]) -> int:
    """Return the namespace of the seat that reads the wallets for all."""
    reader = "SELECT pid FROM paytui.readers JOIN paytui.seats USING (seat) WHERE kind = 'wallets'"
    while True:
        with psycopg.connect(server) as connection:
            pids = {pid for (pid,) in connection.execute(reader)}
        for number, seat in enumerate(seats):
            if seat.process.pid in pids:
                return number % SPACES
        time.sleep(0.1)


def cut_for(
    seconds: float, cuts: dict[int, tuple[str, ...]], seats: list[Seat], server: str
) -> list[Cut]:
    """Cut links of some namespaces, heal them, and wait; 0 is the reader's, and others follow."""
    first = reading_space(server, seats)
    which = {(first + nth) % SPACES: links for nth, links in cuts.items()}
    spaces = {number: seats[number].space for number in which}
    began = time.time()
    for number, links in which.items():
        for link in links:
            spaces[number].cut(link)  # type: ignore[union-attr]  # each has one
    time.sleep(seconds)
    for number, links in which.items():
        for link in links:
            spaces[number].heal(link)  # type: ignore[union-attr]
    ended = time.time()
    for seat in seats:
        seat.faults += (began, ended)
    time.sleep(BETWEEN)
    others = frozenset(range(SPACES)) - which.keys()
    return [
        Cut("follower" if number - first else "reader", number, links, began, ended, others)
        for number, links in which.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut seats of a desk from database and service.")
    parser.add_argument("seconds", nargs="*", type=float, help="how long; default: 5 30 90")
    parser.add_argument("--seats", type=int, default=6)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, running_server(TRADERS) as server:
        folder = Path(place)
        install(server, TRADERS)
        options = ("--ignore-idempotency", "--scale", "40", "--speed", "0")
        with SandboxProcess(folder, *options) as sandbox:
            port = int(sandbox.base_url.rpartition(":")[2])
            socket = Path(str(conninfo_to_dict(server)["host"]))
            with namespaces(SPACES, port, socket) as spaces:
                seats, cuts = list[Seat](), list[Cut]()
                for number in range(chosen.seats):
                    trader, host = TRADERS[number % len(TRADERS)], "127.0.0.1"
                    dsn = make_conninfo(server, user=trader, host=host, port=DATABASE_PORT)
                    config = configured(folder, number, sandbox.base_url, dsn)
                    seats.append(Seat(config, spaces[number % SPACES], PACE))
                while not all(may_send(seat) for seat in seats):
                    time.sleep(1)
                for seconds in chosen.seconds or SECONDS:
                    for each in CUTS:
                        cuts += cut_for(seconds, each, seats, server)
                (folder / "over").touch()
                time.sleep(CALM)
                for seat in seats:
                    seat.kill()
            seen = [Seen(seat, number % SPACES) for number, seat in enumerate(seats)]
            judged = [judge(cut, seen) for cut in cuts]
            is_well = report(seats, folder / "bank.sqlite3", server) and all(judged)
            for seat in seats:
                os.write(2, (seat.config.parent / "stderr").read_bytes()[-2_000:])
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
