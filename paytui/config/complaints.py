"""From what is wrong with a configuration to what a person is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from paytui.config.checked import Mistake
from paytui.config.entries import Table
from paytui.config.errors import ConfigError
from paytui.config.lines import Key
from paytui.config.schema import ConfigFile, ProfileTable, RecipientTable
from paytui.platform.text import clean, did_you_mean

_NAMES_OF_SECRETS = ("client_secret", "secret", "password", "api_key", "token")
_NOT_HERE = (
    "A secret does not belong in this file: say where it is with secret_command or secret_file, "
    "or set {variable}."
)


def complaint(
    path: Path,
    found: Sequence[Mistake],
    lines: Mapping[Key, int],
    root: type[Table] = ConfigFile,
) -> ConfigError:
    """Return one error of all mistakes: a misspelt key comes before a missing one.

    Args:
        path: the file.
        found: what is wrong with it.
        lines: where its entries stand.
        root: what the whole of it is meant to be.
    """
    first, *others = (
        _error(path, mistake, lines, root)
        for mistake in sorted(found, key=lambda mistake: not mistake.unknown)
    )
    return ConfigError(path, first.key, first.message, first.remedy, first.line, others=others)


def _error(
    path: Path, mistake: Mistake, lines: Mapping[Key, int], root: type[Table]
) -> ConfigError:
    key = tuple(clean(part, 60) for part in mistake.key)
    remedy = _remedy(replace(mistake, key=key), root)
    return ConfigError(path, ".".join(key), mistake.message, remedy, _line(key, lines))


def _line(key: Key, lines: Mapping[Key, int]) -> int | None:
    """The line of an entry, or of the nearest table that it lies in."""
    while key and key not in lines:
        key = key[:-1]
    return lines.get(key)


def _remedy(mistake: Mistake, root: type[Table]) -> str:
    if mistake.unknown:
        return _nearest(mistake.key, root)
    return mistake.remedy or _example(mistake.key, root)


def _nearest(key: Key, root: type[Table]) -> str:
    if key[-1].casefold() in _NAMES_OF_SECRETS:
        of_webhooks = key[0] == "webhooks"
        variable = "PAYTUI_WEBHOOK_SECRET" if of_webhooks else "PAYTUI_CLIENT_SECRET"
        return _NOT_HERE.format(variable=variable)
    table = _table(key[:-1], root)
    known = table.names() if table else []
    return did_you_mean(key[-1], known).rstrip() or f"Known here are: {', '.join(known)}."


def _example(key: Key, root: type[Table]) -> str:
    """Return an example of an entry, from the schema."""
    if key[-1].isdigit():  # an item of a list
        key = key[:-1]
    table = _table(key[:-1], root)
    if table is None:
        return "Write it as a table, like this: [profiles.acme]"
    example = table.examples()[key[-1]]
    written = example if example.startswith(f"[{key[-1]}") else f"{key[-1]} = {example}"
    return f"Write it like this: {written}"


def _table(key: Key, root: type[Table]) -> type[Table] | None:
    """The schema of the table at a key."""
    match key:
        case ():
            return root
        case ("profiles", _, "recipients", _) | ("limits", "recipients", _):
            return RecipientTable
        case ("profiles", _):
            return ProfileTable
        case (name,) if name in root.names():
            default = getattr(root(), name)
            return type(default) if isinstance(default, Table) else None
        case _:
            return None
