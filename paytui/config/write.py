"""Writing files that must not be there yet and that nobody else may read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from paytui.config.errors import ConfigError

MODE = 0o600


def write_config(path: Path, contents: Mapping[str, object]) -> None:
    """Write a configuration of mode 0600, its folder too where there is none.

    Raises:
        ConfigError: the file exists, or it cannot be written.
    """
    write_new(path, tomli_w.dumps(contents))


def write_new(path: Path, text: str) -> None:
    """Write a file of mode 0600 from its first moment, never over an existing one.

    Raises:
        ConfigError: it exists, or it cannot be written.
    """
    refuse_existing(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # O_EXCL: what appeared since is not overwritten either.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
    except OSError as error:
        message = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ConfigError(path, "", message, "Name a file in a folder of yours.") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def refuse_existing(path: Path) -> None:
    """Refuse a path at which there is something already.

    Raises:
        ConfigError: the file exists.
    """
    if os.path.lexists(path):
        remedy = "Edit it, move it away, or name another file."
        raise ConfigError(path, "", "exists and is not overwritten", remedy)
