"""A tmux server of a test's own, with one window."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.deadline import Deadline
from tests.support.needed import need
from tests.support.terminal import ROOT, Terminal

LOOK = 0.2
"""Seconds between two looks at a window: each is a process of its own."""

SETTINGS = """\
set -g set-clipboard on
set -g default-terminal tmux-256color
set -s escape-time 10
"""


class Tmux:
    """Runs a shell in a window; is the server's only client but for those that `attach`."""

    def __init__(self, size: tuple[int, int], env: Mapping[str, str]) -> None:
        (self._tmux,) = need("tmux")
        self._folder = tempfile.TemporaryDirectory(prefix="pt")  # a socket's path must be short
        settings = Path(self._folder.name) / "tmux.conf"
        settings.write_text(SETTINGS)
        self._server = (self._tmux, "-S", f"{self._folder.name}/s", "-f", str(settings))
        self._env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", **env}
        columns, lines = map(str, size)
        shell = ("env", "PS1=shell> ", "bash", "--norc", "--noprofile", "-i")
        self.run("new-session", "-d", "-x", columns, "-y", lines, "-c", str(ROOT), *shell)

    def run(self, *arguments: str) -> str:
        """Tell the server something; what it answers."""
        done = subprocess.run(
            (*self._server, *arguments),
            env=self._env,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    @property
    def text(self) -> str:
        """Return the text of the window."""
        return "\n".join(line.rstrip() for line in self.run("capture-pane", "-p").splitlines())

    def asks(self, flag: str) -> str:
        """Return a tmux variable of the window, for example `alternate_on`."""
        return self.run("display-message", "-p", f"#{{{flag}}}").strip()

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names."""
        self.run("send-keys", *names)

    def press_until(self, name: str, pattern: str) -> None:
        """Press a key until the window matches."""
        deadline = Deadline(60)
        while not re.search(pattern, screen := self.text):
            assert not deadline.over, f"in vain for {pattern!r} on:\n{screen}"
            self.keys(name)
            deadline.pause(LOOK)

    def bytes(self, data: bytes) -> None:
        """Have bytes arrive as they are."""
        self.run("send-keys", "-H", *(f"{byte:x}" for byte in data))

    def paste(self, text: str) -> None:
        """Paste as a person does."""
        self.run("set-buffer", text)
        self.run("paste-buffer", "-p")

    def enter(self, command: Sequence[str]) -> None:
        """Have the shell run a command."""
        self.run("send-keys", "-l", shlex.join(command))
        self.keys("Enter")

    def resize(self, columns: int, lines: int) -> None:
        """Change the window's size, whoever looks at it."""
        self.run("resize-window", "-x", str(columns), "-y", str(lines))

    def attach(self, size: tuple[int, int]) -> Terminal:
        """Somebody who looks at the window from a terminal of this size."""
        self.run("set", "-g", "window-size", "latest")
        return Terminal((*self._server, "attach"), size=size, env={"LANG": "C.UTF-8"})

    def wait_for(self, pattern: str, seconds: float = 60) -> str:
        """Wait until the window matches; returns what is in it."""
        deadline = Deadline(seconds)
        while not re.search(pattern, screen := self.text):
            assert not deadline.over, f"in vain for {pattern!r} on:\n{screen}"
            deadline.pause(LOOK)
        return screen

    def __enter__(self) -> Tmux:
        return self

    def __exit__(self, *_: object) -> None:
        self.run("kill-server")
        self._folder.cleanup()
