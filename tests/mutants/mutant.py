"""A planted bug and the test that must go red for it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutants.bug import Bug


@dataclass(frozen=True, slots=True)
class Mutant(Bug):
    """A bug for which `test` must fail.

    Attributes:
        test: a file and a function in it, of which one case is enough, or the case.
    """

    test: str

    def is_caught_by(self, red: str) -> bool:
        """Whether the full name of a test that failed is that of `test`."""
        return red == self.test or red.startswith(f"{self.test}[")
