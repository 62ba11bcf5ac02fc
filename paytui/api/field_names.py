"""Which field of a request a service means, however it spells its path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paytui.api.dialect import Dialect
from paytui.api.reading import Readers, section_of
from paytui.domain.models import FieldProblem

_BETWEEN = re.compile(r"[./\[\]#$]+")
"""What stands between names: `a.b`, `$.a[0].b`, `/a/0/b`, `#/a/b`."""


class FieldNames:
    """Finds the canonical paths of what a service says of single fields."""

    def __init__(self, dialect: Dialect, readers: Readers) -> None:
        self._dialect = dialect
        self._readers = readers

    def in_ours(self, problems: Sequence[FieldProblem], asked: type) -> tuple[FieldProblem, ...]:
        """The same, in our names where the dialect knows theirs.

        Args:
            problems: as the service spells them: `/physicalAddress/city`.
            asked: the class of the request: `physical_address.city` is a path in it.
        """
        return tuple(
            FieldProblem(self._canonical(one.field, asked), one.message) for one in problems
        )

    def _canonical(self, spelling: str, asked: type) -> str:
        names = [name for name in _BETWEEN.split(spelling.casefold()) if name]
        if names[:1] == ["body"]:
            names = names[1:]
        return next(self._paths(names, asked), spelling)

    def _paths(self, names: Sequence[str], asked: type) -> Iterator[str]:
        """What these names, in lower case, can mean; the likeliest first."""
        for name, path, inner in self._known(asked):
            if not path or names[: len(path)] != path:
                continue
            rest = names[len(path) :]
            if not rest:
                yield name
            elif inner is not None and rest[0].isdecimal():
                within = self._paths(rest[1:], inner) if rest[1:] else [""]
                yield from (f"{name}.{rest[0]}.{each}".rstrip(".") for each in within)
            elif inner is not None:
                yield from (f"{name}.{each}" for each in self._paths(rest, inner))

    def _known(self, asked: type) -> Iterator[tuple[str, list[str], type | None]]:
        """Each field with each of its spellings, and the class of what is in it."""
        for column in self._readers.columns(asked):
            for path in column.paths:
                yield column.name, [name.casefold() for name in path], column.inner
        for name, extra in self._dialect.extra.get(section_of(asked), {}).items():
            yield f"extra.{name}", [part.casefold() for part in extra.path], None
