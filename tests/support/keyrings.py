"""A keyring in a file, shared by the processes of a test."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class FileKeyring(KeyringBackend):
    """Keeps entries in the file that TEST_KEYRING names; chosen by PYTHON_KEYRING_BACKEND."""

    priority = 1.0

    @property
    def _file(self) -> Path:
        return Path(os.environ["TEST_KEYRING"])

    def _entries(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self._file.read_text()) if self._file.exists() else {}
        return found

    def get_password(self, service: str, username: str) -> str | None:
        return self._entries().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._entries(), f"{service}/{username}": password}))
