"""Compare queries of lists with plain Python, for longer than the tests do."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.lists.cases import A_BOOK, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lists", description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="number of cases (20000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first book (0)")
    chosen = parser.parse_args()
    filled = 0
    books = -(-chosen.cases // A_BOOK)
    for seed in range(chosen.seed, chosen.seed + books):
        with tempfile.TemporaryDirectory() as folder:
            try:
                filled += run(Path(folder), seed)
            except AssertionError:
                print(f"Seed {seed}:", file=sys.stderr)
                raise
    print(f"{books * A_BOOK:,} cases, {filled:,} of them with rows: all as in plain Python.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
