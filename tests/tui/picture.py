"""The picture of the README: the real overview on a seeded sandbox.

python -m tests.tui.picture docs/overview.svg
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.seeded import seeded_book
from tests.tui.dashboard import Dashboard

SIZE = (110, 30)


async def picture(dashboard: Dashboard) -> str:
    """The overview as SVG."""
    app = dashboard.app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        return app.export_screenshot(title="paytui")


def main(target: str) -> None:
    """Write the picture to a file."""
    book = seeded_book(scale=200)
    dashboard = Dashboard(book.store, book.clock, book.time)
    Path(target).write_text(asyncio.run(picture(dashboard)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
