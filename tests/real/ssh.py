"""An OpenSSH server on loopback that admits the user of the test."""

from __future__ import annotations

import getpass
import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

from tests.support.needed import need
from tests.support.tcp import own_port

SETTINGS = """\
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
"""


class SshServer:
    """Runs while the block lasts.

    Attributes:
        log: what it says of those who come.
    """

    def __init__(self, folder: Path) -> None:
        self._sshd, self._ssh, keygen = need("sshd", "ssh", "ssh-keygen")
        self._folder = folder
        folder.mkdir(mode=0o700)
        for name in ("host", "user"):
            making = (keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
            subprocess.run(making, check=True)
        (folder / "sshd_config").write_text(SETTINGS.format(folder=folder))
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where it gives up its rights
        self.log = folder / "log"
        self._held = ExitStack()
        self._port = self._held.enter_context(own_port())

    def command(self, *remote: str) -> tuple[str, ...]:
        """Return the command for a terminal on the server."""
        said = {
            "IdentityFile": self._folder / "user",
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": self._folder / "known",
            "StrictHostKeyChecking": "accept-new",
            "ConnectionAttempts": "20",
            "LogLevel": "ERROR",
        }
        options = [word for name, value in said.items() for word in ("-o", f"{name}={value}")]
        where = (f"{getpass.getuser()}@127.0.0.1", "-p", str(self._port))
        return (self._ssh, "-F", "none", "-tt", *options, *where, *remote)

    def __enter__(self) -> SshServer:
        command = (self._sshd, "-D", "-p", str(self._port), "-f", str(self._folder / "sshd_config"))
        self._process = subprocess.Popen((*command, "-E", str(self.log)))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._held.close()
