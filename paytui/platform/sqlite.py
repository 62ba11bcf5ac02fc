"""Connections to SQLite files."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def open_file(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """Open a file that exists, for explicit transactions, in several threads one after another.

    Args:
        mode: "ro" or "rw".
        timeout: seconds to wait for another process that has locked it.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
