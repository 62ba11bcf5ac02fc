"""Configurations that tests write and load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.settings import Settings
from paytui.config.validation import ConfigError

SENTINEL = "s3nt1nel-hunter2"

MINIMAL = """\
[profiles.acme]
base_url = "https://api.acme.example"
client_id = "acme-desk"
"""


def uncommented(example: str) -> str:
    """Return the example of a configuration with every entry in use."""
    return re.sub(r"^#(?! )", "", example, flags=re.MULTILINE)


class Loader:
    """Writes a configuration and loads it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "config.toml"

    def __call__(
        self,
        text: str,
        *,
        profile: str | None = None,
        read_only: bool = False,
        environ: dict[str, str] | None = None,
    ) -> Settings:
        self.path.write_text(text, encoding="utf-8")
        return load_settings(self.path, environ or {}, profile=profile, read_only=read_only)

    def refusal(self, text: str, *, profile: str | None = None) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            self(text, profile=profile)
        assert SENTINEL not in str(caught.value)
        return caught.value
