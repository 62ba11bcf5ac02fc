"""Planted bugs: replacements in the syntax tree of the package, as `*.bugs` files hold them.

A bug is a block of lines, and an empty line ends it:

    the name of the bug
    @@ Outbox.record
    - self._connection.execute("COMMIT")
    + pass
    red: tests/outbox/test_outbox.py::test_what_is_recorded_is_read_after_a_restart

- `@@` gives the qualified name of a function, class or variable. The module is found by it; where
  several modules have the same code under the same name, `@@ outbox.rows:_read` names it.
- `-` is the code to replace: an expression or whole statements, which occur once in there. They are
  compared as syntax, so layout and comments do not matter. A body `...` stands for any statements.
- `+` is what replaces it, `...` for the statements found. Without it the statements are deleted.
- `red:` gives the test that must fail: a function, of which one case is enough, or a case.

Several `@@` in a block are several replacements. Lines that begin with `#` are comments.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "paytui"

_DEFINED = re.compile(r"^ *(?:(?:async )?def |class )(\w+)|^ *(\w+)(?:: .*)? = ", re.MULTILINE)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)


class BadBug(ValueError):
    """A bug that cannot be read, or whose code is not there exactly once."""


@dataclass(frozen=True, slots=True)
class Change:
    """A replacement.

    Attributes:
        where: the qualified name of what holds the code, after `module:` where need be.
        before: the code that is replaced.
        after: what replaces it.
    """

    where: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Bug:
    """A planted bug and the test that must fail for it.

    Attributes:
        source: the file that holds it.
        red: a test function or one case of it.
    """

    name: str
    source: Path
    changes: tuple[Change, ...]
    red: str

    def trees(self) -> dict[Path, ast.Module]:
        """Return the syntax tree of each changed module.

        Raises:
            BadBug: code to replace is not there, or more than once.
        """
        made: dict[Path, ast.Module] = {}
        for change in self.changes:
            place = self._place(change)
            tree = made.get(place.file) or ast.parse(place.file.read_bytes())
            [(old, bodies)] = _matches(tree, change)
            made[place.file] = _replaced(tree, old, bodies, change.after)
        return made

    def objection(self) -> str:
        """Return why it cannot be planted: its code or its test is not there; or nothing."""
        try:
            for change in self.changes:
                self._place(change)
        except BadBug as error:
            return str(error)
        file, *names = self.red.partition("[")[0].split("::")
        source = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).is_file() else ""
        there = source and all(name in source for name in names if name != "runTest")
        return "" if there else f"{self.name}: there is no {self.red}"

    @property
    def is_in_functions(self) -> bool:
        """Return True if nothing changes but the bodies of functions."""
        return all(self._place(change).is_in_function for change in self.changes)

    def _place(self, change: Change) -> _Place:
        try:
            places = list(_places(change))
        except SyntaxError as error:
            raise BadBug(f"{self.name}: {error}") from error
        if len(places) != 1:
            said = ", ".join(f"{place.file}:{place.line}" for place in places) or "nowhere"
            raise BadBug(f"{self.name}: `{change.before}` in {change.where} is found {said}")
        return places[0]


def read_bugs(file: Path) -> list[Bug]:
    """Read a file of planted bugs.

    Raises:
        BadBug: a block is not as the description of this module says.
    """
    text = re.sub(r"^#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_read_block(file, block.splitlines()) for block in re.split(r"\n\n+", text.strip("\n"))]


def all_bugs() -> list[Bug]:
    """Read all files of planted bugs below tests."""
    files = sorted((ROOT / "tests").rglob("*.bugs"))
    return [bug for file in files for bug in read_bugs(file)]


def _read_block(file: Path, lines: Sequence[str]) -> Bug:
    name, *rest = lines
    changes: list[tuple[str, dict[str, list[str]]]] = []
    red = ""
    for line in rest:
        sign, _, code = line.partition(" ")
        if sign == "@@":
            changes.append((code, {"-": [], "+": []}))
        elif sign == "red:":
            red = code
        elif sign in {"-", "+"} and changes:
            changes[-1][1][sign].append(code)
        else:
            raise BadBug(f"{file}: {name}: cannot read {line!r}")
    if not (red and changes and all(code["-"] for _, code in changes)):
        raise BadBug(f"{file}: {name}: lacks `@@`, `-` or `red:`")
    made = (Change(at, "\n".join(code["-"]), "\n".join(code["+"])) for at, code in changes)
    return Bug(name, file, tuple(made), red)


@dataclass(frozen=True, slots=True)
class _Place:
    """A match of code.

    Attributes:
        is_in_function: whether it is in the body of a function.
    """

    file: Path
    line: int
    is_in_function: bool


_Match = tuple[Sequence[ast.AST], Sequence[list[ast.stmt]]]
"""The nodes that match, and the statements for each `...`."""


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes())


@cache
def defining() -> dict[str, list[Path]]:
    """Return the files that define each name."""
    found: dict[str, list[Path]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        pairs = _DEFINED.findall(file.read_text(encoding="utf-8"))
        for name in {name or variable for name, variable in pairs}:
            found.setdefault(name, []).append(file)
    return found


def _places(change: Change) -> Iterator[_Place]:
    module, _, qualname = change.where.rpartition(":")
    path = module.replace(".", "/")
    for file in defining().get(qualname.rpartition(".")[2], ()):
        if not f"/{file.with_suffix('').as_posix()}".endswith(f"/{path}" if path else ""):
            continue
        tree = _tree(file)
        for nodes, _ in _matches(tree, change):
            yield _Place(file, getattr(nodes[0], "lineno", 0), _is_in_function(tree, nodes[0]))


def _is_in_function(tree: ast.Module, wanted: ast.AST) -> bool:
    functions = (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))
    return any(
        wanted is node for each in functions for body in each.body for node in ast.walk(body)
    )


def _matches(tree: ast.Module, change: Change) -> list[_Match]:
    parts = change.where.rpartition(":")[2].split(".")
    before, after = ast.parse(change.before).body, ast.parse(change.after).body
    found: dict[int, _Match] = {}
    for scope in _named(tree.body, parts):
        one = _expression(before)
        if one is not None and _expression(after) is not None:
            matches = _matching_expressions(scope, one)
        else:
            matches = _matching_statements(scope, before)
        found.update((id(match[0][0]), match) for match in matches)
    return list(found.values())


def _expression(code: Sequence[ast.stmt]) -> ast.expr | None:
    return code[0].value if len(code) == 1 and isinstance(code[0], ast.Expr) else None


def _named(body: Sequence[ast.AST], parts: Sequence[str]) -> Iterator[ast.stmt]:
    """Find what has a qualified name, in other statements too."""
    for node in body:
        if isinstance(node, _SCOPES):
            if node.name == parts[0] and len(parts) > 1:
                yield from _named(node.body, parts[1:])
            elif node.name == parts[0]:
                yield node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(each, ast.Name) and [each.id] == [*parts] for each in targets):
                yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _named(list(ast.iter_child_nodes(node)), parts)


def _matching_expressions(scope: ast.stmt, wanted: ast.expr) -> Iterator[_Match]:
    for node in ast.walk(scope):
        bodies: list[list[ast.stmt]] = []
        if isinstance(node, ast.expr) and _is_same(wanted, node, bodies):
            yield [node], bodies


def _matching_statements(scope: ast.stmt, wanted: Sequence[ast.stmt]) -> Iterator[_Match]:
    for node in ast.walk(ast.Module([scope], [])):
        for _, held in ast.iter_fields(node):
            if not isinstance(held, list):
                continue
            for at in range(len(held) - len(wanted) + 1):
                bodies: list[list[ast.stmt]] = []
                nodes = held[at : at + len(wanted)]
                if all(_is_same(*pair, bodies) for pair in zip(wanted, nodes, strict=True)):
                    yield nodes, bodies


def _is_same(wanted: object, found: object, bodies: list[list[ast.stmt]]) -> bool:
    """Compare syntax; note in `bodies` the statements for each `...`."""
    if type(wanted) is not type(found):
        return False
    if isinstance(wanted, list) and isinstance(found, list):
        if _is_any_body(wanted) and found:
            bodies.append(found)
            return True
        return len(wanted) == len(found) and all(
            _is_same(*pair, bodies) for pair in zip(wanted, found, strict=True)
        )
    if isinstance(wanted, ast.AST):
        return all(
            _is_same(getattr(wanted, name, None), getattr(found, name, None), bodies)
            for name in wanted._fields
        )
    return wanted == found


def _is_any_body(code: Sequence[object]) -> bool:
    match code:
        case [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


def _replaced(
    tree: ast.Module, old: Sequence[ast.AST], bodies: Sequence[list[ast.stmt]], after: str
) -> ast.Module:
    new = ast.parse(after).body
    one = None if isinstance(old[0], ast.stmt) else _expression(new)
    for node in (each for stmt in new for each in ast.walk(stmt)):
        ast.copy_location(node, old[0])
    left = iter(bodies)
    for node in (each for stmt in new for each in ast.walk(stmt)):
        for name, held in ast.iter_fields(node):
            if isinstance(held, list) and _is_any_body(held):
                setattr(node, name, next(left))
    _Replacing(old, new if one is None else one).visit(tree)
    return tree


class _Replacing(ast.NodeTransformer):
    """Puts other nodes in the place of some that follow each other."""

    def __init__(self, old: Sequence[ast.AST], new: ast.expr | list[ast.stmt]) -> None:
        self._first, *self._others = old
        self._new = new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if getattr(node, "body", None) == [] and isinstance(node, ast.stmt | ast.ExceptHandler):
            node.body = [ast.copy_location(ast.Pass(), node)]  # type: ignore[union-attr]
        return node

    def visit(self, node: ast.AST) -> object:
        if node is self._first:
            return self._new
        return None if any(node is each for each in self._others) else super().visit(node)


def plant(bug: Bug) -> None:
    """Change modules, none of which may have been imported, for when this process imports them."""
    for file, tree in bug.trees().items():
        name = module_name(file)
        assert name not in sys.modules, f"{name} has been imported without the bug"
        sys.meta_path.insert(0, _Planter(name, file, compile(tree, str(file), "exec")))


def module_name(file: Path) -> str:
    """Return the name by which a file of the package is imported."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


class _Planter:
    """Finds one module, with other code than its file holds."""

    def __init__(self, module: str, file: Path, code: CodeType) -> None:
        self._module, self._file, self._code = module, file, code

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._module:
            return None
        return spec_from_file_location(
            name, self._file, loader=_Planted(name, self._file, self._code)
        )


class _Planted(SourceFileLoader):
    """Loads code that was compiled already."""

    def __init__(self, name: str, file: Path, code: CodeType) -> None:
        super().__init__(name, str(file))
        self._code = code

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - there is one module
        return self._code
