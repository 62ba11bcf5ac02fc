"""`paytui export`: one table, filtered and sorted, for a spreadsheet or a script."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.cli.options import accept_option, config_option, profile_option

TABLES = (
    "accounts",
    "wallets",
    "payin_addresses",
    "payins",
    "trades",
    "recipients",
    "payment_addresses",
    "payments",
)

STDOUT = Path("-")
"""As other programs have it; a file of this name is ./-"""


@click.command()
@click.argument("table", type=click.Choice(TABLES), metavar="TABLE")
@click.option(
    "--format",
    "form",
    type=click.Choice(("csv", "json", "jsonl")),
    default="csv",
    show_default=True,
    help="Write it so; jsonl is one object a line.",
)
@click.option("--filter", "wanted", metavar="F", default="", help="Keep only rows like this.")
@click.option(
    "--sort", metavar="FIELDS", help="Sort by fields, such as -created_at,amount; - turns round."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write into a new file; - is stdout.",
)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@profile_option
@accept_option
@config_option
@click.pass_context
def export(
    ctx: click.Context,
    *,
    table: str,
    form: str,
    wanted: str,
    sort: str | None,
    output: Path | None,
    force: bool,
    profile: str | None,
    accept_new_host: bool,
    config_file: Path | None,
) -> None:
    """Read the service once and write a table: UTF-8, every digit, times with their offset.

    TABLE is accounts, wallets, payin_addresses, payins, trades, recipients, payment_addresses or
    payments.

    \b
    A filter is made of words, and of conditions on fields; all must hold:
        --filter 'acme -transfer status:released ccy:usd amount>=10k age<1h'
    Numbers may end in k, m or b, ages in s, m, h, d or w; days are those of UTC.
    A - in front turns a condition around. Fields are those of the output; ccy means its currencies,
    amount its amounts, created its created_at, and so on.
    """  # noqa: D301 - click's own mark for lines that stay as they are
    from paytui.cli.extract import Extract, check
    from paytui.cli.meet_host import meet_host
    from paytui.cli.read_all import read_all
    from paytui.config.load import config_path, load_settings
    from paytui.domain.models import Kind
    from paytui.store.export import Format

    output = None if output == STDOUT else output
    extract = Extract(Kind(table), wanted, sort)
    check(extract, output, force=force)
    path = config_path(config_file, os.environ)
    settings = load_settings(path, os.environ, profile=profile, accept_new_host=accept_new_host)
    meet_host(settings.profile)
    store = read_all(settings)
    extract.write(store, Format(form), output, force=force)
    if problem := extract.problem(store):
        click.echo(problem, err=True)
    elif remark := store.feed(extract.kind).remark:
        click.echo(f"{table}: {remark}", err=True)
    ctx.exit(extract.exit_code(store))
