"""Which recipients can be taken for one another by their names, or are written to deceive."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.store.store import Store
from paytui.store.views import recipient_title

# What letters a name is written in, and what it looks like to somebody who reads Latin letters.
#
# Source: Unicode UTS #39, "Unicode Security Mechanisms": skeletons (§4) and mixed scripts (§5).

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


_Look = tuple[AccountId | None, str]
"""Whose a recipient is, and what its name looks like: only those of one account can be confused,
since no other's can be paid from its wallets."""


class LookalikeWarnings:
    """Keeps up with the recipients of a store; what is not asked for costs nothing."""

    def __init__(self, store: Store) -> None:
        self._table = store.recipients
        self._since = 0
        self._looks: dict[RecipientId, _Look] = {}
        self._names: dict[RecipientId, str] = {}
        self._alike: dict[_Look, set[RecipientId]] = {}
        self._marks: dict[RecipientId, tuple[str, ...]] = {}

    def marks(self) -> Mapping[RecipientId, tuple[str, ...]]:
        """By recipient, in words that follow its name, what to beware of; most have no entry."""
        touched: set[_Look] = set()
        more = self._table.version != self._since
        while more:
            changes = self._table.changes(self._since)
            for key in list(changes.gone(self._looks)):
                touched |= self._forget(key)
            for row in changes.rows:
                touched |= self._forget(row.recipient_id) | self._take_in(row)
            self._since, more = changes.version, changes.more
        for look in touched:
            self._mark_all(look)
        return MappingProxyType(self._marks)

    def of(self, recipient: Recipient) -> tuple[str, ...]:
        """What to beware of at one."""
        return self.marks().get(recipient.recipient_id, ())

    def _take_in(self, recipient: Recipient) -> set[_Look]:
        key, name = recipient.recipient_id, recipient_title(recipient)
        look = (recipient.account_id, skeleton(name))
        self._looks[key], self._names[key] = look, name
        self._alike.setdefault(look, set()).add(key)
        return {look}

    def _forget(self, key: RecipientId) -> set[_Look]:
        look = self._looks.pop(key, None)
        if look is None:
            return set()
        self._marks.pop(key, None)
        del self._names[key]
        self._alike[look].discard(key)
        return {look}

    def _mark_all(self, look: _Look) -> None:
        alike = self._alike[look]
        if not alike:
            del self._alike[look]
        # Sorted once: a service may give one name to all.
        first, second = (*sorted(alike), None, None)[:2] if look[1] else (None, None)
        for key in alike:
            other = second if key == first else first
            if words := tuple(self._words(key, other, len(alike) - 2)):
                self._marks[key] = words
            else:
                self._marks.pop(key, None)

    def _words(self, key: RecipientId, other: RecipientId | None, more: int) -> Iterator[str]:
        if other is not None:
            does = "is named like" if self._names[other] == self._names[key] else "looks like"
            yield f"{does} {other}" + (f" and {more} more" if more else "")
        if words := mixed_words(self._names[key]):
            yield words


def mixed_words(name: str) -> str:
    """What to beware of in the letters of any name, in words that follow it; mostly nothing."""
    scripts = mixed_scripts(name)
    if not scripts:
        return ""
    return f"mixes {', '.join(scripts[:-1])} and {scripts[-1]} letters"
