"""`paytui keys`: a card of every key."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.cli.options import config_option


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, help="One object, for programs.")
def keys(*, config_file: Path | None, as_json: bool) -> None:
    """Print what every key does, as your configuration has them, each with its id."""
    import json

    from paytui.cli.key_card import card_json, card_lines
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
