"""Tracked identifiers: `[track]` of the configuration, and the file of `paytui track`.

`paytui track` never edits the user's configuration. It keeps a file beside it, with one table a
profile.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from paytui.config.errors import ConfigError
from paytui.config.saved import replace_toml
from paytui.config.schema import TrackTable
from paytui.config.validation import InvalidTree, Validator, validate
from paytui.domain.models import Kind

Tracked = Mapping[Kind, tuple[str, ...]]

HEADER = (
    "# Written by `paytui track`. Your own identifiers belong into [track] of the configuration.\n"
)


def tracked_path(config: Path) -> Path:
    """Return the path of the tracked identifiers: `config.toml` has `config.tracked.toml`."""
    return config.with_name(f"{config.stem}.tracked.toml")


def identifiers_in(table: TrackTable) -> Tracked:
    """Return the identifiers of a table by kind, without duplicates."""
    return {Kind(name): tuple(dict.fromkeys(named)) for name, named in table.said().items()}


def read_tracked(path: Path, check: Validator = validate) -> dict[str, Tracked]:
    """Read the tracked identifiers by profile; empty if there is no file.

    Raises:
        ConfigError: it cannot be read, or was edited and is invalid.
    """
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = {profile: check(TrackTable, table) for profile, table in tree.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", "Mend its permissions.") from None
    except (InvalidTree, ValueError, RecursionError):
        remedy = "Move it away and track the identifiers again."
        raise ConfigError(path, "", "is not as `paytui track` wrote it", remedy) from None
    return {profile: identifiers_in(table) for profile, table in tables.items()}


def write_tracked(path: Path, tracked: Mapping[str, Tracked]) -> None:
    """Replace the tracked identifiers.

    Raises:
        ConfigError: it cannot be written.
    """
    tables = {
        profile: {
            kind.value: list(identifiers) for kind, identifiers in kinds.items() if identifiers
        }
        for profile, kinds in tracked.items()
    }
    remedy = "Name a configuration in a folder of yours, or use its [track]."
    replace_toml(path, HEADER, tables, remedy)


def merge_tracked(
    first: Mapping[Kind, Sequence[str]], second: Mapping[Kind, Sequence[str]]
) -> Tracked:
    """Return the identifiers of both without duplicates; kinds without any are left out."""
    found = {
        kind: tuple(dict.fromkeys((*first.get(kind, ()), *second.get(kind, ())))) for kind in Kind
    }
    return {kind: identifiers for kind, identifiers in found.items() if identifiers}
