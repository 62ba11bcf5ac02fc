"""Options that several commands share."""

from __future__ import annotations

import math
from pathlib import Path

import click


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    """Click lets nan and inf pass for a range."""
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number.")
    return value


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this configuration instead of your own.",
)
profile_option = click.option("--profile", metavar="P", help="Use this profile.")
accept_option = click.option(
    "--accept-new-host",
    is_flag=True,
    help="Take where the profile leads, and what proves it there now, for right.",
)
read_only_option = click.option("--read-only", is_flag=True, help="Offer nothing that moves money.")
seed_option = click.option(
    "--seed", type=int, default=1, metavar="N", help="Everything random follows from it."
)
scale_option = click.option(
    "--scale",
    type=click.IntRange(min=0),
    default=200,
    metavar="N",
    help="Start with N payments and with what belongs to them.",
)
speed_option = click.option(
    "--speed",
    type=click.FloatRange(min=0),
    callback=_number,
    default=1.0,
    metavar="X",
    help="Let states, pay-ins and rates move X times as fast; 0 stops them.",
)
