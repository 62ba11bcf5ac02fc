"""Private parts of libraries: each still exists, and only its own module uses it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name

import pytest
from rich import cells
from rich.segment import Segment
from textual.app import App
from textual.strip import Strip

import paytui
from paytui.platform.interpreter import make_blank, slot_setters

HOUSE = Path(paytui.__file__).parent

TEXTUAL = "tui/textual_internals.py"
ROOMS = (
    TEXTUAL,
    "tui/rich_internals.py",
    "sandbox/server.py",
    "platform/interpreter.py",
)

UNDOCUMENTED = ("gc", "textual.drivers", "uvicorn.protocols")
"""Modules that are private though their names are not."""

DOCUMENTED = {"_exit", "_replace", "_asdict", "_fields"}
"""Names that are public though they begin with an underscore."""


MADE_BY_METACLASSES = {
    "_abc_impl",
    "_computes",
    "_css_type_name",
    "_css_type_names",
    "_decorated_handlers",
    "_inherit_bindings",
    "_inherit_component_classes",
    "_inherit_css",
    "_is_protocol",
    "_merged_bindings",
    "_reactives",
}
"""Names that each class gets, although its body has none of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A private part of a library.

    Attributes:
        owner: its module and class.
        takes: the parameters of a function; None for a value.
        breaks: the promise that needs it.
    """

    owner: str
    name: str
    takes: tuple[str, ...] | None
    breaks: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"


CRASH = "a crash prints no variables, which may be secrets"
ASKED = "the terminal is asked after it was sent what a key confirms"
BEHIND = "nothing is confirmed, and little painted, while the terminal is behind"
STYLED = "a screen is styled once when it is first shown"
WHOLE = "a screen is not painted in part just before it is painted whole"
ONCE = "a screen is laid out once for each size"
AFTER = "what waits for a paint comes after it"
HELD = "what a key asks for is painted with its rows"
TOLD = "each widget learns its new size, whoever asked for a region before the layout"
RESIZED = "the screen has the size of the terminal after any number of resizes"
RESUMED = "the terminal is taken over again after a stop"
PALETTE = "the palette may be closed while it searches"
KEYS = "keys are read without waking up ten times a second"
ROWS = "a key has widgets render only the rows that are painted"
LETTER = "a letter in an input does not lay out the screen"
CUT = "the sandbox can cut a connection off without an answer"
STOPPED = "the sandbox ends at a signal, and at once"

DRIVER = "textual.drivers.linux_driver:LinuxDriver"
PROTOCOL = "uvicorn.protocols.http.h11_impl:H11Protocol"

PARTS = [
    Part("textual.app:App", "_driver", None, BEHIND),
    Part("textual.app:App", "_batch_count", None, ASKED),
    Part("textual.app:App", "_css_update_count", None, STYLED),
    Part("textual.screen:Screen", "_css_update_count", None, STYLED),
    Part("textual.app:App", "_get_screen", ("self", "screen"), STYLED),
    Part("textual.app:App", "_exception", None, CRASH),
    Part("textual.app:App", "_handle_exception", ("self", "error"), CRASH),
    Part("textual.app:App", "_fatal_error", ("self",), CRASH),
    Part("textual.message_pump:MessagePump", "_close_messages_no_wait", ("self",), CRASH),
    Part("textual.screen:Screen", "_compositor_refresh", ("self",), WHOLE),
    Part("textual.screen:Screen", "_compositor", None, ROWS),
    Part("textual._compositor:Compositor", "_get_renders", ("self", "crop"), ROWS),
    Part(
        "textual._compositor:Compositor",
        "_render_chops",
        ("self", "crop", "is_rendered_line"),
        ROWS,
    ),
    Part("textual._compositor:Compositor", "_full_map", None, TOLD),
    Part("textual._compositor:Compositor", "_full_map_invalidated", None, TOLD),
    Part("textual.screen:Screen", "_screen_resized", ("self", "size"), ONCE),
    Part("textual.screen:Screen", "_refresh_layout", ("self", "size", "scroll"), WHOLE),
    Part("textual.widget:Widget", "_repaint_required", None, WHOLE),
    Part("textual.widget:Widget", "_layout_required", None, WHOLE),
    Part("textual.screen:Screen", "_dirty_widgets", None, WHOLE),
    Part("textual.widget:Widget", "_scroll_required", None, WHOLE),
    Part("textual.message_pump:MessagePump", "_pending_message", None, AFTER),
    Part("textual.screen:Screen", "_on_idle", ("self", "event"), HELD),
    Part("textual.screen:Screen", "_on_timer_update", ("self",), HELD),
    Part("textual.screen:Screen", "_update_timer", None, HELD),
    Part("textual.widget:Widget", "_default_virtual_size", None, LETTER),
    Part("textual.driver:Driver", "_app", None, RESUMED),
    Part(DRIVER, "_writer_thread", None, BEHIND),
    Part("textual.drivers._writer_thread:WriterThread", "_queue", None, BEHIND),
    Part(DRIVER, "_key_thread", None, RESUMED),
    Part(DRIVER, "_get_terminal_size", ("self",), RESIZED),
    Part(DRIVER, "_in_band_window_resize", None, RESIZED),
    Part(DRIVER, "_sigtstp_application", ("self", "_"), RESUMED),
    Part(DRIVER, "_sigcont_application", ("self", "_"), RESUMED),
    Part("textual._parser:Parser", "_timeout_time", None, KEYS),
    Part("textual._xterm_parser:XTermParser", "feed", ("self", "data"), KEYS),
    Part("textual._xterm_parser:XTermParser", "tick", ("self",), KEYS),
    Part("textual.command:CommandPalette", "_GATHER_COMMANDS_GROUP", None, PALETTE),
    Part("textual.command:CommandPalette", "_gather_commands", ("self", "search_value"), PALETTE),
    Part("uvicorn:Server", "startup", ("self", "sockets"), "the sandbox tells that it answers"),
    Part("uvicorn:Server", "shutdown", ("self", "sockets"), STOPPED),
    Part("uvicorn:Server", "capture_signals", ("self",), STOPPED),
    Part("uvicorn:Server", "handle_exit", ("self", "sig", "frame"), STOPPED),
    Part("uvicorn:Server", "server_state", None, STOPPED),
    Part("uvicorn.server:ServerState", "connections", None, STOPPED),
    Part(PROTOCOL, "app_state", None, CUT),
    Part(
        PROTOCOL,
        "connection_made",
        ("self", "transport"),
        CUT,
    ),
]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_a_release_still_has_what_we_use_of_it(part: Part) -> None:
    library = re.split("[.:]", part.owner)[0]
    told = f"{library} {version(library)} changed {part}: it is needed so that {part.breaks}"
    owner = resolve_name(part.owner)
    if part.takes is None:
        assert part.name in library_names(owner), told
    else:
        found = getattr(owner, part.name, None)
        assert callable(found), told
        assert tuple(inspect.signature(inspect.unwrap(found)).parameters) == part.takes, told


def test_textual_still_batches_in_the_two_ways_that_we_override() -> None:
    """Else the terminal may never be asked about a step that was painted in another batch."""
    methods = {name: inspect.unwrap(made) for name, made in vars(App).items() if callable(made)}
    codes = {name: getattr(made, "__code__", None) for name, made in methods.items()}
    users = {name for name, code in codes.items() if code and "_begin_batch" in code.co_names}
    at_the_end = {"_on_exit_app", "_shutdown"}
    assert users - at_the_end == {"batch_update", "delay_update"}


def test_a_strip_of_textual_still_caches_itself() -> None:
    """If it does not, the second half of `patch_caches` can go."""
    strip, divide = Strip([Segment("line")]), inspect.unwrap(Strip.divide)
    assert divide(strip, [4]) is divide(strip, [4])
    assert divide(strip, [4])[0] is strip


def test_textual_still_has_the_cache_that_leaks() -> None:
    """If it leaks no more, the first half of `patch_caches` can go."""
    cached = resolve_name("textual._styles_cache:StylesCache").get_inner_outer
    found = inspect.unwrap(getattr(cached, "func", cached))
    found = getattr(found, "func", found)
    assert [*inspect.signature(found).parameters] == ["cls", "base_background", "background"]


def test_rich_still_measures_by_the_table_that_we_replace() -> None:
    """Else Indic names may be cut off."""
    assert "load_cell_table" in cells.get_character_cell_size.__wrapped__.__code__.co_names
    assert [*inspect.signature(vars(cells)["load_cell_table"]).parameters] == ["unicode_version"]
    assert "widths" in cells.CellTable._fields


def test_the_slots_of_a_frozen_class_can_still_be_set() -> None:
    [part] = make_blank(Part, 1)
    slot_setters(Part)["name"](part, "set")
    assert part.name == "set"


# Where they are used


@cache
def library_names(owner: type) -> frozenset[str]:
    """Return the names in the body of a library's class, and those set by its methods."""
    names = {*vars(owner), *getattr(owner, "__annotations__", ())}
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    except (OSError, TypeError):
        return frozenset(names)
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return frozenset(names | {node.attr for node in stored if isinstance(node.ctx, ast.Store)})


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def is_of_a_library(module: str) -> bool:
    first = module.partition(".")[0]
    return first != "paytui" and first not in ("abc", "builtins", "enum", "typing", "collections")


