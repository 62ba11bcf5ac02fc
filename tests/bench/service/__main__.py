"""A service with a book of any size that is never the bottleneck.

    python -m tests.bench.service --payments N [--etags] [--updated-since]

Prints a line of JSON with its `base_url` when it answers there, and serves until it is killed.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.bench.service.book import Book
from tests.bench.service.connection import Connection, Tally
from tests.bench.service.site import Site


@click.command(help=__doc__)
@click.option("--payments", type=click.IntRange(min=1), required=True)
@click.option("--etags", is_flag=True)
@click.option("--updated-since", is_flag=True)
def main(*, payments: int, etags: bool, updated_since: bool) -> None:
    """Write the book, then serve it."""
    with TemporaryDirectory(prefix="paytui-book-") as folder:
        book = Book(Path(folder) / "payments", payments, _now())
        site = Site(book, _now, etags=etags, updated_since=updated_since)
        asyncio.run(_serve(site))


async def _serve(site: Site) -> None:
    tally = Tally()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(site, tally, _now), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"base_url": f"http://127.0.0.1:{port}"}), flush=True)
    await server.serve_forever()


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


if __name__ == "__main__":
    main()
