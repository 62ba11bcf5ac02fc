"""The skeleton of a name, and the scripts it mixes (Unicode UTS #39)."""

from __future__ import annotations

import pytest

from paytui.store.payable import mixed_scripts, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Globex", "Gl\N{CYRILLIC SMALL LETTER O}bex"),
        ("PAYPAL", "\N{CYRILLIC CAPITAL LETTER ER}AYPAL"),
        ("Acme", "\N{GREEK CAPITAL LETTER ALPHA}cme"),
        ("Initech", "lnitech"),
        ("Initech", "1nitech"),
        ("Hooli", "H0oli"),
        ("Burns", "Bums"),
        ("Wayne", "VVayne"),
        ("Acme Ltd", "ACME  LTD."),
        ("José", "Jose"),
        ("Łukasz", "Lukasz"),
        ("Acme", "\N{FULLWIDTH LATIN CAPITAL LETTER A}cme"),
        ("Acme", "\N{MATHEMATICAL BOLD CAPITAL A}cme"),
        ("conto", "\N{GREEK LUNATE SIGMA SYMBOL}onto"),
        ("Bank", "Ban\N{LATIN SMALL LETTER KRA}"),
        ("hsbc", "\N{LATIN SMALL LETTER H WITH STROKE}sbc"),
        ("HSBC", "\N{LATIN CAPITAL LETTER H WITH STROKE}SBC"),
        ("Lloyds", "\N{LATIN LETTER SMALL CAPITAL L}loyds"),
        ("Bank", "\N{LATIN LETTER SMALL CAPITAL B}ank"),
        ("Trust", "\N{LATIN CAPITAL LETTER T WITH STROKE}rust"),
        ("Ubank", "\N{LATIN CAPITAL LETTER U BAR}bank"),
        ("Clara", "dara"),
    ],
)
def test_names_that_a_reader_takes_for_each_other_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Globex", "Globe"), ("Acme AU", "Acme NZ"), ("東京貿易", "東亰貿易"), ("Unit 4", "Unit 5")],
)
def test_names_that_are_read_otherwise_have_others(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("Gl\N{CYRILLIC SMALL LETTER O}bex", ("Cyrillic", "Latin")),
        ("\N{GREEK CAPITAL LETTER ALPHA}cme", ("Greek", "Latin")),
        ("\N{CHEROKEE LETTER A}cme", ("Cherokee", "Latin")),
        ("A\N{MYANMAR DIGIT ZERO}me", ("Latin", "Myanmar")),
        ("G\N{ARABIC-INDIC DIGIT FIVE}", ("Arabic", "Latin")),
        ("\N{COPTIC SMALL LETTER O}\N{CYRILLIC SMALL LETTER O}", ("Coptic", "Cyrillic")),
    ],
)
def test_the_alphabets_that_a_name_mixes_are_told(name: str, scripts: tuple[str, ...]) -> None:
    assert mixed_scripts(name) == scripts


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Łukasiewicz",
        "東京 Trading KK",
        "ソニーの株",
        "한빛貿易",
        "Ромашка",
        "Αθήνα",
        "مؤسسة ٤٢",
        "شرکت ۴۲",
        "Unit ４２",
        "O\N{MODIFIER LETTER APOSTROPHE}Neil & Søn 2nd",
        "",
    ],
)
def test_an_honest_name_mixes_none(name: str) -> None:
    assert mixed_scripts(name) == ()
