"""The example of a configuration, rendered from the declarations of `settings.py`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from textwrap import wrap
from typing import Literal, get_args, get_origin, get_type_hints

from paytui.config.settings import ColumnsTable, ConfigFile
from paytui.config.validation import Table
from paytui.config.value_parsers import COLUMNS

INTRODUCTION = """\
Example configuration of paytui: every key with its meaning. `paytui config path` prints the place \
of yours; `--config FILE` or PAYTUI_CONFIG name another. Check it by `paytui config validate`; \
`paytui config show` prints every value and where it came from. Keys that are left out have the \
values shown here; those behind a # are unset, unless a comment tells their default. Choices on \
paytui's screens go into config.saved.toml beside this file, which overrides it; paytui never \
rewrites this one."""

PRACTICE = """
# A second profile, for practice: write a secret into practice.secret (chmod 600) beside this file,
# then run `PAYTUI_SANDBOX_SECRET=$(cat practice.secret) paytui sandbox --port 8080` and, beside it,
# `paytui --profile practice`.
#[profiles.practice]
#base_url = "http://127.0.0.1:8080"
#client_id = "demo"
#secret_file = "practice.secret"
#live = false"""


def example() -> str:
    """Return the text of `config.example.toml`."""
    return "\n".join([*_comment(INTRODUCTION), "", *_entries(ConfigFile), ""])


def _entries(table: type[Table]) -> Iterator[str]:
    """Yield the lines of the entries of a table; those that are unset by default are comments."""
    types, explained = get_type_hints(table), table.explanations()
    for entry in fields(table):
        of_type, (written, *below) = types[entry.name], table.examples()[entry.name].splitlines()
        text = explained[entry.name]
        if not written.startswith("["):
            choices = get_args(of_type) if get_origin(of_type) is Literal else ()
            choices = COLUMNS[entry.name] if table is ColumnsTable else choices
            if choices:
                text = f"{text} Choices: {', '.join(choices)}.".lstrip()
            yield from _comment(text)
            is_unset = entry.default in (None, ()) or entry.default_factory is not MISSING
            yield "#" * is_unset + written
            continue
        yield ""
        is_off = table is not ConfigFile
        if below:
            lines = iter(below)
            yield from _comment(text)
        else:
            inner = next(
                one
                for one in (of_type, *get_args(of_type))
                if isinstance(one, type) and issubclass(one, Table)
            )
            lines = _entries(inner)
            yield from _comment(inner.explanations()[""])
        yield "#" * is_off + written
        for line in lines:
            yield f"#{line}" if (is_off or below) and line[:1] not in ("", "#") else line
        if entry.name == "profiles":
            yield PRACTICE


def _comment(text: str) -> list[str]:
    return wrap(text, 100, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
