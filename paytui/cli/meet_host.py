"""Whether a profile leads where it led last, asked before its secret is even read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from paytui.cli.errors import CommandError
from paytui.cli.exit_codes import ExitCode
from paytui.cli.known_host import ASK_THEM, known_host
from paytui.cli.way import check_way
from paytui.config.settings import Profile
from paytui.platform.host import is_loopback
from paytui.platform.text import clean

if TYPE_CHECKING:
    from paytui.api.http.tls import Doorkeeper


class HostMoved(CommandError):
    """A profile leads elsewhere than when it was last used, and nobody has said that it may."""

    exit_code = ExitCode.MOVED


def doorkeeper(profile: Profile, tell: Callable[[str], None]) -> Doorkeeper:
    """Who looks at certificates for a profile."""
    from paytui.api.http.tls import STRANGER

    return known_host(profile, tell) or STRANGER


def meet_host(profile: Profile, *, ask: Callable[[str], bool] | None = None) -> None:
    """Make sure that a profile leads where it led last, before anything else is done with it.

    Args:
        profile: of the service.
        ask: puts a question to somebody; None where nobody is there.

    Raises:
        HostMoved: it leads elsewhere, and nobody says that it may.
        ConfigError: what is remembered cannot be used, or a file that connections need.
    """
    check_way(profile)
    known = known_host(profile, say)
    if known is None:
        return
    if (before := known.led_to()) and not profile.accepts_new_host:
        words = (
            f'Profile "{profile.name}" led to {clean(before)} when it was last used; now it leads '
            f"to {profile.base_url}."
        )
        is_practice = not profile.live and _is_local(before) and _is_local(profile.base_url)
        _make_sure(words, is_practice=is_practice, ask=ask)
    known.remember()


def say(words: str) -> None:
    """Tell on stderr."""
    click.echo(f"{words[:1].upper()}{words[1:]}.", err=True)


def _make_sure(words: str, *, is_practice: bool, ask: Callable[[str], bool] | None) -> None:
    if is_practice:  # as from one sandbox to the next
        click.echo(words, err=True)
    elif ask is None or not ask(f"{words} The client secret goes there. Is that right?"):
        raise HostMoved(f"{words} {ASK_THEM}.")


def _is_local(base_url: str) -> bool:
    parts = urlsplit(base_url)
    return parts.scheme == "http" and is_loopback(parts.hostname or "")
