"""Payees: their accounts, whether these were paid before, which wallet can pay, look-alike names.

A reason why one cannot is in a few words, such as `wrong currency (EUR)`; it is empty if one can.
A `currency` of None is not chosen yet. In a trade, what is `sold` cannot be bought.

Names that look like another recipient's, or mix scripts, are found by Unicode UTS #39, "Unicode
Security Mechanisms": skeletons (§4) and mixed scripts (§5).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from paytui.api.resources import KIND_OF
from paytui.domain import models
from paytui.domain.intent import IntentRow, IntentTerms, Standing
from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.platform.text import clean
from paytui.store.names import recipient_title
from paytui.store.store import Store
from paytui.store.table import Derived

ARRIVED = frozenset({"released", "completed"})
"""States of a payment that was sent to its account and not returned (service.md §3)."""

_WENT_OUT = (Standing.ACCEPTED, Standing.DONE)


class PayeeStatus(Enum):
    KNOWN = "it was paid before"
    NEW = "nothing that is known here was ever paid to it"
    CHANGED = "its bank details are not those that were paid last"


class _End(Enum):
    """The outcome of a payment that was confirmed here."""

    STAYED = "it is under way, or its money has arrived"
    NOTHING = "its money has come back, or has never left"
    UNSEEN = "nothing tells"


class PayeeHistory:
    """An index of the accounts that were paid; reads the store only when queried."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: dict[models.PaymentAddressId, list[IntentRow]] = {}
        self._noted_at: int | None = None
        self._reached: frozenset[models.PaymentAddressId | None] = frozenset()
        self._reached_at: int | None = None

    def of(self, address: models.PaymentAddress) -> PayeeStatus:
        """Return the status of an account: by payments from here, else by released ones.

        A payout whose outcome is unknown does not make an account known. That it went to other
        bank details counts.
        """
        ours = self._noted_of(address)
        ends = [self._end(row) for row in ours]
        stayed = [row for row, end in zip(ours, ends, strict=True) if end is _End.STAYED]
        hoped = [row for row, end in zip(ours, ends, strict=True) if end is not _End.NOTHING]
        newest = [rows[-1].terms.paid_at for rows in (stayed, hoped or ours) if rows]
        if any(paid_at != models.bank_fingerprint(address) for paid_at in newest):
            paid = bool(hoped) or self._is_reached(address)
            return PayeeStatus.CHANGED if paid else PayeeStatus.NEW
        proven = bool(stayed) or self._is_reached(address)
        return PayeeStatus.KNOWN if proven else PayeeStatus.NEW

    def _noted_of(self, address: models.PaymentAddress) -> list[IntentRow]:
        """Return the intents sent to an account with recorded details, oldest first."""
        table = self._store.intents
        if self._noted_at != table.version:
            # Cached: a list of payees queries each of its accounts.
            self._noted, self._noted_at = {}, table.version
            for row in sorted(table.rows(), key=lambda row: row.confirmed_at):
                address_id = row.terms.payment_address_id
                is_noted = row.terms.paid_at is not None and row.standing in _WENT_OUT
                if row.is_colleagues:
                    continue  # their record does not vouch for an account
                if address_id is not None and is_noted:
                    self._noted.setdefault(address_id, []).append(row)
        return self._noted.get(address.payment_address_id, [])

    def _end(self, row: IntentRow) -> _End:
        became = self._store.table(row.action.becomes).get(row.object_id or "")
        if not isinstance(became, models.Payment | models.Trade):
            return _End.UNSEEN
        if became.status is None or not became.status.known:  # it may say that it came back
            return _End.UNSEEN
        return _End.NOTHING if became.status.came_to_nothing else _End.STAYED

    def _is_reached(self, address: models.PaymentAddress) -> bool:
        """Return True if a payment was sent to it and not returned, in memory or in the cache."""
        payments, key = self._store.payments, address.payment_address_id
        if self._reached_at != payments.version:
            self._reached_at = payments.version
            self._reached = frozenset(
                row.payment_address_id
                for row in payments.rows()
                if row.status is not None and row.status.name in ARRIVED
            )
        return key in self._reached or key in self._store.paid


