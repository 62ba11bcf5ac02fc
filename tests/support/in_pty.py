"""Starting a program in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path


def start_in_pty(
    argv: Sequence[str], size: tuple[int, int], env: Mapping[str, str], cwd: Path
) -> tuple[subprocess.Popen[bytes], int]:
    """The process, and the side of its terminal that a person sits at."""
    master, slave = pty.openpty()
    set_size(master, *size)
    process = subprocess.Popen(
        argv,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=cwd,
        env=env,
        start_new_session=True,
        preexec_fn=_take_controlling_terminal,  # noqa: PLW1509 - one ioctl that takes no lock
    )
    os.close(slave)
    return process, master


def set_size(master: int, columns: int, lines: int) -> None:
    """Change the terminal's size; the program is told."""
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def _take_controlling_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
