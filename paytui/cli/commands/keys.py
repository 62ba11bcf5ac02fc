"""`paytui keys`: a table of all keys."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from paytui.cli.common import config_option
from paytui.cli.output import columns
from paytui.config.keys import (
    CATALOGUE,
    GROUPS,
    KEY_CONTEXTS,
    Keymap,
    pressed,
    shown_key,
    shown_keys,
)


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, help="One object, for programs.")
def keys(*, config_file: Path | None, as_json: bool) -> None:
    """Print what every key does, as your configuration has them, each with its id."""
    import json

    from paytui.config.document import Document, read_document
    from paytui.config.load import config_path, display_of, keymap_of

    path = config_path(config_file, os.environ)
    named = config_file is not None or os.access(path, os.F_OK)
    document = read_document(path) if named else Document()
    pressed, scheme = keymap_of(document), display_of(document).key_scheme
    if as_json:
        click.echo(json.dumps(card_json(scheme, pressed), ensure_ascii=False, indent=2))
        return
    for line in card_lines(scheme, pressed):
        click.echo(line)


def card_lines(scheme: str, keys: Keymap) -> Iterator[str]:
    """Yield the keys by group, with their actions and ids, in lines of at most 80 cells."""
    yield f"Keys of paytui, scheme {scheme}"
    rows = [(f"  {shown_keys(keys[name])}", key.does, name) for name, key in CATALOGUE.items()]
    lines = iter(columns(rows, "<<<"))
    for title, group in GROUPS.items():
        yield f"\n{title}"
        for _ in group:
            yield next(lines)


def card_json(scheme: str, keys: Keymap) -> dict[str, object]:
    """Return the scheme, the groups that apply at each place, and the keys of each group."""
    return {
        "scheme": scheme,
        "places": {place: list(groups) for place, groups in KEY_CONTEXTS.items()},
        "groups": {
            title: [
                {
                    "id": name,
                    "keys": [shown_key(k) for k in pressed(keys[name])],
                    "does": key.does,
                }
                for name, key in group.items()
            ]
            for title, group in GROUPS.items()
        },
    }
