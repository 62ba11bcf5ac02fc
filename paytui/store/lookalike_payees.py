"""Warnings of names that look like another recipient's or mix scripts.

Source: Unicode UTS #39, "Unicode Security Mechanisms": skeletons (§4) and mixed scripts (§5).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.store.names import recipient_title
from paytui.store.store import Store
from paytui.store.table import Derived

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
"""The confusable letters of scripts in use, by Latin letter or digit (UTS #39, data file
`confusables.txt`). A name that mixes scripts is reported by `mixed_scripts`."""

_LETTERS = str.maketrans(
    {other: letter for letter, others in _DRAWN_ALIKE.items() for other in others}
)
_STROKES = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))

_ALTERED = re.compile(
    r"LATIN (?:(?:SMALL|CAPITAL|LETTER) )+(?:DOTLESS |BARRED )?(KRA|[A-Z])(?: BAR| WITH .+)?"
)
"""Unicode names of Latin letters with strokes or hooks and of small capitals, which have no
decomposition."""

_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
_LATIN = "Latin"


def skeleton(name: str) -> str:
    """Return the skeleton of a name: names with equal skeletons are easily confused.

    Case, accents, blanks and punctuation are ignored; empty for a name of nothing else.
    """
    if name.isascii():
        bare = name.lower()
    else:
        # Translated before as well: some decompose into letters that look different.
        apart = unicodedata.normalize("NFKD", name.translate(_LETTERS))
        letters = "".join(_unaltered(char) for char in apart if not unicodedata.combining(char))
        bare = letters.translate(_LETTERS).casefold()
    bare = "".join(char for char in bare.translate(_STROKES) if char.isalnum())
    for drawn, read in _PAIRS:
        bare = bare.replace(drawn, read)
    return bare


@lru_cache(maxsize=2_000)
def _unaltered(char: str) -> str:
    """Return the base letter of a Latin letter, by its Unicode name; any other unchanged."""
    named = _ALTERED.fullmatch(unicodedata.name(char, ""))
    return named[1].removesuffix("RA").lower() if named else char


def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the scripts that a name mixes suspiciously, such as `Cyrillic`, sorted.

    Han, kana, Hangul and Latin letters are often mixed in honest names (UTS #39 §5.2).
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
    """Return the script of a letter or digit; empty for modifiers that any script uses."""
    if unicodedata.category(char) == "Lm":
        return ""
    word = re.split("[ -]", unicodedata.name(char, "").removeprefix("EXTENDED "))[0]
    return word if word in _EAST_ASIAN else word.capitalize()


_Look = tuple[AccountId | None, str]
"""A recipient's account and the skeleton of its name. Only recipients of one account can be
confused, since wallets pay only the recipients of their own account."""


def _look_and_name(recipient: Recipient) -> tuple[_Look, str]:
    name = recipient_title(recipient)
    return (recipient.account_id, skeleton(name)), name


class LookalikeWarnings:
    """An index of recipients with similar names; reads the store only when queried."""

    def __init__(self, store: Store) -> None:
        self._looks = Derived(store.recipients, _look_and_name)
        self._alike: defaultdict[_Look, set[RecipientId]] = defaultdict(set)
        self._marks: dict[RecipientId, tuple[str, ...]] = {}

    def marks(self) -> Mapping[RecipientId, tuple[str, ...]]:
        """Return the warnings of each recipient, worded to follow its name; most have none."""
        touched: set[_Look] = set()
        for key, before, after in self._looks.changes():
            self._marks.pop(key, None)
            if before is not None:
                self._alike[before[0]].discard(key)
                touched.add(before[0])
            if after is not None:
                self._alike[after[0]].add(key)
                touched.add(after[0])
        for look in touched:
            self._mark_all(look)
        return MappingProxyType(self._marks)

    def of(self, recipient: Recipient) -> tuple[str, ...]:
        return self.marks().get(recipient.recipient_id, ())

    def _mark_all(self, look: _Look) -> None:
        alike = self._alike[look]
        if not alike:
            del self._alike[look]
        # Sorted once: all recipients may have one name.
        first, second = (*sorted(alike), None, None)[:2] if look[1] else (None, None)
        for key in alike:
            other = second if key == first else first
            if words := tuple(self._words(key, other, len(alike) - 2)):
                self._marks[key] = words
            else:
                self._marks.pop(key, None)

    def _words(self, key: RecipientId, other: RecipientId | None, more: int) -> Iterator[str]:
        name = self._looks.values[key][1]
        if other is not None:
            does = "is named like" if self._looks.values[other][1] == name else "looks like"
            yield f"{does} {other}" + (f" and {more} more" if more else "")
        if words := mixed_words(name):
            yield words


def mixed_words(name: str) -> str:
    """Return a warning if a name mixes scripts, worded to follow it; else an empty string."""
    scripts = mixed_scripts(name)
    if not scripts:
        return ""
    return f"mixes {', '.join(scripts[:-1])} and {scripts[-1]} letters"
