"""The folder of a demo, and the desk of two traders that `paytui demo --desk` has in it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from paytui.cli.common import CommandError
from paytui.cli.wiring.desk import missing_libraries
from paytui.cli.wiring.private_server import running_server, stop_left
from paytui.config import user_files
from paytui.platform.files import NotPrivate, lock_beside
from paytui.platform.secret import Secret

PREFIX = "paytui-demo-"
LONGEST = 80  # Bytes of the folder's path; that of a Unix socket in it may have 107
HERE, THERE = TRADERS = ("anna", "bob")
"""The trader of the dashboard that the demo runs, and the one of another terminal."""

LAUNCHER = """\
export XDG_CONFIG_HOME={home}/config XDG_STATE_HOME={home}/state XDG_CACHE_HOME={home}/cache
export PAYTUI_CONFIG={home}/config.toml PYTHONPATH={path}
export PGPASSFILE={home}/none
unset PAYTUI_PROFILE
(
  trap '' HUP INT TERM
  while kill -0 $$; do sleep 0.5; done
  [ -e {folder}/demo.lock ] || rm -rf {folder}
) </dev/null >/dev/null 2>&1 &
exec {python} -P -m paytui "$@"
"""
"""Runs paytui for a trader, and removes what it has written since the demo ended."""


@contextmanager
def demo_folder() -> Iterator[Path]:
    """Make a private folder, and remove it at the end, and before, what killed demos left."""
    place = Path(tempfile.gettempdir())
    if os.geteuid() == 0 or len(os.fsencode(place)) > LONGEST - len(PREFIX) - 9:
        place = Path("/tmp")  # noqa: S108 - for a folder with a name of chance, private to us
    for left in place.glob(f"{PREFIX}*"):
        _remove_left(left)
    with tempfile.TemporaryDirectory(
        prefix=PREFIX, dir=place, ignore_cleanup_errors=True
    ) as folder:
        lock = lock_beside(Path(folder, "demo"))
        try:
            yield Path(folder)
        finally:
            os.close(lock)


def _remove_left(folder: Path) -> None:
    """Remove the folder of a demo of this user that does not run any more."""
    with suppress(OSError, NotPrivate):
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
            return
        if not (folder / "demo.lock").exists():
            return  # it is being made, or removed
        lock = lock_beside(folder / "demo")
        try:
            stop_left(folder)
            shutil.rmtree(folder)
        finally:
            os.close(lock)


def outbox_folder(folder: Path, trader: str) -> Path:
    return folder / f"home-{trader}" / "outbox"


@contextmanager
def demo_desk(
    folder: Path, service: Mapping[str, object], secret: Secret, overview: Mapping[str, object]
) -> Iterator[tuple[Path, Path]]:
    """Run a desk of two traders with a server of its own.

    Args:
        folder: that of `demo_folder`.
        service: the entries of a profile.
        secret: the client secret.
        overview: the table of the configuration.

    Yields:
        The configuration of the dashboard here, and a script that runs paytui for the other one.

    Raises:
        CommandError: a library or PostgreSQL is missing, or it does not start.
    """
    if missing := missing_libraries():
        raise CommandError(
            f"A desk needs {' and '.join(missing)}, which is not installed. "
            "Run: pip install 'paytui[demo]'"
        )
    from psycopg.conninfo import make_conninfo

    from paytui.desk.database import install

    with running_server(folder, TRADERS) as admin:
        install(admin, TRADERS)
        user_files.write_new(folder / "secret", f"{secret.reveal()}\n")
        for trader in TRADERS:
            profile = {
                **service,
                "secret_file": str(folder / "secret"),
                "desk": {"dsn": make_conninfo(admin, user=trader)},
            }
            user_files.write_config(
                folder / f"home-{trader}" / "config.toml",
                {
                    "default_profile": trader,
                    "profiles": {trader: profile},
                    "outbox": {"folder": str(outbox_folder(folder, trader))},
                    "cache": {"enabled": False},
                    "overview": overview,
                },
            )
        user_files.write_new(folder / THERE, _launcher(folder / f"home-{THERE}"))
        yield folder / f"home-{HERE}" / "config.toml", folder / THERE


def _launcher(home: Path) -> str:
    """Return a script that runs this paytui with all its folders in a home of a trader's."""
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    quoted = {"folder": str(home.parent), "home": str(home), "path": path, "python": sys.executable}
    return LAUNCHER.format(**{name: shlex.quote(value) for name, value in quoted.items()})
