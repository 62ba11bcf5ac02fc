"""Files that are shipped beside the code: themes and the example configuration."""

from __future__ import annotations

from pathlib import Path


def asset(name: str) -> Path:
    """A shipped file or folder: `themes`, `config.example.toml`.

    In a wheel it lies inside the package, in a checkout (installed with `-e`) beside it.

    Raises:
        FileNotFoundError: this installation is not complete.
    """
    package = Path(__file__).resolve().parent
    for place in (package, package.parent):
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"paytui is not installed completely: {name} is missing")
