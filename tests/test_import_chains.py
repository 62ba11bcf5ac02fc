"""Modules are few steps above the domain: a reader follows a short chain of imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import paytui

LONGEST = 14

HOUSE = Path(paytui.__file__).parent
FILES = {
    ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in HOUSE.rglob("*.py")
}


def at_import(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run with the module, not those for types and within functions."""
    for one in body:
        if isinstance(one, ast.Import | ast.ImportFrom):
            yield one
        elif isinstance(one, ast.Try):
            yield from at_import(one.body)


def imported(name: str) -> Iterator[str]:
    for one in at_import(ast.parse(FILES[name].read_text(encoding="utf-8")).body):
        if isinstance(one, ast.Import):
            yield from (each.name for each in one.names if each.name in FILES)
        elif one.module in FILES:
            for each in one.names:
                inner = f"{one.module}.{each.name}"
                yield inner if inner in FILES else one.module


@cache
def chain(name: str) -> tuple[str, ...]:
    """Return the longest chain of imports from a module."""
    longest = max((chain(other) for other in set(imported(name)) - {name}), key=len, default=())
    return (name, *longest)


def test_no_chain_of_imports_is_long() -> None:
    longest = max(map(chain, FILES), key=len)
    assert len(longest) <= LONGEST, " > ".join(longest)
