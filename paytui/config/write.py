"""Writing files that nobody else may read: new ones, and our own over and over."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from paytui.config.errors import ConfigError
from paytui.platform import files


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
        files.make_folder(path.parent)
        files.write_new(path, text)
    except OSError as error:
        message = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ConfigError(path, "", message, "Name a file in a folder of yours.") from None


def replace_toml(path: Path, header: str, contents: Mapping[str, object], remedy: str) -> None:
    """Replace a file of our own by a whole new one, of mode 0600; half of one is never seen.

    Raises:
        ConfigError: it cannot be written; `remedy` tells what to do instead.
    """
    try:
        files.replace_private(path, header + tomli_w.dumps(contents))
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 0)
        raise ConfigError(path, "", f"cannot be written: {why}", remedy) from None


def refuse_existing(path: Path) -> None:
    """Refuse a path at which there is something already.

    Raises:
        ConfigError: the file exists.
    """
    if os.path.lexists(path):
        remedy = "Edit it, move it away, or name another file."
        raise ConfigError(path, "", "exists and is not overwritten", remedy)