def is_own(node: ast.expr) -> bool:
    """Return True for `self`, `cls` and `super()`."""
    if isinstance(node, ast.Call):
        node = node.func
    return isinstance(node, ast.Name) and node.id in ("self", "cls", "super")


def private_uses(source: str, names: Mapping[str, object]) -> Iterator[str]:
    """Yield the private parts of libraries that a module uses.

    Args:
        source: its code.
        names: what is defined in it.
    """
    nodes = [*ast.walk(ast.parse(source))]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    own = {node.attr for node in attributes if is_own(node.value)}
    for node in nodes:
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    yield from _of_path(alias.name)
            case ast.ImportFrom(module=str(module), names=aliases) if is_of_a_library(module):
                for alias in aliases:
                    yield from _of_path(f"{module}.{alias.name}")
            case ast.ClassDef(name=name):
                yield from _of_bases(node, names.get(name))
            case _:
                yield from _patches(node, names)
    for node in attributes:
        if is_private(node.attr) and not is_own(node.value) and node.attr not in own:
            yield node.attr


def _of_path(path: str) -> Iterator[str]:
    if path.startswith(UNDOCUMENTED):
        yield path
    yield from filter(is_private, path.split("."))


def _patches(node: ast.AST, names: Mapping[str, object]) -> Iterator[str]:
    match node:
        case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()):
            patches = _is_a_librarys(names.get(name))
        case ast.Subscript(value=ast.Call(func=ast.Name(id="vars")), ctx=ast.Store()):
            patches = True
        case ast.Call(func=ast.Name(id="setattr")):
            patches = True
        case _:
            patches = False
    if patches:
        yield ast.unparse(node)


