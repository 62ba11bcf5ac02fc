"""Which recipients can be taken for one another by their names, or are written to deceive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.store.lettering import mixed_scripts, skeleton
from paytui.store.store import Store
from paytui.store.views import recipient_title

_Look = tuple[AccountId | None, str]
"""Whose a recipient is, and what its name looks like: only those of one account can be confused,
since no other's can be paid from its wallets."""


class Likeness:
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
