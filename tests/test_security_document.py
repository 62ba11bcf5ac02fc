"""SECURITY.md names an existing test for each promise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
_TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")


def promises() -> dict[str, list[tuple[str, str]]]:
    """By what it says, the tests of each promise: a file, and a name in it."""
    promised = DOCUMENT.partition("## What is promised")[2].partition("## What is not promised")[0]
    rows = [line.strip("| ").rpartition(" | ") for line in promised.splitlines() if "|" in line]
    told = [(says, tests) for says, _, tests in rows if says not in ("Promise", "---", "")]
    return {says: _TEST.findall(tests) for says, tests in told if not says.startswith("---")}


def names_in(path: str) -> set[str]:
    """Return the tests of a file: `test_x`, `TestCase::test_y`."""
    return set(_names(ast.parse((ROOT / path).read_text(encoding="utf-8")), ""))


def _names(tree: ast.Module | ast.ClassDef, within: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield f"{within}{node.name}"
        elif isinstance(node, ast.ClassDef):
            yield from _names(node, f"{within}{node.name}::")


def test_each_promise_names_a_test() -> None:
    assert [says for says, tests in promises().items() if not tests] == []


def test_each_test_that_is_named_is_there() -> None:
    gone = [
        f"{path}::{name}"
        for path, name in _TEST.findall(DOCUMENT)
        if not (ROOT / path).is_file() or name not in names_in(path)
    ]
    assert gone == []


def test_it_tells_what_is_protected_against_whom_and_what_is_not_promised() -> None:
    parts = re.findall(r"^## (.+)$", DOCUMENT, re.MULTILINE)
    assert parts == ["Assets", "Attackers", "What is promised", "What is not promised"]
    assert len(promises()) >= 25
