"""An export in a file: there whole or not at all, and never over another by accident."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from paytui.platform.files import create_private


class ExportError(Exception):
    """A file that cannot be written: which, why, and what to do."""

    def __init__(self, path: Path, what: str, remedy: str) -> None:
        super().__init__(f"{path}: {what}. {remedy}")


def write_file(path: Path, fill: Callable[[TextIO], None], *, replace: bool = False) -> None:
    """Write a file of mode 0600 that appears under its name once it is complete.

    Args:
        path: in a folder that exists.
        fill: writes the contents; what it raises leaves no file behind.
        replace: whether a file that is there already may be replaced.

    Raises:
        ExportError: something is there already, or the file cannot be written.
    """
    try:
        if replace:
            _write_beside(path, fill)
        else:
            _write_reserved(path, fill)
    except FileExistsError:
        raise ExportError(path, "exists and is not overwritten", "Name another file.") from None
    except OSError as error:
        what = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ExportError(path, what, "Name a file in a folder of yours.") from None


def _write_reserved(path: Path, fill: Callable[[TextIO], None]) -> None:
    """Take the name first, so that what appears meanwhile is not overwritten either."""
    os.close(create_private(path))
    try:
        _write_beside(path, fill)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write_beside(path: Path, fill: Callable[[TextIO], None]) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(create_private(beside), "w", encoding="utf-8", newline="") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
