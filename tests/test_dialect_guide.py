"""The examples in the guide to dialects are valid."""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.config.settings import ConfigFile
from paytui.config.validation import validate

GUIDE = Path(__file__).parents[1] / "docs" / "dialect.md"
_BLOCK = re.compile(r"(?:^(?: {4}.*)?\n)+", re.MULTILINE)


def examples() -> list[str]:
    """The blocks of TOML in the guide."""
    blocks = (textwrap.dedent(block).strip() for block in _BLOCK.findall(GUIDE.read_text("utf-8")))
    return [block for block in blocks if re.match(r"\[|prefix", block)]


@pytest.mark.parametrize("example", examples())
def test_every_example_is_taken(example: str, tmp_path: Path) -> None:
    tree = tomllib.loads(example)
    if "profiles" in tree or "track" in tree:
        validate(ConfigFile, tree)
        return
    path = tmp_path / "guide.toml"
    path.write_text(example, encoding="utf-8")
    load_dialect(path)


def test_there_are_examples() -> None:
    assert len(examples()) >= 8