def _is_a_librarys(thing: object) -> bool:
    if inspect.ismodule(thing):
        return is_of_a_library(thing.__name__)
    return inspect.isclass(thing) and is_of_a_library(thing.__module__)


def _of_bases(node: ast.ClassDef, made: object) -> Iterator[str]:
    """Yield the private names of its libraries' bases that a class uses."""
    if not inspect.isclass(made):
        return
    bases = [base for base in made.__mro__[1:] if is_of_a_library(base.__module__)]
    inside = (each for each in ast.walk(node) if isinstance(each, ast.Attribute))
    used = {*vars(made), *(each.attr for each in inside if is_own(each.value))}
    for name in filter(is_private, used - MADE_BY_METACLASSES):
        if any(name in library_names(base) for base in bases):
            yield name


def uses_of(room: str) -> set[str]:
    source = (HOUSE / room).read_text(encoding="utf-8")
    module = ".".join(("paytui", *Path(room).with_suffix("").parts)).removesuffix(".__init__")
    found = set(private_uses(source, vars(import_module(module))))
    return found | ({"noqa: SLF001"} if "SLF001" in source else set())


@pytest.mark.slow
def test_nothing_else_uses_a_private_part_of_a_library() -> None:
    files = [str(file.relative_to(HOUSE)) for file in sorted(HOUSE.rglob("*.py"))]
    found = {file: uses_of(file) for file in files if file not in (*ROOMS, "__main__.py")}
    assert {file: uses for file, uses in found.items() if uses} == {}


def test_each_private_part_of_textual_in_use_is_looked_for_above() -> None:
    known = {part.name for part in PARTS}
    known |= {name for part in PARTS for name in re.split("[.:]", part.owner)}
    assert set(filter(is_private, uses_of(TEXTUAL))) <= known | {"_styles_cache"}


@pytest.mark.parametrize(
    "code",
    [
        "import _ssl",
        "import gc",
        "from textual._compositor import Compositor",
        "from textual.drivers.linux_driver import LinuxDriver",
        "def look(app): return app._driver",
        "class Own(App):\n    def _fatal_error(self): ...",
        "class Own(App):\n    _driver = None",
        "class Own(App):\n    def look(self): return self._batch_count",
        "class Own(App):\n    def look(self): super()._fatal_error()",
        "App.bell = None",
        "setattr(App, 'bell', None)",
        "vars(App)['bell'] = None",
    ],
)
def test_such_a_use_is_found(code: str) -> None:
    source = f"from textual.app import App\n{code}"
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.ImportFrom | ast.ClassDef)]
    names: dict[str, object] = {"__name__": "paytui.planted"}
    exec(compile(tree, "planted", "exec"), names)  # noqa: S102 - the code above
    assert [*private_uses(source, names)]


@pytest.mark.parametrize(
    "code",
    [
        "class Own(App):\n    def look(self): return self._mine",
        "class Own:\n    def same(self, one): return one._mine == self._mine",
        "import os\ndef end(): os._exit(0)",
    ],
)
def test_what_is_ours_or_documented_is_let_be(code: str) -> None:
    source = f"from textual.app import App\n{code}"
    names: dict[str, object] = {"__name__": "paytui.planted"}
    exec(source, names)  # noqa: S102 - the code above
    assert [*private_uses(source, names)] == []
