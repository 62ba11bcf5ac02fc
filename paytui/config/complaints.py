"""From what pydantic finds wrong with a configuration to what a person is told."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from paytui.config.errors import ConfigError
from paytui.config.schema import ConfigFile, ProfileTable
from paytui.config.values import REFUSED
from paytui.text import clean

Key = tuple[str, ...]

_TYPES = {
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "missing": "is missing",
}
_NAMES_OF_SECRETS = ("client_secret", "secret", "password", "api_key", "token")
_NOT_HERE = (
    "A secret does not belong in this file: say where it is with secret_command or secret_file, "
    "or set {variable}."
)


def complaint(path: Path, found: Sequence[ErrorDetails], lines: Mapping[Key, int]) -> ConfigError:
    """The first thing that is wrong, and a misspelt key before one that is missing for it."""
    first = min(found, key=lambda details: details["type"] != "extra_forbidden")
    key = tuple(clean(str(part), 60) for part in first["loc"] if part != "[key]")
    message, remedy = _words(first, key)
    if len(found) > 1:
        remedy += f" ({len(found) - 1} more to mend in this file.)"
    return ConfigError(path, ".".join(key), message, remedy, _line(key, lines))


def _line(key: Key, lines: Mapping[Key, int]) -> int | None:
    """The line of an entry, or of the nearest table that it lies in."""
    while key and key not in lines:
        key = key[:-1]
    return lines.get(key)


def _words(details: ErrorDetails, key: Key) -> tuple[str, str]:
    context = details.get("ctx", {})
    match details["type"]:
        case "extra_forbidden":
            return "is not a key that paytui knows", _nearest(key)
        case "string_pattern_mismatch":
            return "is not a name for a profile", "Use letters, digits, - and _, 40 at the most."
        case "literal_error":
            return f"must be {context['expected']}", _example(key)
        case kind if kind == REFUSED:
            return str(context["message"]), str(context["remedy"])
        case kind:
            return _TYPES.get(kind, "has a value that cannot be used"), _example(key)


def _nearest(key: Key) -> str:
    if key[-1].casefold() in _NAMES_OF_SECRETS:
        of_webhooks = key[0] == "webhooks"
        variable = "PAYTUI_WEBHOOK_SECRET" if of_webhooks else "PAYTUI_CLIENT_SECRET"
        return _NOT_HERE.format(variable=variable)
    table = _table(key[:-1])
    known = list(table.model_fields) if table else []
    near = difflib.get_close_matches(key[-1].casefold(), known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]}?" if near else f"Known here are: {', '.join(known)}."


def _example(key: Key) -> str:
    """How an entry is written, from the schema's examples."""
    if key[-1].isdigit():  # an item of a list
        key = key[:-1]
    table = _table(key[:-1])
    if table is None:
        return "Write it as a table, like this: [profiles.acme]"
    [example] = table.model_fields[key[-1]].examples or [""]
    written = example if example.startswith(f"[{key[-1]}") else f"{key[-1]} = {example}"
    return f"Write it like this: {written}"


def _table(key: Key) -> type[BaseModel] | None:
    """The schema of the table at a key."""
    match key:
        case ():
            return ConfigFile
        case ("profiles", _):
            return ProfileTable
        case (name,) if name in ConfigFile.model_fields:
            annotation = ConfigFile.model_fields[name].annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                return annotation
            return None
        case _:
            return None
