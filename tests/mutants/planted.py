"""The planted bugs. Each is a mistake that somebody could make in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a wake-up without its guard",
        file="paytui/store/wake.py",
        before="        if self._pending:\n            return\n",
        after="",
        test="tests/store/test_wake.py",
    ),
    Mutant(
        name="a string that is not cleaned of controls",
        file="paytui/text.py",
        before='        case "Cc" | "Cs" | "Co" | "Cn":',
        after='        case "Cs" | "Co" | "Cn":',
        test="tests/test_text.py",
    ),
)