BY_OUR_RECORD = "by our record"
"""The note on values that were confirmed here and that the service does not send."""


class IntentIndex:
    """An index of a store's intents by the object that they created; for one thread."""

    def __init__(self, store: Store) -> None:
        self._intents = store.intents
        self._terms: dict[tuple[models.Kind, str], IntentTerms] = {}
        self._read_at: int | None = None

    def of(self, kind: models.Kind, identifier: str) -> IntentTerms | None:
        """Return the terms of the intent that created an object; None without one."""
        if self._read_at != self._intents.version:
            self._read_at = self._intents.version
            self._terms = {
                (row.action.becomes, row.object_id): row.terms
                for row in self._intents.rows()
                if row.object_id is not None and not row.is_colleagues
            }
        return self._terms.get((kind, identifier))


Addresses = dict[models.RecipientId, tuple[models.PaymentAddress, ...]]


def addresses_of(store: Store, recipient: models.Recipient) -> tuple[models.PaymentAddress, ...]:
    """Return a recipient's accounts; those read on their own replace nested ones."""
    return addresses_by_recipient(store, [recipient])[recipient.recipient_id]


def addresses_by_recipient(store: Store, recipients: Iterable[models.Recipient]) -> Addresses:
    """Return the accounts of many recipients, with one scan of the table."""
    known: dict[models.RecipientId, dict[models.PaymentAddressId, models.PaymentAddress]] = {
        recipient.recipient_id: {
            address.payment_address_id: address for address in recipient.payment_addresses
        }
        for recipient in recipients
    }
    for address in store.payment_addresses.rows():
        if address.recipient_id in known:
            known[address.recipient_id][address.payment_address_id] = address
    return {recipient_id: tuple(found.values()) for recipient_id, found in known.items()}


@dataclass(frozen=True, slots=True)
class Payee:
    recipient: models.Recipient
    address: models.PaymentAddress


Target = models.Wallet | Payee  # A party that is paid

ANY_WALLET = models.Wallet(models.WalletId(""))
ANY_RECIPIENT = models.Recipient(models.RecipientId(""))
ANY_ADDRESS = models.PaymentAddress(models.PaymentAddressId(""))
"""Objects that can be named by their identifiers: of any account, in any currency."""

OTHER_ACCOUNT = "other account"


def wallet_of(store: Store, wallet_id: str | None) -> models.Wallet | None:
    """Return a wallet by its identifier, if that is given and known."""
    return store.wallets.get(models.WalletId(wallet_id)) if wallet_id else None


def address_of(
    store: Store, recipient_id: models.RecipientId | None, address_id: str | None
) -> models.PaymentAddress | None:
    """Return an account of a recipient if the service lists it now."""
    recipient = store.recipients.get(recipient_id) if recipient_id else None
    known = addresses_of(store, recipient) if recipient else ()
    return next((one for one in known if one.payment_address_id == address_id), None)


def unlisted(store: Store, *named: models.Record) -> tuple[models.Record, ...]:
    """Return the objects of kinds that the service does not list."""
    return tuple(one for one in named if not store.feed(KIND_OF[type(one)]).offered)


def is_of_another(party: models.Wallet | models.Recipient, payer: models.Wallet) -> bool:
    """Return True if a party is known to belong to another account than the payer."""
    return None not in (party.account_id, payer.account_id) and party.account_id != payer.account_id


def wallet_trouble(
    wallet: models.Wallet, currency: str | None = None, *, sold: str | None = None
) -> str:
    """Return the reason why a wallet cannot pay or be paid; empty if it can."""
    return _currency_trouble(wallet.currency, currency, sold) or _not_active(wallet.status)


