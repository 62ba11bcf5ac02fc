"""Planted bugs: one replacement in the package each, and what must go red for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAKEN = ("paytui", "tests", "themes", "pyproject.toml", "config.example.toml", "README.md")
LEFT = shutil.ignore_patterns("__pycache__", "__snapshots__", ".*_cache")
TESTS_FAILED = 1
"""pytest's exit code for it; any other means that the test did not run as it should."""


@dataclass(frozen=True, slots=True)
class Bug:
    """`before` stands exactly once in `file`; `after` is the mistake in its place."""

    name: str
    file: str
    before: str
    after: str

    def plant(self, folder: Path) -> None:
        """Copy the project into a folder and put the bug into the copy."""
        for name in TAKEN:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=LEFT)
            else:
                shutil.copy(source, folder / name)
        target = folder / self.file
        text = target.read_text(encoding="utf-8")
        assert text.count(self.before) == 1, f"{self.name}: {self.file} no longer holds its line"
        target.write_text(text.replace(self.before, self.after), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Mutant(Bug):
    """A bug for which `test` must fail."""

    test: str

    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run the test in the copy."""
        command = [sys.executable, "-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", self.test]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
