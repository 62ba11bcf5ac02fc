"""A profile that is being set up: what was answered so far, and the file that it makes."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from paytui.config.document import Document, check_tree
from paytui.config.load import settings_of
from paytui.config.operator import read_operator
from paytui.config.saved import write_config, write_new
from paytui.config.settings import Settings
from paytui.platform.keyring import SecretKeyring
from paytui.platform.secret import Secret

KEYRING_SERVICE = "paytui"
"""What its entries are of; the user's name there is the profile's."""


class Origin(StrEnum):
    """Where a client secret can come from; the values are the words that a person chooses by."""

    COMMAND = "a program that prints it, such as a password manager"
    FILE = "a file of yours that holds it (mode 0600)"
    TYPED = "typed now, and kept in a file of mode 0600 beside the configuration"
    ELSEWHERE = "the environment, or typed at each start"
    KEYRING = "typed now, and kept in this system's keyring"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProfile:
    """What was answered.

    Attributes:
        command: as typed, in the shell's way of writing words.
        typed: the secret itself, where it is still to be put where it is to be kept.
    """

    name: str = ""
    base_url: str = ""
    client_id: str = ""
    live: bool = True
    origin: Origin = Origin.COMMAND
    command: str = ""
    file: str = ""
    typed: Secret | None = field(default=None, repr=False)

    def settings(self, path: Path) -> Settings:
        """The settings that a file of this profile alone would give.

        Raises:
            ConfigError: something in it cannot be, or the operator does not allow it.
        """
        tree = self._tree()
        contents = check_tree(path, tree)
        document = Document(path, contents, tree, operator=read_operator())
        return settings_of(document, self.name)

    def write(self, path: Path) -> None:
        """Write the file, and keep the secret where it is to be; never over existing files.

        Raises:
            ConfigError: a file exists, or cannot be written.
            SecretError: the keyring does not take the secret.
        """
        if self.origin is Origin.TYPED and self.typed is not None:
            write_new(path.parent / self._secret_file, f"{self.typed.reveal()}\n")
        if self.origin is Origin.KEYRING and self.typed is not None:
            SecretKeyring(KEYRING_SERVICE, self.name).store(self.typed)
        write_config(path, self._tree())

    @property
    def _secret_file(self) -> str:
        return f"{self.name}.secret"

    def _tree(self) -> dict[str, object]:
        table: dict[str, object] = {
            "base_url": self.base_url,
            "client_id": self.client_id,
            "live": self.live,
        }
        match self.origin:
            case Origin.COMMAND:
                table["secret_command"] = shlex.split(self.command)
            case Origin.FILE:
                table["secret_file"] = self.file
            case Origin.TYPED:
                table["secret_file"] = self._secret_file
            case Origin.KEYRING:
                table["secret_keyring"] = f"{KEYRING_SERVICE}/{self.name}"
            case Origin.ELSEWHERE:
                pass
        return {"default_profile": self.name, "profiles": {self.name: table}}
