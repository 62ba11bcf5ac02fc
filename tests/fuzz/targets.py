"""All targets of fuzzing, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.fuzz import amounts, files, filters, wire
from tests.fuzz.target import Target

TARGETS: dict[str, Callable[[Path], Target]] = {
    "dialect": files.dialect,
    "answers": lambda _: wire.answers(),
    "config": files.configuration,
    "amount": lambda _: amounts.target(),
    "filter": filters.target,
    "webhook": lambda _: wire.webhooks(),
}
"""Each is made with a folder that it may write into."""
