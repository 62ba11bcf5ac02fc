"""A planted bug: one replacement in the package."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Bug:
    """`before` stands exactly once in `file`; `after` is the mistake in its place."""

    name: str
    file: str
    before: str
    after: str

    @property
    def module(self) -> str:
        """The module that holds the mistake."""
        return ".".join(Path(self.file).with_suffix("").parts)

    def plant(self) -> None:
        """From here on this process, which has imported nothing of ours, imports the mistake."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        assert text.count(self.before) == 1, f"{self.name}: {self.file} no longer holds its line"
        assert "paytui" not in sys.modules, "what has been imported is without the mistake"
        planted = text.replace(self.before, self.after)
        sys.meta_path.insert(0, _Planter(self.module, ROOT / self.file, planted))


class _Planter:
    """Finds one module, and another text in it than its file holds."""

    def __init__(self, module: str, file: Path, text: str) -> None:
        self._module = module
        self._file = file
        self._text = text

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._module:
            return None
        loader = _Planted(name, str(self._file), self._text)
        return spec_from_file_location(name, self._file, loader=loader)


class _Planted(SourceFileLoader):
    """Loads a text as if it stood in a file; nothing compiled of it is left beside that file."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self._text, self.get_filename(fullname))
