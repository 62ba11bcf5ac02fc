"""Search ignores case, accents and underscores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.platform.text import fold


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("ACME Pty", "acme pty"),
        ("Café Müller", "cafe muller"),
        ("Sørensen", "sorensen"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("compliance_review", "compliance review"),
        ("ﬁnance", "finance"),
    ],
)
def test_what_a_keyboard_has_finds_what_was_written(written: str, typed: str) -> None:
    assert fold(written) == fold(typed)


@given(st.text(), st.text(), st.text())
def test_a_part_of_a_text_is_a_part_of_it_when_folded(before: str, part: str, after: str) -> None:
    assert fold(part) in fold(before + part + after)