def address_trouble(
    address: models.PaymentAddress, currency: str | None, *, sold: str | None = None
) -> str:
    """Return the reason why an account cannot be paid; empty if it can."""
    if trouble := _currency_trouble(address.currency, currency, sold):
        return trouble
    if (address.account_type or "").lower() == "electronic_deposit":  # service.md §9
        return "type electronic_deposit no longer accepted"
    return _not_active(address.status)


def _currency_trouble(known: str | None, wanted: str | None, sold: str | None) -> str:
    if known is None:
        return "currency not known"
    if known == sold:
        return f"same currency ({known})"
    return f"wrong currency ({known})" if wanted not in (None, known) else ""


def _not_active(state: models.State | None) -> str:
    """Return a status that is not Active (service.md §3); else empty. See `unsure`."""
    if state is None or state.as_created or state.name == "active":
        return ""
    return state.name.replace("_", " ")


def payers(
    store: Store, scope: models.AccountId | None, currency: str | None = None
) -> list[models.Wallet]:
    """Return a usable wallet of each currency and account, or of the one in scope.

    If the service does not list wallets, one of any currency may be named by its identifier.
    """
    usable: dict[tuple[object, object], models.Wallet] = {}
    for wallet in store.wallets.rows():
        if scope in (None, wallet.account_id) and not wallet_trouble(wallet, currency):
            usable.setdefault((wallet.account_id, wallet.currency), wallet)
    nameless = [ANY_WALLET] if unlisted(store, ANY_WALLET) else []
    return [*usable.values(), *nameless]


def payee_trouble(
    payers: Sequence[models.Wallet],
    recipient: models.Recipient,
    known: Sequence[models.PaymentAddress],
    *,
    sold: str | None = None,
) -> str:
    """Return why none of these wallets can pay a recipient at any of these accounts, else empty."""
    if trouble := _not_active(recipient.status):
        return trouble
    able = [one for one in payers if not is_of_another(recipient, one)]
    if not able:
        return OTHER_ACCOUNT if payers else "no wallet"
    if not known:
        is_created = recipient.status is not None and recipient.status.as_created
        return "" if is_created else "no bank details"  # the ticket asks for its address
    currencies = {wallet.currency for wallet in able}
    fit = [one for one in known if one.currency in currencies or None in currencies]
    if fit:
        troubles = [address_trouble(one, None, sold=sold) for one in fit]
        return "" if "" in troubles else f"address {troubles[0]}"
    if len(currencies) == 1:
        return f"no {able[0].currency} bank details"
    return f"no {' or '.join(dict.fromkeys(one.currency for one in known if one.currency))} wallet"


def payee_currencies(
    store: Store, payers: Sequence[models.Wallet], known: Container[str]
) -> dict[str, str]:
    """Return the currencies of recipients' accounts, each with the reason why none can be paid.

    Those that are `known` to be usable anyway are left out.
    """
    found: dict[str, str] = {}
    rows = store.recipients.rows()
    accounts = addresses_by_recipient(store, rows)
    for recipient, address in ((row, one) for row in rows for one in accounts[row.recipient_id]):
        code = address.currency
        if code is None or code in known or found.get(code) == "":
            continue
        trouble = payee_trouble(payers, recipient, (address,))
        if code not in found or not trouble:
            found[code] = trouble
    return found


def unsure(source: models.Wallet, target: Target) -> tuple[str, ...]:
    """Return a warning about the parties of unknown status, if there are any."""
    told = [(source.status, f"wallet {source.wallet_name or source.wallet_id}")]
    if isinstance(target, models.Wallet):
        told.append((target.status, f"wallet {target.wallet_name or target.wallet_id}"))
    else:
        told.append((target.recipient.status, f"recipient {recipient_title(target.recipient)}"))
        told.append((target.address.status, "its payment address"))
    unknown = (name for status, name in told if status is None or status.as_created)
    names = ", ".join(clean(name, 60) for name in unknown)
    return (f"Not known to be active: {names}. The service may refuse this.",) if names else ()


# Look-alike names

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
