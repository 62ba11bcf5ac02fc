"""The merged settings and dialect as lines of TOML, each with its origin; not for parsing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import timedelta
from importlib import resources
from pathlib import Path

from paytui.api.dialect import merge, read_toml
from paytui.cli.wiring.dialect import dialect_of
from paytui.cli.wiring.secrets import secret_source
from paytui.config.document import Document
from paytui.config.keys import shown_key
from paytui.config.load import (
    PROFILE_VARIABLE,
    alerts_of,
    cache_of,
    choose_profile,
    columns_of,
    display_of,
    keymap_of,
    outbox_of,
    overview_of,
    polling_of,
    rates_of,
    settings_of,
    views_of,
    webhooks_of,
    written_keys,
)
from paytui.config.operator import Operator
from paytui.config.operator_limits import locked_shared_keys
from paytui.config.settings import Profile, lock_of
from paytui.config.tracked import identifiers_in
from paytui.config.validation import key_lines
from paytui.config.values import COLUMNS
from paytui.domain.money import Pair, plain
from paytui.domain.rates import RateAlert
from paytui.domain.trading_day import DayStart
from paytui.platform.secret import MASK, SecretError

ORIGIN_COLUMN = 44
NOT_SET = "(none)"


def shown_config(
    document: Document, option: str | None, environ: Mapping[str, str]
) -> Iterator[str]:
    """Yield the settings; of the profiles only the chosen one.

    Raises:
        ConfigError: no profile is chosen, or it does not exist.
    """
    yield f"# {document.path or 'defaults'}"
    yield from _operator_lines(document.operator)
    if document.contents.profiles or option or environ.get(PROFILE_VARIABLE):
        yield from _profile_lines(document, option, environ)
    yield from _polling_lines(document)
    yield from _section_lines(document)
    yield "\n[keys]"
    yield from _key_lines(document)
    yield from _named_lines(document)


def _section_lines(document: Document) -> Iterator[str]:
    """Yield the sections with fixed entries."""
    held = locked_shared_keys(document)
    for name, section in (
        ("rates", rates_of(document.contents)),
        ("overview", overview_of(document.contents)),
        ("alerts", alerts_of(document.contents)),
        ("display", display_of(document)),
        ("outbox", outbox_of(document)),
        ("lock", lock_of(document)),
        ("cache", cache_of(document.contents)),
        ("webhooks", webhooks_of(document)),
    ):
        yield f"\n[{name}]"
        for field in fields(section):
            value = _shown(field.name, getattr(section, field.name))
            origin = document.origin((name, field.name))
            yield _line(field.name, value, held.get(f"{name}.{field.name}", origin))


def _named_lines(document: Document) -> Iterator[str]:
    """Yield the sections whose entries have names of the user's choice."""
    yield "\n[floors]"
    for name, amount in document.contents.floors.items():
        yield _line(name, plain(amount), document.origin(("floors", name)))
    yield "\n[columns]"
    chosen = columns_of(document.contents)
    for name in COLUMNS:
        yield _line(name, chosen.get(name), document.origin(("columns", name)))
    yield "\n[views]"
    for name, views in views_of(document.contents).items():
        for view in views:
            yield _line(f"{name}.{view}", "", document.origin(("views", name, view)))
    yield "\n[track]"
    for kind, identifiers in identifiers_in(document.contents.track).items():
        yield _line(kind.value, identifiers, document.origin(("track", kind.value)))


def _operator_lines(operator: Operator) -> Iterator[str]:
    if operator.path is not None:
        yield f"# this machine's operator: {operator.path}"
    if operator.contents.base_urls is not None:
        yield _line(
            "base_urls", tuple(operator.contents.base_urls), operator.origin(("base_urls",))
        )


def _key_lines(document: Document) -> Iterator[str]:
    keys = keymap_of(document)
    for entry, _ in written_keys(document):
        name = ".".join(entry[1:])
        yield _line(name, tuple(map(shown_key, keys[name].split(","))), document.origin(entry))


_NOT_SHOWN = frozenset({"name", "file", "always_typed_above", "recipients", "accepts_new_host"})
"""Fields of a profile that are shown elsewhere, or that no file holds."""


def _profile_lines(
    document: Document, option: str | None, environ: Mapping[str, str]
) -> Iterator[str]:
    name, origin = choose_profile(document, option, environ)
    yield _line("profile", name, origin)
    if others := [other for other in document.contents.profiles if other != name]:
        yield f"# other profiles: {', '.join(others)}"
    settings = settings_of(document, name)
    yield f"\n[profiles.{name}]"
    for field in fields(Profile):
        if field.name in _NOT_SHOWN:
            continue
        value = _shown(field.name, getattr(settings.profile, field.name))
        yield _line(field.name, value, settings.origins[f"profiles.{name}.{field.name}"])
    if typed := settings.profile.always_typed_above:
        origin = document.operator.origin(("limits", "confirm_above"))
        yield _line("always_typed_above", typed, origin)
    yield _secret_line(settings.profile)
    yield from _recipient_lines(settings.profile, settings.origins[f"profiles.{name}.recipients"])


