"""Merging a user's dialect file over the default one: key by key, and nothing misspelt goes by."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from paytui.platform.text import clean, did_you_mean

Table = dict[str, object]
Where = tuple[str, ...]

OPEN_SECTIONS: Mapping[Where, object] = {
    ("headers",): "",
    ("values", "*"): [""],
    ("refused", "*"): "",
    ("extra", "*"): {"path": "", "label": "", "kind": "text"},
}
"""Where the user's own names may stand, and an example of what each holds."""


class DialectError(ValueError):
    """A dialect file that cannot be used; the message names file, key and remedy.

    It quotes the file, and can be shown all the same.
    """

    def __init__(self, message: str) -> None:
        super().__init__(clean(message))


def read_toml(path: Path) -> Table:
    """The table that a TOML file holds.

    Raises:
        DialectError: unreadable, not UTF-8 or not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        raise DialectError(f"{path}: {why}. Create it, or name another.") from error
    except UnicodeDecodeError as error:
        raise DialectError(f"{path}: is not UTF-8 text. Save it as UTF-8.") from error
    except RecursionError:
        raise DialectError(f"{path}: is nested too deeply. Start from an example.") from None
    except ValueError as error:
        raise DialectError(f"{path}: is not valid TOML: {error}. Mend that line.") from error


def merge(base: Mapping[str, object], override: Mapping[str, object], source: str) -> Table:
    """What `base` says, but where `override` says otherwise.

    Raises:
        DialectError: a key that `base` does not know, or a value of another type.
    """
    return _merge_table(base, override, source, ())


def _merge_table(
    base: Mapping[str, object], override: Mapping[str, object], source: str, where: Where
) -> Table:
    merged = dict(base)
    for key, value in override.items():
        example = _example(base, key, source, where)
        _check_type(example, value, source, (*where, key))
        if isinstance(example, dict) and isinstance(value, dict):
            known = base.get(key, example)
            assert isinstance(known, dict)
            merged[key] = _merge_table(known, value, source, (*where, key))
        else:
            merged[key] = value
    return merged


def _example(base: Mapping[str, object], key: str, source: str, where: Where) -> object:
    if key in base:
        return base[key]
    for section, example in OPEN_SECTIONS.items():
        if len(section) == len(where) and all(
            ours in ("*", theirs) for ours, theirs in zip(section, where, strict=True)
        ):
            return example
    hint = did_you_mean(key, base).rstrip() or f"Known are: {', '.join(base)}."
    raise DialectError(f"{source}: {_written((*where, key))} is not a key of a dialect. {hint}")


def _check_type(example: object, value: object, source: str, where: Where) -> None:
    wanted, got = _kind(example), _kind(value)
    if wanted != got:
        raise DialectError(
            f"{source}: {_written(where)} must be {wanted}, not {got}. Write it like this: "
            f"{where[-1]} = {_sample(example)}"
        )


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list() if all(isinstance(item, str) for item in value):
            return "a list of strings"
        case dict():
            return "a table"
        case _:
            return "something else"


def _sample(example: object) -> str:
    match example:
        case bool():
            return str(example).lower()
        case str():
            return f'"{example}"'
        case list():
            return "[" + ", ".join(f'"{item}"' for item in example) + "]"
        case dict():
            return "{ " + ", ".join(f"{key} = {_sample(v)}" for key, v in example.items()) + " }"
        case _:
            return str(example)


def _written(where: Where) -> str:
    *section, key = where
    return f"[{'.'.join(section)}] {key}" if section else key
