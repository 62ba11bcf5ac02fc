"""Names in which letters of two scripts stand side by side in a word, where one may pass for the
other: `Аcme` with a Cyrillic `А` (Unicode TR 39, "mixed-script confusables").
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from paytui.tui.forms.declare import Finding
from paytui.tui.forms.draft import Draft

_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts whose letters look like one another's."""


def judge_name(text: str, _: Draft) -> Finding | None:
    """Warn of a word in which scripts are mixed, and tell which letter is the odd one."""
    for word in text.split():
        scripts = [(letter, _script(letter)) for letter in word]
        alike = [(letter, script) for letter, script in scripts if script in _ALIKE]
        ranked = Counter(script for _, script in alike).most_common()
        if len(ranked) > 1:
            odd, script = next(one for one in alike if one[1] == ranked[-1][0])
            words = f"“{odd}” in {word} is {script.title()}, among {ranked[0][0].title()} letters."
            return Finding(words, overridable=True)
    return None


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ", 1)[0] if letter.isalpha() else ""