def _recipient_lines(profile: Profile, origin: str) -> Iterator[str]:
    for name, bounds in profile.recipients.items():
        for field in fields(bounds):
            key = f"recipients.{json.dumps(name)}.{field.name}"
            yield _line(key, getattr(bounds, field.name), origin)


def _shown(name: str, value: object) -> object:
    """Mask the parts of a value that may be secret: a program's arguments, the end of a path."""
    match name, value:
        case "secret_command", (program, *_):
            return program, MASK
        case "secret_keyring", (service, user):
            return f"{service}/{user}"
        case "unlock_command", tuple(commands):
            return tuple(command.argv for command in commands)
        case "path", str():
            return f"/hooks/{MASK}"
    return value


def _secret_line(profile: Profile) -> str:
    try:
        return _written("client secret", MASK, f"from {secret_source(profile).origin}")
    except SecretError as error:
        return _written("client secret", NOT_SET, error.remedy)


def _polling_lines(document: Document) -> Iterator[str]:
    polling, origins = polling_of(document)
    yield "\n[polling]"
    for key in ("floor", "requests_per_minute", "paused"):
        yield _line(key, getattr(polling, key), origins[f"polling.{key}"])
    for kind, interval in polling.intervals.items():
        yield _line(kind.value, interval, origins[f"polling.{kind}"])


def _line(key: str, value: object, origin: str) -> str:
    return _written(key, _toml(value), origin)


def _written(key: str, value: str, origin: str) -> str:
    return f"{key} = {value}".ljust(ORIGIN_COLUMN) + f"  # {origin}"


def _toml(value: object) -> str:
    match value:
        case None | ():
            return NOT_SET
        case Mapping():
            amounts = (f"{code} = {_toml(plain(amount))}" for code, amount in value.items())
            return f"{{ {', '.join(amounts)} }}" if value else NOT_SET
        case tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case Pair(sell, buy):
            value = f"{sell}/{buy}"
        case timedelta():
            value = f"{value.total_seconds():g}s"
        case Path() | DayStart() | RateAlert():
            value = str(value)
    return json.dumps(value, ensure_ascii=False)


DIALECT_ORIGIN_COLUMN = 72
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_INLINE = {("states", 2), ("extra", 2)}
"""Sections, and the depth below which their tables are written inline."""

Where = tuple[str, ...]


def shown_dialect(profile: Profile) -> Iterator[str]:
    """Yield the default dialect, with the profile's own file merged over it.

    Raises:
        DialectError: the file is not a dialect.
    """
    dialect_of(profile)
    override = profile.dialect
    with resources.as_file(resources.files("paytui.api") / "dialect.toml") as path:
        tree = read_toml(path)
    origins: dict[Where, str] = {}
    if override is not None:
        own = read_toml(override)
        tree = merge(tree, own, str(override))
        lines = key_lines(override.read_text(encoding="utf-8"))
        for where, _ in _entries(own):
            line = f":{lines[where]}" if where in lines else ""
            origins[where] = f"{override.name}{line}"
    yield f"# {override or 'the default dialect'}"
    section: Where = ()
    for where, value in _entries(tree):
        if where[:-1] != section:
            section = where[:-1]
            yield f"\n[{'.'.join(map(_key, section))}]"
        text = f"{_key(where[-1])} = {_json_as_toml(value)}"
        yield f"{text.ljust(DIALECT_ORIGIN_COLUMN)}  # {origins.get(where, 'default')}"


def _entries(tree: Mapping[str, object], at: Where = ()) -> Iterator[tuple[Where, object]]:
    """Yield all keys whose value is not a table, those of each table before its subtables."""
    tables = []
    for name, value in tree.items():
        where = (*at, name)
        if isinstance(value, dict) and (where[0], len(at)) not in _INLINE:
            tables.append((where, value))
        else:
            yield where, value
    for where, table in tables:
        yield from _entries(table, where)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _json_as_toml(value: object) -> str:
    match value:
        case list():
            return f"[{', '.join(map(_json_as_toml, value))}]"
        case dict():
            return (
                "{ " + ", ".join(f"{_key(k)} = {_json_as_toml(v)}" for k, v in value.items()) + " }"
            )
        case _:
            return json.dumps(value, ensure_ascii=False)
