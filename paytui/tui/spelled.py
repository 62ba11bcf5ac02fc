"""Numbers and codes as somebody reads them aloud: in groups, and letter by letter.

Letters by the spelling alphabet of ITU and ICAO, figures by their English names.
"""

from __future__ import annotations

from collections.abc import Iterator

_LETTERS = (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar "
    "Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
)
_FIGURES = "zero one two three four five six seven eight nine"
_SAID = {
    **{word[0]: word for word in _LETTERS.split()},
    **{str(figure): word for figure, word in enumerate(_FIGURES.split())},
}

_BIC = (4, 2, 2, 3)
"""ISO 9362: institution, country, location, branch."""


def grouped_number(number: str) -> str:
    """An account number in groups of three, or of four where that comes out even.

    >>> grouped_number("123456789"), grouped_number("12345678")
    ('123 456 789', '1234 5678')
    """
    if not number.isalnum():
        return number  # its author grouped it
    size = 4 if len(number) % 4 == 0 else 3
    return " ".join(number[at : at + size] for at in range(0, len(number), size))


def grouped_bic(bic: str) -> str:
    """A BIC in its parts: `SBOX AU 2S XXX`."""
    if not bic.isalnum():
        return bic
    return " ".join(_parts(bic))


def spelled(grouped: str) -> str:
    """Each character by its name, groups set apart: `one two three, four five six`."""
    groups = grouped.replace("-", " ").split()
    return ", ".join(" ".join(_SAID.get(sign.upper(), sign) for sign in one) for one in groups)


def _parts(bic: str) -> Iterator[str]:
    rest = bic
    for size in _BIC:
        if rest:
            yield rest[:size]
        rest = rest[size:]
    if rest:
        yield rest
