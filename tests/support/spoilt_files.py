"""Damage to the user's private files."""

from __future__ import annotations

import os
from pathlib import Path


def open_to_others(path: Path) -> None:
    path.chmod(0o644)


def a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)
