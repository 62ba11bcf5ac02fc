"""Checks of a profile that do not ask the service."""

from __future__ import annotations

from paytui.cli.common import CommandError
from paytui.cli.wiring.dialect import dialect_of
from paytui.cli.wiring.known_hosts import check_tls_files
from paytui.cli.wiring.secrets import secret_source, warning_of
from paytui.config.settings import Profile, Settings
from paytui.config.theme_files import themes_beside
from paytui.platform.secret import SecretError, SecretFile


def check_profile(profile: Profile) -> str:
    """Check a profile; return its dialect and secret source in words. A secret command is not run.

    Raises:
        ConfigError: a file that connections need cannot be used.
        DialectError: its dialect cannot be used.
        SecretError: its secret file cannot be read, or others can read it.
    """
    dialect_of(profile)
    check_tls_files(profile)
    dialect = profile.dialect.name if profile.dialect else "as shipped"
    return f"dialect {dialect}; {_secret(profile)}"


def check_views(settings: Settings) -> None:
    """Check that the filters of named views can be parsed.

    Raises:
        CommandError: one cannot.
    """
    from datetime import UTC, datetime

    from paytui.domain.models import Kind
    from paytui.store.query.fields import named_fields
    from paytui.store.query.filter import FilterError, TimeContext, parse_filter
    from paytui.store.store import Store

    for name, views in settings.views.items():
        fields = named_fields(Store(), Kind(name))
        for view, wanted in views.items():
            try:
                parse_filter(wanted.filter or "", fields, TimeContext(lambda: datetime.now(UTC)))
            except FilterError as error:
                raise CommandError(f"views.{name}.{view}.filter: {error}") from None


def check_theme(settings: Settings) -> None:
    """Check that the user's own theme can be read; shipped themes always can.

    Raises:
        ConfigError: it cannot.
    """
    themes = themes_beside(settings.profile.file)
    if themes.is_own(settings.display.theme):
        from paytui.tui.theme.themes import read_theme

        read_theme(themes.file(settings.display.theme))


def _secret(profile: Profile) -> str:
    try:
        source = secret_source(profile)
    except SecretError as error:
        return f"no client secret yet. {error.remedy}"
    if isinstance(source, SecretFile):
        source.read()
    if warning := warning_of(source):
        return f"client secret from {warning}"
    return f"client secret from {source.origin}"
