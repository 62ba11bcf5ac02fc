"""Writing a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.user_files import write_config, write_new
from paytui.config.validation import ConfigError


class TestWriting:
    def test_what_is_written_is_private_and_loads(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "config.toml"
        profile = {"base_url": "https://x.example", "client_id": "a", "live": False}
        write_config(path, {"profiles": {"first": profile}})
        assert path.stat().st_mode & 0o777 == 0o600
        assert not load_settings(path, {}).profile.live

    def test_an_existing_file_is_never_touched(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        path.write_text("mine")
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            write_new(path, "theirs")
        assert path.read_text() == "mine"

    def test_a_dangling_link_is_not_written_through(self, tmp_path: Path) -> None:
        link = tmp_path / "config.toml"
        link.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            write_new(link, "text")
        assert not (tmp_path / "elsewhere").exists()

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ConfigError, match="cannot be written"):
            write_new(tmp_path / "file" / "config.toml", "text")
