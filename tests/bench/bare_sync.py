"""The baseline of a full sync: an httpx loop over the pages of a list, with `json.loads`.

    python -m tests.bench.bare_sync BASE_URL PAGES

Prints the seconds that it took.
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter

import httpx

PAGE_SIZE = 500


async def read(base_url: str, pages: int) -> None:
    """Read each page, and throw it away."""
    async with httpx.AsyncClient(base_url=base_url, trust_env=False) as client:
        for number in range(1, pages + 1):
            query = {"page": str(number), "pageSize": str(PAGE_SIZE)}
            answer = await client.get("/v2/payments", params=query)
            json.loads(answer.content)


if __name__ == "__main__":
    began = perf_counter()
    asyncio.run(read(sys.argv[1], int(sys.argv[2])))
    sys.stdout.write(json.dumps({"seconds": perf_counter() - began}))
