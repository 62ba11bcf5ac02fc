"""Files that are shipped beside the code: themes and the example configuration."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path


def asset(name: str) -> Traversable:
    """A shipped file or folder: `themes`, `config.example.toml`.

    In a wheel it lies inside the package, in a checkout (installed with `-e`) beside it.

    Raises:
        FileNotFoundError: this installation is not complete.
    """
    packaged = resources.files("paytui") / name
    if packaged.is_file() or packaged.is_dir():
        return packaged
    checked_out = Path(__file__).resolve().parent.parent / name
    if checked_out.exists():
        return checked_out
    raise FileNotFoundError(f"paytui is not installed completely: {name} is missing")
