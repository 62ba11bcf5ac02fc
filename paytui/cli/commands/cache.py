"""`paytui cache`: removal of the cached data."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.cli.common import config_option, profile_option


@click.group()
def cache() -> None:
    """What was known last, kept for the next start of the dashboard."""


@cache.command()
@profile_option
@config_option
def clear(*, profile: str | None, config_file: Path | None) -> None:
    """Forget what is kept of a profile; the next start shows nothing before it is read."""
    from paytui.config.load import config_path, load_settings
    from paytui.config.validation_cache import validation_cache_path
    from paytui.store.cache.file import cache_path, remove_cache

    path = config_path(config_file, os.environ)
    chosen = load_settings(path, os.environ, profile=profile).profile
    kept = cache_path(chosen.base_url, chosen.client_id)
    there = kept.exists()
    remove_cache(kept)
    remove_cache(validation_cache_path(path))
    click.echo(f"{'Removed' if there else 'There is no'} {kept}", err=True)
