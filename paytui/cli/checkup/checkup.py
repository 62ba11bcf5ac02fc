"""All checks, in an order in which the first thing that is wrong explains what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from paytui.cli.checkup.configuration import configuration
from paytui.cli.checkup.files import files
from paytui.cli.checkup.finding import Finding, untried
from paytui.cli.checkup.host import is_found, is_who_it_was, leads_where_it_led
from paytui.cli.checkup.service import secret_of, service
from paytui.cli.checkup.terminal import terminal
from paytui.config.settings import Settings

STEPS = ("service", "DNS", "TLS", "client secret", "sign in", "clock", "reads")
"""What is looked at once the configuration can be used; each needs those before it."""


def checkup(
    path: Path, environ: Mapping[str, str], profile: str | None, *, accept: bool
) -> Iterator[Finding]:
    """Look at everything, each thing as soon as what it needs was found in order.

    Args:
        path: of the configuration.
        environ: the environment.
        profile: the command line's choice.
        accept: take where the profile leads, and what proves it there, for right.
    """
    settings = yield from configuration(path, environ, profile, accept=accept)
    if settings is None:
        yield from untried(("files", *STEPS), "a configuration that can be used")
    else:
        yield from files(settings)
        yield from _there(settings)
    yield from terminal(environ)


def _there(settings: Settings) -> Iterator[Finding]:
    profile = settings.profile
    if not (yield from leads_where_it_led(profile)):
        yield from untried(STEPS[1:], "a service that is known")
    elif not (yield from is_found(profile)):
        yield from untried(STEPS[2:], "an address")
    elif not (yield from is_who_it_was(profile)):
        yield from untried(STEPS[3:], "a connection")
    elif (secret := (yield from secret_of(profile))) is None:
        yield from untried(STEPS[4:], "the client secret")
    else:
        yield from service(settings, secret)
