"""The promises of the service's description, and the tests that cover them."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("promises.toml")
DOCUMENT = ROOT / "docs" / "coverage.md"
NOT_HERE = "n/a: "
"""Begins the reason why a promise has nothing in one of the columns."""

HEADER = """\
# What the service's description says, and where it is kept

Made by `python -m tests.coverage` from `tests/coverage/promises.toml` and from the tests that carry
`@pytest.mark.covers`; a test holds it to both. Paths are below `paytui/`; *client* is an
operation of `api/resources.py` or a method of `api/client.py`. *Alone* tells how far it holds with
the fourteen documented operations and no other (`paytui sandbox --documented-only`).

| What | Says | Screen | Client | Sandbox | Alone | Tests |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A promise of the description, and the places that implement it."""

    name: str
    section: str
    says: str
    screen: str
    client: str
    sandbox: str
    alone: str


def promises() -> list[Promise]:
    """All of them, in the order of the list."""
    tree = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return [Promise(name=name, **told) for name, told in tree.items()]


def marked(*, alone: bool = False) -> dict[str, list[str]]:
    """By name of a promise, the tests that carry it: `tests/golden/test_states.py::test_x`.

    With `alone`, those on a service that has the documented operations and no other.
    """
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        marks = _marks(ast.parse(source), alone=alone) if "covers" in source else ()
        for test, name in marks:
            found.setdefault(name, []).append(f"{path.relative_to(ROOT)}::{test}")
    return found


def document(kept: list[Promise], tests: Mapping[str, list[str]]) -> str:
    """The table as it is written."""
    return HEADER + "".join(_row(promise, tests.get(promise.name, [])) for promise in kept)


def _row(promise: Promise, tests: list[str]) -> str:
    cells = (
        f"**{promise.name}** {promise.section}",
        promise.says,
        *(_code(cell) for cell in (promise.screen, promise.client, promise.sandbox)),
        promise.alone,
        "<br>".join(f"`{_short(test)}`" for test in tests),
    )
    return f"| {' | '.join(cells)} |\n"


def _code(cell: str) -> str:
    return cell if cell.startswith(NOT_HERE) else f"`{cell}`"


def _short(test: str) -> str:
    return test.removeprefix("tests/")


def _marks(tree: ast.AST, *, alone: bool) -> Iterator[tuple[str, str]]:
    """Each test with each promise that it carries."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if ast.unparse(decorator).startswith("pytest.mark.covers("):
                    assert isinstance(decorator, ast.Call)
                    if alone and not decorator.keywords:
                        continue
                    for argument in decorator.args:
                        assert isinstance(argument, ast.Constant)
                        yield node.name, str(argument.value)
