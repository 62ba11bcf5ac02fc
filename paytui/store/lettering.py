"""What letters a name is written in, and what it looks like to somebody who reads Latin letters.

Source: Unicode UTS #39, "Unicode Security Mechanisms": skeletons (§4) and mixed scripts (§5).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DRAWN_ALIKE = {
    "a": "ɑαаΑАᎪꓮ",
    "b": "ƄЬᏏΒВᏴꓐꞴ",
    "c": "ϲϹсᴄⲥꮯСᏟⲤꓚ",
    "d": "đĐԁᏧꓒᎠꓓ",
    "e": "еҽꬲΕЕᎬꓰ",
    "f": "ſքẝꞙꬵϜꓝꞘ",
    "g": "ƍɡցᶃԌᏀᏳꓖ",
    "h": "һհᏂΗНᎻⲎꓧ",
    "i": "ıɩɪιіӏᎥꙇꭵ",
    "j": "ϳјͿЈᎫꓙꞲ",
    "k": "ΚКᏦⲔꓗ",
    "l": "łŁƖǀΙІӀⲒꓲᏞⳐꓡ",
    "m": "ΜϺМᎷⲘꓟ",
    "n": "ոռΝⲚꓠ",
    "o": "øØοσоօჿᴏᴑⲟꬽΟОՕⲞꓳ",
    "p": "ρрⲣΡРᏢⲢꓑ",
    "q": "ԛգզ",
    "r": "гᴦⲅꭇꭈꮁƦᎡᏒꓣ",
    "s": "ƽѕꜱꮪЅՏᏕᏚꓢ",
    "t": "ΤТᎢⲦꓔ",
    "u": "ʋυսᴜꞟꭎꭒՍꓴ",
    "v": "νѵᴠꮩѴᏙꓦ",
    "w": "ɯѡԝաᴡꮃԜᎳᏔꓪ",
    "x": "хΧХⲬꓫꞳ",
    "y": "ɣʏγуүყᶌỿꭚΥУҮᎩᎽⲨꓬ",
    "z": "ᴢꮓΖᏃꓜ",
    "2": "ƧϨꙄꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ",
    "4": "Ꮞ",
    "5": "Ƽ",
    "6": "бᏮⳒ",
    "8": "Ȣȣ",
    "9": "ⳊꝮ",
}
"""By Latin letter or figure, the letters of scripts in use that are drawn like it (UTS #39, data
file `confusables.txt`). A name that has but some letters of another script is told to mix them."""

_LETTERS = str.maketrans(
    {other: letter for letter, others in _DRAWN_ALIKE.items() for other in others}
)
_STROKES = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))

_ALTERED = re.compile(
    r"LATIN (?:(?:SMALL|CAPITAL|LETTER) )+(?:DOTLESS |BARRED )?(KRA|[A-Z])(?: BAR| WITH .+)?"
)
"""Names of Latin letters with strokes, hooks and the like, and of small capitals: Unicode does not
take them apart."""

_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
_LATIN = "Latin"


def skeleton(name: str) -> str:
    """What is left of a name at a glance: two names with the same one can be taken for each other.

    Case, accents, blanks and punctuation are overlooked; empty for a name of nothing else.
    """
    if name.isascii():
        bare = name.lower()
    else:
        # Before, too: some are taken apart into letters that look otherwise.
        apart = unicodedata.normalize("NFKD", name.translate(_LETTERS))
        letters = "".join(_unaltered(char) for char in apart if not unicodedata.combining(char))
        bare = letters.translate(_LETTERS).casefold()
    bare = "".join(char for char in bare.translate(_STROKES) if char.isalnum())
    for drawn, read in _PAIRS:
        bare = bare.replace(drawn, read)
    return bare


@lru_cache(maxsize=2_000)
def _unaltered(char: str) -> str:
    """The Latin letter that one is made of by its name; any other as it is."""
    named = _ALTERED.fullmatch(unicodedata.name(char, ""))
    return named[1].removesuffix("RA").lower() if named else char


def mixed_scripts(name: str) -> tuple[str, ...]:
    """The scripts that a name mixes, as `Cyrillic`, by the alphabet; none where they go together.

    Han, kana, Hangul and Latin letters stand together in many an honest name (UTS #39 §5.2).
    """
    if name.isascii():
        return ()
    found = {_script(char) for char in unicodedata.normalize("NFKC", name) if _tells_script(char)}
    found.discard("")
    apart = found - _EAST_ASIAN
    mixed = len(found) > 1 and bool(apart - {_LATIN})
    return tuple(sorted(found)) if mixed else ()


def _tells_script(char: str) -> bool:
    return char.isalpha() or (char.isdecimal() and not char.isascii())


def _script(char: str) -> str:
    """The script of a letter or figure; empty for signs that stand beside the letters of any."""
    if unicodedata.category(char) == "Lm":
        return ""
    word = re.split("[ -]", unicodedata.name(char, "").removeprefix("EXTENDED "))[0]
    return word if word in _EAST_ASIAN else word.capitalize()
