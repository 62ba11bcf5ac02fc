"""The time from a key to the settled screen, in a large book under constant polling."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

from tests.bench.budget import Row, figure
from tests.bench.desk import HELLO_READY, Desk, Home
from tests.bench.payments_list import MOVES, STILL, headings, open_payments, rows
from tests.bench.plan import Plan
from tests.bench.presses import Press, Presser
from tests.bench.program import Program
from tests.bench.service.process import big_service
from tests.bench.stats import p95

SCALE = 100_000

WORDS = ("jqx", "xvq", "qzj", "zxv", "vqk", "kxz")
"""Text typed into a filter, a letter at a time; of all visible text only references hold it."""

TYPED = 3
"""Rounds of each word: in one, the 95th percentile is the slowest letter, or the second sort."""

FOUND = ("jqx", "inv", "1250")
"""Texts that are searched for: one that few rows have, one that many have, and an amount."""

REST_OF_A_SORT = 1.0
"""Seconds in which all that is not on view is sorted, too: no part of the key that comes next."""

BUDGETS = {"Cursor": 2.0, "Page": 4.0, "Screen": 12.0}
FIRST_SCREENFUL = {"Sort": 4.0, "Filter letter": 6.0}
BYTES = {"Cursor": 0.5, "Page": 6.0, "Screen": 6.0}

Presses = dict[str, list[Press]]


def measure(plan: Plan) -> list[Row]:
    """Rounds of the floor and of ours, in turn."""
    home, scale = Home(plan.folder / "keys"), plan.nearest(SCALE)
    found: Presses = defaultdict(list)
    presser = Presser(random.Random(1))  # noqa: S311 - a run repeats itself
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        hello = stack.enter_context(home.hello())
        desk = Desk(home, service, "desk", STILL)
        ours = stack.enter_context(desk.start())
        hello.wait_for(HELLO_READY)
        open_payments(desk, ours, scale)
        for word in words(plan):
            found["floor"] += presser.press_each(hello, "ab" * 9)
            for kind, keys in MOVES.items():
                found[kind] += presser.press_each(ours, keys)
            found["Sort"] += sort(presser, ours)
            found["Filter letter"] += type_filter(presser, ours, word)
    return list(_rows(found, f"of {scale:,}"))


def words(plan: Plan) -> tuple[str, ...]:
    """Return the words to type, one for each round."""
    return plan.of(TYPED, 1) * WORDS[: plan.of(len(WORDS), 1)]


def sort(presser: Presser, program: Program) -> list[Press]:
    """Turn the order, then sort by the next column, twice: each time other rows are on view.

    Now and then they are not, where all is alike in two columns; then a key is over with the
    headings. The thumb and the rows beyond the screen come later.
    """
    presses = [presser.press(program, key, rows, headings) for key in ("S", "s", "S", "s")]
    program.watch(REST_OF_A_SORT)
    return presses


def type_filter(presser: Presser, program: Program, word: str) -> list[Press]:
    """Type a filter, a letter at a time, and take it away."""
    presser.press(program, "/")
    presses = [presser.press(program, letter, rows) for letter in word]
    presser.press(program, "\x1b", rows)
    return [press for press in presses if press.wanted is not None]


def find(presser: Presser, program: Program) -> None:
    """Open the search of all kinds, type texts a letter at a time, and leave it."""
    presser.press(program, "\x06")
    for word in FOUND:
        presser.press_each(program, word)
        presser.press(program, "\x15")
    presser.press(program, "\x1b")


def _rows(found: Presses, book: str) -> Iterator[Row]:
    floor = p95([press.settled for press in found["floor"]])
    for kind, most in BUDGETS.items():
        ours = p95([press.settled for press in found[kind]])
        made_of = f"{_made_of(ours, floor)}, {len(found[kind])} keys; {_cpu(found, kind)}"
        yield Row(f"{kind} {book}, settled, p95", most, ours / floor, "×", made_of)
    for kind, most in FIRST_SCREENFUL.items():
        ours = p95([press.wanted or press.settled for press in found[kind]])
        made_of = f"{_made_of(ours, floor)}, {len(found[kind])} keys; {_cpu(found, kind)}"
        yield Row(f"{kind} {book}, first screenful, p95", most, ours / floor, "×", made_of)
    for kind, most in BYTES.items():
        sizes = [press.bytes / 1000 for press in found[kind]]
        yield Row(f"{kind} {book}: bytes a key", most, median(sizes), "KB")


def _made_of(ours: float, floor: float) -> str:
    return f"{figure(ours * 1000)} against {figure(floor * 1000)} ms"


def _cpu(found: Presses, kind: str) -> str:
    """Return the CPU time in it, which varies little on a busy machine."""
    ours, floor = (p95([press.cpu for press in found[each]]) for each in (kind, "floor"))
    return f"CPU {_made_of(ours, floor)}"
